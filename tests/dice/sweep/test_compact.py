"""Entries in 16 bits: what rounding may change, and what it never does."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mouche_solver.dice import DiceRules
from mouche_solver.dice.sweep.compact import CompactTasks
from mouche_solver.dice.sweep.estimate import checked_compact, estimate, refuse_if_too_large
from mouche_solver.dice.sweep.holders import Plan, shares
from mouche_solver.dice.sweep.layout import plan_layout, set_starts
from mouche_solver.dice.sweep.tree import RoundTree
from mouche_solver.errors import RulesError, TooLargeError

TREE = RoundTree(DiceRules(dice=(2, 1), faces=3))
LAYOUT = plan_layout(TREE, rim=64, batch=512)


def tasks() -> CompactTasks:
    plan = Plan(TREE, LAYOUT, np.dtype(np.float32), "dcfr", False)
    return CompactTasks(plan, shares(LAYOUT, 1)[0], 1)


def blocks(task, many):
    """Each cell of a task, and its entries as actions by information sets, within the task's."""
    for cell in task.region.expand.tolist():
        claim, player = divmod(cell, 2)
        raises = len(TREE.raises[claim])
        if raises:
            sets = int(TREE.classes[player].size[TREE.level[claim]] * task.region.rows[cell]) * many
            start = int(task.region.entry[cell]) * many
            yield cell, start, raises + (claim > 0), sets


def packed_once(numbers, task, iteration, player=None):
    """A task's entries after they were rounded and unpacked again."""
    held = tasks()
    where = slice(task.base, task.base + task.entries)
    for who in (0, 1) if player is None else (player,):
        held._pack(numbers, where, held.regret, who, iteration * 2447445414)
    return held.unpack(held.regret, where, np.zeros(task.entries, dtype=np.float32))


@given(
    seed=st.integers(0, 1000),
    number=st.integers(0, len(LAYOUT.tasks) - 1),
    iteration=st.integers(1, 10**6),
    spread=st.floats(0, 30),
)
@settings(max_examples=60, deadline=None)
def test_an_entry_is_off_by_less_than_a_step_of_its_information_set(
    seed, number, iteration, spread
):
    task = LAYOUT.tasks[number]
    rng = np.random.default_rng(seed)
    sizes = 10.0 ** rng.uniform(-spread, min(spread, 20.0), task.entries)
    numbers = (rng.normal(size=task.entries) * sizes).astype(np.float32)
    numbers[rng.random(task.entries) < 0.2] = 0
    found = packed_once(numbers, task, iteration)
    for _, start, actions, sets in blocks(task, task.rows):
        here = slice(start, start + actions * sets)
        before = numbers[here].reshape(actions, sets).astype(np.float64)
        after = found[here].reshape(actions, sets).astype(np.float64)
        largest = np.abs(before).max(axis=0)
        # The largest becomes 16,384 steps or more; the last number of steps is 32,767.
        assert (np.abs(after - before) <= np.maximum(largest / 16384, 1e-33)).all()
        assert (after[before == 0] == 0).all()
    again = packed_once(found, task, iteration + 1)
    np.testing.assert_array_equal(again, found)  # what fits stays


def test_what_is_rounded_away_comes_back_over_the_iterations():
    task = max(LAYOUT.tasks, key=lambda task: task.entries)
    rng = np.random.default_rng(3)
    numbers = rng.normal(size=task.entries).astype(np.float32)
    mean = np.mean([packed_once(numbers, task, n) for n in range(1, 257)], axis=0)
    step = np.abs(numbers).max() / 16384
    # At random the mean of 256 would be off by 0.03 steps, and one of these many by 0.1.
    assert np.abs(mean - numbers).max() < 0.02 * step


def test_only_one_players_entries_are_packed_and_unpacked():
    held = tasks()
    for task in LAYOUT.tasks:
        where = slice(task.base, task.base + task.entries)
        numbers = np.arange(1, task.entries + 1, dtype=np.float32)
        held._pack(numbers, where, held.average, 0, 1)
        held._pack(-numbers, where, held.average, 1, 1)
        both = held.unpack(held.average, where, np.zeros(task.entries, dtype=np.float32)).copy()
        for player in (0, 1):
            into = np.full(task.entries, np.nan, dtype=np.float32)
            found = held.unpack(held.average, where, into, player)
            for cell, start, actions, sets in blocks(task, task.rows):
                here = slice(start, start + actions * sets)
                if cell % 2 == player:
                    np.testing.assert_array_equal(found[here], both[here])
                    assert (np.sign(found[here]) == (1, -1)[player]).all()
                else:
                    assert np.isnan(found[here]).all()


def test_information_sets_are_counted_by_hand():
    """One root row: 1 v 1 with two faces, below nothing; see the rows of every claim."""
    tree = RoundTree(DiceRules(dice=(1, 1), faces=2))
    region = plan_layout(tree).tasks[0].region
    starts, many = set_starts(tree, region)
    # Entries of a cell are its information sets times its actions.
    total = 0
    for cell in region.expand.tolist():
        claim = cell // 2
        raises = len(tree.raises[claim])
        if raises:
            assert starts[cell] == total
            following = [int(region.entry[c]) for c in region.expand.tolist() if c > cell]
            entries = min([e for e in following if e > region.entry[cell]], default=region.entries)
            total += (entries - int(region.entry[cell])) // (raises + (claim > 0))
    assert many == total
    assert starts[0] == 0


def test_a_compact_estimate_counts_every_array():
    rules = DiceRules(dice=(2, 2))
    need, usual = estimate(rules, compact=True), estimate(rules)
    layout = plan_layout(RoundTree(rules))
    plan = Plan(RoundTree(rules), layout, np.dtype(np.float32), "dcfr", False)
    held = CompactTasks(plan, shares(layout, 1)[0], 1)
    arrays = [*held.regret, *held.average]
    state = sum(array.nbytes for array in arrays) + 8 * layout.trunk.entries
    assert 0 <= state - need.checkpoint_bytes <= 2
    # A usual solve of a small round may end with 32 bits for a probability.
    assert (need.entries, 2 * need.solution_bytes) == (usual.entries, usual.solution_bytes)
    # 6 v 6 fits into 20 GB; without compact it takes 30.
    large = estimate(DiceRules(dice=(6, 6)), compact=True)
    assert 12e9 < large.checkpoint_bytes < large.memory_bytes < 20e9


def test_what_cannot_be_compact_is_refused_in_a_line(monkeypatch):
    with pytest.raises(RulesError, match="too small for a compact solve"):
        estimate(DiceRules(dice=(1, 1)), compact=True)
    with pytest.raises(RulesError, match="compact solves take cfr, cfr\\+ or dcfr"):
        estimate(DiceRules(dice=(2, 2)), "sapcfr+", compact=True)
    with pytest.raises(RulesError, match="for two players"):
        checked_compact(RoundTree(DiceRules(dice=(1, 1, 1), faces=2)), LAYOUT, "dcfr")
    # So large that its tasks are not even counted.
    huge = DiceRules(dice=(9, 9))
    with pytest.raises(TooLargeError, match="dice="):
        refuse_if_too_large(huge, estimate(huge, compact=True))
