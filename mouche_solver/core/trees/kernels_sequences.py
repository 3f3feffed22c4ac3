"""Kernels over a :class:`~mouche_solver.core.trees.extensive.SequenceForm`: reach, values, regret.

Arrays over sequences have shape (sequences,); sequences below ``players`` are the empty ones.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from mouche_solver.core.jit import kernel

Ints = NDArray[np.int64]
Ints32 = NDArray[np.int32]
Floats = NDArray[np.float64]


@kernel
def reach_sequences(parent: Ints, start: Ints, strategy: Floats, reach: Floats) -> None:
    """Each player's own probability of each sequence, into ``reach``."""
    reach[: start[0]] = 1.0
    for infoset in range(len(parent)):
        for s in range(start[infoset], start[infoset + 1]):
            reach[s] = reach[parent[infoset]] * strategy[s]


@kernel
def collect_leaves(
    sequence: Ints32,
    chance: Floats,
    payoff: Ints32,
    table: Floats,
    reach: Floats,
    player: int,
    value: Floats,
) -> None:
    """Add each leaf's payoff, times chance's and the others' reach, to the player's sequence.

    ``table`` holds the player's payoffs; ``value`` is overwritten.
    """
    value[:] = 0.0
    players = sequence.shape[1]
    for leaf in range(len(chance)):
        weight = chance[leaf]
        for other in range(players):
            if other != player:
                weight *= reach[sequence[leaf, other]]
        value[sequence[leaf, player]] += weight * table[payoff[leaf]]


@kernel
def respond(
    owner: Ints, parent: Ints, start: Ints, player: int, value: Floats, response: Floats
) -> float:
    """Best actions from the last information set to the first; the best value of the start.

    ``value`` becomes each sequence's value under best play; ``response`` is 1 at the actions taken,
    the first of equal ones.
    """
    for infoset in range(len(parent) - 1, -1, -1):
        if owner[infoset] != player:
            continue
        first = best = start[infoset]
        for s in range(first, start[infoset + 1]):
            response[s] = 0.0
            if value[s] > value[best]:
                best = s
        response[best] = 1.0
        value[parent[infoset]] += value[best]
    return float(value[player])


class Factors(NamedTuple):
    """What happens to old regrets: factors by their sign.

    Predictive: regrets stay above zero and the source counts the last gain twice.
    """

    positive: float
    negative: float
    ahead: float


@kernel
def update_regrets(
    owner: Ints,
    parent: Ints,
    start: Ints,
    player: int,
    strategy: Floats,
    value: Floats,
    factors: Factors,
    regret: Floats,
    source: Floats,
) -> None:
    """One regret update of a player from collected values; ``source`` is what is matched."""
    positive, negative, ahead = factors
    for infoset in range(len(parent) - 1, -1, -1):
        if owner[infoset] != player:
            continue
        expected = 0.0
        for s in range(start[infoset], start[infoset + 1]):
            expected += strategy[s] * value[s]
        for s in range(start[infoset], start[infoset + 1]):
            gain = value[s] - expected
            if ahead > 0.0:
                regret[s] = max(regret[s] * positive + gain, 0.0)
                source[s] = regret[s] + ahead * gain
            else:
                regret[s] = regret[s] * (positive if regret[s] > 0.0 else negative) + gain
                source[s] = regret[s]
        value[parent[infoset]] += expected


@kernel
def normalise(owner: Ints, start: Ints, player: int, source: Floats, strategy: Floats) -> None:
    """Strategy of a player in proportion to the positive part of ``source``, else uniform."""
    for infoset in range(len(owner)):
        if owner[infoset] != player:
            continue
        first, last = start[infoset], start[infoset + 1]
        total = 0.0
        for s in range(first, last):
            total += max(source[s], 0.0)
        for s in range(first, last):
            if total > 0.0:
                strategy[s] = max(source[s], 0.0) / total
            else:
                strategy[s] = 1.0 / (last - first)


@kernel
def add_to_average(
    owner: Ints,
    parent: Ints,
    start: Ints,
    player: int,
    strategy: Floats,
    weight: float,
    reach: Floats,
    average: Floats,
) -> None:
    """Add the player's strategy, weighted with own reach, to its average in flow form."""
    reach[player] = 1.0
    for infoset in range(len(parent)):
        if owner[infoset] != player:
            continue
        for s in range(start[infoset], start[infoset + 1]):
            reach[s] = reach[parent[infoset]] * strategy[s]
            average[s] += weight * reach[s]
