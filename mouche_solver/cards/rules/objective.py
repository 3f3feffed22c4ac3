"""What a chip in the next pot is worth to each seat."""

from collections.abc import Sequence
from fractions import Fraction
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from mouche_solver.cards.rules.rules import CardRules
from mouche_solver.errors import RulesError

GivenShares = Sequence[Fraction | int | str]
Continuation = Literal["none"] | str | GivenShares


def seat_shares(players: int, continuation: Continuation) -> tuple[Fraction, ...] | None:
    """Each seat's share of the next pot, None when the debt is lost.

    Parameters
    ----------
    players : int
    continuation : "none", "a,b,..." or sequence
        One share per seat of the next deal.

    Raises
    ------
    RulesError
        When shares cannot be read, are not one per seat or do not add up to one.

    Examples
    --------
    >>> seat_shares(2, "1/2,1/2")
    (Fraction(1, 2), Fraction(1, 2))
    """
    if continuation == "none":
        return None
    given = continuation.split(",") if isinstance(continuation, str) else continuation
    try:
        shares = tuple(Fraction(share) for share in given)
    except (ValueError, TypeError, ZeroDivisionError):
        shares = ()
    if len(shares) != players or sum(shares) != 1:
        raise RulesError(
            f"continuation={continuation!r}: allowed are none, or {players} shares that add up "
            f"to 1, such as {','.join([f'1/{players}'] * players)}"
        )
    return shares


FIXED_POINT = "fixed-point"
MUSHKA_POINTS = "mushka-points"

Floats = NDArray[np.float64]


def per_chip(shares: Sequence[float] | Floats) -> Floats:
    """What a chip of debt in this deal is worth to each seat: its next seat's share.

    Parameters
    ----------
    shares : sequence of float, shape (players,)
        What each seat gets of a chip in the next pot.

    Returns
    -------
    float64 array, shape (players,)

    Examples
    --------
    >>> per_chip([0.5, 0.3, 0.2])
    array([0.2, 0.5, 0.3])
    """
    return np.roll(np.asarray(shares, np.float64), 1)


def solve_shares(chips: Floats, debts: float) -> Floats:
    """The shares ``c`` with ``c[i] = chips[i] + debts * c[i - 1]``, which add up to one.

    Parameters
    ----------
    chips : float64 array, shape (players,)
        What each seat gets of a pot in one deal, its own debts taken off.
    debts : float
        Chips carried into the next pot, for a chip in this one.

    Examples
    --------
    >>> solve_shares(np.array([0.4, 0.2]), 0.4).round(4).tolist()
    [0.5714, 0.4286]
    """
    players = len(chips)
    next_seat = np.roll(np.eye(players), -1, axis=1)  # row i picks c[i - 1]
    shares: Floats = np.asarray(np.linalg.solve(np.eye(players) - debts * next_seat, chips))
    shares /= shares.sum()
    return shares


def objective(rules: CardRules, continuation: Continuation) -> Continuation:
    """The continuation, or Mushka's points, which have no pot and no continuation.

    Raises
    ------
    RulesError
        For shares under Mushka, or Mushka's points under other rules.

    Examples
    --------
    >>> objective(CardRules.mushka(4), "fixed-point")
    'mushka-points'
    """
    if rules.scoring == "countdown":
        if continuation not in (FIXED_POINT, "none", MUSHKA_POINTS):
            raise RulesError(
                f"continuation={continuation!r}: Mushka has no pot that could be shared; leave it "
                "out"
            )
        return MUSHKA_POINTS
    if continuation == MUSHKA_POINTS:
        raise RulesError(
            "continuation='mushka-points': allowed are fixed-point, none, or shares as 1/2,1/2"
        )
    return continuation


class Shares:
    """The shares that a solve uses, and what it has measured of them.

    Parameters
    ----------
    players : int
    continuation : "none", "fixed-point", "mushka-points" or shares
        As in :func:`mouche_solver.cards.rules.objective.seat_shares`.

    Attributes
    ----------
    values : float64 array, shape (players,)
        Share of each seat in the next pot; zeros when the debt is lost.
    """

    def __init__(self, players: int, continuation: Continuation) -> None:
        self.players = players
        self.continuation = continuation
        self.moving = continuation == FIXED_POINT
        self.totals: Floats = np.zeros(players + 2)
        none = self.moving or continuation == MUSHKA_POINTS
        given = None if none else seat_shares(players, continuation)
        start = [1 / players] * players if self.moving else [float(s) for s in given or ()]
        self.values: Floats = np.array(start or [0.0] * players)

    def add(self, totals: Floats, weight: float) -> None:
        """Take one round's sums: chips of each seat, debts, deals.

        A round counts by its weight, as regrets do, so that the steps get smaller.
        """
        self.totals += weight * totals
        chips, debts = self.chips, self.debts
        if self.moving and abs(1.0 - debts) > 1e-6:
            self.values[:] = solve_shares(chips, debts)

    @property
    def name(self) -> str:
        """The objective in words: ``fixed-point``, ``none``, or the shares by commas."""
        if isinstance(self.continuation, str):
            return self.continuation
        return ",".join(str(share) for share in self.continuation)

    @property
    def chips(self) -> Floats:
        """Mean chips of each seat, in pots."""
        mean: Floats = self.totals[: self.players] / max(self.totals[-1], 1e-300)
        return mean

    @property
    def debts(self) -> float:
        """Mean debts of a deal, in pots: with no cap the mouches made."""
        return float(self.totals[self.players] / max(self.totals[-1], 1e-300))

    @property
    def per_chip(self) -> Floats:
        """What a chip of debt in this deal is worth to each seat: its next seat's share."""
        return per_chip(self.values)
