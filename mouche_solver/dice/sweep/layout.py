"""Where everything lies in memory: history blocks, regions, tasks.

The public histories that end with one claim and one player to act form a *cell*, numbered
``players * claim + player``. Inside a *region*, everything below some rows of a root cell, the
rows of a cell are the rows of its predecessor cells concatenated, so a child's row is
``child_row[cell, claim] + row`` and no tree is stored. All numbers are for one root row; with R
root rows every count and offset is R times as large, so one template serves any batch.

A region small enough to stay in cache is a *task*. The few histories above the tasks are the
*trunk*, a region that is cut off at its *rim*, the cells where tasks begin.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from mouche_solver.dice.sweep.tree import RoundTree

IntArray = NDArray[np.int64]


@dataclass(frozen=True)
class Region:
    """A template of the cells below one root cell, per root row.

    Attributes
    ----------
    root : int
        The root cell.
    expand : int64 array
        The cells with a strategy or a doubt of their own, in the order of play.
    rows : int64 array, shape (cells,)
        Histories of each cell; 0 outside the region.
    entry : int64 array, shape (cells,)
        Where a cell's information-set actions start.
    vector : int64 array, shape (players, cells)
        Where a cell's numbers per hand class of a player start.
    child_row : int64 array, shape (cells, claims)
        First row in the child cell.
    entries : int
        Information-set actions, forced doubts left out.
    vector_size : int64 array, shape (players,)
        Numbers per hand class of each player, rim included.
    """

    root: int
    expand: IntArray
    rows: IntArray
    entry: IntArray
    vector: IntArray
    child_row: IntArray
    entries: int
    vector_size: IntArray


@dataclass(frozen=True)
class Task:
    """Rows ``first`` to ``first + rows`` of a rim cell, with their entries from ``base`` on."""

    region: Region
    first: int
    rows: int
    base: int

    @property
    def entries(self) -> int:
        """Information-set actions of the task."""
        return self.region.entries * self.rows


@dataclass(frozen=True)
class Layout:
    """The whole round: the trunk first, then the tasks, in one flat array of entries."""

    trunk: Region | None
    tasks: tuple[Task, ...]
    entries: int
    forced: int
    histories: int


def plan_layout(tree: RoundTree, rim: int = 1 << 15, batch: int = 1 << 20) -> Layout:
    """Cut a round into a trunk and tasks.

    Parameters
    ----------
    tree : RoundTree
    rim : int
        Histories with more entries than this below them belong to the trunk.
    batch : int
        Entries of a task, as long as one root row allows it.

    Returns
    -------
    Layout
    """
    plan = _Plan(tree)
    whole = plan.regions([0], np.ones(plan.cells, dtype=bool))[0]
    below = plan.entries_below()
    inside = (below > rim) & (whole.rows > 0)
    histories = int(whole.rows.sum())
    forced = int((whole.rows * plan.forced_entries).sum())
    if not inside[0]:
        return Layout(None, (Task(whole, 0, 1, 0),), whole.entries, forced, histories)
    trunk = plan.regions([0], inside)[0]
    rim_cells = [int(cell) for cell in np.flatnonzero((trunk.rows > 0) & ~inside)]
    templates = plan.regions(rim_cells, np.ones(plan.cells, dtype=bool))
    tasks: list[Task] = []
    base = trunk.entries
    for region in templates:
        available = int(trunk.rows[region.root])
        step = max(1, batch // max(region.entries, 1))
        for first in range(0, available, step):
            task = Task(region, first, min(step, available - first), base)
            tasks.append(task)
            base += task.entries
    return Layout(trunk, tuple(tasks), base, forced, histories)


def subgame_region(tree: RoundTree, cell: int) -> Region:
    """The template of everything below one history of a cell.

    Parameters
    ----------
    tree : RoundTree
    cell : int

    Returns
    -------
    Region
        With one root row and nothing cut off.
    """
    plan = _Plan(tree)
    return plan.regions([cell], np.ones(plan.cells, dtype=bool))[0]


def entries_below(tree: RoundTree, cell: int) -> int:
    """Entries in the subtree of one history of a cell, itself included."""
    return int(_Plan(tree).entries_below()[cell])


def set_starts(tree: RoundTree, region: Region) -> tuple[IntArray, int]:
    """Where the information sets of each cell start among those of a region.

    Parameters
    ----------
    tree : RoundTree
        Of two players.
    region : Region

    Returns
    -------
    starts : int64 array, shape (cells,)
        For one root row; forced doubts are left out.
    many : int
        All information sets.
    """
    cell = np.arange(len(region.rows))
    claim = cell // 2
    sizes = np.stack([classes.size for classes in tree.classes])[cell % 2, tree.level[claim]]
    chosen = np.array([len(raises) > 0 for raises in tree.raises])[claim]
    many = np.where(chosen & np.isin(cell, region.expand), region.rows * sizes, 0)
    return np.cumsum(many) - many, int(many.sum())


class _Plan:
    def __init__(self, tree: RoundTree) -> None:
        self.tree = tree
        self.claims = len(tree.claims)
        self.players = tree.rules.players
        self.cells = self.players * self.claims
        claim = np.arange(self.cells) // self.players
        level = tree.level[claim]
        size = np.stack([classes.size[level] for classes in tree.classes])
        self.class_count = size
        raises = np.array([len(tree.raises[c]) for c in claim])
        actions = raises + (claim > 0)
        own = size[np.arange(self.cells) % self.players, np.arange(self.cells)]
        self.row_entries = np.where(raises > 0, own * actions, 0)
        self.forced_entries = np.where(raises > 0, 0, own)

    def entries_below(self) -> IntArray:
        """Entries in the subtree of one history of each cell, itself included."""
        below = self.row_entries.copy()
        for cell in range(self.cells - 1, -1, -1):
            below[cell] += sum(below[child] for _, child in self.children(cell))
        return below

    def children(self, cell: int) -> list[tuple[int, int]]:
        """Each raise from a cell, as claim and cell: the next player acts there."""
        claim, player = divmod(cell, self.players)
        after = (player + 1) % self.players
        return [(c, self.players * c + after) for c in self.tree.raises[claim]]

    def regions(self, roots: list[int], inside: NDArray[np.bool_]) -> list[Region]:
        """One template per root; cells that are not ``inside`` are not expanded."""
        rows = np.zeros((len(roots), self.cells), dtype=np.int64)
        rows[np.arange(len(roots)), roots] = 1
        child_row = np.zeros((len(roots), self.cells, self.claims), dtype=np.int64)
        for cell in range(self.cells):
            if not inside[cell]:
                continue
            for claim, child in self.children(cell):
                child_row[:, cell, claim] = rows[:, child]
                rows[:, child] += rows[:, cell]
        return [self._region(root, rows[n], child_row[n], inside) for n, root in enumerate(roots)]

    def _region(
        self, root: int, rows: IntArray, child_row: IntArray, inside: NDArray[np.bool_]
    ) -> Region:
        entries = np.where(inside, rows * self.row_entries, 0)
        vectors = rows * self.class_count
        return Region(
            root=root,
            expand=np.flatnonzero((rows > 0) & inside),
            rows=rows,
            entry=_starts(entries),
            vector=np.stack([_starts(each) for each in vectors]),
            child_row=child_row,
            entries=int(entries.sum()),
            vector_size=vectors.sum(axis=1),
        )


def _starts(sizes: IntArray) -> IntArray:
    return np.cumsum(sizes) - sizes
