"""What traversals learn, written down to be added to the tables later, in a fixed order."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from mouche_solver.core.jit import kernel
from mouche_solver.dice.kernel_arrays import NOTHING, Floats, IntArray


class Log(NamedTuple):
    """The log of one chunk.

    ``node`` holds pairs: where an information set's entries begin and how many there are;
    ``change`` their regrets, one after the other. ``mean_at`` and ``mean`` are entries of the
    average and what is added. ``used`` counts pairs, regrets and means, and what found no room.
    """

    node: IntArray
    change: NDArray[np.float32]
    mean_at: IntArray
    mean: NDArray[np.float32]
    used: IntArray


def new_log(pairs: int, room: int) -> Log:
    """An empty log for so many information sets, regrets and means."""
    return Log(
        np.zeros(2 * pairs, np.int64),
        np.zeros(room, np.float32),
        np.zeros(room, np.int64),
        np.zeros(room, np.float32),
        np.zeros(4, np.int64),
    )


@kernel
def log_mean(log: Log, entries: Floats, begin: int, actions: int, total: float) -> None:
    """Note a strategy for the average."""
    used = log.used[2]
    if used + actions > len(log.mean):
        log.used[3] += 1
        return
    for action in range(actions):
        part = max(entries[begin + action], 0.0) / total if total > NOTHING else 1.0 / actions
        if part > 0:
            log.mean_at[used] = begin + action
            log.mean[used] = part
            used += 1
    log.used[2] = used


@kernel
def log_regrets(
    log: Log, begin: int, actions: int, value: Floats, tried: Floats, mean: float
) -> None:
    """Note what each action that was tried would have gained over the mean."""
    pairs, used = log.used[0], log.used[1]
    if 2 * pairs == len(log.node) or used + actions > len(log.change):
        log.used[3] += 1
        return
    log.node[2 * pairs], log.node[2 * pairs + 1] = begin, actions
    for action in range(actions):
        log.change[used + action] = tried[action] * (value[action] - mean)
    log.used[0], log.used[1] = pairs + 1, used + actions


@kernel
def add_regrets(log: Log, first: int, end: int, weight: float, regret: Floats) -> None:
    """Add the regrets of information sets that begin in ``first`` to ``end``."""
    at = 0
    for pair in range(log.used[0]):
        begin, actions = log.node[2 * pair], log.node[2 * pair + 1]
        if first <= begin < end:
            for action in range(actions):
                regret[begin + action] += weight * log.change[at + action]
        at += actions


@kernel
def add_means(log: Log, first: int, end: int, weight: float, average: Floats) -> None:
    """Add the means of entries in ``first`` to ``end``."""
    for number in range(log.used[2]):
        entry = log.mean_at[number]
        if first <= entry < end:
            average[entry] += weight * log.mean[number]
