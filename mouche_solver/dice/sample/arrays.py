"""The records that the sampling kernels take: flat arrays of a round, of memories, of work."""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

IntArray = NDArray[np.int64]
Floats = NDArray[Any]


class SampleGame(NamedTuple):
    """Flat arrays of a round.

    Attributes
    ----------
    raises_start, raises : int64 array
        The raises of claim c are ``raises[raises_start[c] : raises_start[c + 1]]``.
    quantity, face : int64 array, shape (claims,)
        Of a claim; the face counts from 0.
    level : int64 array, shape (claims,)
    size : int64 array, shape (players, levels)
        Classes of a player's hands.
    merge : int32 array, shape (players, levels, levels, hands)
        Class at the second level that holds a class of the first.
    prior : float64 array, shape (players, hands)
    held : int64 array, shape (players, claims, hands)
        Dice of a class that count for a claim.
    group : int32 array, shape (players, claims, hands)
        The class of a hand after a claim.
    shown : int64 array, shape (players, hands, faces)
        Dice of a hand that count as a face.
    chance : float64 array, shape (players, hands)
        Cumulative probability of the hands.
    exact : bool
        Whether "correct" means exactly.
    """

    raises_start: IntArray
    raises: IntArray
    quantity: IntArray
    face: IntArray
    level: IntArray
    size: IntArray
    merge: NDArray[np.int32]
    prior: NDArray[np.float64]
    held: IntArray
    group: NDArray[np.int32]
    shown: IntArray
    chance: NDArray[np.float64]
    exact: bool


class Machine(NamedTuple):
    """A view's automaton over a round as flat arrays; state 0 is the start.

    Attributes
    ----------
    last : int64 array, shape (states,)
        Number of the last claim, 0 before any; states are in ascending order of it.
    begin : int64 array, shape (states + 1,)
        Where a state's entries begin, in the order [class][action], doubt first where there is a
        last claim; none where the doubt is forced.
    step : int64 array, shape (states,)
        Where a state's raises begin in ``after``.
    after : int32 array
        The state after each raise.
    code : int64 array, shape (states,)
        What is remembered beside the last claim.
    """

    last: IntArray
    begin: IntArray
    step: IntArray
    after: NDArray[np.int32]
    code: IntArray

    @property
    def entries(self) -> int:
        """Entries of all states."""
        return int(self.begin[-1])


class Side(NamedTuple):
    """What a player remembers, with an entry for every action.

    Strategies are matched from the positive entries.
    """

    machine: Machine
    entries: Floats


class Rule(NamedTuple):
    """How a chunk samples.

    ``averaging`` adds the others' strategies to the average: they come by with the probability of
    their own moves, as an average needs it, where the player who tries everything does not. A
    share ``astray`` of the traversals starts behind a claim that was drawn blindly. Actions that
    all classes have left behind are tried in a share ``keep`` of cases, and count so much more
    then.
    """

    averaging: bool
    astray: float
    keep: float


class Deal(NamedTuple):
    """The traversing player, all hands, the others' dice that count as each face, claims before."""

    me: int
    hands: IntArray
    rest: IntArray
    path: IntArray


class Stack(NamedTuple):
    """The player's open states, and where the traversal is.

    ``frame`` holds for each depth: first entry, actions, next action, the player's state, the
    others', the turn, the level of the hands. ``at`` holds state, state and turn of the present
    place. ``sigma`` and ``value`` are in the order [class][action], ``mean`` is the value of each
    class; ``counts`` is how often an action counts, 0 when it is left out.
    """

    frame: IntArray
    sigma: Floats
    value: Floats
    mean: Floats
    counts: Floats
    at: IntArray


class Sums(NamedTuple):
    """Regrets and strategies by entry, and the states that have any."""

    regret: NDArray[np.float32]
    flow: NDArray[np.float32]
    touched: NDArray[np.bool_]
    flowed: NDArray[np.bool_]
