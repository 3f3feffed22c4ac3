"""One region on its own: a subgame with ranges at its root, to evaluate or to solve."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mouche_solver.core.minimisers import Schedule, tremble_at
from mouche_solver.dice.round.line import Line, Place, next_cell
from mouche_solver.dice.round.region_passes import RegionPasses
from mouche_solver.dice.sweep.arrays import BEST_RESPONSE, EVALUATE, UPDATE, Floats, Step
from mouche_solver.dice.sweep.layout import IntArray, Region, subgame_region
from mouche_solver.dice.sweep.tree import RoundTree


class RegionGame:
    """The game below one public history.

    Parameters
    ----------
    tree : RoundTree
    region : Region
        Below the history, nothing cut off.
    average : float32 array, shape (entries,), optional
        A strategy in any scale; empty to learn one.
    tremble : float
        What every action keeps while learning.

    Notes
    -----
    Ranges and values are indexed by the classes of the root's level: a range is prior times own
    reach, a value is counterfactual, weighed by the other player's range.
    """

    def __init__(
        self,
        tree: RoundTree,
        region: Region,
        average: Floats | None = None,
        tremble: float = 0.0,
    ) -> None:
        self.tremble = tremble
        self.tree, self.region = tree, region
        self._passes = RegionPasses(tree, region)
        empty = np.zeros(region.entries, dtype=np.float32)
        self.regret = empty
        self.average = empty.copy() if average is None else average.astype(np.float32)

    def update(self, player: int, flow: Floats, schedule: Schedule, iteration: int) -> Floats:
        """One update of a player against the other's range; the values at the root.

        Parameters
        ----------
        player : int
        flow : float array, shape (classes of the other,)
            The other player's range at the root, in any scale.
        schedule : Schedule
        iteration : int
            Counted from 1.

        Returns
        -------
        float32 array, shape (classes of the player,)
            Counterfactual values before the update.
        """
        positive, negative = schedule.factors(iteration)
        tremble = tremble_at(self.tremble, iteration)
        step = _step(positive, negative, schedule.weight(iteration))
        step = step._replace(tremble=tremble, own_tremble=tremble)
        return self._pass(player, flow, self.regret, step, UPDATE)

    def evaluate(self, player: int, flow: Floats) -> Floats:
        """Values of a player's classes at the root when both play their averages.

        Parameters
        ----------
        player : int
        flow : float array, shape (classes of the other,)

        Returns
        -------
        float32 array, shape (classes of the player,)
        """
        return self._pass(player, flow, self.average, _step(1.0, 1.0, 0.0), EVALUATE)

    def best_response(self, player: int, flow: Floats) -> Floats:
        """Values of a player's classes at the root by a best response to the average.

        Parameters
        ----------
        player : int
        flow : float array, shape (classes of the other,)

        Returns
        -------
        float32 array, shape (classes of the player,)
        """
        return self._pass(player, flow, self.average, _step(1.0, 1.0, 0.0), BEST_RESPONSE)

    def describe(self, player: int, flow: Floats, entries: Floats) -> None:
        """Let a part of a player play by given entries: see :meth:`RegionPasses.describe`.

        Parameters
        ----------
        player : int
        flow : float array, shape (classes,)
            That part's range at the root.
        entries : float32 array, shape (entries,)
        """
        self._passes.describe(player, flow, entries, _step(1.0, 1.0, 0.0))

    def child_values(self, player: int, claim: int) -> Floats:
        """After a pass: values of the player's root classes when the root's mover claims."""
        value = self._passes.value[player]
        return child_values(self.tree, self.region, value, player, self.region.root, 0, claim)

    def _pass(self, player: int, flow: Floats, source: Floats, step: Step, mode: int) -> Floats:
        both = (source, source)
        return self._passes.run(player, flow, both, self.regret, self.average, step, mode)


def child_values(
    tree: RoundTree, region: Region, value: Floats, player: int, cell: int, row: int, claim: int
) -> NDArray[Any]:
    """Values of a player's classes at a row of a cell, one claim later.

    ``value`` holds the region's vectors of the player; the region has one root row.

    Parameters
    ----------
    tree : RoundTree
    region : Region
    value : float array
    player : int
    cell, row : int
        The history.
    claim : int
        The raise, as a number of the tree.

    Returns
    -------
    float array, shape (classes,)
        By class at the history, not at the raise.
    """
    level, below = tree.level[cell // 2], tree.level[claim]
    child = 2 * claim + 1 - cell % 2
    classes, rows = int(tree.classes[player].size[below]), int(region.rows[child])
    at = int(region.vector[player, child])
    at_row = int(region.child_row[cell, claim]) + row
    vector = value[at : at + classes * rows].reshape(classes, rows)[:, at_row]
    size = int(tree.classes[player].size[level])
    return vector[tree.classes[player].merge[level, below, :size]]


def _step(positive: float, negative: float, weight: float) -> Step:
    number: Any = np.float32
    return Step(number(positive), number(negative), number(weight), number(0))


@dataclass(frozen=True)
class Subgame:
    """The game below one history, cut out of its task: a region with one root row.

    ``index[i]`` is where entry i of the subgame lies among the task's entries.
    """

    region: Region
    index: NDArray[np.int64]


def cut_subgame(tree: RoundTree, place: Place) -> Subgame:
    """The subgame below a history that lies in a task.

    Parameters
    ----------
    tree : RoundTree
    place : Place
        Inside a task.

    Returns
    -------
    Subgame
    """
    region = subgame_region(tree, place.cell)
    index = np.empty(region.entries, dtype=np.int64)
    for cell, rows in rows_within(tree, region, place).items():
        _gather(tree, place, region, cell, rows, index)
    return Subgame(region, index)


def rows_within(tree: RoundTree, region: Region, place: Place) -> dict[int, IntArray]:
    """The rows of a region's cells inside the larger region of a place, its root's history.

    Parameters
    ----------
    tree : RoundTree
    region : Region
        Below the place's history.
    place : Place

    Returns
    -------
    dict of int to int64 array
        For each cell of the region, its rows there in the region's order; the rim included.
    """
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


def values_by_cut(
    tree: RoundTree, place: Place, entries: NDArray[Any], line: Line
) -> list[NDArray[Any]]:
    """For each raise at a place, counterfactual values of the mover's classes.

    The subgame below is cut out and evaluated with the line's ranges.

    Parameters
    ----------
    tree : RoundTree
    place : Place
        Inside a task, or in a region with one root row.
    entries : array of any number type
        Strategies of the task or region, in any scale, from its first entry on.
    line : Line

    Returns
    -------
    list of float32 array, shape (classes,)
    """
    cut = cut_subgame(tree, place)
    game = RegionGame(tree, cut.region, entries[cut.index])
    game.evaluate(line.player, line.flow(tree, 1 - line.player).astype(np.float32))
    return [game.child_values(line.player, claim) for claim in tree.raises[place.cell // 2]]
