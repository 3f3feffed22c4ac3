"""Solutions and checkpoints of a round: what comes back is what was there, to the last bit."""

from pathlib import Path

import numpy as np
import pytest

from mouche_solver.core.run import Limits
from mouche_solver.dice import DiceRules
from mouche_solver.dice.round.book import cut_book
from mouche_solver.dice.round.solve import RoundSolver, finish, solve_round
from mouche_solver.errors import StorageError
from mouche_solver.storage import (
    load_checkpoint,
    load_solution,
    resume,
    save_checkpoint,
    save_solution,
)
from mouche_solver.storage.dice.books import load_book, save_book
from mouche_solver.storage.dice.solutions import open_solution
from mouche_solver.storage.tensors import write_tensors

RULES = DiceRules(dice=(2, 1), faces=3)


@pytest.mark.usefixtures("small_layout")
def test_a_solution_comes_back(tmp_path: Path) -> None:
    solution = solve_round(RULES, limits=Limits(iterations=20), threads=1)
    assert solution.layout.trunk is not None
    assert solution.values_kept is not None
    assert len(solution.layout.tasks) > 3
    file = tmp_path / "solution"
    save_solution(solution, file)
    loaded = load_solution(file, threads=2, rules=RULES)
    assert loaded.header == solution.header
    assert loaded.measure() == solution.header.quality
    for history in ("", "1x1", "1x2 2x2", "3x2 3x3"):
        ours, theirs = solution.table(history), loaded.table(history)
        assert ours.actions == theirs.actions
        np.testing.assert_array_equal(ours.probabilities, theirs.probabilities)
        np.testing.assert_array_equal(ours.values, theirs.values)
    save_solution(loaded, tmp_path / "again")
    assert (tmp_path / "again").read_bytes() == file.read_bytes()


def test_a_fine_solution_keeps_32_bits(tmp_path: Path) -> None:
    """What a target below 1e-5 reaches is still there in the file; 16 bits cost up to 3e-6."""
    solution = solve_round(RULES, limits=Limits(1e-7), threads=1)
    assert solution.header.unrounded.exploitability <= 1e-7
    assert solution.exploitability <= 1.5e-7
    file = tmp_path / "fine"
    save_solution(solution, file)
    loaded = load_solution(file, threads=2, rules=RULES)
    assert loaded.probabilities.dtype == np.float32
    assert loaded.header == solution.header
    assert loaded.measure() == solution.quality
    assert open_solution(file).version == 2
    everything = slice(0, solution.layout.entries)
    fields = open_solution(file).fields
    arrays = {name: part.whole() for name, part in open_solution(file).arrays.items()}
    for wrong in (-1e-3, 1.5, np.nan):
        arrays["probabilities"] = np.array(loaded.probabilities[everything])
        arrays["probabilities"][7] = wrong
        write_tensors(file, "dice-solution", 2, fields, arrays)
        with pytest.raises(StorageError, match="a probability is not between 0 and 1"):
            load_solution(file)
    coarse = solve_round(RULES, limits=Limits(1e-3), threads=1)
    assert coarse.probabilities.dtype == np.uint16


def test_a_fine_solution_can_be_locked_and_cut(tmp_path: Path) -> None:
    rules = DiceRules(dice=(2, 2), faces=3)
    fine = solve_round(rules, limits=Limits(1e-7), threads=1)
    solver = RoundSolver(rules, threads=1)
    solver.lock(1, fine)
    reply = finish(solver, Limits(1e-6, iterations=4000)).solution
    assert reply.value == pytest.approx(fine.value, abs=1e-4)
    save_book(cut_book(fine, rim=1000), tmp_path / "book")
    book = load_book(tmp_path / "book")
    for hand, mix in zip(book.mixed("").hands, book.mixed("").probabilities, strict=True):
        here = fine.mixed("")
        ours = here.probabilities[here.hands.index(hand)]
        np.testing.assert_allclose(mix, ours, atol=2e-5)


@pytest.mark.usefixtures("small_layout")
@pytest.mark.parametrize("algorithm", ["dcfr", "pcfr+"])
def test_a_resumed_run_is_the_uninterrupted_one(tmp_path: Path, algorithm: str) -> None:
    straight = RoundSolver(RULES, algorithm, threads=2)
    whole = finish(straight, Limits(1e-9, iterations=12))
    first = RoundSolver(RULES, algorithm, threads=1)
    assert first.sweep.regret.dtype == np.float32
    assert first.sweep.layout.trunk is not None
    for _ in range(5):
        first.iterate()
    save_checkpoint(first, tmp_path / "state")
    again = resume(load_checkpoint(tmp_path / "state"), threads=2)
    assert again.iteration == 5
    rest = finish(again, Limits(1e-9, iterations=12))
    assert again.state().keys() == straight.state().keys()
    for name, array in again.state().items():
        np.testing.assert_array_equal(array.view(np.uint32), straight.state()[name].view(np.uint32))
    assert rest.solution.header == whole.solution.header
    save_solution(rest.solution, tmp_path / "resumed")
    save_solution(whole.solution, tmp_path / "straight")
    assert (tmp_path / "resumed").read_bytes() == (tmp_path / "straight").read_bytes()


def test_a_resumed_run_stops_where_the_uninterrupted_one_does(tmp_path: Path) -> None:
    rules, target = DiceRules(dice=(1, 1), faces=3), Limits(1e-3)
    straight = finish(RoundSolver(rules, threads=1), target).outcome.iterations
    first = RoundSolver(rules, threads=1)
    for _ in range(straight // 2):
        first.iterate()
    save_checkpoint(first, tmp_path / "state")
    assert first.state()["regret"].dtype == np.float64
    again = resume(load_checkpoint(tmp_path / "state"), threads=1)
    assert finish(again, target).outcome.iterations == straight


def test_a_checkpoint_keeps_the_locked_player(tmp_path: Path) -> None:
    rules = DiceRules(dice=(1, 1), faces=3)
    habit = solve_round(rules, limits=Limits(iterations=1), threads=1)
    solver = RoundSolver(rules, threads=1)
    solver.lock(1, habit)
    solver.iterate()
    save_checkpoint(solver, tmp_path / "state")
    again = resume(load_checkpoint(tmp_path / "state"), threads=1)
    solver.iterate()
    again.iterate()
    assert again.sweep.locked == 1
    for name, array in again.state().items():
        np.testing.assert_array_equal(array, solver.state()[name])


def test_files_of_other_rules_and_kinds(tmp_path: Path) -> None:
    rules = DiceRules(dice=(1, 1), faces=3)
    solver = RoundSolver(rules, threads=1)
    solver.iterate()
    save_checkpoint(solver, tmp_path / "state")
    with pytest.raises(StorageError, match="is a dice-checkpoint file, not a dice-solution file"):
        load_solution(tmp_path / "state")
    save_solution(finish(solver, Limits(iterations=1)).solution, tmp_path / "solution")
    with pytest.raises(StorageError, match=r"for other rules: wild=None, not wild=1$"):
        load_solution(tmp_path / "solution", rules=rules.replace(wild=1))
    assert load_solution(tmp_path / "solution", rules=rules.replace(points=5)).rules == rules


def test_a_header_that_contradicts_itself(tmp_path: Path) -> None:
    """Sealed and whole, yet wrong: what another program version might write."""
    file = tmp_path / "file"
    none = np.zeros(0, dtype=np.float32)
    arrays = {"probabilities": np.zeros(3, np.uint16), "trunk_values_0": none}
    write_tensors(file, "dice-checkpoint", 1, {}, arrays)
    with pytest.raises(StorageError, match="damaged: 'rules'"):
        load_checkpoint(file)
    fields = {"rules": {"dice": [1]}, "round_hash": "0"}
    write_tensors(file, "dice-checkpoint", 1, fields, arrays)
    with pytest.raises(StorageError, match=r"damaged: .*at least two players"):
        load_checkpoint(file)
    rules = DiceRules(dice=(1, 1), faces=2)
    fields = {"rules": rules.to_dict(), "round_hash": rules.round_hash, "layout_hash": "0"}
    write_tensors(file, "dice-checkpoint", 1, fields, arrays)
    with pytest.raises(StorageError, match="orders its numbers in another way"):
        load_checkpoint(file)


def test_arrays_that_do_not_fit_the_rules(tmp_path: Path) -> None:
    solver = RoundSolver(DiceRules(dice=(1, 1), faces=3), threads=1)
    solver.iterate()
    solution = finish(solver, Limits(iterations=1)).solution
    solution.probabilities = np.zeros(3, dtype=np.uint16)
    save_solution(solution, tmp_path / "file")
    with pytest.raises(StorageError, match="arrays do not fit its rules"):
        load_solution(tmp_path / "file")
    state = solver.state()
    solver.state = lambda: state | {"source": state["regret"]}  # type: ignore[method-assign]
    save_checkpoint(solver, tmp_path / "file")
    with pytest.raises(StorageError, match="arrays do not fit its rules"):
        resume(load_checkpoint(tmp_path / "file"))
