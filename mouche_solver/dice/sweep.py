"""Sweeps over the whole two-player round: trunk, tasks on threads, trunk.

The result does not depend on the number of threads: a task writes only its own entries and its
own rows of the rim, and the trunk reads them in a fixed order.
"""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import cached_property
from itertools import count
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mouche_solver.core.minimisers import Schedule
from mouche_solver.dice import kernels
from mouche_solver.dice.kernels import BEST_RESPONSE, EVALUATE, UPDATE
from mouche_solver.dice.layout import Layout, Region, Task
from mouche_solver.dice.tree import RoundTree

Floats = NDArray[Any]


def game_arrays(tree: RoundTree) -> kernels.GameArrays:
    """The tree as flat arrays for the kernels."""
    lengths = [len(raises) for raises in tree.raises]
    hands = max(len(classes.hands) for classes in tree.classes)
    levels = int(tree.level.max()) + 1
    merge = np.zeros((2, levels, levels, hands), dtype=np.int32)
    own_count = np.zeros((2, len(tree.claims), hands), dtype=np.int32)
    for player, classes in enumerate(tree.classes):
        merge[player, :, :, : len(classes.hands)] = classes.merge
        own_count[player, :, : len(classes.hands)] = tree.own_count[player]
    return kernels.GameArrays(
        raises_start=np.cumsum([0, *lengths]),
        raises=np.array([c for raises in tree.raises for c in raises], dtype=np.int64),
        level=tree.level,
        size=np.stack([classes.size for classes in tree.classes]),
        merge=merge,
        own_count=own_count,
        counts=np.array(tree.rules.dice, dtype=np.int64) + 1,
        quantity=np.array([claim.quantity if claim else 0 for claim in tree.claims]),
        exact=tree.rules.truth == "exactly",
    )


def region_arrays(region: Region) -> kernels.RegionArrays:
    """The region as flat arrays for the kernels."""
    return kernels.RegionArrays(
        region.expand, region.rows, region.entry, region.vector, region.child_row, region.root
    )


class Workspace:
    """Vectors of one thread: flow, values and the kernels' scratch."""

    def __init__(self, tree: RoundTree, jobs: list[tuple[Region, int]], dtype: Any) -> None:
        claim = np.arange(2 * len(tree.claims)) // 2
        widest = vectors = 1
        size = np.stack([c.size[tree.level[claim]] for c in tree.classes]).max(axis=0)
        for region, many in jobs:
            widest = max(widest, int((region.rows * size).max()) * many)
            vectors = max(vectors, int(region.vector_size.max()) * many)
        tall = widest * (1 + max(tree.rules.dice))
        self.flow = np.zeros(vectors, dtype=dtype)
        self.value = np.zeros(vectors, dtype=dtype)
        self.scratch = tuple(np.zeros(n, dtype=dtype) for n in (widest,) * 3 + (tall,) * 2)


class Sweep:
    """Regrets and average strategies of a two-player round, and the passes over them.

    Parameters
    ----------
    tree : RoundTree
    layout : Layout
    dtype : numpy dtype
        Precision of entries and vectors.
    threads : int
        Threads that sweep tasks.
    predictive : bool
        Whether strategies need an array of their own beside the regrets.
    """

    def __init__(
        self, tree: RoundTree, layout: Layout, dtype: Any, threads: int, predictive: bool = False
    ) -> None:
        self.tree, self.layout, self.threads = tree, layout, threads
        self.dtype = np.dtype(dtype)
        self.game = game_arrays(tree)
        self.regret = np.zeros(layout.entries, dtype=self.dtype)
        self.average = np.zeros(layout.entries, dtype=self.dtype)
        self.source = np.zeros(layout.entries, dtype=self.dtype) if predictive else self.regret
        self.locked: int | None = None
        self.passes = 0
        self._regions = {
            id(region): region_arrays(region)
            for region in [task.region for task in layout.tasks]
            + ([layout.trunk] if layout.trunk else [])
        }
        self._trunk_space = (
            Workspace(tree, [(layout.trunk, 1)], dtype) if layout.trunk is not None else None
        )
        jobs = [(task.region, task.rows) for task in layout.tasks]
        self._spaces = [Workspace(tree, jobs, dtype) for _ in range(threads)]

    @cached_property
    def _pool(self) -> ThreadPoolExecutor:
        return ThreadPoolExecutor(self.threads, thread_name_prefix="mouche-sweep")

    def iterate(self, schedule: Schedule, iteration: int) -> None:
        """One iteration: each player's update in turn; a locked player is never updated."""
        positive, negative = schedule.factors(iteration)
        for player in (0, 1):
            weight = 0.0 if self.locked == 1 - player else schedule.weight(iteration)
            step = self._step(positive, negative, weight, schedule.predictive)
            mode = EVALUATE if self.locked == player else UPDATE
            self._pass(player, step, mode, self._playing(0), self._playing(1))

    def best_response(self, player: int) -> float:
        """What the player's best response gets against the other's average strategy."""
        return self.root_value(player, BEST_RESPONSE)

    def evaluate(self, player: int) -> float:
        """What the player gets when both play their average strategies."""
        return self.root_value(player, EVALUATE)

    def root_value(self, player: int, mode: int) -> float:
        """Expected payoff of the player at the start of the round."""
        return float(self.root_values(player, mode) @ self.tree.classes[player].prior)

    def root_values(self, player: int, mode: int) -> NDArray[np.float64]:
        """Expected payoff of each hand of the player at the start of the round."""
        return self._pass(player, self._step(1.0, 1.0, 0.0, False), mode, self.average, self.average)

    def _playing(self, player: int) -> Floats:
        return self.average if self.locked == player else self.source

    def _step(
        self, positive: float, negative: float, weight: float, predictive: bool
    ) -> kernels.Step:
        number = self.dtype.type
        return kernels.Step(number(positive), number(negative), number(weight), predictive)

    def _pass(
        self, player: int, step: kernels.Step, mode: int, *playing: Floats
    ) -> NDArray[np.float64]:
        self.passes += 1
        prior = self.tree.classes[1 - player].prior.astype(self.dtype)
        trunk, space = self.layout.trunk, self._trunk_space
        sources = (playing[1 - player], self.regret, playing[player])
        if trunk is None or space is None:
            values = np.zeros(len(self.tree.classes[player].hands), dtype=self.dtype)
            task = self.layout.tasks[0]
            self._task(task, self._spaces[0], player, sources, step, mode, prior, values, 1)
            return values.astype(np.float64)
        region = self._regions[id(trunk)]
        space.flow[: len(prior)] = prior
        kernels.push_region(
            self.game, region, 1, 0, 1 - player, sources[0], self.average, step,
            space.flow, space.value, space.scratch,
        )  # fmt: skip
        self._tasks(space, player, sources, step, mode)
        kernels.pull_region(
            self.game, region, 1, 0, player, sources[1], sources[2], step, mode,
            space.flow, space.value, space.scratch,
        )  # fmt: skip
        return space.value[: len(self.tree.classes[player].hands)].astype(np.float64)

    def _tasks(
        self, trunk: Workspace, player: int, sources: tuple[Floats, ...], step: Any, mode: int
    ) -> None:
        rows, vector = self.layout.trunk.rows, self.layout.trunk.vector  # type: ignore[union-attr]
        tasks = self.layout.tasks
        ticket = count()

        def work(space: Workspace) -> None:
            while (number := next(ticket)) < len(tasks):
                task = tasks[number]
                root = task.region.root
                flow = trunk.flow[vector[1 - player, root] :]
                value = trunk.value[vector[player, root] :]
                self._task(
                    task, space, player, sources, step, mode, flow, value, int(rows[root])
                )

        self.on_threads(work)

    def on_threads(self, work: Callable[[Workspace], None]) -> None:
        """Run ``work`` once per thread and wait; the first error is raised here."""
        if self.threads == 1:
            work(self._spaces[0])
            return
        for future in [self._pool.submit(work, space) for space in self._spaces]:
            future.result()

    def _task(
        self, task: Task, space: Workspace, player: int, sources: tuple[Floats, ...],
        step: kernels.Step, mode: int, rim_flow: Floats, rim_value: Floats, rim_rows: int,
    ) -> None:  # fmt: skip
        pusher_source, regret, player_source = sources
        kernels.sweep_task(
            self.game, self._regions[id(task.region)], task.rows, task.base, player,
            pusher_source, regret, player_source, self.average, step, mode,
            rim_flow, rim_value, rim_rows, task.first, space.flow, space.value, space.scratch,
        )  # fmt: skip
