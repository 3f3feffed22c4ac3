"""How good a strategy with a bounded memory truly is: exact best responses, where they fit."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from mouche_solver.core.trees.best_response import NashGap
from mouche_solver.dice.rules.rules import DiceRules
from mouche_solver.dice.sample.arrays import Machine
from mouche_solver.dice.sweep.estimate import estimate, refuse_if_too_large
from mouche_solver.dice.sweep.layout import IntArray, Layout, Region, plan_layout
from mouche_solver.dice.sweep.payoffs import loser_pays
from mouche_solver.dice.sweep.tree import RoundTree, round_tree

Floats = NDArray[Any]


def exact_gap(
    rules: DiceRules, machine: Machine, entries: Floats, threads: int | None = None
) -> NashGap:
    """Everybody's exact value and best response when all play by a bounded memory.

    A best response remembers everything, so that its gain counts what the memory misses too.

    Parameters
    ----------
    rules : DiceRules
    machine : Machine
    entries : float array, shape (machine.entries,)
        Strategy of every state and class, in any scale.
    threads : int, optional

    Returns
    -------
    NashGap
        In payoffs of -1 for the loser and 1 / (players - 1) for everybody else.

    Raises
    ------
    TooLargeError
        When the whole round does not fit into memory.
    """
    from mouche_solver.dice.sweep.n_player import TableSweep
    from mouche_solver.dice.sweep.sweep import Sweep

    refuse_if_too_large(rules, estimate(rules))
    tree = round_tree(rules)
    layout, threads = plan_layout(tree), threads
    sweep: Sweep | TableSweep
    if rules.players == 2:
        sweep = Sweep(tree, layout, np.float32, threads)
    else:
        sweep = TableSweep(tree, layout, loser_pays(rules.players), np.float32, threads)
    fill_average(tree, layout, machine, entries, sweep.average)
    seats = range(rules.players)
    if rules.players == 2:
        value = sweep.evaluate(0)
        values = np.array([value, -value])
    else:
        values = np.array([sweep.evaluate(seat) for seat in seats])
    return NashGap(values, np.array([sweep.best_response(seat) for seat in seats]))


def fill_average(
    tree: RoundTree, layout: Layout, machine: Machine, entries: Floats, average: Floats
) -> None:
    """Write a bounded strategy to every history of a round, in the order of its layout."""
    rim: dict[int, IntArray] = {0: np.zeros(1, dtype=np.int64)}
    if layout.trunk is not None:
        rim = _fill_region(tree, layout.trunk, 1, 0, rim[0], machine, entries, average)
    for task in layout.tasks:
        root = rim[task.region.root][task.first : task.first + task.rows]
        _fill_region(tree, task.region, task.rows, task.base, root, machine, entries, average)


def _fill_region(
    tree: RoundTree,
    region: Region,
    many: int,
    base: int,
    root: IntArray,
    machine: Machine,
    entries: Floats,
    average: Floats,
) -> dict[int, IntArray]:
    """Fill a region below root rows with given states; the states of every cell's rows."""
    players = tree.rules.players
    states = {region.root: root}
    for cell in map(int, region.expand):
        claim, player = divmod(cell, players)
        here, raises = states[cell], tree.raises[claim]
        if not raises:
            continue
        for place, after in enumerate(raises):
            child = players * after + (player + 1) % players
            if child not in states:
                states[child] = np.empty(int(region.rows[child]) * many, dtype=np.int64)
            first = int(region.child_row[cell, after]) * many
            states[child][first : first + len(here)] = machine.after[machine.step[here] + place]
        actions = len(raises) + (claim > 0)
        classes = int(tree.classes[player].size[tree.level[claim]])
        offset = np.arange(classes)[None, :] * actions + np.arange(actions)[:, None]
        block = entries[offset[:, :, None] + machine.begin[here]]
        start = base + int(region.entry[cell]) * many
        average[start : start + block.size] = block.ravel()
    return states
