"""Kernels that look a strategy up: hand classes, chains of levels, the hash table of the play.

Every table row is read by regret matching: what is positive is normalised. A row of probabilities
reads as itself, so a strategy in training and a finished one are the same arrays.

References
----------
.. [1] Hart and Mas-Colell, A simple adaptive procedure leading to correlated equilibrium,
   Econometrica 68, 2000: regret matching.
"""

import numpy as np
from numpy.typing import NDArray

from mouche_solver.cards.kernels.bits import ONE, Hand, HandClass, Int, Ints
from mouche_solver.cards.kernels.classes import RANK_BITS, RANK_MASK, multiset_rank, suit_key
from mouche_solver.cards.kernels.records import BARRED, FREE, ONLY, Policy, Rows
from mouche_solver.core.jit import kernel

Floats = NDArray[np.float64]
Keys = NDArray[np.uint64]

SHARDS = 4  # parts of the play's table that are written independently
SHARD_BITS = np.uint64(62)
S27, S31, S33 = np.uint64(27), np.uint64(31), np.uint64(33)
MIX_1 = np.uint64(0xFF51AFD7ED558CCD)
MIX_2 = np.uint64(0xC4CEB9FE1A85EC53)


@kernel
def mix(word: Int) -> Int:
    """A thorough mixing of 64 bits."""
    word = (word ^ (word >> S33)) * MIX_1
    word = (word ^ (word >> S33)) * MIX_2
    return word ^ (word >> S33)


@kernel
def hand_class(hand: Hand, context: Int, policy: Policy) -> HandClass:
    """The class of a hand, as in :func:`mouche_solver.cards.kernels.classes.class_number`."""
    facts, shape_of, key = policy.facts, policy.shape, policy.key
    turned = facts.turned[context]
    turned_shift = turned - turned % facts.ranks
    hole = (ONE << (turned % facts.ranks)) - 1
    full = (ONE << facts.ranks) - 1
    a = suit_key(hand, facts.shifts[context, 0], full, hole, turned_shift, key)
    b = suit_key(hand, facts.shifts[context, 1], full, hole, turned_shift, key)
    c = suit_key(hand, facts.shifts[context, 2], full, hole, turned_shift, key)
    d = suit_key(hand, facts.shifts[context, 3], full, hole, turned_shift, key)
    apart = facts.apart[context]
    if apart <= 2:
        c, d = max(c, d), min(c, d)
    if apart <= 1:
        b, c = max(b, c), min(b, c)
        c, d = max(c, d), min(c, d)
    shape = (a >> RANK_BITS) * facts.base + (b >> RANK_BITS)
    shape = (shape * facts.base + (c >> RANK_BITS)) * facts.base + (d >> RANK_BITS)
    number: HandClass = (
        facts.start[context]
        + shape_of[context, shape, 0]
        + shape_of[context, shape, 1] * (a & RANK_MASK)
        + shape_of[context, shape, 2] * multiset_rank(b & RANK_MASK, shape_of[context, shape, 6])
        + shape_of[context, shape, 3] * multiset_rank(c & RANK_MASK, shape_of[context, shape, 7])
        + shape_of[context, shape, 4] * (d & RANK_MASK)
    )
    return number


@kernel
def cell_of(level: Int, hand: HandClass, history: Int, policy: Policy) -> Int:
    """The table row of a hand class and a public history at one level."""
    facts = policy.facts
    place = policy.hand_of[level, hand] * facts.histories[level]
    return facts.first[level] + place + policy.history_of[level, history]


@kernel
def match(width: Int, legal: Int, out: Floats) -> None:
    """Regret matching over the legal actions; the largest ones when nothing is positive."""
    total = 0.0
    best = -np.inf
    for a in range(width):
        if not (legal >> a) & 1:
            out[a] = 0.0
            continue
        best = max(best, out[a])
        total += max(out[a], 0.0)
    if total > 0.0:
        for a in range(width):
            out[a] = max(out[a], 0.0) / total
        return
    number = 0
    for a in range(width):
        number += ((legal >> a) & 1) and out[a] == best
    for a in range(width):
        out[a] = 1.0 / number if ((legal >> a) & 1) and out[a] == best else 0.0


@kernel
def match_row(table: Rows, row: Int, width: Int, legal: Int, out: Floats) -> None:
    """Regret matching over the legal actions of a row."""
    for a in range(width):
        out[a] = np.float64(table[row, a])
    match(width, legal, out)


@kernel
def declaration_mix(policy: Policy, hand: HandClass, history: Int, legal: Int, out: Floats) -> None:
    """Probabilities of the declarations: rows of the chain of levels, blended by visits.

    In training the rows are mean advantages, so a level hardly visited only shifts what the coarser
    ones have found; in a finished strategy they are probabilities. Two levels beside each other
    both shift what the coarser ones say.
    """
    facts = policy.facts
    width = facts.actions
    for a in range(width):
        out[a] = 0.0
    level, cell = 0, 0
    while level < facts.levels:
        cell = cell_of(level, hand, history, policy)
        share = weight_of(level, cell, policy)
        if level + 1 < facts.levels and facts.beside[level + 1]:
            first, level = cell, level + 1
            cell = cell_of(level, hand, history, policy)
            other = weight_of(level, cell, policy)
            for a in range(width):
                one, two = np.float64(policy.table[first, a]), np.float64(policy.table[cell, a])
                out[a] += share * (one - out[a]) + other * (two - out[a])
        else:
            for a in range(width):
                out[a] += share * (np.float64(policy.table[cell, a]) - out[a])
        level += 1
    bar = policy.barred[cell]
    if bar != FREE:
        legal = without_barred(bar, legal, out)
    match(width, legal, out)


@kernel
def weight_of(level: Int, cell: Int, policy: Policy) -> float:
    """How much a level's row shifts what coarser levels say."""
    seen = np.float64(policy.visits[cell])
    return seen / (seen + policy.facts.prior[level]) if level > 0 else 1.0


@kernel
def without_barred(bar: Int, legal: Int, out: Floats) -> Int:
    """The legal actions without barred ones, whose probability another takes over."""
    only = np.int64(bar) - (ONLY if bar >= ONLY else BARRED)
    if not (legal >> only) & 1:
        return legal
    if bar >= ONLY:
        out[only] = 1.0
        return ONE << only
    out[only] += max(out[0], 0.0)
    out[0] = 0.0
    return legal & ~ONE


@kernel
def find(keys: Keys, key: Int) -> Int:
    """The slot of a key, or ``-1 - slot`` of the free slot where it belongs.

    A shard without a free slot answers with minus the number of all slots, minus 1.
    """
    size = len(keys) // SHARDS
    first = np.int64(key >> SHARD_BITS) * size
    at = np.int64(key & np.uint64(size - 1))
    for _ in range(size):
        found = keys[first + at]
        if found == key:
            return first + at
        if found == 0:
            return -1 - (first + at)
        at = (at + 1) & (size - 1)
    return -1 - len(keys)


@kernel
def play_mix(policy: Policy, key: Int, number: Int, out: Floats) -> Int:
    """Probabilities of ``number`` cards; returns the slot, negative when it is unknown."""
    slot = find(policy.keys, key)
    if slot < 0:
        for a in range(number):
            out[a] = 1.0 / number
    else:
        match_row(policy.play, slot, number, (ONE << number) - 1, out)
    return slot


@kernel
def pick(chances: Floats, number: Int, luck: float) -> Int:
    """The action that a uniform number chooses."""
    chosen = 0
    for a in range(number):
        if chances[a] > 0.0:
            chosen = a
            luck -= chances[a]
            if luck < 0.0:
                break
    return chosen


@kernel
def place_keys(given: Keys, keys: Keys, places: Ints) -> Int:
    """Write keys into an empty table; their slots. -1 when a shard is full."""
    for i in range(len(given)):
        slot = find(keys, given[i])
        if slot == -1 - len(keys):
            return -1
        if slot < 0:
            slot = -1 - slot
            keys[slot] = given[i]
        places[i] = slot
    return 0
