"""Kernels that apply the logs of a round, in order, to one level or one shard of the tables."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from mouche_solver.cards.kernels_bits import ONE, Int, Ints
from mouche_solver.cards.kernels_policy import (
    SHARD_BITS,
    SHARDS,
    Floats,
    Keys,
    cell_of,
    find,
    match_row,
)
from mouche_solver.cards.kernels_records import Policy, Rows
from mouche_solver.cards.kernels_train import NODES, VISITS, Log
from mouche_solver.core.jit import kernel

FULL = 0.85  # share of the slots of a shard that may be taken


class Memory(NamedTuple):
    """What training writes for the declarations or the play, by row: regrets, the average strategy,
    the weighted sum of values, the sum of the weights, the number of visits."""

    regret: Rows
    average: Rows
    value: NDArray[np.float32]
    weight: NDArray[np.float32]
    visits: NDArray[np.float32]


@kernel
def learn(
    memory: Memory, row: Int, width: Int, legal: Int, values: Rows, n: Int, weight: float,
    chances: Floats,
) -> None:  # fmt: skip
    """Add one sample of the values of all actions to a row."""
    match_row(memory.regret, row, width, legal, chances)
    value = 0.0
    for a in range(width):
        value += chances[a] * values[n, a]
    for a in range(width):
        if (legal >> a) & 1:
            memory.regret[row, a] += weight * (values[n, a] - value)
    memory.value[row] += weight * value
    memory.weight[row] += weight
    memory.visits[row] += 1.0


@kernel
def add_average(
    memory: Memory, row: Int, width: Int, legal: Int, weight: float, chances: Floats
) -> None:
    """Add the present strategy of a row to its average."""
    match_row(memory.regret, row, width, legal, chances)
    for a in range(width):
        memory.average[row, a] += weight * chances[a]


@kernel
def average_declarations(
    level: Int, policy: Policy, memory: Memory, log: Log, weight: float, chances: Floats
) -> None:
    """The sampled nodes of one log at one level."""
    width = memory.regret.shape[1]
    for v in range(log.counts[VISITS]):
        cell = cell_of(level, log.visits[v, 0], log.visits[v, 1], policy)
        add_average(memory, cell, width, log.visits[v, 2], weight, chances)


@kernel
def learn_declarations(
    level: Int, policy: Policy, memory: Memory, log: Log, weight: float, chances: Floats
) -> None:
    """The traversed nodes of one log at one level."""
    width = memory.regret.shape[1]
    for n in range(log.counts[NODES]):
        cell = cell_of(level, log.nodes[n, 0], log.nodes[n, 1], policy)
        learn(memory, cell, width, log.nodes[n, 2], log.values, n, weight, chances)


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
    shard: Int, keys: Keys, used: Ints, memory: Memory, log: Log, weight: float, chances: Floats
) -> None:
    """The sampled nodes of one log in one shard."""
    for v in range(min(log.counts[VISITS], len(log.visits))):
        key = np.uint64(log.visits[v, 0])
        if np.int64(key >> SHARD_BITS) == shard:
            slot = slot_for(keys, key, used)
            number = log.visits[v, 1]
            if slot >= 0:
                add_average(memory, slot, number, (ONE << number) - 1, weight, chances)


@kernel
def learn_play(
    shard: Int, keys: Keys, used: Ints, memory: Memory, log: Log, weight: float, chances: Floats
) -> None:
    """The traversed nodes of one log in one shard."""
    for n in range(min(log.counts[NODES], len(log.nodes))):
        key = np.uint64(log.nodes[n, 0])
        if np.int64(key >> SHARD_BITS) == shard:
            slot = slot_for(keys, key, used)
            number = log.nodes[n, 1]
            if slot >= 0:
                legal = (ONE << number) - 1
                learn(memory, slot, number, legal, log.values, n, weight, chances)


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
