"""Numbers for relative patterns: who owns each card still out, in lanes of one suit each.

Lane 0 holds the trumps, lanes 1 to 3 the plain suits, each ``LANE`` bits wide, low cards first. A
pattern's number is ``shape * strings + rank``: the shape tells how many cards each lane holds,
plain lanes sorted from long to short, the rank is that of the string of owners among all strings
in which each player owns as many cards.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from mouche_solver.cards.kernels.bits import ONE, Int, Ints, count, lowest
from mouche_solver.core.jit import kernel

LANE = 15
LANE_MASK = (ONE << LANE) - 1
LANES = 4
FIELD = 5  # bits of one player's tricks in a packed vector, player 0 in the highest field


class Level(NamedTuple):
    """The patterns with ``cards`` cards a player, and the table of their values.

    ``before[counts, owner]`` counts the strings that begin with a smaller owner, ``counts`` being
    the cards each player has left as digits to the base cards + 1, worth ``digit[owner]``.
    ``shape[trumps, longest, middle]`` is the number of a shape, -1 when it cannot occur;
    ``value[pattern]`` an index into ``packed``, vectors seen from the leader.
    """

    players: int
    cards: int
    strings: int
    digit: Ints
    before: NDArray[np.int32]
    shape: NDArray[np.int32]
    packed: Ints
    value: NDArray[np.uint8]


@kernel
def pattern_number(out: Int, owner: NDArray[np.int8], leader: Int, level: Level) -> Int:
    """Number of the position whose cards ``out`` belong to ``owner[card]``; ``leader`` leads."""
    trumps = out & LANE_MASK
    a = (out >> LANE) & LANE_MASK
    b = (out >> (2 * LANE)) & LANE_MASK
    c = (out >> (3 * LANE)) & LANE_MASK
    # Length, then lane, then cards in one number: sorting it sorts the lanes.
    x = (count(a) << 32) | (LANE << 20) | a
    y = (count(b) << 32) | (2 * LANE << 20) | b
    z = (count(c) << 32) | (3 * LANE << 20) | c
    x, y = max(x, y), min(x, y)
    y, z = max(y, z), min(y, z)
    x, y = max(x, y), min(x, y)
    counts = level.before.shape[0] - 1
    rank = ONE * 0
    for lane in range(LANES):
        word = trumps if lane == 0 else (x if lane == 1 else (y if lane == 2 else z))
        mask = word & LANE_MASK
        base = (word >> 20) & 63
        while mask:
            who = owner[base + lowest(mask)] - leader
            if who < 0:
                who += level.players
            rank += level.before[counts, who]
            counts -= level.digit[who]
            mask &= mask - ONE
    return level.shape[count(trumps), x >> 32, y >> 32] * level.strings + rank


@kernel
def seen_from(packed: Int, seat: Int, players: Int) -> Int:
    """Turn a packed vector so that ``seat`` comes first."""
    shift = FIELD * seat
    width = FIELD * players
    return ((packed << shift) | (packed >> (width - shift))) & ((ONE << width) - 1)


@kernel
def liking(packed: Int, seat: Int, players: Int) -> Int:
    """A number that is larger when ``seat`` likes the vector better.

    More tricks for himself first; then fewer for the next seat, then for the one after it.
    """
    others = (ONE << (FIELD * (players - 1))) - 1
    return seen_from(packed, seat, players) ^ others
