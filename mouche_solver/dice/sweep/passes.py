"""A pass over the whole two-player round: trunk, tasks on threads, trunk.

The result does not depend on the number of threads: a task writes only its own entries and its
own rows of the rim, and the trunk reads them in a fixed order.
"""

from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from functools import cached_property
from itertools import count
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from mouche_solver.dice.sweep.arrays import GameArrays, RegionArrays, Step
from mouche_solver.dice.sweep.kernels_pull import pull_region
from mouche_solver.dice.sweep.kernels_push import push_region
from mouche_solver.dice.sweep.kernels_task import sweep_task
from mouche_solver.dice.sweep.layout import Layout, Region, Task
from mouche_solver.dice.sweep.tree import RoundTree

Floats = NDArray[Any]


def game_arrays(tree: RoundTree) -> GameArrays:
    """The tree as flat arrays for the kernels."""
    lengths = [len(raises) for raises in tree.raises]
    hands = max(len(classes.hands) for classes in tree.classes)
    levels = int(tree.level.max()) + 1
    merge = np.zeros((tree.rules.players, levels, levels, hands), dtype=np.int32)
    own_count = np.zeros((tree.rules.players, len(tree.claims), hands), dtype=np.int32)
    for player, classes in enumerate(tree.classes):
        merge[player, :, :, : len(classes.hands)] = classes.merge
        own_count[player, :, : len(classes.hands)] = tree.own_count[player]
    return GameArrays(
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


def region_arrays(region: Region) -> RegionArrays:
    """The region as flat arrays for the kernels."""
    return RegionArrays(
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


class Entries(NamedTuple):
    """The entries that a region reads and writes, from ``base`` on.

    ``pusher`` and ``player`` are what the two sides play by, matched as regrets or as averages
    are; ``regret`` and ``average`` take the updates of a learning pass.
    """

    pusher: Floats
    regret: Floats
    player: Floats
    average: Floats
    base: int


# Hands out the entries of the region that starts at a base and has a size.
TakeEntries = Callable[[int, int], Entries]


class RoundPasses:
    """Passes over a two-player round, whatever holds its entries.

    Parameters
    ----------
    tree : RoundTree
    layout : Layout
    dtype : numpy dtype
        Precision of entries and vectors.
    threads : int
        Threads that sweep tasks.
    """

    def __init__(self, tree: RoundTree, layout: Layout, dtype: Any, threads: int) -> None:
        self.tree, self.layout, self.threads = tree, layout, threads
        self.dtype = np.dtype(dtype)
        self.game = game_arrays(tree)
        regions = [task.region for task in layout.tasks]
        regions += [layout.trunk] if layout.trunk else []
        self._regions = {id(region): region_arrays(region) for region in regions}
        self.trunk_space = (
            Workspace(tree, [(layout.trunk, 1)], dtype) if layout.trunk is not None else None
        )
        self._jobs = [(task.region, task.rows) for task in layout.tasks]

    @cached_property
    def _spaces(self) -> list[Workspace]:
        return [Workspace(self.tree, self._jobs, self.dtype) for _ in range(self.threads)]

    @cached_property
    def _pool(self) -> ThreadPoolExecutor:
        return ThreadPoolExecutor(self.threads, thread_name_prefix="mouche-sweep")

    def step(self, positive: float, negative: float, weight: float, ahead: bool) -> Step:
        """A step's numbers in the precision of the entries."""
        number = self.dtype.type
        return Step(number(positive), number(negative), number(weight), ahead)

    def regions(self) -> Iterator[tuple[RegionArrays, int, int]]:
        """Trunk and tasks as template, root rows and base of the entries."""
        if self.layout.trunk is not None:
            yield self._regions[id(self.layout.trunk)], 1, 0
        for task in self.layout.tasks:
            yield self._regions[id(task.region)], task.rows, task.base

    def run(self, player: int, step: Step, mode: int, take: TakeEntries) -> NDArray[np.float64]:
        """One pass; the expected payoff of each hand of the player at the start of the round."""
        prior = self.tree.classes[1 - player].prior.astype(self.dtype)
        trunk, space = self.layout.trunk, self.trunk_space
        if trunk is None or space is None:
            values = np.zeros(len(self.tree.classes[player].hands), dtype=self.dtype)
            task = self.layout.tasks[0]
            self.run_task(task, self._spaces[0], player, step, mode, take, prior, values, 1)
            return values.astype(np.float64)
        space.flow[: len(prior)] = prior
        self._run_trunk(trunk, space, self._regions[id(trunk)], player, step, mode, take)
        return space.value[: len(self.tree.classes[player].hands)].astype(np.float64)

    def run_below(
        self, player: int, cell: int, row: int, flow: Floats, take: TakeEntries, mode: int
    ) -> Workspace:
        """Evaluate or answer below one history of the trunk, with a range of the other there.

        Tasks that the range does not reach are left alone.

        Returns
        -------
        Workspace
            The trunk's vectors; they hold the values of that history's children.
        """
        trunk, space = self.layout.trunk, self.trunk_space
        assert trunk is not None
        assert space is not None
        arrays = self._regions[id(trunk)]._replace(expand=trunk.expand[trunk.expand >= cell])
        space.flow[:] = 0
        space.value[:] = 0
        at, rows = int(trunk.vector[1 - player, cell]), int(trunk.rows[cell])
        space.flow[at : at + len(flow) * rows].reshape(len(flow), rows)[:, row] = flow
        arrays = arrays._replace(root=cell)
        step = self.step(1.0, 1.0, 0.0, False)
        self._run_trunk(trunk, space, arrays, player, step, mode, take, reached=True)
        return space

    def _run_trunk(
        self, trunk: Region, space: Workspace, region: RegionArrays, player: int,
        step: Step, mode: int, take: TakeEntries, reached: bool = False,
    ) -> None:  # fmt: skip
        entries = take(0, trunk.entries)
        push_region(
            self.game, region, 1, entries.base, 1 - player, entries.pusher, entries.average, step,
            space.flow, space.value, space.scratch,
        )  # fmt: skip
        self._run_tasks(trunk, space, player, step, mode, take, reached)
        pull_region(
            self.game, region, 1, entries.base, player, entries.regret, entries.player, step, mode,
            space.flow, space.value, space.scratch,
        )  # fmt: skip

    def _run_tasks(
        self, trunk: Region, rim: Workspace, player: int, step: Step, mode: int,
        take: TakeEntries, reached: bool,
    ) -> None:  # fmt: skip
        ticket = count()

        def work(space: Workspace) -> None:
            while (number := next(ticket)) < len(self.layout.tasks):
                task = self.layout.tasks[number]
                root = task.region.root
                flow = rim.flow[trunk.vector[1 - player, root] :]
                value = rim.value[trunk.vector[player, root] :]
                rows = int(trunk.rows[root])
                if reached and not self._is_reached(task, 1 - player, flow, rows):
                    continue
                self.run_task(task, space, player, step, mode, take, flow, value, rows)

        if self.threads == 1:
            work(self._spaces[0])
            return
        for future in [self._pool.submit(work, space) for space in self._spaces]:
            future.result()

    def _is_reached(self, task: Task, pusher: int, flow: Floats, rows: int) -> bool:
        level = self.tree.level[task.region.root // 2]
        size = int(self.tree.classes[pusher].size[level]) * rows
        block = flow[:size].reshape(-1, rows)[:, task.first : task.first + task.rows]
        return bool(block.any())

    def run_task(
        self, task: Task, space: Workspace, player: int, step: Step, mode: int,
        take: TakeEntries, rim_flow: Floats, rim_value: Floats, rim_rows: int,
    ) -> None:  # fmt: skip
        """One task, with the trunk's vectors of its root cell as input and output."""
        entries = take(task.base, task.entries)
        sweep_task(
            self.game, self._regions[id(task.region)], task.rows, entries.base, player,
            entries.pusher, entries.regret, entries.player, entries.average, step, mode,
            rim_flow, rim_value, rim_rows, task.first, space.flow, space.value, space.scratch,
        )  # fmt: skip

    def task_space(self) -> Workspace:
        """The vectors that the last :meth:`run_task` on one thread worked in."""
        return self._spaces[0]
