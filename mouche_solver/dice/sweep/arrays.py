"""The records that the kernels of a round take: flat arrays, entries, vectors and steps.

Vectors per hand class are laid out ``[class][row]``, entries ``[action][class][row]`` with the
doubt as action 0 where there is one, so that every inner loop runs over contiguous rows.
"""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

IntArray = NDArray[np.int64]
Floats = NDArray[Any]
# Probabilities as they are stored: times 65535, or in 32 bits themselves.
Packed = NDArray[np.uint16 | np.float32]

# What the updated player does at own nodes.
UPDATE, EVALUATE, BEST_RESPONSE = 0, 1, 2

# Sums of regrets or flow below this count as none: the inverse of a smaller single-precision
# number would be infinite.
NOTHING = 1e-37

# Numbers that a kernel takes together where rows are short.
BLOCK = 512


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


class Part(NamedTuple):
    """A region laid over the rows that a pass takes through it.

    Attributes
    ----------
    region : RegionArrays
        The template, for one root row.
    many : int
        Root rows; every count and offset of the template is so many times as large.
    """

    region: RegionArrays
    many: int


class Entries(NamedTuple):
    """The entries that a part reads and writes; each array begins with the part's first one.

    Attributes
    ----------
    pusher, player : float array, shape (part's entries,)
        What the pushing and the updated player play by, matched as regrets or as averages are.
    regret, average : float array, shape (part's entries,)
        They take the updates of a learning pass.
    """

    pusher: Floats
    player: Floats
    regret: Floats
    average: Floats


class Scratch(NamedTuple):
    """What the kernels work in, one set for each thread.

    Attributes
    ----------
    scale, fallback : float array, shape (classes * rows,)
        Regret matching: strategy = max(entry, 0) * scale + fallback.
    doubted : float array, shape (classes * rows,)
        The acting player's flow that doubts.
    total, plain : float array, shape (max(rows, BLOCK),)
        Of the action values of some classes: the sum of their weights, and their unweighted sum.
    worth : float array, shape (actions * max(rows, BLOCK),)
        The action values of some classes, side by side; one action's, where they are summed.
    grouped, counted : float array, shape (counts * rows,)
        One player's flow, and all others' joint flow, by dice that match the claim.
    doubt : float array, shape (counts * rows,)
        What a doubt pays, by own dice that match the claim.
    """

    scale: Floats
    fallback: Floats
    doubted: Floats
    total: Floats
    plain: Floats
    worth: Floats
    grouped: Floats
    counted: Floats
    doubt: Floats


class Vectors(NamedTuple):
    """A part's numbers per hand class, one set for each thread.

    Attributes
    ----------
    flow : float array
        The pusher's: prior times own reach, from ``region.vector[pusher, cell] * many`` on.
    value : float array
        The updated player's counterfactual values, from ``region.vector[player, cell] * many`` on.
    scratch : Scratch
    """

    flow: Floats
    value: Floats
    scratch: Scratch


class Rim(NamedTuple):
    """The trunk's vectors of a task's root cell, and which of its rows are the task's.

    Attributes
    ----------
    flow, value : float array
        From the cell's first number on.
    rows : int
        Rows of the cell in the trunk.
    first : int
        The task's first row.
    """

    flow: Floats
    value: Floats
    rows: int
    first: int


class Step(NamedTuple):
    """The numbers of one iteration, in the precision of the entries.

    Regrets are multiplied by ``positive`` or ``negative`` by their sign before the new regret is
    added; the pusher's strategy enters the average with ``weight``. An ``ahead`` above 0 keeps
    regrets above zero and plays as if that share of the last one were seen again. Every action of
    the pusher keeps the probability ``tremble``, every action of the updated player
    ``own_tremble``; see
    :func:`mouche_solver.dice.sweep.kernels_regret.least`.
    """

    positive: Any
    negative: float
    weight: float
    ahead: Any
    tremble: float = 0.0
    own_tremble: float = 0.0
