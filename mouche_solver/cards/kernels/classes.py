"""Kernels that enumerate hands and number their classes.

The callers are in :mod:`mouche_solver.cards.compiled.hands`.

Hands are int64 bit masks. ``key[mask]`` of one suit is ``length << 11 | rank``, the rank being
the colexicographic rank of the mask among masks of that length: at most C(13, 6) = 1716, so that
the keys of a suit fill half of a core's first cache.

References
----------
.. [1] Knuth, The Art of Computer Programming 4A, section 7.2.1.3, 2011: combinations in
   colexicographic order, Gosper's step.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from mouche_solver.cards.kernels.bits import ONE, Hand, Int, Ints
from mouche_solver.core.jit import kernel

RANK_BITS = 11
RANK_MASK = (1 << RANK_BITS) - 1


class HandNumbering(NamedTuple):
    """How the hands of one turn-up are numbered.

    Attributes
    ----------
    ranks, suits : int
        Cards of a suit, suits of the pack.
    shifts : int64 array, shape (4,)
        The lowest cards of four suits, those that keep their names first.
    apart : int
        How many suits keep their names.
    turned : int
        The turn-up.
    base : int
        A shape's number are the suits' lengths read as digits to this base.
    key : int16 array
        Of one suit, see the head of this module.
    offset : int64 array, shape (shapes,)
        First class of each shape, -1 where there is none.
    stride, run, lengths : int64 arrays, shape (shapes, 4)
        Of the i-th suit of ``shifts``: what a step of its rank counts, how many equally long
        interchangeable suits begin there, its cards.
    blocks, starts : int64 arrays
        The shapes that occur, and their first classes, increasing.
    mask_of : int64 array
        ``mask_of[length, rank]`` of one suit.
    """

    ranks: int
    suits: int
    shifts: Ints
    apart: int
    turned: int
    base: int
    key: NDArray[np.int16]
    offset: Ints
    stride: Ints
    run: Ints
    lengths: Ints
    blocks: Ints
    starts: Ints
    mask_of: Ints


@kernel
def suit_keys(ranks: Int, hand_size: Int, key: NDArray[np.int16], mask_of: Ints) -> None:
    """Fill ``key[mask]`` (-1 when longer than a hand) and ``mask_of[length, rank]``."""
    count = np.zeros(ranks + 1, np.int64)
    for mask in range(1 << ranks):
        length = 0
        rest = mask
        while rest:
            rest &= rest - 1
            length += 1
        if length > hand_size:
            key[mask] = -1
            continue
        key[mask] = (length << RANK_BITS) | count[length]
        mask_of[length, count[length]] = mask
        count[length] += 1


@kernel
def next_subset(mask: Int) -> Int:
    """The next larger mask with as many bits (Gosper's step)."""
    lowest = mask & -mask
    ripple = mask + lowest
    return ripple | (((mask ^ ripple) // lowest) >> 2)


@kernel
def open_hole(compact: Int, turned: Int) -> Int:
    """Move the cards from ``turned`` on up by one."""
    low = compact & ((ONE << turned) - 1)
    return low | ((compact ^ low) << 1)


@kernel
def all_hands(hand_size: Int, turned: Int, out: Ints) -> None:
    """Every hand without card ``turned``, in colexicographic order."""
    compact = (ONE << hand_size) - 1
    for i in range(len(out)):
        out[i] = open_hole(compact, turned)
        compact = next_subset(compact)


@kernel
def multiset_rank(value: Int, run: Int) -> Int:
    """How many multisets of size ``run`` have all their members below ``value``."""
    pairs = value * (value + 1) // 2
    triples = pairs * (value + 2) // 3
    return value if run == 1 else (pairs if run == 2 else triples)


@kernel
def suit_key(
    hand: Hand, shift: Int, full: Int, hole: Int, turned_shift: Int, key: NDArray[np.int16]
) -> Int:
    """Key of the cards of one suit; in the turn-up's suit the cards above it close up."""
    mask = (hand >> shift) & full
    if shift == turned_shift:
        mask = (mask & hole) | ((mask >> 1) & ~hole)
    return np.int64(key[mask])


@kernel
def class_number(hand: Hand, by: HandNumbering) -> Int:
    """Class number of a hand."""
    turned_shift = by.turned - by.turned % by.ranks
    hole = (ONE << (by.turned % by.ranks)) - 1
    full = (ONE << by.ranks) - 1
    a = suit_key(hand, by.shifts[0], full, hole, turned_shift, by.key)
    b = suit_key(hand, by.shifts[1], full, hole, turned_shift, by.key)
    c = suit_key(hand, by.shifts[2], full, hole, turned_shift, by.key)
    d = suit_key(hand, by.shifts[3], full, hole, turned_shift, by.key)
    if by.apart <= 2:  # sort the interchangeable suits downwards: min and max do not branch
        c, d = max(c, d), min(c, d)
    if by.apart <= 1:
        b, c = max(b, c), min(b, c)
        c, d = max(c, d), min(c, d)
    shape = (a >> RANK_BITS) * by.base + (b >> RANK_BITS)
    shape = (shape * by.base + (c >> RANK_BITS)) * by.base + (d >> RANK_BITS)
    return (
        by.offset[shape]
        + by.stride[shape, 0] * (a & RANK_MASK)  # trumps are never interchangeable
        + by.stride[shape, 1] * multiset_rank(b & RANK_MASK, by.run[shape, 1])
        + by.stride[shape, 2] * multiset_rank(c & RANK_MASK, by.run[shape, 2])
        + by.stride[shape, 3] * (d & RANK_MASK)  # the last of its run
    )


@kernel
def class_of(hands: Ints, by: HandNumbering, out: Ints) -> None:
    """:func:`class_number` of many hands."""
    for h in range(len(hands)):
        out[h] = class_number(hands[h], by)


@kernel
def classes_of_all(hand_size: Int, by: HandNumbering, out: Ints) -> None:
    """:func:`class_number` of every hand, in the order of :func:`all_hands`."""
    compact = (ONE << hand_size) - 1
    for i in range(len(out)):
        out[i] = class_number(open_hole(compact, by.turned), by)
        compact = next_subset(compact)


@kernel
def hand_of(classes: Ints, by: HandNumbering, out: Ints, weight: Ints) -> None:
    """One hand of each class, and the number of hands in the class."""
    turned_shift = by.turned - by.turned % by.ranks
    hole = (ONE << (by.turned % by.ranks)) - 1
    for c in range(len(classes)):
        block = np.searchsorted(by.starts, classes[c], side="right") - 1
        shape = by.blocks[block]
        rest = classes[c] - by.starts[block]
        hand = np.int64(0)
        total = 1
        equal = 1
        previous = np.int64(-1)
        for i in range(by.suits):
            step = by.stride[shape, i]
            value = _largest(rest // step, by.run[shape, i])
            rest -= step * multiset_rank(value, by.run[shape, i])
            mask = by.mask_of[by.lengths[shape, i], value]
            if i >= by.apart:
                equal = equal + 1 if i > by.apart and mask == previous else 1
                total = total * (i - by.apart + 1) // equal
            previous = mask
            if by.shifts[i] == turned_shift:
                mask = (mask & hole) | ((mask & ~hole) << 1)
            hand |= mask << by.shifts[i]
        out[c] = hand
        weight[c] = total


@kernel
def _largest(amount: Int, run: Int) -> Int:
    """The largest value whose ``multiset_rank`` is not above ``amount``."""
    if run == 1:
        return amount
    value = int((2.0 * amount) ** 0.5) if run == 2 else int((6.0 * amount) ** (1.0 / 3.0))
    while multiset_rank(value, run) > amount:
        value -= 1
    while multiset_rank(value + 1, run) <= amount:
        value += 1
    return value


@kernel
def hand_number(hands: Ints, turned: Int, binomial: Ints, out: Ints) -> None:
    """Colexicographic number of each hand among all hands without ``turned``."""
    below = (ONE << turned) - 1
    for h in range(len(hands)):
        compact = (hands[h] & below) | ((hands[h] >> 1) & ~below)
        number = 0
        size = 0
        position = 0
        while compact:
            if compact & 1:
                size += 1
                number += binomial[position, size]
            compact >>= 1
            position += 1
        out[h] = number
