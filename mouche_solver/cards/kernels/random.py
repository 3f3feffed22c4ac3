"""Random numbers for kernels: splitmix64, one counter per chunk of work.

The state is one uint64 in an array; a chunk starts at its own word of a ``SeedSequence``.
"""

import numpy as np
from numpy.typing import NDArray

from mouche_solver.cards.kernels.bits import ONE, Int, lowest
from mouche_solver.core.jit import kernel

State = NDArray[np.uint64]

GAMMA = np.uint64(0x9E3779B97F4A7C15)
MIX_1 = np.uint64(0xBF58476D1CE4E5B9)
MIX_2 = np.uint64(0x94D049BB133111EB)
S27, S30, S31, S32 = np.uint64(27), np.uint64(30), np.uint64(31), np.uint64(32)
LOW_32 = np.uint64(0xFFFFFFFF)


@kernel
def next_word(state: State) -> Int:
    """The next 64 random bits; advances the state."""
    state[0] += GAMMA
    z = state[0]
    z = (z ^ (z >> S30)) * MIX_1
    z = (z ^ (z >> S27)) * MIX_2
    return z ^ (z >> S31)


@kernel
def below(state: State, n: Int) -> Int:
    """A uniform number from 0 to n - 1 (Lemire's method, without bias); 0 < n < 2**31."""
    bound = np.uint64(n)
    product = (next_word(state) >> S32) * bound
    if (product & LOW_32) < bound:
        reject = ((LOW_32 - bound) + np.uint64(1)) % bound
        while (product & LOW_32) < reject:
            product = (next_word(state) >> S32) * bound
    return np.int64(product >> S32)


@kernel
def nth_bit(mask: Int, n: Int) -> Int:
    """Position of the n-th set bit, counted from the lowest, 0 the first."""
    for _ in range(n):
        mask &= mask - ONE
    return lowest(mask)
