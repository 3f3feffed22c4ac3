"""Trembles: the perturbed game against its exact linear program, and the least of every action."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mouche_solver.core.minimisers import checked_tremble, schedule, tremble_at
from mouche_solver.core.trees.extensive import sequence_form
from mouche_solver.core.trees.lp import perturbed_value
from mouche_solver.dice import DiceRound, DiceRules
from mouche_solver.dice.sweep.arrays import Entries
from mouche_solver.dice.sweep.kernels_regret import least
from mouche_solver.dice.sweep.layout import plan_layout
from mouche_solver.dice.sweep.sweep import Sweep
from mouche_solver.dice.sweep.tree import RoundTree
from mouche_solver.errors import RulesError

CASES = [
    DiceRules(dice=(1, 1), faces=3),
    DiceRules(dice=(1, 1), faces=4, wild=1),
    DiceRules(dice=(2, 2), faces=2),
    DiceRules(dice=(2, 1), faces=3, wild=1, raise_rule="quantity-first"),
]


@pytest.mark.parametrize("rules", CASES, ids=str)
@pytest.mark.parametrize("tremble", [0.0, 1e-3, 0.02])
@pytest.mark.parametrize("algorithm", ["dcfr", "pcfr+", "sapcfr+"])
def test_the_sweep_solves_the_perturbed_game(rules, tremble, algorithm):
    tree, plan = RoundTree(rules), schedule(algorithm)
    sweep = Sweep(tree, plan_layout(tree), np.float64, 1, plan.predictive)
    exact = perturbed_value(sequence_form(DiceRound(rules)), tremble)
    for iteration in range(1, 1501):
        sweep.iterate(plan, iteration, tremble)
    low, high = -sweep.best_response(1, tremble), sweep.best_response(0, tremble)
    assert low - 1e-9 <= exact <= high + 1e-9
    assert high - low < 5e-4


@settings(max_examples=20, deadline=None)
@given(
    rules=st.sampled_from(CASES),
    tremble=st.floats(1e-6, 0.099),
    iterations=st.integers(1, 6),
)
def test_every_action_keeps_its_tremble(rules, tremble, iterations):
    """Follow the flow down: no child gets less of its parent's than the tremble."""
    tree, plan = RoundTree(rules), schedule("dcfr")
    sweep = Sweep(tree, plan_layout(tree), np.float64, 1)
    for iteration in range(1, iterations + 1):
        sweep.iterate(plan, iteration, tremble)

    def take(where):
        return Entries(sweep.regret[where], sweep.regret[where], sweep.regret[where], sweep.average)

    for player in (0, 1):
        step = sweep.passes.step(1.0, 1.0, 0.0, False, (tremble, 0.0))
        for part, _, vectors in sweep.passes.visit(player, step, take):
            _check_flow(tree, part.region, vectors.flow, 1 - player, tremble)


def _check_flow(tree, region, flow, pusher, tremble):
    def mass(cell):
        size = int(tree.classes[pusher].size[tree.level[cell // 2]])
        rows = int(region.rows[cell])
        at = int(region.vector[pusher, cell])
        return flow[at : at + size * rows].reshape(size, rows).sum(axis=0)

    for cell in region.expand:
        raises = tree.raises[cell // 2]
        if cell % 2 != pusher or not raises:
            continue
        kept = least(tremble, len(raises) + (cell > 1))
        for claim in raises:
            first = int(region.child_row[cell, claim])
            child = mass(2 * claim + 1 - pusher)[first : first + int(region.rows[cell])]
            assert (child >= mass(cell) * kept * (1 - 1e-9)).all()


def test_trembles_fall_to_the_one_asked_for():
    falling = [tremble_at(1e-6, t) for t in (1, 10, 2000, 10_000)]
    assert falling == pytest.approx([2e-3, 2e-4, 1e-6, 1e-6])


@pytest.mark.parametrize("tremble", [-1e-9, 0.1, 1.0, float("nan"), float("inf")])
def test_trembles_outside_the_range_are_refused(tremble):
    with pytest.raises(RulesError, match=r"0 \(off\)"):
        checked_tremble(tremble)


def test_no_tremble_leaves_the_sweep_as_it_was():
    tree, plan = RoundTree(CASES[1]), schedule("dcfr")
    one, two = (Sweep(tree, plan_layout(tree), np.float64, 1) for _ in range(2))
    for iteration in range(1, 30):
        one.iterate(plan, iteration)
        two.iterate(plan, iteration, 0.0)
    np.testing.assert_array_equal(one.average, two.average)
