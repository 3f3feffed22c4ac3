"""Kernels that apply the logs of a round, in order, to one level or one shard of the tables."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from mouche_solver.cards.kernels.bits import ONE, Int, Ints
from mouche_solver.cards.kernels.lookup import (
    SHARD_BITS,
    SHARDS,
    Keys,
    cell_of,
    find,
)
from mouche_solver.cards.kernels.records import Policy, Rows
from mouche_solver.cards.train.kernels import NODES, VISITS, Log
from mouche_solver.core.jit import kernel

FULL = 0.85  # share of the slots of a shard that may be taken


class Memory(NamedTuple):
    """What training writes for the declarations or the play, by row.

    The mean regret of each action, the sum of the strategies, the mean value, the sum of the
    weights, the visits.
    """

    regret: Rows
    average: Rows
    value: NDArray[np.float32]
    weight: NDArray[np.float32]
    visits: NDArray[np.float32]


@kernel
def learn(
    memory: Memory, row: Int, width: Int, legal: Int, values: Rows, mixes: Rows, n: Int,
    weight: float,
) -> None:  # fmt: skip
    """Take one sample of the values of all actions, and the mix that was played, into the means."""
    value = 0.0
    for a in range(width):
        value += mixes[n, a] * values[n, a]
    memory.weight[row] += weight
    step = weight / memory.weight[row]
    for a in range(width):
        if (legal >> a) & 1:
            memory.regret[row, a] += step * (values[n, a] - value - memory.regret[row, a])
    memory.value[row] += step * (value - memory.value[row])
    memory.visits[row] += 1.0


@kernel
def average_declarations(
    level: Int, policy: Policy, memory: Memory, log: Log, weight: float
) -> None:
    """The sampled nodes of one log at one level."""
    width = memory.regret.shape[1]
    for v in range(log.counts[VISITS]):
        cell = cell_of(level, log.visits[v, 0], log.visits[v, 1], policy)
        for a in range(width):
            memory.average[cell, a] += weight * log.visit_mix[v, a]


@kernel
def learn_declarations(level: Int, policy: Policy, memory: Memory, log: Log, weight: float) -> None:
    """The traversed nodes of one log at one level."""
    width = memory.regret.shape[1]
    for n in range(log.counts[NODES]):
        cell = cell_of(level, log.nodes[n, 0], log.nodes[n, 1], policy)
        learn(memory, cell, width, log.nodes[n, 2], log.values, log.node_mix, n, weight)


@kernel
def slot_for(keys: Keys, key: Int, used: Ints) -> Int:
    """The slot of a key, taken if it was free; -1 when the shard is full."""
    slot = find(keys, key)
    if slot >= 0:
        return slot
    shard = np.int64(key >> SHARD_BITS)
    if used[shard] >= FULL * (len(keys) // SHARDS):
        return -1
    used[shard] += 1
    slot = -1 - slot
    keys[slot] = key
    return slot


@kernel
def average_play(
    shard: Int, keys: Keys, used: Ints, memory: Memory, log: Log, weight: float
) -> None:
    """The sampled nodes of one log in one shard."""
    for v in range(min(log.counts[VISITS], len(log.visits))):
        key = np.uint64(log.visits[v, 0])
        if np.int64(key >> SHARD_BITS) == shard:
            slot = slot_for(keys, key, used)
            number = log.visits[v, 1]
            if slot >= 0:
                for a in range(number):
                    memory.average[slot, a] += weight * log.visit_mix[v, a]


@kernel
def learn_play(shard: Int, keys: Keys, used: Ints, memory: Memory, log: Log, weight: float) -> None:
    """The traversed nodes of one log in one shard."""
    for n in range(min(log.counts[NODES], len(log.nodes))):
        key = np.uint64(log.nodes[n, 0])
        if np.int64(key >> SHARD_BITS) == shard:
            slot = slot_for(keys, key, used)
            number = log.nodes[n, 1]
            if slot >= 0:
                legal = (ONE << number) - 1
                learn(memory, slot, number, legal, log.values, log.node_mix, n, weight)


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
