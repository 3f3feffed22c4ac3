"""SplitMix64 for kernels [1]_; :mod:`mouche_solver.core.streams` says where a stream begins.

References
----------
.. [1] Steele, Lea and Flood, Fast splittable pseudorandom number generators, 2014.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from mouche_solver.core.jit import kernel

State = NDArray[np.uint64]  # one number, which every draw advances

GAMMA = np.uint64(0x9E3779B97F4A7C15)
MIX_1 = np.uint64(0xBF58476D1CE4E5B9)
MIX_2 = np.uint64(0x94D049BB133111EB)
S11, S27, S30, S31, S32 = (np.uint64(bits) for bits in (11, 27, 30, 31, 32))
LOW_32 = np.uint64(0xFFFFFFFF)
UNIT = 1.0 / 9007199254740992.0  # 2**-53


@kernel
def next_word(state: State) -> Any:
    """The next 64 random bits; advances the state."""
    state[0] += GAMMA
    z = state[0]
    z = (z ^ (z >> S30)) * MIX_1
    z = (z ^ (z >> S27)) * MIX_2
    return z ^ (z >> S31)


@kernel
def below(state: State, n: Any) -> Any:
    """A uniform int64 from 0 to n - 1 (Lemire's method, without bias); 0 < n < 2**31."""
    bound = np.uint64(n)
    product = (next_word(state) >> S32) * bound
    if (product & LOW_32) < bound:
        reject = ((LOW_32 - bound) + np.uint64(1)) % bound
        while (product & LOW_32) < reject:
            product = (next_word(state) >> S32) * bound
    return np.int64(product >> S32)


@kernel
def uniform(state: State) -> Any:
    """A uniform float64 in [0, 1)."""
    return np.float64(next_word(state) >> S11) * UNIT
