"""Guesses of hidden cards, against the hands that really were there."""

from collections import Counter
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from mouche_solver.cards import CardRules
from mouche_solver.cards.kernels.deal import count_in, new_deal, settle_early, unasked
from mouche_solver.cards.kernels.policies import declare
from mouche_solver.cards.kernels.records import NEXT
from mouche_solver.cards.kernels.tricks import begin_play, choose_card, legal_now, put, to_move
from mouche_solver.cards.strategy.compile import new_table
from mouche_solver.cards.strategy.levels import Abstraction
from mouche_solver.cards.strategy.strategy import CardStrategy
from mouche_solver.cards.think.kernels_belief import fill_pool, guess, played_chance, shown_cards
from mouche_solver.cards.think.search import no_pools
from mouche_solver.cards.train.trainer import Batch, CardTrainer

PAIR = CardRules(players=2, ranks="K Q J A", suits="C D", hand_size=2, reshuffle=False)
TRIO = CardRules(players=3, ranks="K Q J A", suits="C D", hand_size=1, reshuffle=False)


def strategy_of(rules: CardRules, rounds: int = 40) -> CardStrategy:
    trainer = CardTrainer(Abstraction(rules), batch=Batch(64, 64, 4, 256))
    for _ in range(rounds):
        trainer.train_round()
    return trainer.strategy()


class Fit:
    """Chi-squared of guessed hands, and of hands that would all be equally likely."""

    def __init__(self) -> None:
        self.fit = self.flat = self.freedom = 0.0

    def add(self, real: Counter[Any], guessed: Counter[Any]) -> None:
        assert set(real) <= set(guessed)
        for hand, weight in guessed.items():
            expected = real.total() * weight / sum(guessed.values())
            even = real.total() / len(guessed)
            self.fit += (real[hand] - expected) ** 2 / expected
            self.flat += (real[hand] - even) ** 2 / even
        self.freedom += len(guessed) - 1

    def check(self) -> None:
        assert self.freedom >= 20
        assert self.fit < 1.4 * self.freedom  # and some noise of the guesses
        assert self.flat > 3 * self.freedom  # so the weights matter


def guesses(number: int, one: Callable[[], tuple[Any, float]]) -> Counter[Any]:
    found: Counter[Any] = Counter()
    for _ in range(number):
        hand, weight = one()
        if weight > 0:
            found[hand] += weight  # type: ignore[assignment]
    return found


@pytest.mark.parametrize("pooled", [False, True])
def test_guesses_follow_what_was_said_and_played(pooled: bool) -> None:
    """Against the hands that really were there in all deals that looked the same."""
    strategy = strategy_of(PAIR)
    game, policy, table, dream = strategy.game, strategy.policy, new_table(), new_table()
    state = np.array([7], np.uint64)
    seen: dict[Any, Counter[int]] = {}
    kept: dict[Any, Any] = {}
    for _ in range(20_000):
        new_deal(game, table, state)
        for seat in range(2):
            declare(seat, policy, game, table, state)
        if min(table["said"][:2]) < 0 or settle_early(count_in(game, table), game, table) >= 0:
            continue
        begin_play(2, game, table)
        legal = legal_now(table["at"], 0, to_move(table["at"], 0), game, 0)
        put(
            table["at"], 0, 0, choose_card(policy, 0, legal, table["luck"][8], game, table), 0, game
        )
        public = table["said"][0], table["laid"][1], table["at"][0, 32], table["hands"][1]
        seen.setdefault(public, Counter())[int(table["hands"][0])] += 1
        kept[public] = table.copy()
    fit = Fit()
    for public in sorted(seen, key=lambda p: -seen[p].total())[:20]:
        table, start = kept[public], no_pools(4000 if pooled else 0)
        for name in ("stock", "seats", "said"):
            dream[name] = table[name]
        shown_cards(game, table, dream, start.shown)
        if pooled:
            fill_pool(1, 0, 0.0, game, policy, table, dream, start, state)
            assert start.size[0] > 0

        def one(table: Any = table, start: Any = start) -> tuple[int, float]:
            weight = guess(1, 2, 0.0, 0.0, game, policy, table, dream, start, state)
            if weight > 0:
                weight *= played_chance(1, 0.0, 0.0, game, policy, table, dream)
            return int(dream["hands"][0]), weight

        fit.add(seen[public], guesses(2000, one))
    fit.check()


@pytest.mark.parametrize("pooled", [False, True])
def test_guesses_before_a_declaration_follow_what_was_said(pooled: bool) -> None:
    """The first two of three seats have spoken: their hands, and the card to be drawn next."""
    strategy = strategy_of(TRIO)
    game, policy, table, dream = strategy.game, strategy.policy, new_table(), new_table()
    state = np.array([5], np.uint64)
    seen: dict[Any, Counter[Any]] = {}
    kept: dict[Any, Any] = {}
    for _ in range(8_000):
        new_deal(game, table, state)
        for seat in range(2):
            declare(seat, policy, game, table, state)
        if unasked(2, game, table):
            continue
        table["at"][0, 39] = 1 << int(game["turned"][0])  # the face-up card is known to all
        public = *(int(n) for n in table["said"][:2]), int(table["hands"][2])
        table["said"][2], drawn = -1, int(table["order"][table["stock"][NEXT]])
        hands = int(table["hands"][0]), int(table["hands"][1]), drawn
        seen.setdefault(public, Counter())[hands] += 1
        kept[public] = table.copy()
    fit = Fit()
    for public in sorted(seen, key=lambda p: -seen[p].total())[:12]:
        table, start = kept[public], no_pools(4000 if pooled else 0)
        dream["stock"] = table["stock"]
        if pooled:
            for seat in range(2):
                fill_pool(2, seat, 0.0, game, policy, table, dream, start, state)

        def one(table: Any = table, start: Any = start) -> tuple[Any, float]:
            weight = guess(2, 2, 0.0, 0.0, game, policy, table, dream, start, state)
            drawn = int(dream["order"][dream["stock"][NEXT]])
            assert dream["stock"][NEXT] == table["stock"][NEXT]
            return (int(dream["hands"][0]), int(dream["hands"][1]), drawn), weight

        fit.add(seen[public], guesses(8000, one))
    fit.check()
