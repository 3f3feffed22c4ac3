"""The match recursion against hand sums, the referee, exact play and simulation."""

from fractions import Fraction
from functools import partial
from itertools import product

import numpy as np
import pytest

from mouche_solver.core.run import Limits
from mouche_solver.core.trees.best_response import NashGap
from mouche_solver.core.trees.extensive import sequence_form
from mouche_solver.core.trees.lp import solve_zero_sum
from mouche_solver.dice import DiceRules, Match, Round, play_match
from mouche_solver.dice.exact import DiceRound
from mouche_solver.dice.rules.notation import DOUBT
from mouche_solver.dice.rules.referee import Reveal
from mouche_solver.dice.rules.rules import Claim
from mouche_solver.dice.table.match import match_values
from mouche_solver.dice.table.solve import solve_table
from mouche_solver.errors import RulesError

NEXT_STARTERS = ["next-seat", "loser", "winner", "after-loser", "doubter", "after-doubter"]


class CoinRound:
    """A round that somebody loses with a probability that depends on place and dice alone."""

    def __init__(self, rules, payoff):
        self.odds = coin_odds(rules.dice)
        values = np.einsum("cl,clp->p", self.odds, payoff)
        self.gap = NashGap(values, values)


def coin_odds(dice):
    """Probability that the claim is (in)correct and who loses, uneven on purpose."""
    weight = np.array([[1.0 + place + have**2 for place, have in enumerate(dice)]] * 2)
    weight[1] *= 0.5 + np.arange(len(dice))
    return weight / weight.sum()


def coin_pair(rules):
    odds = coin_odds(rules.dice).sum(axis=0)
    return float(odds[1] - odds[0])


def coin_match(rules, points, starter):
    """Chances to win by brute force over all sequences of rounds, seats kept by the referee."""
    match = Match(rules, points, starter)
    if match.winner is not None:
        return np.eye(rules.players)[match.winner]
    order, chances = match.seats, np.zeros(rules.players)
    odds = coin_odds(match.round_rules.dice)
    for correct, place in product((0, 1), range(len(order))):
        left = tuple(have - (seat == order[place]) for seat, have in enumerate(points))
        other = order[(place - 1 if correct else place + 1) % len(order)]
        first = {
            "next-seat": (starter + 1) % rules.players,
            "loser": order[place],
            "winner": other,
            "after-loser": (order[place] + 1) % rules.players,
            "doubter": order[place] if correct else other,
            "after-doubter": ((order[place] if correct else other) + 1) % rules.players,
        }[rules.next_starter]
        while not left[first]:
            first = (first + 1) % rules.players
        chances += odds[correct, place] * coin_match(rules, left, first)
    return chances


@pytest.mark.parametrize("next_starter", NEXT_STARTERS)
@pytest.mark.parametrize("points, dice", [((2, 1, 2), (1, 2, 3)), ((1, 2, 1, 1), (2, 2, 2, 2))])
def test_recursion_is_the_sum_over_all_matches(next_starter, points, dice):
    rules = DiceRules(dice=dice, faces=2, points=points, next_starter=next_starter)
    values = match_values(rules, coin_pair, CoinRound)
    for (score, starter), found in values.chances.items():
        np.testing.assert_allclose(found, coin_match(rules, score, starter), atol=1e-12)


@pytest.mark.parametrize(
    "next_starter, first",
    [
        ("next-seat", 2),
        ("loser", 2),
        ("winner", 0),
        ("after-loser", 2),
        ("doubter", 2),
        ("after-doubter", 2),
    ],
)
def test_rotation_when_the_loser_is_out(next_starter, first):
    """Seat 0 started, its claim was correct and seat 1, with one point left, had doubted it."""
    rules = DiceRules(dice=(1, 2, 1), faces=2, points=(1, 1, 1), next_starter=next_starter)
    asked = []

    def pair(round_rules):
        asked.append(round_rules.dice)
        return 0.0

    match = Match.start(rules).after(Reveal(Claim(1, 1), 0, 1, 1, True))
    assert match.starter == first
    values = match_values(rules, pair, CoinRound)
    assert values.win_probability((1, 0, 1), first) == (0.5, 0.0, 0.5)
    # Every arrangement of two cups is asked for, its opener first.
    assert set(asked) == {(1, 2), (2, 1), (1, 1)}


@pytest.mark.parametrize("next_starter", NEXT_STARTERS)
def test_the_starter_after_an_elimination_decides_the_payoffs(next_starter):
    """The opener of a pair always wins here, so payoffs show who starts after seat 1 is out."""
    rules = DiceRules(dice=(1, 1, 1), faces=2, points=1, next_starter=next_starter)
    payoffs = []

    def table(round_rules, payoff):
        payoffs.append(payoff)
        return CoinRound(round_rules, payoff)

    match_values(rules, 1.0, table)
    assert len(payoffs) == 1  # three starters, one score in playing order
    doubted, claimed = payoffs[0][1, 1], payoffs[0][0, 1]
    expected = {
        "next-seat": (2, 2),
        "loser": (2, 2),
        "winner": (0, 2),  # the claimant of a correct claim; the doubter of an incorrect one
        "after-loser": (2, 2),
        "doubter": (2, 2),  # seat 1 itself, which is out; the doubter of seat 1's claim
        "after-doubter": (2, 0),
    }[next_starter]
    assert (int(doubted.argmax()), int(claimed.argmax())) == expected


def test_one_point_each_is_one_round():
    rules = DiceRules(dice=(2, 2), points=1)
    values = match_values(rules, round_value=-0.12)
    np.testing.assert_allclose(values.win_probability((1, 1), 0), (0.44, 0.56))
    np.testing.assert_allclose(values.win_probability((1, 1), 1), (0.56, 0.44))


def test_one_point_each_of_a_solved_round():
    values = match_values(DiceRules(dice=(1, 1), points=1))
    assert values.win_probability((1, 1), 0)[0] == pytest.approx((1 - 1 / 9) / 2, abs=1e-4)


def test_two_players_by_hand():
    """The opener wins a round with probability p = 1/3, and turns alternate.

    From 1-1 the opener wins p. From 2-1 with the second seat to open: it loses, 1-p, or it
    wins and the first seat opens 1-1. So f = 1-p + p*p = 7/9. From 1-2 with the second seat to
    open, the first must win that round and the next: (1-p)*p = 2/9. From 2-2: p*f + (1-p)*2/9.
    """
    values = match_values(DiceRules(dice=(1, 1), points=2), round_value=-1 / 3)
    assert values.win_probability((2, 1), 1)[0] == pytest.approx(7 / 9)
    assert values.win_probability((1, 2), 1)[0] == pytest.approx(2 / 9)
    assert values.win_probability((2, 2), 0)[0] == pytest.approx(7 / 27 + 4 / 27)


def test_dice_of_players_who_are_out_leave_play():
    rules = DiceRules(dice=(3, 1, 2), faces=2, points=1, minimum_opening=6)
    asked, tables = [], []

    def pair(round_rules):
        asked.append((round_rules.dice, round_rules.minimum_opening))
        return 0.0

    def table(round_rules, payoff):
        tables.append(round_rules.dice)
        return CoinRound(round_rules, payoff)

    match_values(rules, pair, table)
    pairs = [(3, 1), (1, 3), (3, 2), (2, 3), (1, 2), (2, 1)]
    assert sorted(asked) == sorted((dice, sum(dice)) for dice in pairs)
    assert sorted(tables) == [(1, 2, 3), (2, 3, 1), (3, 1, 2)]


def test_chances_add_up_and_the_dead_have_none():
    rules = DiceRules(dice=(1, 2, 1), faces=2, points=2)
    for (points, _), chances in match_values(rules, coin_pair, CoinRound).chances.items():
        assert sum(chances) == pytest.approx(1.0)
        assert all(chance == 0.0 for have, chance in zip(points, chances, strict=True) if not have)


def test_simulated_matches_agree():
    """Three players play the strategies that were kept for each score, dice rolled by a seed."""
    rules = DiceRules(dice=(1, 1, 1), faces=2, points=(1, 2, 1), next_starter="winner")
    values = match_values(
        rules,
        lambda pair: solve_table(pair, limits=Limits(1e-6), threads=1).gap.values[0],
        lambda table, payoff: solve_table(
            table, payoff=payoff, limits=Limits(1e-4, iterations=300), threads=1
        ),
    )
    pair = solve_table(DiceRules(dice=(1, 1), faces=2), limits=Limits(1e-6), threads=1)
    rng = np.random.default_rng(20)
    known = {}

    def player(seen):
        key = (seen.rules.points, seen.rules.dice, seen.hand, seen.history)
        if key not in known:
            solved = values.rounds.get(key[:2], pair)
            known[key] = list(solved.policy(str(seen.hand[0]), seen.history).values())
        action = seen.legal_actions[rng.choice(len(known[key]), p=known[key])]
        return DOUBT if action == DOUBT else action

    wins, matches = np.zeros(3), 3000
    for _ in range(matches):
        wins[play_match(rules, [player] * 3, rng)[-1].after.winner] += 1
    expected = np.array(values.win_probability((1, 2, 1), 0))
    spread = np.sqrt(expected * (1 - expected) / matches)
    assert np.all(np.abs(wins / matches - expected) < 4 * spread)
    assert 0 <= values.largest_gain < 1e-3


def test_refusals():
    with pytest.raises(RulesError, match="give a function"):
        match_values(DiceRules(dice=(2, 1)), round_value=0.1)
    with pytest.raises(RulesError, match="allowed are -1 to 1"):
        match_values(DiceRules(dice=(1, 1)), round_value=1.5)
    values = match_values(DiceRules(dice=(1, 1), points=2), round_value=0.0)
    for points, starter in [((2, 0), 0), ((3, 1), 0), ((1, 1), 2)]:
        with pytest.raises(RulesError, match="allowed are up to"):
            values.win_probability(points, starter)


class ScoredRound(DiceRound):
    """A round of two that pays the opener's chance to win the match, scaled to -1 and 1."""

    def __init__(self, rules, payoff):
        super().__init__(rules)
        self.opener = [[Fraction(2 * float(pays[0]) - 1) for pays in half] for half in payoff]

    def utilities(self, state):
        reveal = Round(self.rules, state.hands, state.history, doubted=True).reveal
        pays = self.opener[reveal.correct][reveal.loser]
        return pays, -pays


@pytest.mark.parametrize("next_starter", ["doubter", "after-doubter"])
@pytest.mark.parametrize("wild", [None, 1])
def test_the_doubter_rules_solve_the_scores_of_two(next_starter, wild):
    """Who doubted decides who starts next, so a round pays by the score; the value is the LP's."""
    rules = DiceRules(dice=(1, 1), faces=3, wild=wild, points=2, next_starter=next_starter)
    solve = partial(solve_table, limits=Limits(1e-7, 20_000), threads=1)
    values = match_values(rules, None, lambda pair, payoff: solve(pair, payoff=payoff))
    assert values.round((1, 1)) is None  # the last round: nothing follows it
    solved = values.round((2, 2))
    assert solved is not None
    assert not np.array_equal(solved.payoff[0], solved.payoff[1])
    chances = values.win_probability((2, 2), 0)
    exact = solve_zero_sum(sequence_form(ScoredRound(rules, solved.payoff))).value
    assert chances[0] == pytest.approx((1 + exact) / 2, abs=1e-5)
    assert sum(chances) == pytest.approx(1)
