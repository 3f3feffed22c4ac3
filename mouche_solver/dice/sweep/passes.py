"""A pass over the whole two-player round: trunk, tasks on threads, trunk.

The result does not depend on the number of threads: a task writes only its own entries and its
own rows of the rim, and the trunk reads them in a fixed order.
"""

from collections.abc import Callable, Iterator
from functools import cached_property
from itertools import accumulate, count
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from mouche_solver.core.chunks import Workers
from mouche_solver.dice.sweep.arrays import (
    BLOCK,
    EVALUATE,
    Entries,
    GameArrays,
    Part,
    RegionArrays,
    Rim,
    Scratch,
    Step,
    Vectors,
)
from mouche_solver.dice.sweep.kernels_passes import sweep_task
from mouche_solver.dice.sweep.kernels_pull import pull_cell, pull_region
from mouche_solver.dice.sweep.kernels_push import push_cell, push_region
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


def new_scratch(widest: int, rows: int, counts: int, actions: int, dtype: Any) -> Scratch:
    """Scratch for cells of so many numbers, rows, rows by counts of matching dice, and actions.

    Parameters
    ----------
    widest : int
        Classes times rows of the widest cell.
    rows : int
        Rows of the cell that has most.
    counts : int
        Rows times the numbers of matching dice that are told apart.
    actions : int
        Of the claim with most answers.
    dtype : numpy dtype

    Returns
    -------
    Scratch
    """
    block = max(rows, BLOCK)
    sizes = {"total": block, "plain": block, "worth": actions * block}
    sizes |= dict.fromkeys(("grouped", "counted", "doubt"), counts)
    return Scratch(
        **{name: np.zeros(sizes.get(name, widest), dtype=dtype) for name in Scratch._fields}
    )


def new_vectors(tree: RoundTree, jobs: list[tuple[Region, int]], dtype: Any) -> Vectors:
    """Vectors of one thread, large enough for each of some regions and their root rows.

    Parameters
    ----------
    tree : RoundTree
        Of two players.
    jobs : list of (Region, int)
        Regions, each with its root rows.
    dtype : numpy dtype

    Returns
    -------
    Vectors
    """
    claim = np.arange(2 * len(tree.claims)) // 2
    size = np.stack([c.size[tree.level[claim]] for c in tree.classes]).max(axis=0)
    numbers = max(int(region.vector_size.max()) * many for region, many in jobs)
    widest = max(int((region.rows * size).max()) * many for region, many in jobs)
    rows = max(int(region.rows.max()) * many for region, many in jobs)
    counts = rows * (1 + max(tree.rules.dice))
    flow, value = np.zeros(numbers, dtype=dtype), np.zeros(numbers, dtype=dtype)
    actions = 1 + max(len(raises) for raises in tree.raises)
    return Vectors(flow, value, new_scratch(widest, rows, counts, actions, dtype))


# Hands out the entries of a part: a slice of all entries of the round.
TakeEntries = Callable[[slice], Entries]

# Takes the entries of a part back once a pass has changed them.
GiveEntries = Callable[[slice, Entries], None]

# Sweeps what is below the rim: takes flow out of the trunk's vectors and puts values into them.
Below = Callable[[Vectors], None]


class _Pass(NamedTuple):
    """One pass: the updated player, the numbers and the mode, and where its entries are."""

    player: int
    step: Step
    mode: int
    take: TakeEntries
    give: GiveEntries | None = None


class RoundPasses:
    """Passes over a two-player round, whatever holds its entries.

    Parameters
    ----------
    tree : RoundTree
    layout : Layout
    dtype : numpy dtype
        Precision of entries and vectors.
    threads : int, optional
        All processors by default.
        Threads that sweep tasks.
    tasks : range, optional
        Numbers of the tasks that this process sweeps; all of them by default.
    """

    def __init__(
        self,
        tree: RoundTree,
        layout: Layout,
        dtype: Any,
        threads: int | None,
        tasks: range | None = None,
    ) -> None:
        self.tree, self.layout = tree, layout
        self.tasks = layout.tasks if tasks is None else layout.tasks[tasks.start : tasks.stop]
        self._workers = Workers(threads, "mouche-sweep")
        self.threads = self._workers.threads
        self.dtype = np.dtype(dtype)
        self.game = game_arrays(tree)
        regions = [task.region for task in self.tasks]
        regions += [layout.trunk] if layout.trunk else []
        self._regions = {id(region): region_arrays(region) for region in regions}

    @cached_property
    def trunk_vectors(self) -> Vectors | None:
        """Vectors of the trunk and its rim; None in a round without a trunk."""
        trunk = self.layout.trunk
        return None if trunk is None else new_vectors(self.tree, [(trunk, 1)], self.dtype)

    @cached_property
    def _vectors(self) -> list[Vectors]:
        jobs = [(task.region, task.rows) for task in self.tasks]
        return [new_vectors(self.tree, jobs, self.dtype) for _ in range(self.threads)]

    def step(
        self,
        positive: float,
        negative: float,
        weight: float,
        ahead: float,
        trembles: tuple[float, float] = (0.0, 0.0),
    ) -> Step:
        """A step's numbers in the precision of the entries.

        Parameters
        ----------
        positive, negative : float
            Factors of the old regrets, by their sign.
        weight : float
            Of the pusher's strategy in the average.
        ahead : float
            Share of the last regret that strategies count on seeing again; 0: they do not.
        trembles : tuple of float
            What every action of the pusher, and of the updated player, keeps.

        Returns
        -------
        Step
        """
        number = self.dtype.type
        return Step(number(positive), number(negative), number(weight), number(ahead), *trembles)

    def parts(self) -> Iterator[tuple[Part, slice]]:
        """Trunk and tasks, and which entries of the round are theirs."""
        if self.layout.trunk is not None:
            yield Part(self._regions[id(self.layout.trunk)], 1), self._trunk_entries
        for task in self.tasks:
            yield self._part(task), _entries(task)

    @property
    def _trunk_entries(self) -> slice:
        return slice(0, self.layout.trunk.entries if self.layout.trunk is not None else 0)

    def _part(self, task: Task) -> Part:
        return Part(self._regions[id(task.region)], task.rows)

    def run(
        self, player: int, step: Step, mode: int, take: TakeEntries, below: Below | None = None
    ) -> NDArray[np.float64]:
        """One pass; the expected payoff of each hand of the player at the start of the round.

        Parameters
        ----------
        player : int
            The updated, evaluated or answering player.
        step : Step
        mode : {UPDATE, EVALUATE, BEST_RESPONSE}
            Of :mod:`mouche_solver.dice.sweep.arrays`.
        take : callable
            Hands out the entries of a part, given as a slice of the round's entries.
        below : callable, optional
            Sweeps what is below the trunk's rim; this process's tasks by default.

        Returns
        -------
        float64 array, shape (hands of the player,)
            +1 for winning the round, -1 for losing it.
        """
        prior = self.tree.classes[1 - player].prior.astype(self.dtype)
        hands = len(self.tree.classes[player].hands)
        trunk, vectors = self.layout.trunk, self.trunk_vectors
        job = _Pass(player, step, mode, take)
        if trunk is None or vectors is None:
            rim = Rim(prior, np.zeros(hands, dtype=self.dtype), 1, 0)
            self._run_task(self.layout.tasks[0], rim, job, self._vectors[0])
            return rim.value.astype(np.float64)
        vectors.flow[: len(prior)] = prior
        self._run_trunk(trunk, vectors, self._regions[id(trunk)], job, below)
        return vectors.value[:hands].astype(np.float64)

    def visit(
        self, player: int, step: Step, take: TakeEntries
    ) -> Iterator[tuple[Part, Entries, Vectors]]:
        """Evaluate a player, then show trunk and tasks one by one with flow and values in place.

        Parameters
        ----------
        player : int
        step : Step
        take : callable
            As for :meth:`run`.

        Yields
        ------
        tuple of Part, Entries and Vectors
            The vectors hold until the next one is asked for.
        """
        self.run(player, step, EVALUATE, take)
        trunk, above = self.layout.trunk, self.trunk_vectors
        job = _Pass(player, step, EVALUATE, take)
        if trunk is None or above is None:
            task = self.layout.tasks[0]
            yield self._part(task), take(_entries(task)), self._vectors[0]
            return
        yield Part(self._regions[id(trunk)], 1), take(self._trunk_entries), above
        for task in self.layout.tasks:
            root = task.region.root
            flow = above.flow[trunk.vector[1 - player, root] :]
            value = above.value[trunk.vector[player, root] :]
            rim = Rim(flow, value, int(trunk.rows[root]), task.first)
            self._run_task(task, rim, job, self._vectors[0])
            yield self._part(task), take(_entries(task)), self._vectors[0]

    def run_below(
        self, player: int, cell: int, row: int, flow: Floats, take: TakeEntries, mode: int
    ) -> Vectors:
        """Evaluate or answer below one history of the trunk, with a range of the other there.

        Tasks that the range does not reach are left alone.

        Parameters
        ----------
        player : int
        cell, row : int
            The history.
        flow : float array, shape (classes of the other,)
            The other's range there, in any scale.
        take : callable
            As for :meth:`run`.
        mode : {EVALUATE, BEST_RESPONSE}

        Returns
        -------
        Vectors
            The trunk's vectors; they hold the values of that history's children.
        """
        trunk, vectors = self.layout.trunk, self.trunk_vectors
        assert trunk is not None
        assert vectors is not None
        arrays = self._regions[id(trunk)]._replace(expand=trunk.expand[trunk.expand >= cell])
        vectors.flow[:] = 0
        vectors.value[:] = 0
        at, rows = int(trunk.vector[1 - player, cell]), int(trunk.rows[cell])
        vectors.flow[at : at + len(flow) * rows].reshape(len(flow), rows)[:, row] = flow
        arrays = arrays._replace(root=cell)
        job = _Pass(player, self.step(1.0, 1.0, 0.0, False), mode, take)
        self._run_trunk(
            trunk, vectors, arrays, job, lambda above: self._run_tasks(trunk, above, job, True)
        )
        return vectors

    def run_stepwise(
        self,
        player: int,
        how: tuple[Step, int, TakeEntries],
        before: Callable[[int, Floats], None],
        after: Callable[[int, Floats], None],
        give: GiveEntries | None = None,
    ) -> None:
        """One pass in which flow enters where a caller puts it; none at the start of the round.

        Tasks that no flow reaches are left alone, and what lies in the trunk without flow learns
        nothing.

        Parameters
        ----------
        player : int
            The updated player.
        how : tuple of Step, mode and TakeEntries
            As for :meth:`run`.
        before : callable
            Receives each cell of the trunk or its rim and the pusher's flow there, shape (classes,
            rows), before it goes on; may change it in place.
        after : callable
            Receives each of them and the player's values, before they are handed up; may change
            them in place.
        give : callable, optional
            As for :meth:`run_rim`.
        """
        trunk, vectors = self.layout.trunk, self.trunk_vectors
        assert trunk is not None
        assert vectors is not None
        job = _Pass(player, *how, give)
        part, entries = Part(self._regions[id(trunk)], 1), job.take(self._trunk_entries)
        vectors.flow[:] = 0
        vectors.value[:] = 0
        inside = set(trunk.expand.tolist())
        cells = np.flatnonzero(trunk.rows > 0).tolist()
        for cell in cells:
            before(cell, self._of_cell(vectors.flow, 1 - player, cell))
            if cell in inside:
                push_cell(self.game, part, 1 - player, cell, entries, job.step, vectors)
        self._run_tasks(trunk, vectors, job, reached=True)
        for cell in reversed(cells):
            if cell in inside:
                pull_cell(self.game, part, player, cell, entries, job.step, job.mode, vectors)
            after(cell, self._of_cell(vectors.value, player, cell))

    def _of_cell(self, vector: Floats, player: int, cell: int) -> Floats:
        """A player's numbers of a cell of the trunk, shape (classes, rows); a view."""
        trunk = self.layout.trunk
        assert trunk is not None
        classes = int(self.tree.classes[player].size[self.tree.level[cell // 2]])
        at, rows = int(trunk.vector[player, cell]), int(trunk.rows[cell])
        return vector[at : at + classes * rows].reshape(classes, rows)

    def _run_trunk(
        self,
        trunk: Region,
        vectors: Vectors,
        region: RegionArrays,
        job: _Pass,
        below: Below | None,
    ) -> None:
        part, entries = Part(region, 1), job.take(self._trunk_entries)
        push_region(self.game, part, 1 - job.player, entries, job.step, vectors)
        if below is None:
            self._run_tasks(trunk, vectors, job, False)
        else:
            below(vectors)
        pull_region(self.game, part, job.player, entries, job.step, job.mode, vectors)

    def run_rim(
        self,
        player: int,
        how: tuple[Step, int, TakeEntries],
        flow: Floats,
        give: GiveEntries | None = None,
    ) -> Floats:
        """One pass over this process's tasks alone; the trunk is somebody else's.

        Parameters
        ----------
        player : int
            The updated, evaluated or answering player.
        how : tuple of Step, mode and TakeEntries
            As for :meth:`run`.
        flow : float array, shape (numbers,)
            The other player's flow at the tasks' root rows: task after task, ``[class][row]``.
        give : callable, optional
            Receives each task's entries after its sweep, on the thread that took them.

        Returns
        -------
        float array, shape (numbers,)
            The player's values there, in the same order.
        """
        job = _Pass(player, *how, give)
        down, up = ([0, *accumulate(self._rim_sizes(p))] for p in (1 - player, player))
        value = np.zeros(up[-1], dtype=self.dtype)

        def rim(number: int) -> Rim:
            return Rim(flow[down[number] :], value[up[number] :], self.tasks[number].rows, 0)

        self._sweep_tasks(rim, job, reached=False)
        return value

    def _rim_sizes(self, player: int) -> Iterator[int]:
        """Numbers of a player at the root rows of each task."""
        size, level = self.tree.classes[player].size, self.tree.level
        return (int(size[level[task.region.root // 2]]) * task.rows for task in self.tasks)

    def _run_tasks(self, trunk: Region, above: Vectors, job: _Pass, reached: bool) -> None:
        def rim(number: int) -> Rim:
            task = self.tasks[number]
            root = task.region.root
            flow = above.flow[trunk.vector[1 - job.player, root] :]
            value = above.value[trunk.vector[job.player, root] :]
            return Rim(flow, value, int(trunk.rows[root]), task.first)

        self._sweep_tasks(rim, job, reached)

    def _sweep_tasks(self, rims: Callable[[int], Rim], job: _Pass, reached: bool) -> None:
        ticket = count()

        def work(vectors: Vectors) -> None:
            while (number := next(ticket)) < len(self.tasks):
                task, rim = self.tasks[number], rims(number)
                if not reached or self._is_reached(task, 1 - job.player, rim):
                    self._run_task(task, rim, job, vectors)

        self._workers.map(work, self._vectors)

    def _is_reached(self, task: Task, pusher: int, rim: Rim) -> bool:
        level = self.tree.level[task.region.root // 2]
        size = int(self.tree.classes[pusher].size[level]) * rim.rows
        block = rim.flow[:size].reshape(-1, rim.rows)[:, task.first : task.first + task.rows]
        return bool(block.any())

    def _run_task(self, task: Task, rim: Rim, job: _Pass, vectors: Vectors) -> None:
        """One task, with the trunk's vectors of its root cell as input and output."""
        entries = job.take(_entries(task))
        part, player = self._part(task), job.player
        sweep_task(self.game, part, rim, player, entries, job.step, job.mode, vectors)
        if job.give is not None:
            job.give(_entries(task), entries)


def _entries(task: Task) -> slice:
    return slice(task.base, task.base + task.entries)
