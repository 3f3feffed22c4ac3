"""How far whole tables get by exact sweeps, and how fast a match follows from a solved round.

Run this file for a table; ``pytest benchmarks/bench_table.py`` holds the claims.
"""

import time
from statistics import median

import numpy as np
import pytest

from mouche_solver.core.minimisers import schedule
from mouche_solver.core.run import Limits
from mouche_solver.dice import DiceRules, TableSolution, match_values, solve_table
from mouche_solver.dice.sweep.estimate import estimate
from mouche_solver.dice.sweep.layout import plan_layout
from mouche_solver.dice.sweep.n_player import TableSweep
from mouche_solver.dice.sweep.payoffs import loser_pays
from mouche_solver.dice.sweep.sweep import Sweep
from mouche_solver.dice.sweep.tree import round_tree

NASH_CONV = 3e-3
TABLES = ((3, 3, 3), (2, 2, 2, 2))


def solve(dice: tuple[int, ...], seconds: float = 900.0) -> tuple[TableSolution, float]:
    """Sweep on all processors until the gains add up to ``NASH_CONV``; with the seconds it took."""
    start = time.perf_counter()
    solution = solve_table(
        DiceRules(dice=dice), limits=Limits(NASH_CONV / len(dice), seconds=seconds)
    )
    return solution, time.perf_counter() - start


def match_seconds() -> float:
    """Time for all scores of a match of two, ten points each, when the round is solved."""
    start = time.perf_counter()
    values = match_values(DiceRules(points=10), round_value=-0.04)
    assert len(values.chances) == 200
    return time.perf_counter() - start


def sweep_seconds(dice: tuple[int, int], rounds: int = 9) -> tuple[float, float]:
    """Median processor time of an iteration by the two-player and by the n-player sweep."""
    tree = round_tree(DiceRules(dice=dice))
    layout, rule = plan_layout(tree), schedule("dcfr")
    sweeps = (
        Sweep(tree, layout, np.float32, 1),
        TableSweep(tree, layout, loser_pays(2), np.float32, 1),
    )
    took: tuple[list[float], list[float]] = ([], [])
    for iteration in range(1, rounds + 2):
        for sweep, times in zip(sweeps, took, strict=True):
            start = time.process_time()
            sweep.iterate(rule, iteration)
            times.append(time.process_time() - start)
    two, several = (median(times[1:]) for times in took)  # the first one compiles
    return two, several


def test_two_players_have_a_sweep_of_their_own_because_it_is_faster() -> None:
    two, several = sweep_seconds((4, 4))
    assert several > 1.1 * two


@pytest.mark.parametrize("dice", TABLES, ids=str)
def test_small_tables_are_hard_to_exploit(dice: tuple[int, ...]) -> None:
    solution, seconds = solve(dice)
    assert solution.gap.nash_conv <= NASH_CONV
    assert seconds < 900


def test_a_match_of_two_takes_less_than_a_second() -> None:
    assert match_seconds() < 1


if __name__ == "__main__":
    for table in TABLES:
        found, took = solve(table)
        size = estimate(DiceRules(dice=table)).entries
        pace = took / found.iterations / size * 1e9
        print(f"{table}: {size:,} entries, {took:.0f} s, {pace:.1f} ns an entry and iteration")
        print(found.describe())
    for pair in ((3, 3), (4, 4)):
        two, several = sweep_seconds(pair)
        print(f"{pair}: {two:.4f} s by the two-player sweep, {several:.4f} s by the n-player one")
    print(f"match of two, 10 x 10 points: {match_seconds():.2f} s")
