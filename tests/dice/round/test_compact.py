"""Compact solves: as good as usual ones, the same bits for any threads, files that carry on."""

from dataclasses import replace

import numpy as np
import pytest

from mouche_solver.core.run import Limits, run
from mouche_solver.dice import DiceRules
from mouche_solver.dice.round.solve import RoundSolver, pack
from mouche_solver.errors import RulesError, TooLargeError
from mouche_solver.storage.dice.checkpoints import load_checkpoint, resume, save_checkpoint
from mouche_solver.storage.dice.solutions import load_solution, save_solution

RULES = DiceRules(dice=(2, 2))


def solved(iterations, rules=RULES, threads=1, **how):
    solver = RoundSolver(rules, threads=threads, **how)
    return solver, run(solver, Limits(1e-9, iterations=iterations))


@pytest.mark.parametrize(
    "rules, algorithm",
    [(RULES, "dcfr"), (RULES.replace(wild=1), "cfr+")],
    ids=["plain", "wild"],
)
def test_a_compact_solve_is_as_good_as_a_usual_one(rules, algorithm):
    _, usual = solved(150, rules, algorithm=algorithm)
    _, compact = solved(150, rules, algorithm=algorithm, compact=True)
    assert compact.quality.value == pytest.approx(usual.quality.value, abs=2e-3)
    assert compact.quality.exploitability < 1.5 * usual.quality.exploitability + 1e-4


def test_the_first_iterations_agree_with_the_usual_ones():
    """Every entry: rounding moves it by little."""
    usual, _ = solved(2)
    compact, _ = solved(2, compact=True)
    trunk = usual.sweep.layout.trunk.entries
    for name in ("regret", "average"):
        whole = getattr(usual.sweep, name)
        scale = np.abs(whole).max()
        np.testing.assert_allclose(compact.state()[name], whole[:trunk], atol=1e-3 * scale)
        tasks = compact.compact.tasks
        for task in usual.sweep.layout.tasks:
            where = slice(task.base, task.base + task.entries)
            into = np.zeros(task.entries, dtype=np.float32)
            found = tasks.unpack(getattr(tasks, name), where, into)
            np.testing.assert_allclose(found, whole[where], atol=1e-3 * scale)


def test_threads_and_interruptions_change_no_bit(tmp_path):
    straight, outcome = solved(9, threads=1, compact=True)
    broken, _ = solved(4, threads=2, compact=True)
    file = tmp_path / "state"
    save_checkpoint(broken, file)
    checkpoint = load_checkpoint(file)
    assert checkpoint.compact
    again = resume(checkpoint, threads=2)
    assert again.iteration == 4
    ended = run(again, Limits(1e-9, iterations=9))
    assert ended.quality == outcome.quality
    for name, array in straight.state().items():
        np.testing.assert_array_equal(again.state()[name], array)
    one, two = tmp_path / "one", tmp_path / "two"
    save_solution(pack(straight, replace(outcome, seconds=0.0)), one)
    save_solution(pack(again, replace(ended, seconds=0.0)), two)
    assert one.read_bytes() == two.read_bytes()


def test_what_is_measured_before_writing_is_what_the_file_holds(tmp_path):
    solver, outcome = solved(30, compact=True)
    solution = pack(solver, outcome)
    save_solution(solution, tmp_path / "file")
    read = load_solution(tmp_path / "file", threads=1)
    assert read.quality == solution.quality
    assert read.measure() == solution.quality
    assert abs(solution.exploitability - outcome.quality.exploitability) < 1e-3
    np.testing.assert_array_equal(read.probabilities[:], solution.probabilities[:])
    np.testing.assert_array_equal(
        solution.probabilities[70_000:90_000:3], read.probabilities[:][70_000:90_000:3]
    )
    for history in ("", "1x5", "1x5 2x5 2x6", "1x1 1x2 1x3 1x4"):
        np.testing.assert_array_equal(
            read.table(history).probabilities, solution.table(history).probabilities
        )


def test_packing_leaves_the_state_as_it_is():
    solver, outcome = solved(5, compact=True)
    before = {name: array.copy() for name, array in solver.state().items()}
    pack(solver, outcome).probabilities[:]
    for name, array in solver.state().items():
        np.testing.assert_array_equal(array, before[name])
    solver.iterate()
    assert solver.iteration == 6


def test_a_refusal_names_the_ways_out(monkeypatch):
    large = DiceRules(dice=(6, 6))
    monkeypatch.setattr("mouche_solver.dice.sweep.estimate.available_memory", lambda: 20 * 10**9)
    with pytest.raises(TooLargeError, match=r"--compact needs 18\.8 GB; --cluster takes .* fit"):
        RoundSolver(large)
    monkeypatch.setattr("mouche_solver.dice.sweep.estimate.available_memory", lambda: 10**9)
    with pytest.raises(TooLargeError, match="free; --cluster takes") as small:
        RoundSolver(large)
    assert "--compact" not in str(small.value)
    with pytest.raises(TooLargeError, match="free; --cluster takes"):
        RoundSolver(large, compact=True)
    # Nothing was allocated, and predictive algorithms have no compact solve to name.
    with pytest.raises(TooLargeError, match="free; --cluster takes"):
        RoundSolver(large, "sapcfr+")


def test_a_locked_player_needs_the_usual_solve():
    solver, outcome = solved(1, compact=True)
    with pytest.raises(RulesError, match="compact solve has no locked player"):
        solver.lock(0, pack(solver, outcome))
