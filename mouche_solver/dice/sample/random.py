"""Random numbers from a counter: one stream per chunk of work, whoever does the work."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from mouche_solver.core.jit import kernel

Stream = NDArray[np.uint64]

# SplitMix64: Steele, Lea and Flood, Fast splittable pseudorandom number generators, 2014.
_GOLDEN = np.uint64(0x9E3779B97F4A7C15)
_FIRST = np.uint64(0xBF58476D1CE4E5B9)
_SECOND = np.uint64(0x94D049BB133111EB)
_A, _B, _C = np.uint64(30), np.uint64(27), np.uint64(31)
_ELEVEN = np.uint64(11)
_UNIT = 1.0 / 9007199254740992.0


def stream(seed: int, *numbers: int) -> Stream:
    """The stream of a chunk, told apart by any whole numbers from 0 on.

    Examples
    --------
    >>> bool(stream(1, 2, 3)[0] == stream(1, 2, 3)[0]), bool(stream(1, 2)[0] == stream(1, 3)[0])
    (True, False)
    """
    first = np.random.SeedSequence([seed, *numbers]).generate_state(1, np.uint64)
    return first.astype(np.uint64)


@kernel
def uniform(random: Stream) -> Any:
    """The next number in [0, 1)."""
    random[0] += _GOLDEN
    z = random[0]
    z = (z ^ (z >> _A)) * _FIRST
    z = (z ^ (z >> _B)) * _SECOND
    z = z ^ (z >> _C)
    return np.float64(z >> _ELEVEN) * _UNIT
