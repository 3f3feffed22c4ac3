"""Numbers of any kind at the public doors: numpy's are taken as Python's, floats are refused."""

import json
from fractions import Fraction
from math import comb
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mouche_solver.adapters.gambit import export_efg
from mouche_solver.analysis import (
    doubt_frontier,
    group_table,
    odds_table,
    range_table,
    solve_rounds,
)
from mouche_solver.analysis.dice.odds import even_table
from mouche_solver.cards import CardRules
from mouche_solver.core.checks import whole
from mouche_solver.core.minimisers import checked_tremble
from mouche_solver.core.run import Limits
from mouche_solver.dice import (
    Claim,
    DiceRules,
    Match,
    Round,
    SampleLimits,
    View,
    all_claims,
    claim_probability,
    claim_table,
    legal_claims,
    loser_pays,
    match_values,
    parse_hand,
    play_tournament,
    solve_lp,
    solve_table,
    train_sampled,
)
from mouche_solver.dice.odds import count_distribution, count_numerators, quantity_probability
from mouche_solver.dice.round.solve import solve_round
from mouche_solver.dice.sample.response import local_response
from mouche_solver.dice.sample.tournament import random_player
from mouche_solver.dice.sweep.payoffs import as_payoff
from mouche_solver.errors import MoucheError, NotationError, RulesError

KINDS = (np.int8, np.uint8, np.int16, np.int32, np.int64, np.uint64)


def at_least(quantity: int, dice: int, faces: int = 6) -> float:
    """The binomial tail by whole numbers alone."""
    ways = sum(comb(dice, k) * (faces - 1) ** (dice - k) for k in range(quantity, dice + 1))
    return ways / faces**dice


def test_numpy_dice_give_the_right_odds_and_leave_the_cache_right() -> None:
    table = odds_table(np.arange(1, 31))
    assert table.loc[30, 10] == at_least(10, 30)
    assert claim_probability(DiceRules(dice=(5,) * 6), (10, 5)) == at_least(10, 30)
    assert even_table(np.arange(28, 31)).loc[30, "plain_chance"] == at_least(5, 30)


@given(st.integers(1, 60), st.integers(2, 12), st.sampled_from(KINDS), st.booleans(), st.booleans())
def test_every_kind_of_integer_gives_the_same_odds(dice, faces, kind, wild, tail) -> None:
    good = 2 if wild and faces > 2 else 1
    asked = count_distribution(kind(dice), kind(faces), kind(good), tail)
    assert asked == count_distribution(dice, faces, good, tail)
    assert sum(count_numerators(kind(dice), kind(faces), kind(good))) == faces**dice
    none = Fraction((faces - 1) ** dice, faces**dice)
    assert quantity_probability(kind(1), kind(dice), kind(faces)) == 1 - none


@pytest.mark.parametrize("wrong", [6.0, "6", None, True, np.float64(6), 6.5])
def test_what_is_no_whole_number_is_refused_and_leaves_the_caches_right(wrong: object) -> None:
    for ask in (
        lambda: count_distribution(5, wrong),
        lambda: count_numerators(wrong, 6),
        lambda: quantity_probability(wrong, 5, 6),
        lambda: odds_table([wrong]),
        lambda: odds_table([5], faces=wrong),
        lambda: DiceRules(faces=wrong),
        lambda: DiceRules(dice=(wrong, 5)),
        lambda: DiceRules(points=(wrong, 3)),
        lambda: DiceRules(minimum_opening=wrong),
        lambda: claim_probability(DiceRules(), (wrong, 5)),
        lambda: claim_probability(DiceRules(), (3, 5), [wrong] * 5),
        lambda: legal_claims(DiceRules(), Claim(wrong, 5)),
        lambda: Round(DiceRules(dice=(1, 1)), ((wrong,), (2,))),
        lambda: Round(DiceRules(dice=(1, 1)), ((1,), (2,))).play((wrong, 2)),
        lambda: Match(DiceRules(), (3, 3), wrong),
        lambda: View(claims=wrong),
        lambda: SampleLimits(visits=wrong),
    ):
        with pytest.raises(MoucheError) as caught:
            ask()
        assert "\n" not in str(caught.value)
    assert count_distribution(5, 6, at_least=True)[1] == at_least(1, 5)
    assert len(legal_claims(DiceRules(), Claim(6, 5))) == 9


@pytest.mark.parametrize("kind", KINDS)
def test_rules_take_every_kind_of_integer(kind: type) -> None:
    given = DiceRules(
        dice=(kind(2), kind(1)),
        faces=kind(4),
        wild=kind(1),
        minimum_opening=kind(2),
        points=(kind(2), kind(1)),
    )
    plain = DiceRules(dice=(2, 1), faces=4, wild=1, minimum_opening=2, points=(2, 1))
    assert given == plain
    assert given.match_hash == plain.match_hash
    assert json.loads(given.to_json()) == plain.to_dict()
    assert DiceRules(points=kind(2)).starting_points == (2, 2)
    kept = [given.faces, given.wild, given.minimum_opening, *given.dice, *given.points]
    assert {type(each) for each in kept} == {int}


@pytest.mark.parametrize("kind", KINDS)
def test_claims_hands_and_scores_of_every_kind(kind: type) -> None:
    rules = DiceRules(dice=(5,) * 4, wild=1)
    hand = np.array([1, 5, 5, 2, 6], dtype=kind)
    assert claim_probability(rules, (kind(9), kind(5)), hand) == claim_probability(
        rules, (9, 5), [1, 5, 5, 2, 6]
    )
    assert (claim_table(rules, hand) == claim_table(rules, [1, 5, 5, 2, 6])).all()
    assert legal_claims(rules, Claim(kind(9), kind(5))) == legal_claims(rules, Claim(9, 5))
    assert {type(claim.quantity) for claim in all_claims(rules)} == {int}
    played = Round(DiceRules(dice=(1, 1)), np.array([[3], [5]], dtype=kind)).play(np.array([1, 5]))
    assert played == Round(DiceRules(dice=(1, 1)), ((3,), (5,))).play(Claim(1, 5))
    values = match_values(DiceRules(dice=(1, 1), points=2), round_value=0.25)
    score = np.array([1, 2], dtype=kind)
    assert values.win_probability(score, kind(1)) == values.win_probability((1, 2), 1)
    assert Match(DiceRules(), score, kind(1)) == Match(DiceRules(), (1, 2), 1)


def test_strategies_take_numpy_hands_and_claims() -> None:
    rules = DiceRules(dice=(1, 1, 1), faces=np.int8(3))
    table = solve_table(rules, limits=Limits(iterations=2), threads=1)
    sampled = train_sampled(rules, View(np.int64(1)), limits=SampleLimits(np.int64(500)), threads=1)
    pair = solve_round(DiceRules(dice=(1, 1), faces=3), limits=Limits(iterations=2), threads=1)
    for strategy in (table, sampled, pair):
        asked = strategy.policy(np.array([2]), np.array([[1, 2]]))
        assert asked == strategy.policy("2", "1x2")
        with pytest.raises(NotationError):
            strategy.policy([2.0], "1x2")
    json.dumps(local_response(sampled, np.int64(3), threads=1).to_dict())
    result = play_tournament(rules, [random_player(rules)] * 3, np.int64(10), np.int64(1), 1)
    assert type(result.deals) is int


def test_a_whole_number_says_what_it_is_for() -> None:
    with pytest.raises(RulesError, match=r"seed=1\.5: give a whole number"):
        whole("seed", 1.5)
    with pytest.raises(NotationError, match="claim 3: give a quantity and a face"):
        claim_probability(DiceRules(), 3)


@pytest.mark.parametrize("wrong", [-1, 10**30, 2.0, float("nan"), True])
def test_dice_that_there_are_not(wrong: object) -> None:
    for numbers in ((wrong, 6), (2, wrong)):
        with pytest.raises(RulesError):
            quantity_probability(1, *numbers)


@pytest.mark.parametrize("wrong", [float("nan"), 2.5, True, "2"])
def test_iterations_are_whole(wrong: object) -> None:
    with pytest.raises(RulesError, match=r"iterations=.*: give a whole number"):
        Limits(iterations=wrong)


def test_arrays_of_numbers_are_no_number() -> None:
    for rules, field in ((DiceRules, "faces"), (DiceRules, "points"), (CardRules, "players")):
        with pytest.raises(RulesError, match=rf"{field}=array"):
            rules(**{field: np.array([2, 3])})


TINY = DiceRules(dice=(1, 1), faces=3)
NO_NUMBER = ["1", "x", "\uff15", b"1", True, float("nan"), [1], np.array([1]), 1j, ...]


@pytest.mark.parametrize("value", NO_NUMBER, ids=repr)
def test_what_is_no_number_is_refused_at_every_door(value: object) -> None:
    """Text had been read as a number, and arrays been taken; most else was a traceback."""
    number: Any = value
    solved = solve_round(TINY, threads=1, limits=Limits(iterations=2))
    for door in (
        lambda: Limits(number),
        lambda: Limits(iterations=number),
        lambda: Limits(seconds=number),
        lambda: SampleLimits(5, number),
        lambda: match_values(TINY.replace(points=2), number),
        lambda: parse_hand(TINY, "3", number),
        lambda: loser_pays(number),
        lambda: solve_lp(TINY, number),
        lambda: solve_rounds(number),
        lambda: export_efg(TINY, False, number),
        lambda: checked_tremble(number),
        lambda: doubt_frontier(solved, "", number),
        lambda: group_table(solved, "", "", number),
        lambda: range_table(solved, "1x1", number if number is not True else 1.0),
    ):
        with pytest.raises(MoucheError) as told:
            door()
        assert "\n" not in str(told.value)


@pytest.mark.parametrize("value", ["1", "\uff15", b"1", "x", float("nan"), [1], 1j, None, ...])
def test_payoffs_are_numbers(value: object) -> None:
    with pytest.raises(RulesError, match="payoff"):
        as_payoff([[value, -1], [1, -1]], 2)  # type: ignore[list-item]
    assert as_payoff([[Fraction(1, 2), -1], [1, -1]], 2)[0, 0, 0] == 0.5


def test_values_of_a_round_are_numbers_of_any_kind() -> None:
    rules = TINY.replace(points=2)
    right = match_values(rules, -0.25).to_records()
    for value in (np.float64(-0.25), np.float32(-0.25), np.array(-0.25), Fraction(-1, 4)):
        assert match_values(rules, value).to_records() == right  # type: ignore[arg-type]
    assert match_values(rules, np.int64(0)).to_records() == match_values(rules, 0).to_records()
