"""Losses of the advised mix against its own best action, counted position by position."""

import numpy as np
import pytest

from mouche_solver.core.run import Limits
from mouche_solver.dice.round.book import cut_book, trunk_lines
from mouche_solver.dice.round.losses import own_losses
from mouche_solver.dice.round.solve import RoundSolver, finish, solve_round
from mouche_solver.dice.rules.rules import DiceRules
from mouche_solver.errors import RulesError
from mouche_solver.storage.dice.checkpoints import load_checkpoint, resume, save_checkpoint
from mouche_solver.storage.dice.solutions import load_solution, save_solution

RULES = [DiceRules(dice=(2, 1), faces=3, wild=1), DiceRules(dice=(1, 1), faces=4)]


@pytest.mark.parametrize("rules", RULES, ids=str)
def test_losses_are_those_of_the_tables(rules):
    """Every position through the public table, one by one."""
    solution = solve_round(rules, limits=Limits(1e-9, iterations=60), threads=1)
    tree, losses = solution.tree, []
    for numbers in trunk_lines(tree, np.arange(2 * len(tree.claims))):
        if numbers and not tree.raises[numbers[-1]]:
            continue
        table = solution.table([tree.claims[n] for n in numbers])
        mixed = (table.probabilities * table.values).sum(axis=1)
        losses.append(table.values.max(axis=1) - mixed)
    expected = np.concatenate(losses)
    found = own_losses(solution)
    assert found.positions == len(expected)
    assert found.unreached == 0
    # A table's values are against a later opponent without trembles: they differ by as much.
    assert found.mean == pytest.approx(expected.mean(), abs=1e-3)
    assert found.worst == pytest.approx(expected.max(), abs=1e-2)


def test_trembles_mend_positions_off_the_path():
    rules = DiceRules(dice=(2, 2), faces=3)
    limits = Limits(1e-9, iterations=600)
    without, having = (
        own_losses(
            solve_round(rules, limits=limits, algorithm="dcfr", threads=1, tremble=tremble), 1e-5
        )
        for tremble in (0.0, 1e-5)
    )
    assert having.mean < without.mean / 5
    assert having.above_tenth < without.above_tenth / 3


def test_the_mixes_of_a_locked_player_do_not_count():
    rules = RULES[0]
    solver = RoundSolver(rules, threads=1)
    solver.lock(1, solve_round(rules, limits=Limits(1e-9, iterations=1), threads=1))
    found = own_losses(finish(solver, Limits(1e-9, iterations=60)).solution)
    free = own_losses(solve_round(rules, limits=Limits(1e-9, iterations=60), threads=1))
    assert 0 < found.positions + found.unreached < free.positions
    assert found.worst >= found.mean >= 0


def test_a_book_counts_the_positions_that_it_holds():
    solution = solve_round(DiceRules(dice=(2, 2), faces=3), limits=Limits(1e-4), threads=1)
    book = cut_book(solution, rim=120)
    found = own_losses(book)
    inside = list(trunk_lines(book.tree, np.asarray(book.trunk.expand)))
    held = sum(book.holds([book.tree.claims[k] for k in n]) for n in inside)
    assert found.positions == 6 * held
    assert 0 <= found.mean <= found.worst <= 2


@pytest.mark.parametrize("tremble", [0.1, -1e-9, float("nan")])
def test_a_tremble_out_of_range_is_refused(tremble):
    with pytest.raises(RulesError, match="tremble"):
        RoundSolver(RULES[0], threads=1, tremble=tremble)


def test_a_checkpoint_and_a_solution_carry_the_tremble(tmp_path):
    solver = RoundSolver(RULES[0], threads=1, tremble=1e-3)
    for _ in range(5):
        solver.iterate()
    save_checkpoint(solver, tmp_path / "state")
    again = resume(load_checkpoint(tmp_path / "state"), 1)
    assert again.tremble == 1e-3
    for _ in range(5):
        solver.iterate()
        again.iterate()
    np.testing.assert_array_equal(solver.sweep.average, again.sweep.average)
    solution = solve_round(RULES[0], limits=Limits(1e-9, iterations=4), threads=1, tremble=1e-3)
    save_solution(solution, tmp_path / "solution")
    assert load_solution(tmp_path / "solution", 1).header.tremble == solution.header.tremble > 0
