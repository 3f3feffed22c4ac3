"""Tables of a strategy against the strategy itself."""

import numpy as np
import pytest

from mouche_solver.analysis import (
    DiceSolution,
    group_table,
    opening_table,
    range_table,
    response_table,
)
from mouche_solver.analysis.dice.walk import Walk
from mouche_solver.dice import DiceRules, legal_claims
from mouche_solver.dice.round.strategy import RoundStrategy, all_of
from mouche_solver.dice.rules.notation import DOUBT, format_hand
from mouche_solver.errors import IllegalMoveError, NotationError, RulesError


def some_line(strategy: RoundStrategy, length: int) -> str:
    """A line of claims that is legal under any rules."""
    claims, last = [], None
    for _ in range(length):
        last = legal_claims(strategy.rules, last)[0]
        claims.append(str(last))
    return " ".join(claims)


@pytest.mark.parametrize("length", [0, 1, 2])
def test_a_table_is_the_policy_of_every_hand(strategy: RoundStrategy, length: int) -> None:
    line = some_line(strategy, length)
    table = response_table(strategy, line)
    np.testing.assert_allclose(table.sum(axis=1), 1)
    hands = all_of(strategy.rules, length % 2)
    assert sorted(table.index.get_level_values("hand")) == sorted(map(format_hand, hands))
    for (_, hand), row in table.iterrows():
        expected = {a.action: a.probability for a in strategy.policy(hand, line).actions}
        assert row.to_dict() == pytest.approx(expected)
    assert strategy.quality_text in table.attrs["caption"]


@pytest.mark.parametrize("length", [0, 1, 2, 3])
def test_probabilities_alone_are_those_of_the_table(strategy: RoundStrategy, length: int) -> None:
    line = some_line(strategy, length)
    mix, table = strategy.mixed(line), strategy.table(line)
    np.testing.assert_array_equal(mix.probabilities, table.probabilities)
    assert (mix.history, mix.player) == (table.history, table.player)
    assert (mix.hands, mix.actions) == (table.hands, table.actions)


def test_groups_add_up(strategy: RoundStrategy) -> None:
    line = some_line(strategy, 1)
    groups, walk = group_table(strategy, line, tolerance=0.2), Walk.to(strategy, line)
    mixed = groups.drop(columns=["hands", "chance"])
    np.testing.assert_allclose(mixed.sum(axis=1), 1)
    assert groups["hands"].sum() == len(walk.mix.hands)
    assert groups["chance"].sum() == pytest.approx(1)
    assert groups["chance"].is_monotonic_decreasing
    # The player who answers has shown nothing yet, so averages by group are averages by hand.
    np.testing.assert_allclose(groups["chance"] @ mixed, walk.chances)
    members = response_table(strategy, line, tolerance=0.2)
    for lead, part in members.groupby(level="group"):
        leader = part.loc[(lead, lead)]
        assert (part - leader).abs().to_numpy().max() <= 0.2
        assert len(part) == groups.loc[lead, "hands"]


def test_no_tolerance_joins_equal_rows_alone(plain: DiceSolution) -> None:
    table = response_table(plain, "1x2", tolerance=0.0)
    for _, part in table.groupby(level="group"):
        assert (part == part.iloc[0]).all(axis=None)
    leads = table.groupby(level="group").head(1)
    assert not leads.duplicated().any()


def test_hands_that_hold_some_dice(plain: DiceSolution) -> None:
    chosen = opening_table(plain, holding="3")
    assert set(chosen.index.get_level_values("hand")) == {"1,3", "2,3", "3,3"}
    assert list(opening_table(plain, "3,3").index) == [("3,3", "3,3")]
    assert group_table(plain, holding="3,3")["chance"].item() == pytest.approx(1 / 9)


def test_ranges_are_the_strategys(strategy: RoundStrategy) -> None:
    line = some_line(strategy, 2)
    for player in (0, 1):
        table = range_table(strategy, line, player)
        hands, chances = strategy.ranges(line)[player]
        for hand, chance in zip(hands, chances, strict=True):
            assert table.loc[format_hand(hand), "probability"] == chance
        np.testing.assert_allclose(table[["rolled", "probability"]].sum(), 1)
        np.testing.assert_allclose(table["times"] * table["rolled"], table["probability"])
        assert table["probability"].is_monotonic_decreasing
    assert range_table(strategy, line).attrs["player"] == 1
    assert range_table(strategy, some_line(strategy, 1)).attrs["player"] == 0


def test_a_walk_is_what_the_strategy_says(plain: DiceSolution) -> None:
    walk = Walk.to(plain)
    for word in ["1x2", "2x2", "2x3"]:
        assert walk.chances.sum() == pytest.approx(1)
        walk = walk.after(plain.read_claim(word))
        table = plain.table(walk.history)
        assert walk.reach == pytest.approx(table.reach)
        for ours, theirs in zip(walk.ranges, table.ranges, strict=True):
            np.testing.assert_allclose(ours, theirs)
        np.testing.assert_array_equal(walk.mix.probabilities, table.probabilities)
    assert DOUBT in walk.mix.actions


def never_said(solution: DiceSolution) -> str:
    walk = Walk.to(solution)
    return next(str(claim) for claim in walk.claims if walk.column(claim).max() == 0)


def test_lines_that_nobody_plays_have_tables(plain: DiceSolution) -> None:
    line = never_said(plain)
    for table in (response_table(plain, line), range_table(plain, line), group_table(plain, line)):
        assert "probability zero" in table.attrs["caption"]
        assert not table.isna().any(axis=None)
    ranges = range_table(plain, line)
    np.testing.assert_allclose(ranges["probability"], ranges["rolled"])


def test_what_is_refused(plain: DiceSolution) -> None:
    with pytest.raises(NotationError, match=r"no hand of player 0 holds that; a hand has 2 dice"):
        opening_table(plain, holding="1,2,3")
    with pytest.raises(NotationError, match="'9' is not a die"):
        opening_table(plain, holding="9")
    with pytest.raises(RulesError, match="tolerance -1: 0 or more"):
        opening_table(plain, tolerance=-1)
    with pytest.raises(RulesError, match="player 2: allowed are 0 and 1"):
        range_table(plain, "1x1", player=2)
    with pytest.raises(IllegalMoveError, match="3 dice are in play"):
        response_table(plain, "4x1")
    with pytest.raises(NotationError, match="not a claim"):
        response_table(plain, "five")


def test_without_claims_the_ranges_are_as_rolled(plain: DiceSolution) -> None:
    table = range_table(plain, "", player=1)
    assert table["probability"].tolist() == pytest.approx([1 / 3] * 3)
    assert plain.rules == DiceRules(dice=(2, 1), faces=3)
