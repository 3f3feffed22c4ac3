"""The sampled solver with lossless information against exact values and exact best responses."""

from typing import Any

import pytest

from mouche_solver.cards import CardDeal, CardRules
from mouche_solver.cards.compiled.arrays import compile_play
from mouche_solver.cards.kernels.deal import named_suit
from mouche_solver.cards.referee.actions import NameTrump
from mouche_solver.cards.rules.pack import RANKS, SUITS
from mouche_solver.cards.strategy.levels import Abstraction
from mouche_solver.cards.train.trainer import Batch, CardTrainer
from mouche_solver.core.trees.best_response import evaluate
from mouche_solver.core.trees.extensive import sequence_form
from mouche_solver.core.trees.lp import solve_zero_sum


def small(players: int, suits: int, ranks: int, hand: int, **changes: Any) -> CardRules:
    return CardRules(
        players=players,
        ranks=RANKS[:ranks],
        suits=SUITS[:suits],
        hand_size=hand,
        reshuffle=False,
        **changes,
    )


def lossless(rules: CardRules) -> Abstraction:
    return Abstraction(rules, (("lossless", "lossless"),), play="lossless", laying="every")


def trained(rules: CardRules, shares: str, rounds: int, batch: Batch, seed: int = 1) -> Any:
    trainer = CardTrainer(lossless(rules), shares, seed=seed, batch=batch)
    for _ in range(rounds):
        trainer.train_round()
    trainer.close()
    return trainer.strategy()


# Value within 1e-3; the gap to a best response is larger where there are more sets.
@pytest.mark.parametrize(
    "shape, rounds, deals, gap",
    [((2, 2, 3, 2), 1500, 64, 3e-3), ((2, 2, 4, 3), 1000, 128, 0.01)],
)
def test_two_players_reach_the_value_of_the_linear_program(
    shape: Any, rounds: int, deals: int, gap: float, behaviour: Any
) -> None:
    rules = small(*shape)
    form = sequence_form(CardDeal(rules, "1/2,1/2", turned="KC"))
    strategy = trained(rules, "1/2,1/2", rounds, Batch(deals, deals, 1, 1 << 14))
    found = evaluate(form, behaviour(form, strategy))
    assert found.values[0] == pytest.approx(solve_zero_sum(form).value, abs=1e-3)
    assert found.nash_conv < gap


VARIANTS: dict[str, Any] = {
    "heading off": {"must_head": False},
    "one card": {"exchange_cap": 1},
    "mouche after exchange": {"mouche_after_exchange": True},
    "must stand": {"mouche_must_stand": True},
    "passers pay": {"passers_pay": True},
    "dealer takes the trump card": {"dealer_takes_trump": True},
}


@pytest.mark.parametrize("name", VARIANTS)
def test_options_reach_their_own_values(name: str, behaviour: Any) -> None:
    rules = small(2, 2, 3, 2, **VARIANTS[name])
    form = sequence_form(CardDeal(rules, "1/3,2/3"))
    strategy = trained(rules, "1/3,2/3", 500, Batch(128, 64, 1, 1 << 12))
    found = evaluate(form, behaviour(form, strategy))
    assert found.values[0] == pytest.approx(solve_zero_sum(form).value, abs=4e-3)
    assert found.nash_conv < 0.02


class RuledDeal(CardDeal):
    """The dealer names trumps by the rule that strategies use."""

    def actions(self, state: Any) -> Any:
        actions = super().actions(state)
        if not isinstance(actions[0], NameTrump):
            return actions
        pack, deal = self.rules.pack, state.deal
        play = compile_play(self.rules)
        suit = named_suit(deal.hands[-1], deal.turned, len(pack.suits), pack.per_suit, play)
        return [actions[int(suit)]]


@pytest.mark.parametrize(
    "changes", [{}, {"pamphile_any_suit": True}, {"dealer_takes_trump": True}], ids=str
)
def test_the_pamphile_reaches_its_own_value(changes: dict[str, Any], behaviour: Any) -> None:
    """Clubs trumps, another suit trumps, or named by the dealer who has seen his hand."""
    rules = small(2, 2, 3, 2, pamphile=True, **changes)
    form = sequence_form(RuledDeal(rules, "1/3,2/3"))
    strategy = trained(rules, "1/3,2/3", 600, Batch(256, 64, 1, 1 << 12))
    found = evaluate(form, behaviour(form, strategy))
    assert found.values[0] == pytest.approx(solve_zero_sum(form).value, abs=2e-3)
    assert found.nash_conv < 0.02


@pytest.mark.parametrize("ranks, turned", [("A K Q", None), ("A K Q J", "JC")])
def test_mushka_reaches_its_own_value(ranks: str, turned: str | None, behaviour: Any) -> None:
    """Two suits of three or four cards, in points: a deal is worth up to fifteen of them."""
    rules = CardRules.mushka(2, ranks=ranks, suits="C S", hand_size=2, reshuffle=False)
    form = sequence_form(CardDeal(rules, turned=turned))
    strategy = trained(rules, "none", 400, Batch(256, 128, 1, 1 << 13))
    found = evaluate(form, behaviour(form, strategy))
    assert strategy.training.continuation == "mushka-points"
    assert found.values[0] == pytest.approx(solve_zero_sum(form).value, abs=0.06)
    assert found.nash_conv < evaluate(form, form.uniform()).nash_conv / 10


def test_three_players_get_a_small_nash_conv(behaviour: Any) -> None:
    rules = small(3, 2, 4, 2)
    form = sequence_form(CardDeal(rules, "1/3,1/3,1/3", turned="KC"))
    before = evaluate(form, form.uniform()).nash_conv
    strategy = trained(rules, "1/3,1/3,1/3", 500, Batch(256, 256, 1, 1 << 12))
    after = evaluate(form, behaviour(form, strategy)).nash_conv
    assert after < 0.02 < before / 10


def test_a_lost_debt_is_solved_too(behaviour: Any) -> None:
    rules = small(2, 2, 3, 2)
    form = sequence_form(CardDeal(rules, "none", turned="KC"))
    strategy = trained(rules, "none", 2000, Batch(32, 32, 1, 1 << 12))
    found = evaluate(form, behaviour(form, strategy))
    assert found.nash_conv < 5e-3
