"""Every known value of small rounds, and the round as a generic game."""

import json
from fractions import Fraction
from itertools import product
from pathlib import Path

import pytest

from mouche_solver.core.trees.best_response import evaluate, expected_values
from mouche_solver.core.trees.extensive import sequence_form
from mouche_solver.dice import Claim, DiceRound, DiceRules, Round, solve_lp
from mouche_solver.dice.exact import RoundState
from mouche_solver.errors import RulesError

CASES = json.loads((Path(__file__).parents[2] / "data" / "dice.json").read_text())["values"]


@pytest.mark.parametrize("case", CASES, ids=lambda c: f"{c['dice']}-{c['faces']}-{c['rule']}")
def test_values_of_the_cases(case):
    rules = DiceRules(
        dice=tuple(case["dice"]),
        faces=case["faces"],
        wild=1 if case["wild"] else None,
        raise_rule=case["rule"],
    )
    assert solve_lp(rules).result.exact == Fraction(case["value"])


@pytest.mark.parametrize(
    "wild, values",
    [(None, ["0", "-1/9", "-1/8", "-3/25", "-1/9"]), (1, ["1", "1/3", "0", "-1/25", "-1/18"])],
)
def test_one_die_each(wild, values):
    for faces, value in enumerate(values, start=2):
        rules = DiceRules(dice=(1, 1), faces=faces, wild=wild)
        assert solve_lp(rules).result.exact == Fraction(value)


def liars_dice(dice, sides):
    """OpenSpiel's liars_dice: the top face is wild and may be claimed."""
    return DiceRules(dice=dice, faces=sides, wild=sides, raise_rule="quantity-first")


@pytest.mark.parametrize(
    "dice, sides, value",
    [
        ((1, 1), 2, "1/2"),
        ((1, 1), 3, "1/9"),
        ((1, 1), 4, "1/16"),
        ((1, 1), 5, "1/125"),
        ((1, 1), 6, "-7/258"),
        ((2, 1), 3, "7/27"),
        ((2, 2), 3, "5/81"),
    ],
)
def test_liars_dice(dice, sides, value):
    assert solve_lp(liars_dice(dice, sides)).result.exact == Fraction(value)


@pytest.mark.parametrize("faces, nash_conv", [(2, 7 / 8), (6, 79 / 48)])
def test_uniform_play(faces, nash_conv):
    form = sequence_form(DiceRound(DiceRules(dice=(1, 1), faces=faces)))
    assert evaluate(form, form.uniform()).nash_conv == pytest.approx(nash_conv, abs=1e-12)


def test_the_rules_decide_who_loses_as_the_referee_does():
    rules = DiceRules(dice=(2, 1, 1), faces=3, wild=1, truth="exactly")
    game = DiceRound(rules)
    cups = ((1, 2), (2,), (3,))
    for claim in (Claim(1, 2), Claim(3, 2), Claim(1, 1), Claim(4, 3)):
        loser = Round(rules, cups, (claim,), doubted=True).reveal.loser
        payoffs = game.utilities(RoundState(cups, (claim,), doubted=True))
        assert payoffs[loser] == -1
        assert sum(payoffs) == 0


def test_payoffs_by_loser_may_be_any_matrix():
    rules = DiceRules(dice=(1, 1), faces=2)
    game = DiceRound(rules, payoffs=[[0, Fraction(1, 2)], [2, 0]])
    form = sequence_form(game)
    plain = expected_values(form, form.uniform())
    opener = expected_values(sequence_form(DiceRound(rules)), form.uniform())[0]
    assert plain == pytest.approx([1 + opener, (1 - opener) / 4])
    with pytest.raises(RulesError, match="2 rows"):
        DiceRound(rules, payoffs=[[0, 1]])


def test_policies_read_hands_in_any_order():
    solved = solve_lp(DiceRules(dice=(2, 1), faces=2))
    first = solved.policy((2, 1))
    assert first == solved.policy((1, 2))
    assert sum(first.values()) == pytest.approx(1)
    answer = solved.policy((2,), (Claim(1, 1),))
    assert set(answer) == {"doubt", *(Claim(q, f) for q, f in product((1, 2, 3), (1, 2)))} - {
        Claim(1, 1)
    }
    with pytest.raises(RulesError, match="two players"):
        solve_lp(DiceRules(dice=(1, 1, 1), faces=2))
