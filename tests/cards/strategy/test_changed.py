"""Strategies with a habit changed."""

from itertools import combinations

import pytest

from mouche_solver.cards import CardRules, CardStrategy, CardTrainer, challenge, never_stands
from mouche_solver.cards.odds.mouche import is_mouche
from mouche_solver.cards.rules.pack import mask_of
from mouche_solver.cards.strategy.levels import Abstraction
from mouche_solver.cards.train.trainer import Batch
from mouche_solver.errors import RulesError


def trained(rules: CardRules, rounds: int) -> CardStrategy:
    trainer = CardTrainer(Abstraction(rules), seed=3, batch=Batch(256, 64, 2, 1 << 12))
    for _ in range(rounds):
        trainer.train_round()
    trainer.close()
    return trainer.strategy()


@pytest.mark.parametrize("rounds", [1, 30])
def test_only_stands_without_a_mouche_are_gone(rounds: int) -> None:
    rules = CardRules(players=3, ranks="K Q J A", suits="C D H", hand_size=2)
    strategy = trained(rules, rounds)
    changed = never_stands(strategy)
    turned = rules.pack.card("AC")
    cards = [card for card in range(rules.pack.size) if card != turned]
    mouches = 0
    for cards_held in combinations(cards, 2):
        hand = mask_of(cards_held)
        for seat, declared in ((0, []), (2, ["pass", 1])):
            before = {
                (o.action, o.cards): o.probability
                for o in strategy.declaration(hand, turned, seat, declared)
            }
            after = {
                (o.action, o.cards): o.probability
                for o in changed.declaration(hand, turned, seat, declared)
            }
            assert sum(after.values()) == pytest.approx(1)
            if is_mouche(rules, hand):
                mouches += 1
                assert after == before
            else:
                assert after["stand", ()] == 0
    assert mouches > 0


def test_it_can_be_sent_against_the_strategy() -> None:
    strategy = trained(CardRules(players=2, ranks="K Q J", suits="C D", hand_size=2), 30)
    found = challenge(strategy, {"never stands": never_stands(strategy)}, deals=4096)
    assert {"never stands", "thumb", "random"} == {one.challenger for one in found}


def test_without_exchanges_there_is_nothing_else() -> None:
    rules = CardRules(players=2, ranks="K Q J", suits="C D", hand_size=2, exchange_cap=0)
    with pytest.raises(RulesError, match="exchange_cap=0: without an exchange"):
        never_stands(trained(rules, 1))
