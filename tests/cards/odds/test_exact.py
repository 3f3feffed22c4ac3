"""Whole deals with tiny decks as exact games."""

from collections import defaultdict
from fractions import Fraction
from itertools import combinations, permutations

import pytest

from mouche_solver.cards import CardDeal, CardRules
from mouche_solver.cards.referee.actions import Exchange, NameTrump, Pass, Stand
from mouche_solver.cards.referee.deal import start_deal
from mouche_solver.cards.referee.referee import apply, legal_actions
from mouche_solver.cards.rules.pack import RANKS, SUITS, cards_of
from mouche_solver.core.minimisers import schedule
from mouche_solver.core.trees.best_response import evaluate, expected_values
from mouche_solver.core.trees.extensive import sequence_form
from mouche_solver.core.trees.lp import solve_zero_sum
from mouche_solver.core.trees.tree_cfr import TreeCFR
from mouche_solver.errors import RulesError


def small(players, suits, ranks, hand, **changes):
    """Rules with the highest ranks of the first suits."""
    return CardRules(
        players=players,
        ranks=RANKS[:ranks],
        suits=SUITS[:suits],
        hand_size=hand,
        **({"reshuffle": False} | changes),
    )


@pytest.mark.parametrize("turned", ["KC", "QC", "JD"])
def test_the_smallest_game_is_the_same_for_every_card_turned_up(turned):
    form = sequence_form(CardDeal(small(2, 2, 3, 2), "1/2,1/2", turned=turned))
    assert form.leaves == 374
    assert solve_zero_sum(form).exact == Fraction(-1, 60)


@pytest.mark.parametrize(
    "shape, leaves, value",
    [((2, 2, 4, 2), 30_132, "-19/1323"), ((2, 2, 4, 3), 10_296, "67/1680")],
)
def test_two_players_with_shares(shape, leaves, value):
    form = sequence_form(CardDeal(small(*shape), "1/2,1/2", turned="KC"))
    assert form.leaves == leaves
    assert form.zero_sum
    result = solve_zero_sum(form)
    assert result.exact == Fraction(value)
    cfr = TreeCFR(form, schedule("pcfr+"))
    cfr.run(400)
    gap = evaluate(form, cfr.average_strategy())
    assert gap.exploitability < 1e-5
    assert gap.values[0] == pytest.approx(result.value, abs=2e-5)


@pytest.mark.parametrize("shape, leaves", [((3, 2, 3, 1), 2_460), ((3, 2, 4, 2), 26_598)])
def test_three_players_are_measured(shape, leaves):
    form = sequence_form(CardDeal(small(*shape), turned="KC"))
    assert form.leaves == leaves
    cfr = TreeCFR(form, schedule("pcfr+"))
    start = evaluate(form, form.uniform())
    cfr.run(200)
    assert evaluate(form, cfr.average_strategy()).nash_conv < 1e-3 < start.nash_conv


VARIANTS = {
    "heading off": {"must_head": False},
    "no exchange": {"exchange_cap": 0},
    "one card": {"exchange_cap": 1},
    "no mouche": {"mouche": False},
    "mouche after exchange": {"mouche_after_exchange": True},
    "must stand": {"mouche_must_stand": True},
    "passers pay": {"passers_pay": True},
    "Pamphile": {"pamphile": True},
    "Pamphile of any suit": {"pamphile": True, "pamphile_any_suit": True},
    "dealer takes the trump card": {"dealer_takes_trump": True},
}


@pytest.mark.parametrize("name", VARIANTS)
def test_every_variant_has_one_value(name):
    """The program and the regrets agree, with every card turned up by chance."""
    form = sequence_form(CardDeal(small(2, 2, 3, 2, **VARIANTS[name]), "1/3,2/3"))
    result = solve_zero_sum(form)
    assert result.low - 1e-12 <= result.value <= result.high + 1e-12
    assert result.exploitability < 1e-12
    cfr = TreeCFR(form, schedule("pcfr+"))
    cfr.run(500)
    gap = evaluate(form, cfr.average_strategy())
    assert gap.exploitability < 1e-5
    assert gap.values[0] == pytest.approx(result.value, abs=2e-5)


@pytest.mark.parametrize(
    "name, leaves, value",
    [
        ("heading off", 378, "-1/60"),
        ("no exchange", 102, "-1/180"),
        ("no mouche", 530, "1/15"),
        ("mouche after exchange", 330, "19/90"),
        ("Pamphile", 400, "-1/15"),
        ("dealer takes the trump card", 1_042, "-3/20"),
    ],
)
def test_options_change_the_game(name, leaves, value):
    """Next to 374 leaves and -1/60 by default."""
    game = CardDeal(small(2, 2, 3, 2, **VARIANTS[name]), "1/2,1/2", turned="KD")
    form = sequence_form(game)
    assert (form.leaves, solve_zero_sum(form).exact) == (leaves, Fraction(value))


def test_the_largest_game_of_the_set():
    form = sequence_form(CardDeal(small(2, 3, 3, 2), "1/2,1/2", turned="KC"))
    assert form.leaves == 147_520
    result = solve_zero_sum(form)
    assert result.exact == Fraction(287_923, 3_084_480)
    cfr = TreeCFR(form, schedule("pcfr+"))
    cfr.run(150)
    gap = evaluate(form, cfr.average_strategy())
    assert gap.exploitability < 1e-3
    assert abs(gap.values[0] - result.value) <= gap.nash_conv


def test_a_lost_debt_is_a_general_sum_with_a_measured_gap():
    form = sequence_form(CardDeal(small(2, 2, 3, 2), turned="KC"))
    # A deal is worth one pot minus the mouches made.
    assert {sum(row) for row in form.payoffs} == {0, 1}
    with pytest.raises(RulesError, match="add up to zero"):
        solve_zero_sum(form)
    cfr = TreeCFR(form, schedule("pcfr+"))
    cfr.run(1000)
    gap = evaluate(form, cfr.average_strategy())
    assert gap.nash_conv < 1e-6
    assert gap.values.sum() < 1


def uniform_value(deal):
    """Everybody plays every legal action equally often; the referee's stock lies shuffled."""
    if deal.phase == "over":
        return [Fraction(stack, deal.rules.hand_size) for stack in deal.stacks]
    actions = legal_actions(deal)
    rows = [uniform_value(apply(deal, action)) for action in actions]
    return [sum(column) / len(actions) for column in zip(*rows, strict=True)]


@pytest.mark.parametrize("name", ["heading off", "Pamphile", "dealer takes the trump card"])
def test_drawing_when_it_happens_equals_a_shuffled_stock(name):
    rules = small(2, 2, 3, 1, **VARIANTS[name])
    form = sequence_form(CardDeal(rules, turned="QD"))
    turned = rules.pack.card("QD")
    rest = [card for card in range(6) if card != turned]
    totals = [Fraction(0), Fraction(0)]
    orders = list(permutations(rest))
    for order in orders:
        deal = start_deal(rules, (*order[:2], turned, *order[2:]), stacks=(0, 0), pot=1)
        totals = [t + v for t, v in zip(totals, uniform_value(deal), strict=True)]
    mean = [float(total / len(orders)) for total in totals]
    assert expected_values(form, form.uniform()) == pytest.approx(mean, abs=1e-12)


def states(game):
    """Every state in which a player acts."""
    stack = [game.initial()]
    while stack:
        state = stack.pop()
        if game.is_terminal(state):
            continue
        if game.is_chance(state):
            actions = [action for action, _ in game.chance_outcomes(state)]
        else:
            actions = game.actions(state)
            yield state
        stack += [game.child(state, action) for action in actions]


def test_a_player_sees_own_cards_and_numbers_only():
    game = CardDeal(small(2, 2, 3, 2), turned="KC")
    told = defaultdict(set)
    for state in states(game):
        if state.deal.turn == 1 and state.deal.phase == "declare":
            other = (state.deal.dealt[0], state.deal.laid[0], state.deal.hands[0])
            told[game.infoset_key(state)].add(other)
    # The dealer's 10 hands after a stand and after an exchange of the only card in the stock.
    assert len(told) == 20
    # A stand may come from 3 hands; an exchange from 3 hands, either card laid down.
    assert sorted({len(seen) for seen in told.values()}) == [3, 6]


def test_the_pamphile_is_seen_when_it_is_paid():
    game = CardDeal(small(2, 2, 3, 2, pamphile=True), turned="KD")
    jack = game.rules.pack.card("JC")
    holders = defaultdict(set)
    for state in states(game):
        if state.deal.phase == "play" and not state.deal.history and not state.deal.trick:
            holders[game.infoset_key(state)].add(bool(state.deal.hands[1] >> jack & 1))
    assert {True, False} == set().union(*holders.values())
    assert all(len(seen) == 1 for seen in holders.values())


def test_a_turned_up_pamphile_lets_the_dealer_name_trumps():
    game = CardDeal(small(2, 2, 3, 1, pamphile=True), turned="JC")
    state = game.initial()
    for _ in range(2):
        state = game.child(state, game.chance_outcomes(state)[0][0])
    assert game.player(state) == 1
    assert game.actions(state) == [NameTrump(1, 0), NameTrump(1, 1)]


def test_an_exchange_draws_sets_of_the_stock():
    game = CardDeal(small(2, 2, 4, 2), turned="KC")
    state = game.initial()
    for _ in range(2):
        state = game.child(state, game.chance_outcomes(state)[0][0])
    hand = cards_of(state.deal.hands[0])
    state = game.child(state, Exchange(0, hand))
    assert game.is_chance(state)
    draws = game.chance_outcomes(state)
    assert draws == [(pair, Fraction(1, 3)) for pair in combinations(state.deal.stock, 2)]
    after = game.child(state, draws[2][0])
    assert cards_of(after.deal.hands[0]) == draws[2][0]
    assert Exchange(1, cards_of(after.deal.hands[1])) not in game.actions(after)


def test_the_trick_play_alone():
    rules = small(2, 2, 4, 3, mouche=False)
    game = CardDeal(rules, "1/2,1/2", turned="KC", declarations=False)
    assert all(state.deal.phase == "play" for state in states(game))
    form = sequence_form(game)
    result = solve_zero_sum(form)
    assert result.exact is not None
    whole = sequence_form(CardDeal(rules, "1/2,1/2", turned="KC"))
    assert form.leaves < whole.leaves
    # The whole deal when both always stand is the trick play.
    strategy = whole.uniform()
    for (_, key), number in whole.index.items():
        first = whole.start[number]
        actions = whole.actions[number]
        if isinstance(actions[0], Pass):
            strategy[first : first + len(actions)] = [isinstance(a, Stand) for a in actions]
        assert key is not None
    assert expected_values(whole, strategy) == pytest.approx(expected_values(form, form.uniform()))


def test_shares_rotate_with_the_seats():
    """A mouche made counts for seat 0 as the last seat of the next deal."""
    rules = small(3, 2, 3, 1)
    none = sequence_form(CardDeal(rules, turned="KC"))
    last = sequence_form(CardDeal(rules, "0,0,1", turned="KC"))
    uniform = none.uniform()
    plain, shared = expected_values(none, uniform), expected_values(last, uniform)
    mouches = 1 - plain.sum()
    assert mouches > 0.1
    assert shared == pytest.approx(plain - 1 / 3 + [mouches, 0, 0])


@pytest.mark.parametrize(
    "changes, continuation, words",
    [
        ({"reshuffle": True}, "none", "reshuffle=True"),
        ({"question": "on"}, "none", "question='on'"),
        ({"debts": False}, "none", "debts=False"),
        ({}, "1/2,1/3", "add up to 1, such as 1/2,1/2"),
        ({}, "1/2,1/4,1/4", "2 shares"),
        ({}, "half", "allowed are none, or"),
        ({}, "1/0,1", "allowed are none, or"),
    ],
)
def test_what_has_no_small_exact_game_is_refused(changes, continuation, words):
    with pytest.raises(RulesError, match=words):
        CardDeal(small(2, 2, 3, 2, **changes), continuation)
