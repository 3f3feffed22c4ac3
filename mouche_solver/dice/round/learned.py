"""What sweeps over a round learn beside a solution: regrets and averages, usual or compact."""

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mouche_solver.dice.round.kernels_solution import merge_region, rounding
from mouche_solver.dice.round.shard import HeldStrategy, join_tasks
from mouche_solver.dice.round.solution import Store
from mouche_solver.dice.sweep.arrays import Entries, Packed
from mouche_solver.dice.sweep.compact import CompactTasks
from mouche_solver.dice.sweep.holders import Order, Plan, Share, shares
from mouche_solver.dice.sweep.layout import Layout
from mouche_solver.dice.sweep.passes import RoundPasses
from mouche_solver.dice.sweep.tree import RoundTree

# Receives a cell of the trunk and its vectors; see ``RoundPasses.run_stepwise``.
Step = Callable[[int, NDArray[Any]], None]


class Learned:
    """Regrets and averages of all entries in single precision.

    Parameters
    ----------
    tree : RoundTree
    layout : Layout
        With a trunk.
    threads : int, optional
        All processors by default; the result does not depend on it.

    Attributes
    ----------
    passes : RoundPasses
    regret, average : float32 array, shape (entries,)
    """

    def __init__(self, tree: RoundTree, layout: Layout, threads: int | None) -> None:
        self.passes = RoundPasses(tree, layout, np.float32, threads)
        self.regret = np.zeros(layout.entries, dtype=np.float32)
        self.average = np.zeros(layout.entries, dtype=np.float32)

    def run(self, order: Order, before: Step, after: Step) -> None:
        """One pass in which flow enters where a caller puts it; regrets and averages learn.

        Parameters
        ----------
        order : Order
        before, after : callable
            As for :meth:`mouche_solver.dice.sweep.passes.RoundPasses.run_stepwise`.
        """

        def take(where: slice) -> Entries:
            regret = self.regret[where]
            return Entries(regret, regret, regret, self.average[where])

        self.passes.run_stepwise(order.player, (order.step, order.mode, take), before, after)

    def merged(self, stored: Store) -> Store:
        """Probabilities by the averages where anything flowed, as they are stored elsewhere."""
        before = np.asarray(stored[0 : len(stored)])
        packed, one = np.zeros_like(before), rounding(before.dtype)
        game, average = self.passes.game, self.average
        for part, where in self.passes.parts():
            merge_region(game, part, average[where], before[where], packed[where], one)
        return packed


class CompactLearned:
    """The same with 16 bits for a regret or an average below the trunk.

    Parameters
    ----------
    tree : RoundTree
    layout : Layout
        With a trunk.
    threads : int, optional
        All processors by default; the result does not depend on it.

    Attributes
    ----------
    passes : RoundPasses
    regret, average : float32 array, shape (entries of the trunk,)
    tasks : CompactTasks
        What is below.
    """

    def __init__(self, tree: RoundTree, layout: Layout, threads: int | None) -> None:
        assert layout.trunk is not None
        self._share = shares(layout, 1)[0]
        plan = Plan(tree, layout, np.dtype(np.float32), "dcfr", predictive=False)
        self.tasks = CompactTasks(plan, self._share, threads)
        self.passes = self.tasks.passes
        self.regret = np.zeros(layout.trunk.entries, dtype=np.float32)
        self.average = np.zeros(layout.trunk.entries, dtype=np.float32)

    def run(self, order: Order, before: Step, after: Step) -> None:
        """One pass; see :meth:`Learned.run`."""
        of_task = self.tasks.take(order)

        def take(where: slice) -> Entries:
            if where.start == 0:
                return Entries(self.regret, self.regret, self.regret, self.average)
            return of_task(where)

        how = order.step, order.mode, take
        self.passes.run_stepwise(order.player, how, before, after, self.tasks.give(order))

    def merged(self, stored: Store) -> Store:
        """See :meth:`Learned.merged`; below the trunk worked out where it is asked for."""
        part, where = next(self.passes.parts())
        before = np.asarray(stored[where])
        trunk = np.zeros_like(before)
        merge_region(self.passes.game, part, self.average, before, trunk, rounding(before.dtype))
        return HeldStrategy(trunk, [_Merged(self.tasks, self._share, stored)])


class _Merged:
    """Tasks of :meth:`CompactLearned.merged`."""

    def __init__(self, tasks: CompactTasks, share: Share, stored: Store) -> None:
        self.share, self._tasks, self._stored = share, tasks, stored

    def packed(self, where: slice) -> Packed:
        """Probabilities of a slice of the round's entries."""
        return join_tasks(where, self._tasks.slices, self._of_task, self._stored.dtype)

    def _of_task(self, where: slice) -> Packed:
        tasks, before = self._tasks, np.array(self._stored[where])
        average = tasks.unpack(tasks.average, where, np.empty(len(before), dtype=np.float32))
        merged = np.empty_like(before)
        part, one = tasks.part(where), rounding(before.dtype)
        merge_region(tasks.passes.game, part, average, before, merged, one)
        return merged
