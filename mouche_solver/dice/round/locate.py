"""From a line of claims to the place of its strategy, and from a place to the game below it."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mouche_solver.dice.sweep.layout import IntArray, Layout, Region, Task, subgame_region
from mouche_solver.dice.sweep.tree import RoundTree

Floats = NDArray[np.float64]


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


def next_cell(region: Region, cell: int, claim: int) -> int:
    """The cell after a raise: the next player, of any number of them, is to act."""
    cells, claims = region.child_row.shape
    players = int(cells // claims)
    return players * claim + (cell + 1) % players


def _step(layout: Layout, place: Place, claim: int) -> Place:
    cell = next_cell(place.region, place.cell, claim)
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
    index = np.empty(region.entries, dtype=np.int64)
    for cell, rows in rows_within(tree, region, place).items():
        _gather(tree, place, region, cell, rows, index)
    return Subgame(region, index)


def rows_within(tree: RoundTree, region: Region, place: Place) -> dict[int, IntArray]:
    """The rows of a region's cells inside the larger region of a place, its root's history."""
    rows: dict[int, IntArray] = {place.cell: np.array([place.row], dtype=np.int64)}
    parts: dict[int, list[IntArray]] = {}
    for number in region.expand:
        cell = int(number)
        if cell not in rows:
            rows[cell] = np.concatenate(parts.pop(cell))
        for claim in tree.raises[cell // 2]:
            first = place.region.child_row[cell, claim] * place.many
            parts.setdefault(next_cell(region, cell, claim), []).append(first + rows[cell])
    return rows | {cell: np.concatenate(found) for cell, found in parts.items()}


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


def region_place(region: Region, numbers: tuple[int, ...]) -> Place:
    """The place of a line of claims that starts at the region's root, with one root row."""
    cell, row = region.root, 0
    for claim in numbers:
        row += int(region.child_row[cell, claim])
        cell = next_cell(region, cell, claim)
    return Place(cell, row, region, 1, 0, None, 0)


def mixed_size(tree: RoundTree, place: Place) -> int:
    """Entries of a place's cell; 0 where the doubt is forced."""
    claim, player = divmod(place.cell, tree.rules.players)
    raises = len(tree.raises[claim])
    classes = int(tree.classes[player].size[tree.level[claim]])
    return (raises + (claim > 0)) * classes * place.rows if raises else 0


def mixed_at(tree: RoundTree, place: Place, entries: NDArray[Any]) -> Floats:
    """Probabilities at a place, from entries in any scale; shape (actions, classes)."""
    claim, player = divmod(place.cell, tree.rules.players)
    classes = int(tree.classes[player].size[tree.level[claim]])
    if not tree.raises[claim]:
        return np.ones((1, classes))
    actions = len(tree.raises[claim]) + (claim > 0)
    block = entries[place.start : place.start + mixed_size(tree, place)]
    mixed = block.reshape(actions, classes, place.rows)[:, :, place.row].astype(np.float64)
    total = mixed.sum(axis=0)
    return np.where(total > 0, mixed / np.where(total > 0, total, 1.0), 1.0 / actions)


def vector_at(tree: RoundTree, place: Place, vectors: NDArray[Any], player: int) -> Floats:
    """One history's numbers per class of a player, from the vectors of a region."""
    classes = int(tree.classes[player].size[tree.level[place.cell // 2]])
    at = int(place.region.vector[player, place.cell])
    block = vectors[at : at + classes * place.rows].reshape(classes, place.rows)
    return block[:, place.row].astype(np.float64)
