"""From a line of claims to the place of its strategy, and from a place to the game below it."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from mouche_solver.dice.layout import IntArray, Layout, Region, Task, subgame_region
from mouche_solver.dice.tree import RoundTree


@dataclass(frozen=True)
class Place:
    """Where one public history lies.

    Attributes
    ----------
    cell, row : int
        Its cell, and its row there within the trunk or the task.
    region : Region
        The trunk, or the template of the task.
    many, base : int
        Root rows of the region and where its entries start.
    task : Task or None
        None in the trunk.
    rim_row : int
        Row of the task's root on which the history depends; 0 in the trunk.
    """

    cell: int
    row: int
    region: Region
    many: int
    base: int
    task: Task | None
    rim_row: int

    @property
    def rows(self) -> int:
        """Rows of the cell in its region."""
        return int(self.region.rows[self.cell]) * self.many

    @property
    def start(self) -> int:
        """Where the entries of the cell start."""
        return self.base + int(self.region.entry[self.cell]) * self.many


def locate(layout: Layout, claims: tuple[int, ...]) -> Place:
    """The place of a line of claims, given as claim numbers of the tree."""
    first = layout.tasks[0]
    if layout.trunk is None:
        place = Place(0, 0, first.region, 1, first.base, first, 0)
    else:
        place = Place(0, 0, layout.trunk, 1, 0, None, 0)
    for claim in claims:
        place = _step(layout, place, claim)
    return place


def _step(layout: Layout, place: Place, claim: int) -> Place:
    cell = 2 * claim + 1 - place.cell % 2
    row = int(place.region.child_row[place.cell, claim]) * place.many + place.row
    region, many, base, task = place.region, place.many, place.base, place.task
    if task is not None or cell in region.expand:
        return Place(cell, row, region, many, base, task, place.rim_row)
    found = next(
        t for t in layout.tasks if t.region.root == cell and t.first <= row < t.first + t.rows
    )
    local = row - found.first
    return Place(cell, local, found.region, found.rows, found.base, found, local)


@dataclass(frozen=True)
class Subgame:
    """The game below one history, cut out of its task: a region with one root row.

    ``index[i]`` is where entry i of the subgame lies among the task's entries.
    """

    region: Region
    index: NDArray[np.int64]


def cut_subgame(tree: RoundTree, place: Place) -> Subgame:
    """The subgame below a history that lies in a task."""
    region = subgame_region(tree, place.cell)
    rows: dict[int, IntArray] = {place.cell: np.array([place.row], dtype=np.int64)}
    parts: dict[int, list[IntArray]] = {}
    index = np.empty(region.entries, dtype=np.int64)
    for number in region.expand:
        cell = int(number)
        if cell not in rows:
            rows[cell] = np.concatenate(parts.pop(cell))
        claim, other = cell // 2, 1 - cell % 2
        for after in tree.raises[claim]:
            first = place.region.child_row[cell, after] * place.many
            parts.setdefault(2 * after + other, []).append(first + rows[cell])
        _gather(tree, place, region, cell, rows[cell], index)
    return Subgame(region, index)


def _gather(
    tree: RoundTree, place: Place, region: Region, cell: int, rows: IntArray, index: IntArray
) -> None:
    claim = cell // 2
    if not tree.raises[claim]:
        return
    actions = len(tree.raises[claim]) + (claim > 0)
    classes = int(tree.classes[cell % 2].size[tree.level[claim]])
    there = int(place.region.rows[cell]) * place.many
    start = int(place.region.entry[cell]) * place.many
    block = start + np.arange(actions * classes)[:, None] * there + rows[None, :]
    at = int(region.entry[cell])
    index[at : at + block.size] = block.ravel()
