"""What the kernels of a round take and share: flat arrays, steps and modes."""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

IntArray = NDArray[np.int64]
Floats = NDArray[Any]
Scratch = tuple[Floats, ...]

# What the updated player does at own nodes.
UPDATE, EVALUATE, BEST_RESPONSE = 0, 1, 2

# Sums of regrets or flow below this count as none: the inverse of a smaller single-precision
# number would be infinite.
NOTHING = 1e-30


class GameArrays(NamedTuple):
    """A round's claims and classes as flat arrays; see ``tree.py``."""

    raises_start: IntArray
    raises: IntArray
    level: IntArray
    size: IntArray
    merge: NDArray[np.int32]
    own_count: NDArray[np.int32]
    counts: IntArray
    quantity: IntArray
    exact: bool


class RegionArrays(NamedTuple):
    """A region's template; see ``layout.py``."""

    expand: IntArray
    rows: IntArray
    entry: IntArray
    vector: IntArray
    child_row: IntArray
    root: int


class Step(NamedTuple):
    """The numbers of one iteration, in the precision of the entries.

    Regrets are multiplied by ``positive`` or ``negative`` by their sign before the new regret is
    added; the pusher's strategy enters the average with ``weight``. ``predictive`` keeps
    regrets above zero and plays on the last regret seen twice.
    """

    positive: Any
    negative: float
    weight: float
    predictive: bool
