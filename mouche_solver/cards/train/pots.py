"""Strategies for several sizes of the pot, where a deal does not scale with it.

See docs/decisions/0018. A cap on the debt and the Pamphile's chip make the pot part of the state.
"""

from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mouche_solver.cards.rules.objective import FIXED_POINT, Continuation
from mouche_solver.cards.rules.rules import CardRules
from mouche_solver.cards.strategy.advice import Adviser
from mouche_solver.cards.strategy.compile import new_table
from mouche_solver.cards.strategy.levels import Abstraction
from mouche_solver.cards.strategy.results import CardChoice, Declaration
from mouche_solver.cards.strategy.situation import Situation
from mouche_solver.cards.strategy.strategy import CardStrategy
from mouche_solver.cards.train.kernels import count_mouches
from mouche_solver.cards.train.pot_values import next_shares, solve_pot_values
from mouche_solver.cards.train.trainer import USUAL, Batch, CardTrainer
from mouche_solver.core.streams import Purpose, stream
from mouche_solver.errors import RulesError

Floats = NDArray[np.float64]

MEASURED = 4096  # deals that measure chips and mouches of each pot after a block
BLOCK = 1  # rounds of one pot before the next one is trained


class MixedStrategy(Adviser):
    """Two strategies, the second asked with probability ``share``; see :meth:`PotStrategies.at`."""

    def __init__(self, one: CardStrategy, two: CardStrategy, share: float) -> None:
        self.one, self.two, self.share = one, two, share

    @property
    def rules(self) -> CardRules:
        """The rules of both."""
        return self.one.rules

    @property
    def quality_text(self) -> str:
        """What is known of the quality, in one line."""
        pots = f"pots {self.one.training.pot} and {self.two.training.pot}"
        return f"mixed from the strategies for {pots}; {self.one.quality_text}"

    def name_trump(self, hand: int) -> int:
        """As :meth:`CardStrategy.name_trump`: the rule is the same for every pot."""
        return self.one.name_trump(hand)

    def declare(self, seen: Situation) -> list[Declaration]:
        """As :meth:`CardStrategy.declare`."""
        pairs = zip(self.one.declare(seen), self.two.declare(seen), strict=True)
        return [replace(a, **self._mixed(a, b)) for a, b in pairs]

    def choose(self, seen: Situation) -> list[CardChoice]:
        """As :meth:`CardStrategy.choose`."""
        pairs = zip(self.one.choose(seen), self.two.choose(seen), strict=True)
        return [replace(a, **self._mixed(a, b)) for a, b in pairs]

    def _mixed(
        self, one: Declaration | CardChoice, two: Declaration | CardChoice
    ) -> dict[str, Any]:
        chance = one.probability + self.share * (two.probability - one.probability)
        value = one.value
        if one.value is not None and two.value is not None:
            value = one.value + self.share * (two.value - one.value)
        return {"probability": chance, "value": value}


class PotStrategies:
    """Strategies for some sizes of the pot, from small to large.

    Parameters
    ----------
    strategies : sequence of CardStrategy
        Each with another ``training.pot``, for the same rules.
    values : float64 array, shape (players, pots), optional
        What a seat can expect, in chips, with that pot in the basket; None when the debt is lost or
        shares were given.

    Attributes
    ----------
    pots : tuple of int

    Raises
    ------
    RulesError
        For fewer than two pots, or pots that do not increase.
    """

    def __init__(self, strategies: Sequence[CardStrategy], values: Floats | None = None) -> None:
        self.strategies, self.values = tuple(strategies), values
        self.pots = check_pots([s.training.pot or 0 for s in strategies])

    @property
    def rules(self) -> CardRules:
        """The rules of all of them."""
        return self.strategies[0].rules

    def at(self, pot: int) -> CardStrategy | MixedStrategy:
        """The strategy for a pot of so many chips.

        Between two pots the behaviour is mixed, linearly in the chips: each question is answered by
        the smaller pot's strategy with probability ``(p2 - pot) / (p2 - p1)``. Outside, the nearest
        answers.

        Raises
        ------
        RulesError
            For a pot without chips.
        """
        if pot < 1:
            raise RulesError(f"pot={pot}: at least 1 chip is needed")
        right = int(np.searchsorted(self.pots, pot))
        if right == len(self.pots) or pot == self.pots[right] or right == 0:
            return self.strategies[min(right, len(self.pots) - 1)]
        left = right - 1
        share = (pot - self.pots[left]) / (self.pots[right] - self.pots[left])
        return MixedStrategy(self.strategies[left], self.strategies[right], share)


def check_pots(pots: Sequence[int]) -> tuple[int, ...]:
    """The pots, at least two and increasing.

    Raises
    ------
    RulesError
        Otherwise.
    """
    if len(pots) < 2 or pots[0] < 1 or any(a >= b for a, b in pairwise(pots)):
        raise RulesError(
            f"pots {', '.join(map(str, pots))}: two or more sizes from small to large are needed"
        )
    return tuple(pots)


class PotTrainer:
    """Trains one strategy for each of some pots, and what a pot is worth along with them.

    Parameters
    ----------
    abstraction : Abstraction
    pots : sequence of int
        Chips, increasing.
    continuation, seed, threads, batch
        As for :class:`CardTrainer`; every pot has the same seed.

    Attributes
    ----------
    values : float64 array, shape (players, pots), or None
        Chips that a seat can expect; under ``fixed-point``.

    Raises
    ------
    RulesError
        Under Mushka, which has no pot, or for pots that do not increase.
    """

    def __init__(
        self,
        abstraction: Abstraction,
        pots: Sequence[int],
        continuation: Continuation = FIXED_POINT,
        seed: int = 0,
        threads: int = 1,
        batch: Batch = USUAL,
    ) -> None:
        rules = abstraction.rules
        if rules.scoring == "countdown":
            raise RulesError("Mushka has no pot; leave its size out")
        self.pots, self.rules = check_pots(pots), rules
        self.trainers = [
            CardTrainer(abstraction, continuation, seed, threads, batch, pot) for pot in self.pots
        ]
        self.moving = self.trainers[0].shares.moving
        self.values: Floats | None = None
        for trainer in self.trainers:
            trainer.shares.moving = False  # the values of all pots decide
        shape = len(self.pots), rules.players
        self._chips: Floats = np.zeros(shape)
        self._made: Floats = np.zeros((shape[0], rules.players + 1))
        self.blocks = 0

    @property
    def deals(self) -> int:
        """Deals that trained any of the strategies."""
        return sum(trainer.deals for trainer in self.trainers)

    def train_block(self, rounds: int = BLOCK) -> None:
        """Train every pot, then solve for what the pots are worth."""
        for trainer in self.trainers:
            for _ in range(rounds):
                trainer.train_round()
        self.blocks += 1
        if self.moving:
            self._measure()
            self._solve()

    def train_round(self) -> None:
        """Train a block: what :func:`run_training` asks for."""
        self.train_block()

    def _measure(self) -> None:
        """Chips and mouches of the present strategies; later blocks weigh more."""
        for i, trainer in enumerate(self.trainers):
            state = stream(Purpose.CARD_POT_VALUES, trainer.seed, self.blocks)
            chips, made = np.zeros(self.rules.players), np.zeros(self.rules.players + 1)
            count_mouches(MEASURED, trainer.policy(), trainer.game, new_table(), state, chips, made)
            self._chips[i] += self.blocks * chips
            self._made[i] += self.blocks * made

    def _solve(self) -> None:
        total = self._made.sum(axis=1, keepdims=True)
        chips, made = self._chips / total, self._made / total
        self.values = solve_pot_values(self.rules, self.pots, chips, made)
        shares = next_shares(self.rules, self.pots, self.values, made)
        for trainer, share in zip(self.trainers, shares, strict=True):
            trainer.shares.values[:] = np.roll(share, -1)

    def strategies(self, seconds: float = 0.0) -> PotStrategies:
        """The average strategies, as they are now."""
        found = [trainer.strategy(seconds) for trainer in self.trainers]
        return PotStrategies(found, None if self.values is None else self.values.copy())

    def close(self) -> None:
        """End the threads."""
        for trainer in self.trainers:
            trainer.close()
