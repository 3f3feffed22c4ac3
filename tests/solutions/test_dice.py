"""What a notebook does with a solution."""

from pathlib import Path

import numpy as np
import pytest

import mouche_solver
from mouche_solver.errors import RulesError
from mouche_solver.solutions.dice import DiceFrames, DiceSolution

RULES = mouche_solver.DiceRules(dice=(2, 1), faces=3)


@pytest.fixture(scope="module")
def solution() -> DiceSolution:
    return mouche_solver.solve_dice(RULES, target=1e-3, threads=1)


@pytest.mark.parametrize("history", ["", "1x1", "1x2 3x2", "3x3", "1x1 2x1 2x2"])
def test_frames_are_the_tables(solution: DiceSolution, history: str) -> None:
    table = solution.table(history)
    frame, values = solution.frame(history), solution.values_frame(history)
    np.testing.assert_array_equal(frame.to_numpy(), table.probabilities)
    np.testing.assert_array_equal(values.to_numpy(), table.values)
    slow = DiceFrames.frame(solution, history)
    assert frame.equals(slow)
    assert frame.columns.name == (history or "opening")
    assert tuple(frame.columns) == tuple(values.columns) == table.actions
    np.testing.assert_allclose(frame.sum(axis=1), 1)


def test_a_row_is_the_policy(solution: DiceSolution) -> None:
    advice = solution.policy("3", "1x2")
    row = solution.frame("1x2").loc["3"]
    assert {a.action: a.probability for a in advice.actions} == row.to_dict()
    assert solution.frame().index[0] == "1,1"


def test_ranges(solution: DiceSolution) -> None:
    ranges = solution.ranges_frame("1x2 2x2")
    assert ranges.groupby("player").size().to_dict() == {0: 6, 1: 3}
    np.testing.assert_allclose(ranges.groupby("player")["probability"].sum(), 1)


def test_save_and_load(solution: DiceSolution, tmp_path: Path) -> None:
    solution.save(tmp_path / "file")
    loaded = mouche_solver.load(tmp_path / "file", threads=1)
    assert isinstance(loaded, DiceSolution)
    assert (loaded.value, loaded.exploitability) == (solution.value, solution.exploitability)
    assert loaded.frame("1x1").equals(solution.frame("1x1"))


def test_a_reply_to_a_habit_gets_what_a_best_response_gets() -> None:
    habit = mouche_solver.solve_dice(RULES, iterations=1, threads=1)
    best = habit.measure()
    for player, value in ((0, best.low), (1, best.high)):
        reply = mouche_solver.solve_dice(RULES, target=1e-4, threads=1, locked=(player, habit))
        assert reply.value == pytest.approx(value, abs=3e-4)
        assert reply.header.locked == player
        ours, theirs = (each.frame("1x2" * player) for each in (reply, habit))
        np.testing.assert_allclose(ours, theirs, atol=2 / 65535)  # rounded twice


def test_what_is_refused() -> None:
    with pytest.raises(RulesError, match="target 0: an exploitability above 0"):
        mouche_solver.solve_dice(RULES, target=0)
    with pytest.raises(RulesError, match="two players, not 3"):
        mouche_solver.solve_dice(mouche_solver.DiceRules(dice=(1, 1, 1)))
