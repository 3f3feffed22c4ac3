"""Kernels that enumerate hands and number their classes; see :mod:`mouche_solver.cards.hands`.

Hands are int64 bit masks. ``key[mask]`` of one suit is ``length << 16 | rank``, the rank being
the colexicographic rank of the mask among masks of that length.
"""

import numpy as np
from numpy.typing import NDArray

from mouche_solver.core.jit import kernel

Ints = NDArray[np.int64]

RANK_BITS = 16
RANK_MASK = (1 << RANK_BITS) - 1


@kernel
def suit_keys(ranks: int, hand_size: int, key: NDArray[np.int32], mask_of: Ints) -> None:
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
def all_hands(cards: int, hand_size: int, turned: int, out: Ints) -> None:
    """Every hand without card ``turned``, in colexicographic order (Gosper's step)."""
    low_part = (np.int64(1) << turned) - 1
    compact = (np.int64(1) << hand_size) - 1
    for i in range(len(out)):
        out[i] = (compact & low_part) | ((compact & ~low_part) << 1)
        lowest = compact & -compact
        ripple = compact + lowest
        compact = ripple | (((compact ^ ripple) // lowest) >> 2)


@kernel
def multiset_rank(value: int, run: int) -> int:
    """How many multisets of size ``run`` have all their members below ``value``."""
    if run == 1:
        return value
    if run == 2:
        return value * (value + 1) // 2
    return value * (value + 1) * (value + 2) // 6


@kernel
def class_of(
    hands: Ints,
    ranks: int,
    suits: Ints,
    apart: int,
    turned: int,
    base: int,
    key: NDArray[np.int32],
    offset: Ints,
    stride: Ints,
    run: Ints,
    out: Ints,
) -> None:
    """Class number of each hand.

    ``suits`` lists the suits, the ``apart`` ones first; ``offset[shape]``, ``stride[shape, i]``
    and ``run[shape, i]`` describe the block of a shape, whose number is the suits' lengths
    read as digits to ``base``.
    """
    n = len(suits)
    keys = np.empty(n, np.int64)
    turned_suit = turned // ranks
    below = (np.int64(1) << (turned % ranks)) - 1
    full = (np.int64(1) << ranks) - 1
    for h in range(len(hands)):
        hand = hands[h]
        for i in range(n):
            suit = suits[i]
            mask = (hand >> (suit * ranks)) & full
            if suit == turned_suit:
                mask = (mask & below) | ((mask >> 1) & ~below)
            k = np.int64(key[mask])
            j = i
            while j > apart and keys[j - 1] < k:  # the interchangeable suits, sorted downwards
                keys[j] = keys[j - 1]
                j -= 1
            keys[j] = k
        shape = 0
        for i in range(n):
            shape = shape * base + (keys[i] >> RANK_BITS)
        number = offset[shape]
        for i in range(n):
            number += stride[shape, i] * multiset_rank(keys[i] & RANK_MASK, run[shape, i])
        out[h] = number


@kernel
def hand_of(
    classes: Ints,
    ranks: int,
    suits: Ints,
    apart: int,
    turned: int,
    blocks: Ints,
    starts: Ints,
    lengths: Ints,
    stride: Ints,
    run: Ints,
    mask_of: Ints,
    out: Ints,
    weight: Ints,
) -> None:
    """One hand of each class, and the number of hands in the class.

    ``starts`` are the first class numbers of the shapes ``blocks``, increasing;
    ``lengths[shape, i]`` the cards in the i-th suit of ``suits``.
    """
    n = len(suits)
    turned_suit = turned // ranks
    below = (np.int64(1) << (turned % ranks)) - 1
    for c in range(len(classes)):
        block = np.searchsorted(starts, classes[c], side="right") - 1
        shape = blocks[block]
        rest = classes[c] - starts[block]
        hand = np.int64(0)
        total = 1
        equal = 1
        previous = np.int64(-1)
        for i in range(n):
            step = stride[shape, i]
            value = _largest(rest // step, run[shape, i])
            rest -= step * multiset_rank(value, run[shape, i])
            mask = mask_of[lengths[shape, i], value]
            if i >= apart:
                equal = equal + 1 if i > apart and mask == previous else 1
                total = total * (i - apart + 1) // equal
            previous = mask
            if suits[i] == turned_suit:
                mask = (mask & below) | ((mask & ~below) << 1)
            hand |= mask << (suits[i] * ranks)
        out[c] = hand
        weight[c] = total


@kernel
def _largest(amount: int, run: int) -> int:
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
def hand_number(hands: Ints, turned: int, binomial: Ints, out: Ints) -> None:
    """Colexicographic number of each hand among all hands without ``turned``."""
    below = (np.int64(1) << turned) - 1
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
