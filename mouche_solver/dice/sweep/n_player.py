"""Passes over a round of any number of players: trunk, tasks on threads, trunk.

The result does not depend on the number of threads: a task writes only its own entries and its
own rows of the rim, and the trunk reads them in a fixed order.
"""

from itertools import count
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mouche_solver.core.chunks import Workers
from mouche_solver.core.minimisers import Schedule
from mouche_solver.dice.sweep.arrays import (
    BEST_RESPONSE,
    EVALUATE,
    UPDATE,
    Entries,
    Part,
    RegionArrays,
    Step,
)
from mouche_solver.dice.sweep.kernels_n_player import (
    TableRim,
    Turn,
    pull_table,
    push_table,
    table_task,
)
from mouche_solver.dice.sweep.layout import Layout, Region, Task
from mouche_solver.dice.sweep.passes import Floats, game_arrays, new_scratch
from mouche_solver.dice.sweep.tree import RoundTree


def _region_arrays(region: Region) -> RegionArrays:
    """The region with all players' vectors in one array, one player after the other."""
    base = np.cumsum(region.vector_size) - region.vector_size
    return RegionArrays(
        region.expand,
        region.rows,
        region.entry,
        region.vector + base[:, None],
        region.child_row,
        region.root,
    )


class _Space:
    """Vectors of one thread and the kernels' scratch, large enough for each of some jobs."""

    def __init__(self, tree: RoundTree, jobs: list[tuple[Region, int]], dtype: Any) -> None:
        claim = np.arange(tree.rules.players * len(tree.claims)) // tree.rules.players
        size = np.stack([c.size[tree.level[claim]] for c in tree.classes]).max(axis=0)
        widest = max(int((region.rows * size).max()) * many for region, many in jobs)
        rows = max(int(region.rows.max()) * many for region, many in jobs)
        counts = rows * (tree.rules.total_dice + 2)
        self.vectors = np.zeros(
            max(int(region.vector_size.sum()) * many for region, many in jobs), dtype=dtype
        )
        actions = 1 + max(len(raises) for raises in tree.raises)
        self.scratch = new_scratch(widest, rows, counts, actions, dtype)


class TableSweep:
    """Regrets and average strategies of a round, and the passes over them.

    Parameters
    ----------
    tree : RoundTree
        Of any number of players.
    layout : Layout
    payoff : float64 array, shape (2, players, players)
        ``payoff[correct, loser, player]``: what each player gets.
    dtype : numpy dtype
        Precision of entries and vectors.
    threads : int, optional
        All processors by default.
        Threads that sweep tasks; they do not change the result.
    predictive : bool
        Whether strategies need an array of their own beside the regrets.

    Attributes
    ----------
    regret, source, average : array, shape (entries,)
        Cumulative regrets, what the strategies are matched from (the regrets themselves unless
        predictive), and the weighted flow of every action.
    """

    def __init__(
        self,
        tree: RoundTree,
        layout: Layout,
        payoff: NDArray[np.float64],
        dtype: Any,
        threads: int | None,
        predictive: bool = False,
    ) -> None:
        self.tree, self.layout = tree, layout
        self._workers = Workers(threads, "mouche-table")
        self.players = tree.rules.players
        self.dtype = np.dtype(dtype)
        self.payoff = payoff.astype(self.dtype)
        self.game = game_arrays(tree)
        self.regret = np.zeros(layout.entries, dtype=dtype)
        self.average = np.zeros(layout.entries, dtype=dtype)
        self.source = np.zeros(layout.entries, dtype=dtype) if predictive else self.regret
        regions = [task.region for task in layout.tasks]
        regions += [layout.trunk] if layout.trunk else []
        self._regions = {id(region): _region_arrays(region) for region in regions}
        jobs = [(task.region, task.rows) for task in layout.tasks]
        self._spaces = [_Space(tree, jobs, dtype) for _ in range(self._workers.threads)]
        self._trunk_space = _Space(tree, [(layout.trunk, 1)], dtype) if layout.trunk else None

    def iterate(self, schedule: Schedule, iteration: int) -> None:
        """One iteration, counted from 1: each player's update in turn.

        A player's strategy enters the average in the pass of the player after, once.

        Parameters
        ----------
        schedule : Schedule
        iteration : int
            ``regret``, ``source`` and ``average`` are modified in place.
        """
        positive, negative = schedule.factors(iteration)
        step = self._step(positive, negative, schedule.weight(iteration), schedule.ahead)
        for player in range(self.players):
            averaged = (player - 1) % self.players
            turn = Turn(player, UPDATE, averaged, self.payoff)
            self._run(turn, step, self.source)

    def best_response(self, player: int) -> float:
        """What the player's best response gets against the others' average strategies.

        Parameters
        ----------
        player : int

        Returns
        -------
        float
            In the unit of ``payoff``.
        """
        return self._expected(player, BEST_RESPONSE)

    def evaluate(self, player: int) -> float:
        """What the player gets when all play their average strategies.

        Parameters
        ----------
        player : int

        Returns
        -------
        float
            In the unit of ``payoff``.
        """
        return self._expected(player, EVALUATE)

    def _step(self, positive: float, negative: float, weight: float, ahead: float) -> Step:
        number = self.dtype.type
        return Step(number(positive), number(negative), number(weight), number(ahead))

    def _expected(self, player: int, mode: int) -> float:
        turn = Turn(player, mode, -1, self.payoff)
        values = self._run(turn, self._step(1.0, 1.0, 0.0, 0.0), self.average)
        return float(values @ self.tree.classes[player].prior)

    def _run(self, turn: Turn, step: Step, source: Floats) -> NDArray[np.float64]:
        """One pass; the expected payoff of each hand of the player at the start of the round."""
        trunk, space = self.layout.trunk, self._trunk_space
        if trunk is None or space is None:
            trunk, space = self.layout.tasks[0].region, self._spaces[0]
        region = self._regions[id(trunk)]
        for seat, classes in enumerate(self.tree.classes):
            at = region.vector[seat, 0]
            space.vectors[at : at + len(classes.prior)] = classes.prior
        part = Part(region, 1)
        entries = self._entries(source, slice(0, trunk.entries))
        shared = (entries, turn, step, space.vectors, space.scratch)
        push_table(self.game, part, *shared)
        if self.layout.trunk is not None:
            self._run_tasks(region, space.vectors, turn, step, source)
        pull_table(self.game, part, *shared)
        at = region.vector[turn.player, 0]
        hands = len(self.tree.classes[turn.player].prior)
        return space.vectors[at : at + hands].astype(np.float64)

    def _entries(self, source: Floats, where: slice) -> Entries:
        return Entries(source[where], source[where], self.regret[where], self.average[where])

    def _run_tasks(
        self, rim: RegionArrays, rim_space: Floats, turn: Turn, step: Step, source: Floats
    ) -> None:
        ticket = count()

        def sweep(task: Task, space: _Space) -> None:
            part = Part(self._regions[id(task.region)], task.rows)
            entries = self._entries(source, slice(task.base, task.base + task.entries))
            above = TableRim(rim, rim_space, task.first)
            table_task(self.game, part, above, entries, turn, step, space.vectors, space.scratch)

        def work(space: _Space) -> None:
            while (number := next(ticket)) < len(self.layout.tasks):
                sweep(self.layout.tasks[number], space)

        self._workers.map(work, self._spaces)
