"""What a strategy's listed values rest on: visits of its cells, and what they are pooled with."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from mouche_solver.cards.strategy.strategy import CardStrategy

FEW_VISITS = 100  # a value resting on fewer is never shown bare
# Standard deviation of what a visit brings, in pots and in points of Mushka.
SPREAD, POINT_SPREAD = 0.5, 5.0
# What visits do not show, in the same shares: strategies changed while values were averaged, and
# cells join what is not the same. With it, 99% of listed values lie within 3 standard errors of
# simulated continuations; see docs/card-strategies.md.
DRIFT = 0.14


@dataclass(frozen=True)
class Evidence:
    """Visits behind a value from training.

    Attributes
    ----------
    visits : float
        Of the finest cell.
    error : float
        Standard error: of the visits, and of what changed while training and is not told apart.
    own : float
        Weight of the finest cell in the value, the rest comes from rougher cells.
    histories : int
        How many histories of what was said share the finest cell that training met, this one
        included.
    """

    visits: float
    error: float
    own: float
    histories: int

    @property
    def pooled(self) -> str:
        """What the value is pooled with, in words; empty when with nothing."""
        words = []
        if self.histories > 1:
            words.append(f"{self.histories} histories share these values")
        if self.own < 0.5:
            words.append(f"{1 - self.own:.0%} of them is from similar hands")
        return "; ".join(words)


def declaration_evidence(strategy: CardStrategy, own: int, number: int) -> Evidence:
    """What the values of a hand class and a public history rest on."""
    cells, weights = strategy.behind(own, number)
    visits = strategy.tables.visits[cells].astype(np.float64)
    met = weights != 0.0
    variance = float((weights[met] ** 2 / visits[met]).sum())
    error = float(standard_error(strategy, variance)) if met.any() else float("inf")
    finest = int(np.flatnonzero(met)[-1]) if met.any() else -1
    alike = histories_alike(strategy, number, finest)
    return Evidence(float(visits[-1]), error, float(weights[-1]), alike)


def histories_alike(strategy: CardStrategy, number: int, level: int = -1) -> int:
    """How many histories of what was said before a seat share its cells, this one included.

    Parameters
    ----------
    strategy : CardStrategy
    number : int
        The public history.
    level : int
        Of the strategy's levels; the finest without it.
    """
    said, levels = strategy.abstraction.histories, strategy.abstraction.levels
    pooled = {"rough": said.rough_of, "coarse": said.class_of, "last": said.last_of}
    of = pooled.get(levels[level][1])
    if of is None:
        return 1
    seats = np.searchsorted(said.first, np.arange(said.number), side="right")
    here = np.searchsorted(said.first, number, side="right")
    return int(((of == of[number]) & (seats == here)).sum())


def standard_error(strategy: CardStrategy, variance: Any) -> Any:
    """The standard error of trained values.

    Parameters
    ----------
    strategy : CardStrategy
    variance : float or float64 array
        Of the values when a visit has variance 1.
    """
    return _spread(strategy) * np.sqrt(variance + DRIFT**2)


def play_evidence(strategy: CardStrategy, slot: int) -> Evidence:
    """What the values of a row of the play's table rest on; all alike positions share a row."""
    visits = 0.0 if slot < 0 else float(strategy.tables.play_visits[slot])
    variance = 1.0 / visits if visits else float("inf")
    error = _spread(strategy) * (variance + DRIFT**2) ** 0.5
    return Evidence(visits, error, 1.0, 1)


def _spread(strategy: CardStrategy) -> float:
    return POINT_SPREAD if strategy.rules.scoring == "countdown" else SPREAD
