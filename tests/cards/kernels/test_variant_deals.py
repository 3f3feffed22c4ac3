"""Every variant: the strategy kernels pay what the referee pays, and no chip is lost."""

import random
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from mouche_solver.cards import CardRules, cards_of
from mouche_solver.cards.kernels import deal as t
from mouche_solver.cards.kernels import tricks
from mouche_solver.cards.kernels.deal import unasked
from mouche_solver.cards.kernels.policies import declare
from mouche_solver.cards.kernels.records import CONTEXT, SWAPPED
from mouche_solver.cards.measure.kernels_tournament import self_play
from mouche_solver.cards.measure.tournament import BASELINES, baseline
from mouche_solver.cards.referee.actions import Exchange, NameTrump, Pass, Play, Shuffle, Stand
from mouche_solver.cards.referee.deal import start_deal
from mouche_solver.cards.referee.play import legal_mask
from mouche_solver.cards.referee.referee import apply, legal_actions
from mouche_solver.cards.strategy.compile import compile_game, compile_policy, new_table
from mouche_solver.cards.strategy.levels import Abstraction

SMALL = {"ranks": "K Q J A 10", "suits": "C D H", "hand_size": 3}
VARIANTS: dict[str, dict[str, Any]] = {
    "default": {},
    "pamphile for a chip": {"pamphile": True},
    "pamphile for a fifth": {"pamphile": True, "pamphile_pays": "fifth"},
    "pamphile in any mouche": {"pamphile": True, "pamphile_any_suit": True},
    "pamphile from those who are in": {"pamphile": True, "pamphile_from": "inside"},
    "pamphile to a lone holder": {"pamphile": True, "pamphile_alone": True},
    "pamphile to a lone holder, few cards": {
        "pamphile": True,
        "pamphile_alone": True,
        "pamphile_from": "inside",
        **SMALL,
    },
    "pamphile and the turn-up": {"pamphile": True, "dealer_takes_trump": True},
    "pamphile, few cards": {"pamphile": True, "pamphile_any_suit": True, **SMALL},
    "dealer takes the turn-up": {"dealer_takes_trump": True},
    "cap": {"cap": 10},
    "cap and pamphile": {"cap": 5, "pamphile": True},
    "one mouche at a time": {"mouches_paid_in": "largest-first", "sweep": True},
    "no heading": {"must_head": False},
    "undertrump": {"must_undertrump": True, "must_overtrump": False},
    "head when trumped": {"head_when_trumped": True},
    "exchange of two": {"exchange_cap": 2},
    "mouche after exchange": {"mouche_after_exchange": True, "passers_pay": True, **SMALL},
    "mouche after a swap": {"mouche_after_swap": True, "dealer_takes_trump": True, **SMALL},
    "mouche after a swap and an exchange": {
        "mouche_after_swap": True,
        "mouche_after_exchange": True,
        "dealer_takes_trump": True,
        **SMALL,
    },
    "must stand": {"mouche_must_stand": True, "losing_holders_pay": False, **SMALL},
    "no mouche": {"mouche": False},
    "highest card": {"mouche_order": "highest-card", **SMALL},
    "six with 32 cards": {"players": 6, "deck": "piquet"},
    "own discards return": {"players": 6, "deck": "piquet", "own_discards_return": True},
    "no reshuffle": {"players": 6, "deck": "piquet", "reshuffle": False},
}
MUSHKA: dict[str, dict[str, Any]] = {
    "mushka": {"players": 4},
    "mushka for three": {"players": 3},
    "mushka for seven": {"players": 7},
    "mushka, ace instead of following": {"players": 3, "ace_instead_of_following": True},
    "mushka, few cards": {
        "players": 2,
        "ranks": "K A Q",
        "suits": "C H S",
        "hand_size": 2,
        "reshuffle": False,
    },
}
POT, FAR = 20, 10**6


class Table:
    """The kernels and what they need for one set of rules; everybody chooses evenly."""

    def __init__(self, rules: CardRules, seed: int) -> None:
        self.rules, self.rng = rules, random.Random(seed)
        self.abstraction = abstraction = Abstraction(rules, "coarse")
        rows = np.zeros((sum(abstraction.cells), len(abstraction.actions)), np.float32)
        self.policy = compile_policy(
            abstraction,
            rows,
            rows[:, 0].copy(),
            np.zeros(64, np.uint64),
            np.zeros((64, rules.hand_size), np.float32),
            abstraction.priors,
        )
        self.pot = POT - POT % rules.hand_size
        self.game = compile_game(abstraction, self.pot)
        self.table = new_table()
        self.state = np.array([seed + 1], np.uint64)

    def begin(self) -> Any:
        """Shuffle; the referee's deal of the same cards."""
        rules, table = self.rules, self.table
        t.new_deal(self.game, table, self.state)
        context = int(table["stock"][CONTEXT])
        order = table["order"][: rules.pack.size - 1].tolist()
        order.insert(rules.players * rules.hand_size, int(self.game["turned"][context]))
        deal = start_deal(
            rules,
            order,
            stacks=(0,) * rules.players,
            pot=self.pot,
            points=(FAR,) * rules.players if rules.scoring == "countdown" else None,
        )
        if deal.phase == "name-trump":
            deal = apply(deal, NameTrump(deal.turn, int(self.game["trump"][context])))
        assert deal.trump == self.game["trump"][context]
        return deal

    def declare(self, deal: Any) -> Any:
        """One random declaration here and there."""
        table, seat = self.table, deal.turn
        before = int(table["stock"][SWAPPED])
        legal = int(t.legal_declarations(seat, self.game, table))
        action = self.rng.choice(cards_of(legal))
        old = int(table["hands"][seat])
        t.say(seat, action, self.game, self.policy, table, self.state)
        swapped, number = int(table["stock"][SWAPPED]), int(table["said"][seat])
        swap = swapped if swapped != before else None
        if number < 0:
            return apply(deal, Pass(seat))
        if number == 0:
            return apply(deal, Stand(seat, swap))
        if swap is not None:
            old ^= 1 << swap | 1 << deal.turned
        laid = int(table["laid"][seat])
        drawn = cards_of(int(table["hands"][seat]) & ~(old & ~laid))
        ready = [c for c in deal.stock if c in drawn]
        stock = (*ready, *[c for c in deal.stock if c not in drawn])
        deal = apply(replace(deal, stock=stock), Exchange(seat, cards_of(laid), swap))
        if deal.phase == "shuffle":
            # Where own discards may come back, a card laid down may be drawn again.
            first = [c for c in cards_of(int(table["hands"][seat])) if deal.pile >> c & 1]
            rest = [c for c in cards_of(deal.pile) if c not in first]
            deal = apply(deal, Shuffle((*first, *rest)))
        return deal

    def play(self, deal: Any) -> Any:
        """All tricks with random cards."""
        at, trump = self.table["at"], deal.trump
        seats = [s for s in range(deal.seats) if self.table["said"][s] >= 0]
        tricks.begin_play(len(seats), self.game, self.table)
        context = int(self.table["stock"][CONTEXT])
        while deal.phase == "play":
            place = int(tricks.to_move(at, 0))
            assert seats[place] == deal.turn
            legal = int(tricks.legal_now(at, 0, place, self.game, context))
            assert legal == legal_mask(deal)
            card = self.rng.choice(cards_of(legal))
            tricks.put(at, 0, place, card, trump, self.game)
            deal = apply(deal, Play(deal.turn, card))
        return deal

    def whole(self) -> tuple[Any, float]:
        """A deal to its end, and the kernels' debts; ``table.chips`` is what they paid."""
        deal = self.begin()
        for seat in range(deal.seats):
            if unasked(seat, self.game, self.table):
                break
            assert deal.turn == seat
            deal = self.declare(deal)
        inside = int(t.count_in(self.game, self.table))
        debts = float(t.settle_early(inside, self.game, self.table))
        assert (debts < 0) == (deal.phase == "play")
        if debts < 0:
            deal = self.play(deal)
            debts = float(tricks.pay_tricks(self.game, self.table))
        assert not legal_actions(deal)
        return deal, debts


def rules_of(name: str) -> CardRules:
    if name in MUSHKA:
        return CardRules.mushka(**MUSHKA[name])
    return CardRules(**({"players": 3} | VARIANTS[name]))


@pytest.mark.parametrize("name", VARIANTS)
def test_kernels_pay_what_the_referee_pays(name: str) -> None:
    made = Table(rules_of(name), seed=7)
    for _ in range(200):
        deal, debts = made.whole()
        paid = made.table["chips"][: deal.seats] * made.pot
        assert paid == pytest.approx(deal.stacks, abs=1e-9)
        assert debts * made.pot == pytest.approx(sum(deal.waiting), abs=1e-9)
        assert deal.chips == made.pot


@pytest.mark.parametrize("name", MUSHKA)
def test_kernels_score_what_the_referee_scores(name: str) -> None:
    """Points taken off, less the mean of what the others take off."""
    made = Table(rules_of(name), seed=7)
    players = made.rules.players
    for _ in range(200):
        deal, debts = made.whole()
        off = FAR - np.array(deal.points)
        assert debts == 0
        assert made.table["chips"][:players] == pytest.approx(
            off - (off.sum() - off) / (players - 1), abs=1e-9
        )


@pytest.mark.parametrize("policy", ["random", "thumb"])
def test_baselines_of_mushka_neither_pass_nor_lay_down_the_ace(policy: str) -> None:
    made = Table(CardRules.mushka(4), seed=3)
    one, ace = baseline(made.abstraction, policy), 1 << made.rules.pack.card("AS")
    for _ in range(2000):
        t.new_deal(made.game, made.table, made.state)
        for seat in range(4):
            had = int(made.table["hands"][seat]) & ace
            declare(seat, one, made.game, made.table, made.state)
            if had:
                assert made.table["said"][seat] >= 0
                assert int(made.table["hands"][seat]) & ace
                break


@pytest.mark.parametrize("name", MUSHKA)
def test_ten_thousand_deals_of_mushka_add_up_to_zero(name: str) -> None:
    made = Table(rules_of(name), seed=11)
    sums = np.zeros(2 * made.rules.players + 2)
    for _ in range(10_000):
        sums[:] = 0
        self_play(1, made.policy, made.game, made.table, made.state, sums)
        assert sums[: made.rules.players + 1].sum() == pytest.approx(0, abs=1e-9)


@pytest.mark.parametrize("name", VARIANTS)
def test_ten_thousand_deals_lose_no_chip(name: str) -> None:
    made = Table(rules_of(name), seed=11)
    players = made.rules.players
    sums = np.zeros(2 * players + 2)
    for _ in range(10_000):
        sums[:] = 0
        self_play(1, made.policy, made.game, made.table, made.state, sums)
        assert sums[: players + 1].sum() == pytest.approx(1, abs=1e-12)


def test_the_rule_for_laying_down_keeps_the_pamphile_before_the_king_of_trumps() -> None:
    rules = CardRules(players=3, pamphile=True)
    game, pack = compile_game(Abstraction(rules, "coarse")), rules.pack
    hand = pack.hand("JC KD QD 8H 8S")
    for number, kept in ((4, "JC"), (3, "JC KD"), (2, "JC KD QD")):
        laid = int(t.least(hand, number, t.BY_HEIGHT, 1, game))
        assert hand & ~laid == pack.hand(kept)


def test_every_baseline_stands_on_a_mouche_that_must() -> None:
    table = Table(CardRules(**VARIANTS["must stand"]), 5)
    seen = dict.fromkeys(BASELINES, 0)
    for name in BASELINES:
        policy = baseline(table.abstraction, name)
        for _ in range(300):
            table.begin()
            for seat in range(table.rules.players):
                context = int(table.table["stock"][CONTEXT])
                must = t.must_stand(int(table.table["hands"][seat]), context, table.game)
                declare(seat, policy, table.game, table.table, table.state)
                if must:
                    seen[name] += 1
                    assert table.table["said"][seat] == 0, name
    assert min(seen.values()) > 10
