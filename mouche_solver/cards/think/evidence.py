"""What a strategy's listed values rest on: visits of its cells, and what they are pooled with."""

from dataclasses import dataclass

import numpy as np

from mouche_solver.cards.strategy.strategy import CardStrategy

FEW_VISITS = 100  # a value resting on fewer is never shown bare
# Standard deviation of what a visit brings, in pots and in points of Mushka.
SPREAD, POINT_SPREAD = 0.5, 5.0


@dataclass(frozen=True)
class Evidence:
    """Visits behind a value from training.

    Attributes
    ----------
    visits : float
        Of the finest cell.
    error : float
        Standard error of the visits alone; how strategies changed while training is not in it.
    own : float
        Weight of the finest cell in the value, the rest comes from rougher cells.
    histories : int
        How many histories of what was said share the finest cell, this one included.
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
    from mouche_solver.cards.kernels.lookup import cell_of

    abstraction, spread = strategy.abstraction, _spread(strategy)
    weights: list[float] = []
    visits: list[float] = []
    for level, prior in enumerate(abstraction.learning_priors):
        seen = float(strategy.tables.visits[cell_of(level, own, number, strategy.policy)])
        share = 1.0 if not any(visits) else seen / (seen + prior)
        share = share if seen else 0.0
        weights = [*(w * (1.0 - share) for w in weights), share]
        visits.append(seen)
    variance = sum(w * w / n for w, n in zip(weights, visits, strict=True) if n)
    said = abstraction.histories
    of = {"rough": said.rough_of, "coarse": said.class_of}.get(abstraction.levels[-1][1])
    seats = np.searchsorted(said.first, np.arange(said.number), side="right")
    here = np.searchsorted(said.first, number, side="right")
    shared = 1 if of is None else int(((of == of[number]) & (seats == here)).sum())
    error = spread * float(np.sqrt(variance)) if any(visits) else float("inf")
    return Evidence(visits[-1], error, weights[-1], shared)


def play_evidence(strategy: CardStrategy, slot: int) -> Evidence:
    """What the values of a row of the play's table rest on; all alike positions share a row."""
    visits = 0.0 if slot < 0 else float(strategy.tables.play_visits[slot])
    error = _spread(strategy) / visits**0.5 if visits else float("inf")
    return Evidence(visits, error, 1.0, 1)


def _spread(strategy: CardStrategy) -> float:
    return POINT_SPREAD if strategy.rules.scoring == "countdown" else SPREAD
