"""Payments, the next pot, deals in succession and the end of the game."""

import json
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any

import pytest

from mouche_solver.cards import CardRules
from mouche_solver.cards.referee.actions import Exchange, Pass, Play, Stand
from mouche_solver.cards.referee.game import apply, begin_deal, new_game, next_pot, next_seating
from mouche_solver.cards.referee.payment import pay_pamphile, pay_tricks
from mouche_solver.cards.referee.play import legal_plays
from mouche_solver.cards.referee.referee import apply as step
from mouche_solver.cards.referee.referee import legal_actions
from mouche_solver.errors import IllegalMoveError, RulesError

POTS = json.loads((Path(__file__).parents[2] / "data" / "cards.json").read_text())["pot"]
HANDS = ["KC QC JC AC 10D", "KD QD JD AD 9C", "KH QH JH AH 9D", "KS QS JS AS 9H"]


def played(deal_of, rules, tricks, **money):
    """A deal after its last trick, everybody in, before it is paid."""
    deal = deal_of(rules, HANDS, "6S", **money)
    return replace(deal, declared=("stand",) * 4, tricks=tuple(tricks))


def test_two_players_without_a_trick(deal_of):
    case = POTS[1]
    deal = pay_tricks(played(deal_of, CardRules(), case["tricks"], pot=case["pot"]))
    assert [stack - 50 for stack in deal.stacks] == case["delta"]
    assert 5 + sum(deal.waiting) == case["next_pot"]


def test_the_cap(deal_of):
    case = POTS[2]
    rules = CardRules(cap=case["cap"])
    deal = pay_tricks(played(deal_of, rules, [3, 2, 0, 0], pot=case["pot"]))
    assert deal.waiting == (case["pay_each"],) * case["payers"]
    assert 5 + sum(deal.waiting) == case["next_pot"]
    assert rules.debt(15) == 15


@pytest.mark.parametrize(
    ("order", "pots"),
    [
        ("largest-first", POTS[3]["pots"]),
        ("first-in-first-out", [5, 10, 10, 15, 5]),
        ("all", [5, 15, 20, 5, 5]),
    ],
)
def test_one_mouche_at_a_time(order, pots):
    game = new_game(CardRules(mouches_paid_in=order, rounds=5), 0)
    seen = []
    for payers in [2, 1, 0, 0, 0]:
        seen.append(next_pot(game))
        game = begin_deal(game, range(36))
        losers = [0] * payers
        tricks = (*losers, 5, *[0] * (3 - payers))
        declared = ("stand",) * (payers + 1) + ("pass",) * (3 - payers)
        deal = pay_tricks(replace(game.deal, declared=declared, tricks=tricks))
        game = replace(
            game, deal=deal, pot=deal.pot, waiting=deal.waiting, stacks=_stacks(game, deal)
        )
        assert game.chips == 200
    assert seen == pots


@pytest.mark.parametrize("sweep", [False, True])
@pytest.mark.parametrize("order", ["largest-first", "first-in-first-out"])
def test_one_mouche_of_every_deal(order, sweep):
    """Games at random, with a list on paper for the mouches of each deal."""
    rules = CardRules(
        players=4,
        hand_size=2,
        suits="C D",
        mouches_paid_in=order,
        sweep=sweep,
        one_at_a_time="per-deal",
        rounds=5,
    )
    most = 0
    for seed in range(30):
        random, lists = Random(seed), []
        game = new_game(rules, 0)
        while not game.over:
            most = max(most, len(lists))
            assert next_pot(game) == rules.ante_chips + sum(each.pop() for each in lists)
            pack = list(range(rules.pack.size))
            random.shuffle(pack)
            game = begin_deal(game, pack)
            stake = game.pot
            deal = game.deal
            while deal.outcome is None:
                actions = [a for a in legal_actions(deal) if not isinstance(a, Exchange)]
                game = apply(game, random.choice(actions))
                deal = game.deal
            if sweep and deal.outcome.how == "mouche":
                lists = []
            lists = [each for each in (*lists, [stake] * len(deal.outcome.mouches)) if each]
            assert game.over or sum(game.waiting) == sum(map(sum, lists))
    assert most > 1


def test_one_of_every_deal_needs_one_at_a_time():
    with pytest.raises(RulesError, match="one_at_a_time='per-deal': all mouches are paid in"):
        CardRules(one_at_a_time="per-deal")
    assert CardRules(mouches_paid_in="largest-first").to_dict().get("one_at_a_time") is None


def _stacks(game, deal):
    by_player = dict(zip(game.seating, deal.stacks, strict=True))
    return tuple(by_player[player] for player in range(4))


def test_a_mouche_sweeps_what_waits(deal_of, run):
    rules = CardRules(mouches_paid_in="first-in-first-out", sweep=True)
    hands = ["KC QC JC AC 9C", "KD QD JD AD 8C", *HANDS[2:]]
    deal = run(deal_of(rules, hands, "6S", waiting=(5, 10)), "stand, stand, pass, pass")
    assert deal.stacks == (50 + 5 + 15, 45, 50, 50)
    assert deal.waiting == (5,)


def test_the_pamphile_is_paid_once_by_all_if_its_holder_is_in(deal_of, run):
    rules = CardRules(pamphile=True)
    deal = run(deal_of(rules, HANDS, "6S"), "stand, stand, pass, pass")
    assert deal.stacks == (53, 49, 49, 49)
    assert run(deal_of(rules, HANDS, "6S"), "pass, stand, stand, pass").stacks == (50,) * 4
    hands = [HANDS[0].replace("JC", "9S"), *HANDS[1:]]
    drawn = run(deal_of(rules, hands, "6S", "JC"), "9S, stand, pass, pass")
    assert drawn.stacks == (53, 49, 49, 49)
    alone = run(deal_of(rules, HANDS, "6S"), "stand, pass, pass, pass")
    assert alone.stacks == (55, 50, 50, 50)
    fifth = deal_of(rules.replace(pamphile_pays="fifth"), HANDS, "6S", pot=15)
    assert run(fifth, "stand, stand, pass, pass").stacks == (59, 47, 47, 47)
    assert pay_pamphile(deal_of(CardRules(), HANDS, "6S")).stacks == (50,) * 4


def test_a_revoke_makes_one_mouche_and_the_card_stays(deal_of, run):
    deal = run(deal_of(CardRules(), HANDS, "6S"), "stand, stand, pass, pass")
    pack = deal.rules.pack
    deal = step(deal, Play(0, pack.card("KC")))
    assert legal_plays(deal) == [Play(1, pack.card("9C"))]
    with pytest.raises(IllegalMoveError, match=r"KD may not be played: follow suit.*legal: 9C"):
        step(deal, Play(1, pack.card("KD")))
    with pytest.raises(IllegalMoveError, match="9C is allowed here, so it is no revoke"):
        step(deal, Play(1, pack.card("9C"), revoke=True))
    deal = step(deal, Play(1, pack.card("KD"), revoke=True))
    assert (deal.turn, deal.revoked) == (0, {1})
    assert deal.history[0][1] == (1, pack.card("KD"))
    while deal.outcome is None:
        deal = step(deal, legal_plays(deal)[0])
    assert deal.outcome.mouches == tuple(sorted({1, *[s for s in (0, 1) if not deal.tricks[s]]}))


def test_the_penalty_is_not_doubled(deal_of):
    deal = replace(played(deal_of, CardRules(), [5, 0, 0, 0]), revoked=frozenset({0, 1}))
    assert pay_tricks(deal).outcome.mouches == (0, 1, 2, 3)
    assert pay_tricks(deal).stacks == (50, 45, 45, 45)


def test_without_debts_a_part_payment_puts_a_player_out(deal_of):
    rules = CardRules(debts=False)
    deal = pay_tricks(played(deal_of, rules, [3, 2, 0, 0], stacks=[50, 50, 3, 50]))
    assert (deal.stacks, deal.waiting, deal.broke) == ((53, 52, 0, 45), (3, 5), {2})


def test_odd_chips_stay_in_the_basket(deal_of):
    deal = pay_tricks(played(deal_of, CardRules(), [5, 0, 0, 0], pot=13))
    assert (deal.pot, deal.stacks[0], deal.waiting) == (3, 60, (13, 13, 13))


def test_the_first_hand_deals_next_and_a_round_ends_the_game():
    game = new_game(CardRules(players=3), 1)
    dealers = []
    while not game.over:
        dealers.append(game.dealer)
        assert next_seating(game)[-1] == game.dealer
        game = begin_deal(game, range(28))
        with pytest.raises(IllegalMoveError, match="must end before the next"):
            begin_deal(game, range(28))
        game = apply(apply(game, Pass(0)), Pass(1))
    assert dealers == [1, 2, 0]
    assert (game.stacks, game.winners) == ((50, 50, 50), (0, 1, 2))
    with pytest.raises(IllegalMoveError, match="the game is over"):
        apply(game, Pass(0))
    with pytest.raises(IllegalMoveError, match="the game is over"):
        begin_deal(game, range(28))


def test_the_pot_left_over_is_split_from_the_dealers_right():
    game = begin_deal(new_game(CardRules(players=3, rounds=1), 2), range(28))
    game = replace(game, deals=(1, 1, 1), deal=replace(game.deal, waiting=(5, 5)))
    game = apply(apply(game, Pass(0)), Pass(1))
    # The dealer, alone in, has his ante back; ten chips are split 4, 3, 3.
    assert game.stacks == (54, 53, 53)
    assert (game.pot, game.waiting, game.winners) == (0, (), (0,))


def test_a_dealer_who_cannot_pay_is_out():
    game = new_game(CardRules(players=3, debts=False, chips=(4, 50, 50)), 0)
    assert (game.dealer, game.alive, game.pot, next_pot(game)) == (1, (1, 2), 4, 9)
    assert new_game(CardRules(players=2, debts=False, chips=0), 0).over


def test_the_most_gained_wins():
    game = new_game(CardRules(players=2, chips=(10, 90)), 0)
    assert replace(game, over=True, stacks=(12, 88)).winners == (0,)


def test_first_dealer():
    with pytest.raises(RulesError, match="allowed are 0 to 3"):
        new_game(CardRules(), 4)
    with pytest.raises(RulesError, match="player 2 the first dealer"):
        new_game(CardRules(first_dealer=2), 1)


def test_a_deal_is_the_whole_pack_once():
    with pytest.raises(IllegalMoveError, match="each of the 36 cards"):
        begin_deal(new_game(CardRules(), 0), [0] * 36)
    with pytest.raises(IllegalMoveError, match="no deal has begun"):
        apply(new_game(CardRules(), 0), Pass(0))


@pytest.mark.parametrize(("alone", "stacks"), [(False, (60, 50, 45)), (True, (69, 50, 45))])
def test_a_lone_holder_of_a_mouche_may_sweep_what_waits(
    alone: bool, stacks: tuple[int, ...], deal_of: Any, run: Any
) -> None:
    """1730: whoever has a mouche takes the waiting ones, here also when all others pass."""
    rules = CardRules(players=3, mouches_paid_in="largest-first", sweep=True, sweep_alone=alone)
    hands = ["KH QH JH AH 10H", "KD QD 9C 8D 9S", "KS QS JS 9D 8S"]
    deal = deal_of(rules, hands, "KC", stacks=(50, 50, 45), pot=10, waiting=(4, 5))
    deal = run(deal, "stand, pass, pass")
    assert (deal.stacks, deal.outcome.how) == (stacks, "alone")
    assert sum(deal.waiting) == (0 if alone else 9)


def test_without_a_mouche_a_lone_player_sweeps_nothing(deal_of: Any, run: Any) -> None:
    rules = CardRules(players=3, mouches_paid_in="largest-first", sweep=True, sweep_alone=True)
    hands = ["KH QH JH AH 10D", "KD QD 9C 8D 9S", "KS QS JS 9D 8S"]
    deal = run(deal_of(rules, hands, "KC", waiting=(4, 5)), "stand, pass, pass")
    assert deal.waiting == (4, 5)


@pytest.mark.parametrize(
    ("options", "words", "gains"),
    [
        ({}, "stand, pass, stand", (2, -1, -1)),
        ({"pamphile_from": "inside"}, "stand, pass, stand", (1, 0, -1)),
        ({}, "stand, pass, pass", (5, 0, 0)),
        ({"pamphile_alone": True}, "stand, pass, pass", (7, -1, -1)),
        ({"pamphile_alone": True, "pamphile_from": "inside"}, "stand, pass, pass", (5, 0, 0)),
    ],
)
def test_who_pays_the_pamphile(
    options: dict[str, Any], words: str, gains: tuple[int, ...], deal_of: Any, run: Any
) -> None:
    """A pot of 5 chips; the first hand holds the Jack of clubs."""
    rules = CardRules(players=3, pamphile=True, **options)
    hands = ["JC QH JH AH 10D", "KD QD 9C 8D 9S", "KS QS JS 9D 8S"]
    deal = run(deal_of(rules, hands, "KC", stacks=(0, 0, 0), pot=5), words)
    assert deal.stacks == gains
    assert deal.chips == 5


@pytest.mark.parametrize(
    ("options", "exchange", "wins"),
    [
        ({}, "", False),
        ({"mouche_after_swap": True}, "", True),
        ({"mouche_after_swap": True}, "9C", False),
        ({"mouche_after_swap": True, "mouche_after_exchange": True}, "9C", True),
    ],
)
def test_a_mouche_after_the_dealers_swap(
    options: dict[str, Any], exchange: str, wins: bool, deal_of: Any, run: Any
) -> None:
    """The dealer gives a heart for the King of clubs and so holds clubs only."""
    rules = CardRules(players=3, dealer_takes_trump=True, **options)
    pack = rules.pack
    hands = ["KD QD JD 9S 8D", "KS QS 10H 8H 9D", "QC JC AC 9C AH"]
    deal = run(deal_of(rules, hands, "KC", "10C 8C"), "stand, pass")
    swap, laid = pack.card("AH"), pack.cards(exchange)
    action = Exchange(2, laid, swap) if laid else Stand(2, swap)
    deal = step(deal, action)
    assert (deal.outcome is not None and deal.outcome.how == "mouche") is wins


def test_younger_options_leave_the_text_of_other_rules_alone() -> None:
    rules = CardRules(players=3, pamphile=True)
    for name in ("mouche_after_swap", "sweep_alone", "pamphile_from", "pamphile_alone"):
        assert name not in rules.to_dict()
    changed = rules.replace(pamphile_from="inside")
    assert CardRules.from_json(changed.to_json()) == changed
    assert changed.deal_hash != rules.deal_hash
    with pytest.raises(RulesError, match="sweep_alone=True: nobody sweeps"):
        CardRules(sweep_alone=True)
    with pytest.raises(RulesError, match="allowed are all, inside"):
        CardRules(pamphile_from="none")  # type: ignore[arg-type]
