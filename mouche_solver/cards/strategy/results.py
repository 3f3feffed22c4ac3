"""What a strategy is made of and what it answers: tables, their origin, declarations, cards."""

from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

Says = Literal["pass", "stand", "exchange"]
Rows = NDArray[np.float32]
Keys = NDArray[np.uint64]

SLOTS = 64  # least slots of a hash table
SPARE = 1.5  # slots for each key


@dataclass(frozen=True)
class Tables:
    """The numbers of a strategy.

    Attributes
    ----------
    probability, value : float32 arrays, shape (cells, actions)
        Declarations: average strategy, and values in pots.
    visits : float32 array, shape (cells,)
    keys : uint64 array, shape (slots,)
        Hash table of the play, 0 where free.
    play_probability, play_value : float32 arrays, shape (slots, hand_size)
    play_visits : float32 array, shape (slots,)
    """

    probability: Rows
    value: Rows
    visits: NDArray[np.float32]
    keys: NDArray[np.uint64]
    play_probability: Rows
    play_value: Rows
    play_visits: NDArray[np.float32]


@dataclass(frozen=True)
class Training:
    """Where a strategy comes from.

    Attributes
    ----------
    continuation : str
        The objective: ``fixed-point``, ``none``, given shares or ``mushka-points``.
    seat_shares : tuple of float
        What each seat gets of a chip in the next pot; zeros when the debt is lost, and in Mushka.
    mouches : float
        Mean debts of a deal in pots, with no cap the mouches made.
    declared, played, rounds, seed : int
        Deals that trained declarations and play; rounds; the seed.
    seconds : float
    known_gain, known_margin : float or None
        What the best challenger found gains against it, in pots a deal, and half the width of the
        95% interval; None where ``mouche cards evaluate --keep`` has not looked.
    known_by : str
        That challenger.
    pot : int or None
        Chips in the pot that it was trained for; None is the ante.
    """

    continuation: str
    seat_shares: tuple[float, ...]
    mouches: float
    declared: int
    played: int
    rounds: int
    seed: int
    seconds: float = 0.0
    known_gain: float | None = None
    known_margin: float | None = None
    known_by: str = ""
    pot: int | None = None


@dataclass(frozen=True)
class Declaration:
    """One possible declaration.

    Attributes
    ----------
    action : {"pass", "stand", "exchange"}
    cards : tuple of int
        Cards laid down in an exchange.
    swap : int or None
        The card that the dealer gives for the turn-up, before he lays cards down.
    probability : float
    value : float or None
        In pots, what waits in the next pot included; None where training never came.
    """

    action: Says
    cards: tuple[int, ...]
    swap: int | None
    probability: float
    value: float | None


@dataclass(frozen=True)
class CardChoice:
    """One possible card; cards that the strategy does not tell apart are named once.

    Attributes
    ----------
    card : int
    probability : float
    value : float or None
        In pots; None where training never came or there is no choice.
    """

    card: int
    probability: float
    value: float | None


def hash_table(given: Keys, slots: int | None = None) -> tuple[Keys, NDArray[np.int64]]:
    """A hash table of the play that holds some keys, and the slot of each.

    Parameters
    ----------
    given : uint64 array, shape (keys,)
        None of them 0.
    slots : int, optional
        A power of two; without it the first that leaves every lookup short.

    Returns
    -------
    keys : uint64 array, shape (slots,)
        0 where free.
    places : int64 array, shape (keys,)

    Examples
    --------
    >>> keys, places = hash_table(np.array([5, 7], np.uint64))
    >>> len(keys), keys[places].tolist()
    (64, [5, 7])
    """
    from mouche_solver.cards.kernels.lookup import place_keys

    size = slots or SLOTS
    while slots is None and size < SPARE * len(given):
        size *= 2
    keys, places = np.zeros(size, np.uint64), np.zeros(len(given), np.int64)
    while place_keys(given, keys, places) < 0:  # a shard was full
        size *= 2
        keys = np.zeros(size, np.uint64)
    return keys, places
