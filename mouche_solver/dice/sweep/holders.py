"""Holders: who holds the entries of which tasks, and how a pass goes through all of them.

The driver sweeps the trunk. For one pass every holder gets the pusher's flow at the root rows of
its tasks (down) and gives the updated player's values there (up); see decision 0038.
"""

from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Any, Literal, NamedTuple, Protocol

import numpy as np

from mouche_solver.dice.sweep.arrays import Floats, Packed, Step, Vectors
from mouche_solver.dice.sweep.layout import Layout
from mouche_solver.dice.sweep.tree import RoundTree
from mouche_solver.errors import RulesError

# What a player plays by: regrets, averages, or the finished 16-bit strategy.
Plays = Literal["source", "average", "packed"]


class Order(NamedTuple):
    """One pass, told without arrays.

    Attributes
    ----------
    player : int
        The updated, evaluated or answering player.
    step : Step
    mode : {UPDATE, EVALUATE, BEST_RESPONSE}
        Of :mod:`mouche_solver.dice.sweep.arrays`.
    plays : tuple of {"source", "average", "packed"}
        By which entries each player plays.
    iteration : int
        Counted from 1; 0 where nothing is learned.
    """

    player: int
    step: Step
    mode: int
    plays: tuple[Plays, Plays]
    iteration: int = 0


class Share(NamedTuple):
    """Consecutive tasks and their entries.

    Attributes
    ----------
    tasks : range
        Numbers of the tasks.
    entries : slice
        Which entries of the round are theirs.
    """

    tasks: range
    entries: slice

    @property
    def size(self) -> int:
        """Information-set actions."""
        return int(self.entries.stop - self.entries.start)


class Holder(Protocol):
    """Holds the entries of some tasks and sweeps them."""

    @property
    def share(self) -> Share:
        """What it holds."""
        ...

    def down(self, order: Order, flow: Floats) -> None:
        """Begin a pass.

        Parameters
        ----------
        order : Order
        flow : float array, shape (numbers,)
            The pusher's, as :class:`RimBlocks` hands them out; not kept.
        """
        ...

    def up(self) -> Floats:
        """End the pass that was begun: the updated player's values at the root rows."""
        ...

    def pack(self) -> None:
        """Round the average strategies to 16 bits; from then on ``"packed"`` can be played."""
        ...

    def packed(self, where: slice) -> Packed:
        """Probabilities of a slice of the round's entries, within this holder's share."""
        ...


class Plan(NamedTuple):
    """What holders need to know of a solve, before anything is allocated.

    Attributes
    ----------
    tree : RoundTree
    layout : Layout
    dtype : numpy dtype
        Precision of entries and vectors.
    algorithm : str
    predictive : bool
        Whether there are three arrays, not two.
    """

    tree: RoundTree
    layout: Layout
    dtype: np.dtype[Any]
    algorithm: str
    predictive: bool

    def bytes_of(self, entries: int) -> int:
        """Memory of so many entries, the packed strategy at the end included."""
        return entries * (self.dtype.itemsize * (3 if self.predictive else 2) + 2)


def shares(layout: Layout, many: int) -> list[Share]:
    """Cut the tasks of a round into consecutive shares of about as many entries.

    Parameters
    ----------
    layout : Layout
    many : int
        Shares; fewer come back where there are fewer tasks.

    Returns
    -------
    list of Share
        None of them empty.

    Raises
    ------
    RulesError
        For a round without a trunk.
    """
    if layout.trunk is None:
        raise RulesError(f"a round of {layout.entries:,} entries is one task: it cannot be shared")
    tasks = layout.tasks
    ends = np.array([task.base + task.entries for task in tasks], dtype=np.int64)
    first, cuts = layout.trunk.entries, [0]
    for number in range(1, many):
        goal = first + (layout.entries - first) * number / many
        at = int(np.abs(ends - goal).argmin())
        if ends[at] < layout.entries:  # tasks without entries may come last
            cuts.append(at + 1)
    cuts.append(len(tasks))
    return [
        Share(range(a, b), slice(tasks[a].base, int(ends[b - 1])))
        for a, b in pairwise(cuts)
        if a < b
    ]


class RimBlocks:
    """Where one player's numbers of some tasks' root rows lie among the trunk's vectors.

    Parameters
    ----------
    tree : RoundTree
    layout : Layout
        With a trunk.
    tasks : range
    player : int

    Attributes
    ----------
    size : int
        Numbers; they are handed out task after task, ``[class][row]``.
    """

    def __init__(self, tree: RoundTree, layout: Layout, tasks: range, player: int) -> None:
        trunk = layout.trunk
        assert trunk is not None
        self._blocks: list[tuple[slice, int, slice]] = []
        self.size = 0
        for number in tasks:
            task = layout.tasks[number]
            root = task.region.root
            classes = int(tree.classes[player].size[tree.level[root // 2]])
            start, rows = int(trunk.vector[player, root]), int(trunk.rows[root])
            within = slice(task.first, task.first + task.rows)
            self._blocks.append((slice(start, start + classes * rows), classes, within))
            self.size += classes * task.rows

    def take(self, whole: Floats) -> Floats:
        """The numbers, copied out of the trunk's vector."""
        numbers = np.empty(self.size, dtype=whole.dtype)
        for theirs, ours in self._pairs(whole, numbers):
            ours[:] = theirs
        return numbers

    def put(self, whole: Floats, numbers: Floats) -> None:
        """Write the numbers into the trunk's vector, in place."""
        for theirs, ours in self._pairs(whole, numbers):
            theirs[:] = ours

    def _pairs(self, whole: Floats, numbers: Floats) -> Iterator[tuple[Floats, Floats]]:
        at = 0
        for where, classes, within in self._blocks:
            theirs = whole[where].reshape(classes, -1)[:, within]
            yield theirs, numbers[at : at + theirs.size].reshape(theirs.shape)
            at += theirs.size


class Holders:
    """All holders of a round, as the driver sees them.

    Parameters
    ----------
    tree : RoundTree
    layout : Layout
        With a trunk.
    holders : sequence of Holder
        Between them they hold every task once.
    """

    def __init__(self, tree: RoundTree, layout: Layout, holders: Sequence[Holder]) -> None:
        self.all = holders
        self._rims = [
            [RimBlocks(tree, layout, holder.share.tasks, player) for player in (0, 1)]
            for holder in holders
        ]

    def sweep(self, order: Order, above: Vectors) -> None:
        """One pass below the rim: all are told, then each is waited for.

        Parameters
        ----------
        order : Order
        above : Vectors
            The trunk's; the pusher's flow is read, the player's values are written.
        """
        for holder, rims in zip(self.all, self._rims, strict=True):
            holder.down(order, rims[1 - order.player].take(above.flow))
        for holder, rims in zip(self.all, self._rims, strict=True):
            rims[order.player].put(above.value, holder.up())
