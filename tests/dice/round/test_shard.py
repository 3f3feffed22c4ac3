"""Holders in one process: any number of them gives the bits of a usual solve."""

from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mouche_solver.core.minimisers import schedule
from mouche_solver.core.run import Limits, run
from mouche_solver.dice import DiceRules
from mouche_solver.dice.round.shard import HeldStrategy, Shard
from mouche_solver.dice.round.solve import RoundSolver, pack
from mouche_solver.dice.sweep.holders import Holder, Plan, RimBlocks, shares
from mouche_solver.dice.sweep.layout import plan_layout
from mouche_solver.dice.sweep.sweep import Sweep
from mouche_solver.dice.sweep.tree import RoundTree
from mouche_solver.errors import RulesError

RULES = DiceRules(dice=(2, 2))


def held(many: int, threads: int = 1):
    """A ``hold`` that cuts a round among so many shards of this process."""

    def hold(plan: Plan) -> Sequence[Holder]:
        return [Shard(plan, share, threads) for share in shares(plan.layout, many)]

    return hold


def solved(hold, algorithm: str):
    solver = RoundSolver(RULES, algorithm, threads=2, hold=hold)
    outcome = run(solver, Limits(1e-9, iterations=7))
    return solver, outcome, pack(solver, replace(outcome, seconds=0.0))


@pytest.mark.parametrize("algorithm", ["dcfr", "sapcfr+"])
def test_the_number_of_holders_changes_no_bit(algorithm):
    usual, outcome, solution = solved(None, algorithm)
    for many in (1, 2, 4, 1000):
        solver, again, shared = solved(held(many), algorithm)
        holders = solver.sweep.holders.all
        assert len(holders) == many or 10 < len(holders) < len(usual.sweep.layout.tasks) < many
        for name, whole in usual.state().items():
            parts = [solver.state()[name], *(holder.state()[name] for holder in holders)]
            np.testing.assert_array_equal(np.concatenate(parts), whole)
        assert again.quality == outcome.quality
        assert shared.header == solution.header
        assert isinstance(shared.probabilities, HeldStrategy)
        np.testing.assert_array_equal(shared.probabilities[:], solution.probabilities)
        np.testing.assert_array_equal(
            shared.probabilities[900:5000:7], solution.probabilities[900:5000:7]
        )
        for ours, theirs in zip(shared.trunk_values, solution.trunk_values, strict=True):
            np.testing.assert_array_equal(ours, theirs)
        for history in ("", "1x5", "1x5 2x5 2x6", "1x1 1x2 1x3 1x4"):
            np.testing.assert_array_equal(
                shared.table(history).probabilities, solution.table(history).probabilities
            )


def test_a_locked_player_and_trembles():
    """What a driver tells holders about a pass is all that they need to know."""
    tree = RoundTree(DiceRules(dice=(2, 1), faces=3))
    layout = plan_layout(tree, rim=64, batch=512)
    plan = Plan(tree, layout, np.dtype(np.float64), "dcfr", False)
    usual = Sweep(tree, layout, np.float64, 1)
    parts = [Shard(plan, share, 1) for share in shares(layout, 3)]
    driver = Sweep(tree, layout, np.float64, 1, holders=parts)
    rng = np.random.default_rng(5)
    usual.average[:] = rng.random(layout.entries)
    for part in (driver, *(shard.sweep for shard in parts)):
        part.average[:] = usual.average[part.held]
        part.locked = 1
    usual.locked = 1
    for iteration in range(1, 4):
        usual.iterate(schedule("dcfr"), iteration, 1e-3)
        driver.iterate(schedule("dcfr"), iteration, 1e-3)
    for part in (driver, *(shard.sweep for shard in parts)):
        np.testing.assert_array_equal(part.regret, usual.regret[part.held])
        np.testing.assert_array_equal(part.average, usual.average[part.held])
    assert driver.best_response(0, 1e-3) == usual.best_response(0, 1e-3)


@given(
    dice=st.tuples(st.integers(1, 2), st.integers(1, 2)),
    rim=st.integers(8, 300),
    many=st.integers(1, 9),
)
@settings(max_examples=40, deadline=None)
def test_shares_hold_everything_once(dice, rim, many):
    tree = RoundTree(DiceRules(dice=dice, faces=3))
    layout = plan_layout(tree, rim, 200)
    if layout.trunk is None:
        return
    cut = shares(layout, many)
    assert len(cut) <= many
    assert [number for share in cut for number in share.tasks] == list(range(len(layout.tasks)))
    assert cut[0].entries.start == layout.trunk.entries
    assert cut[-1].entries.stop == layout.entries
    assert all(a.entries.stop == b.entries.start for a, b in pairwise(cut))
    largest = max(task.entries for task in layout.tasks)
    fair = (layout.entries - layout.trunk.entries) / many
    assert all(0 < share.size <= fair + largest for share in cut)
    # Every number of the rim belongs to one task, and none inside the trunk does.
    inside = set(layout.trunk.expand.tolist())
    for player in (0, 1):
        numbers = np.arange(layout.trunk.vector_size[player])
        rims = [RimBlocks(tree, layout, s.tasks, player) for s in cut]
        places = np.concatenate([rim.take(numbers) for rim in rims])
        assert len(np.unique(places)) == len(places)
        on_rim = [
            cell for cell in np.flatnonzero(layout.trunk.rows > 0).tolist() if cell not in inside
        ]
        size = tree.classes[player].size[tree.level[np.array(on_rim) // 2]]
        assert len(places) == int((layout.trunk.rows[on_rim] * size).sum())
        assert len(places) == sum(rim.size for rim in rims)
        again = np.full_like(numbers, -1)
        for rim in rims:
            rim.put(again, rim.take(numbers))
        np.testing.assert_array_equal(np.flatnonzero(again == numbers), np.sort(places))


def test_a_round_of_one_task_cannot_be_shared():
    with pytest.raises(RulesError, match="one task: it cannot be shared"):
        RoundSolver(DiceRules(dice=(1, 1)), hold=held(2))
