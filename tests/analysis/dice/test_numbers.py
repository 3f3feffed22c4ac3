"""Odds, round values, matches, runs: tables against what lies below, charts against tables."""

from itertools import pairwise

import numpy as np
import pytest

from mouche_solver.analysis import (
    RunRecord,
    convergence_chart,
    even_chart,
    even_table,
    match_chart,
    match_grid,
    odds_chart,
    odds_table,
    solve_dice,
    solve_rounds,
    starting_chart,
    starting_table,
)
from mouche_solver.dice import DiceRules, claim_probability, match_values
from mouche_solver.errors import RulesError


@pytest.mark.parametrize("wild", [False, True])
def test_odds_are_the_exact_ones(wild: bool) -> None:
    table = odds_table(wild=wild)
    assert table.shape == (60, 60)
    for dice in (2, 7, 20):
        half = dice // 2
        rules = DiceRules(dice=(half, dice - half), wild=1 if wild else None)
        for quantity in range(1, dice + 1):
            exact = claim_probability(rules, (quantity, 5), exact=True)
            assert table.loc[dice, quantity] == float(exact)
        assert (table.loc[dice, dice + 1 :] == 0).all()
    assert (table.diff(axis=1).iloc[:, 1:] <= 0).all(axis=None)


@pytest.mark.parametrize("faces", [2, 6, 12])
def test_even_claims_are_the_last_likely_ones(faces: int) -> None:
    table = even_table(range(1, 61), faces)
    for name, wild in (("plain", False), ("wild", True)):
        odds = odds_table(range(1, 62), faces, wild)
        for dice, quantity in table[name].items():
            assert quantity == 0 or odds.loc[dice, quantity] >= 0.5
            assert odds.loc[dice, quantity + 1] < 0.5
            if quantity:
                assert table.loc[dice, f"{name}_chance"] == odds.loc[dice, quantity]
    assert (table["wild"] >= table["plain"]).all()


@pytest.mark.parametrize(
    "dice, faces, message",
    [
        ([], 6, "no numbers of dice"),
        ([0], 6, "dice=0: allowed are 1 to 1000"),
        ([5], 1, "faces=1: allowed are 2 to 12"),
    ],
)
def test_impossible_dice(dice: list[int], faces: int, message: str) -> None:
    for table in (odds_table, even_table):
        with pytest.raises(RulesError, match=message):
            table(dice, faces)


def test_odds_charts_show_the_tables() -> None:
    figure = odds_chart([5, 10], wild=True)
    for line, dice in zip(figure.axes[0].lines[:2], (5, 10), strict=True):
        row = odds_table([5, 10], wild=True).loc[dice]
        np.testing.assert_array_equal(line.get_ydata(), row[row >= 0.001])
    figure, table = even_chart(), even_table()
    for line, name in zip(figure.axes[0].lines, ("plain", "wild"), strict=True):
        np.testing.assert_array_equal(line.get_ydata(), table[name])
        assert line.get_label() == name
    styles = [line.get_linestyle() for line in figure.axes[0].lines]
    assert len(set(styles)) == 2


def test_starting() -> None:
    rounds = list(solve_rounds(2, DiceRules(faces=2), target=1e-3))
    table = starting_table(rounds)
    assert list(table.index) == [(1, 1), (1, 2), (2, 1), (2, 2)]
    for solved in rounds:
        row = table.loc[solved.rules.dice]
        assert row["value"] == solved.value
        assert row["low"] <= solved.value <= row["high"]
        assert row["win"] == (1 + solved.value) / 2
    worst = max(solved.exploitability for solved in rounds)
    assert f"exploitability {worst:.1e}" in table.attrs["caption"]
    grid = starting_chart(table).axes[0].images[0].get_array()
    np.testing.assert_array_equal(grid, table["win"].unstack().to_numpy())


def test_starting_refuses() -> None:
    with pytest.raises(RulesError, match="most=0: allowed are 1 to 10"):
        solve_rounds(0)
    with pytest.raises(RulesError, match="no strategies"):
        starting_table([])
    solved = [solve_dice(DiceRules(dice=(1, 1), faces=f), iterations=1) for f in (2, 3)]
    with pytest.raises(RulesError, match=r"rounds of different rules: .* 2 faces, and .* 3 faces"):
        starting_table(solved)


def test_the_match_chart_is_the_grid() -> None:
    values = match_values(DiceRules(dice=(1, 1), points=3), round_value=-0.1)
    figure = match_chart(values, starter=1)
    grid = match_grid(values, starter=1)
    np.testing.assert_array_equal(figure.axes[0].images[0].get_array(), grid.to_numpy())


def test_a_record_keeps_what_was_measured() -> None:
    record, others = RunRecord("mine"), RunRecord("not run")
    solution = solve_dice(
        DiceRules(dice=(1, 1), faces=3), target=1e-9, iterations=40, report=record
    )
    frame = record.frame()
    assert frame.index[-1] == 40
    assert all(a < b for a, b in pairwise(frame.index))
    assert frame["exploitability"].iloc[-1] == solution.header.unrounded.exploitability
    line = convergence_chart([record, others]).axes[0].lines[0]
    np.testing.assert_array_equal(line.get_xdata(), frame.index)
    np.testing.assert_array_equal(line.get_ydata(), frame["exploitability"])
    with pytest.raises(RulesError, match="no run was measured"):
        convergence_chart([others])
