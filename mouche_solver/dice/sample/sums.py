"""What a chunk of traversals has learned, and adding it to the tables."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from mouche_solver.core.jit import fast_kernel
from mouche_solver.dice.sample.view import Machine
from mouche_solver.dice.sweep.arrays import Floats, IntArray


class Sums(NamedTuple):
    """Regrets and strategies by entry, and the states that have any."""

    regret: NDArray[np.float32]
    flow: NDArray[np.float32]
    touched: NDArray[np.bool_]
    flowed: NDArray[np.bool_]


def new_sums(machine: Machine) -> Sums:
    """Nothing learned yet."""
    entries = machine.entries
    return Sums(
        np.zeros(entries, np.float32),
        np.zeros(entries, np.float32),
        np.zeros(len(machine.last), np.bool_),
        np.zeros(len(machine.last), np.bool_),
    )


@fast_kernel
def add_sums(
    sums: Sums, begin: IntArray, first: int, end: int, weight: Floats, regret: Floats,
    average: Floats,
) -> None:  # fmt: skip
    """Add what was learned of states ``first`` to ``end``, and forget it.

    ``weight`` holds the weights of regrets and strategies.
    """
    for state in range(first, end):
        if sums.touched[state]:
            sums.touched[state] = False
            for x in range(begin[state], begin[state + 1]):
                regret[x] += weight[0] * sums.regret[x]
                sums.regret[x] = 0.0
        if sums.flowed[state]:
            sums.flowed[state] = False
            for x in range(begin[state], begin[state + 1]):
                average[x] += weight[1] * sums.flow[x]
                sums.flow[x] = 0.0
