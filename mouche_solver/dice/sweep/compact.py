"""Regrets and averages of tasks in 16 bits each, and the passes over them; see decision 0040.

A thread unpacks a task into single precision, sweeps it by the usual kernels, and packs what has
changed.
"""

import threading
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from mouche_solver.dice.sweep.arrays import UPDATE, Entries, Floats, IntArray, Part
from mouche_solver.dice.sweep.holders import Order, Plan, Share
from mouche_solver.dice.sweep.kernels_compact import STRIDE, TOGETHER, pack_entries, unpack_entries
from mouche_solver.dice.sweep.layout import set_starts
from mouche_solver.dice.sweep.passes import GiveEntries, RoundPasses, TakeEntries

# By how much of 2**32 the threshold of rounding moves from iteration to iteration: with ``STRIDE``
# the two numbers of the R2 sequence. Averages are half of a turn away from regrets.
_STRIDE, _HALF = 2447445414, 1 << 31


class Packed(NamedTuple):
    """Entries in 16 bits.

    Attributes
    ----------
    number : int16 array, shape (entries,)
    exponent : uint8 array, shape (information sets, rounded up to an even number)
        Their scale is 2 ** (exponent - 141); with exponent 0 all entries are 0.
    """

    number: NDArray[np.int16]
    exponent: NDArray[np.uint8]


class _Place(NamedTuple):
    """A task, and where its entries and information sets lie among those that are held."""

    part: Part
    starts: IntArray
    entries: slice
    sets: slice


class _Buffers(threading.local):
    """What a thread unpacks a task into."""

    def __init__(self, entries: int) -> None:
        self.regret = np.zeros(entries, dtype=np.float32)
        self.average = np.zeros(entries, dtype=np.float32)
        self.scale = np.zeros(TOGETHER, dtype=np.float32)


class CompactTasks:
    """Regrets and averages of consecutive tasks in 16 bits.

    Parameters
    ----------
    plan : Plan
        In single precision, not predictive.
    share : Share
    threads : int, optional
        All processors by default; the result does not depend on it.

    Attributes
    ----------
    passes : RoundPasses
    regret, average : Packed
    slices : list of slice
        Which entries of the round each task has, of the tasks with any.
    """

    def __init__(self, plan: Plan, share: Share, threads: int | None) -> None:
        self.passes = RoundPasses(plan.tree, plan.layout, np.float32, threads, share.tasks)
        self._places: dict[tuple[int, int], _Place] = {}
        starts: dict[int, tuple[IntArray, int]] = {}
        sets, base = 0, share.entries.start
        tasks = plan.layout.tasks[share.tasks.start : share.tasks.stop]
        _, *parts = self.passes.parts()
        for task, (part, where) in zip(tasks, parts, strict=True):
            region = task.region
            if id(region) not in starts:
                starts[id(region)] = set_starts(plan.tree, region)
            first, many = starts[id(region)]
            self._places[where.start, where.stop] = _Place(
                part,
                first,
                slice(where.start - base, where.stop - base),
                slice(sets, sets + many * task.rows),
            )
            sets += many * task.rows
        self.regret, self.average = (
            # An even number, so that they can be written as numbers of 16 bits.
            Packed(np.zeros(share.size, dtype=np.int16), np.zeros(sets + sets % 2, dtype=np.uint8))
            for _ in range(2)
        )
        self.slices = [slice(*where) for where in self._places if where[0] < where[1]]
        self._buffers = _Buffers(max(task.entries for task in tasks))

    def run(self, order: Order, flow: Floats) -> Floats:
        """One pass by regrets or averages; see :meth:`RoundPasses.run_rim`.

        Parameters
        ----------
        order : Order
        flow : float32 array, shape (numbers,)

        Returns
        -------
        float32 array, shape (numbers,)
        """
        how = order.step, order.mode, self.take(order)
        return self.passes.run_rim(order.player, how, flow, self.give(order))

    def take(self, order: Order) -> TakeEntries:
        """What hands out a task's entries for a pass, in the calling thread's buffers."""
        pusher = 1 - order.player

        def take(where: slice) -> Entries:
            if order.mode != UPDATE:
                average = self.unpack(self.average, where, self._buffers.average)
                return Entries(average, average, average, average)
            regret = self.unpack(self.regret, where, self._buffers.regret)
            average = self.unpack(self.average, where, self._buffers.average, pusher)
            return Entries(regret, regret, regret, average)

        return take

    def give(self, order: Order) -> GiveEntries | None:
        """What packs a task's entries after its sweep; None where a pass changes nothing."""
        pusher, seed = 1 - order.player, order.iteration * _STRIDE

        def give(where: slice, entries: Entries) -> None:
            self._pack(entries.regret, where, self.regret, order.player, seed)
            self._pack(entries.average, where, self.average, pusher, seed + _HALF)

        return give if order.mode == UPDATE else None

    def part(self, where: slice) -> Part:
        """The task with these entries."""
        return self._places[where.start, where.stop].part

    def unpack(
        self, packed: Packed, where: slice, into: Floats, player: int | None = None
    ) -> Floats:
        """The entries of a task in single precision.

        Parameters
        ----------
        packed : Packed
            The regrets or the averages.
        where : slice
            A task's, of the round's entries.
        into : float32 array
            Receives them.
        player : int, optional
            Leave the other one's entries as they are in ``into``.

        Returns
        -------
        float32 array, shape (task's entries,)
            The beginning of ``into``.
        """
        place = self._places[where.start, where.stop]
        unpack_entries(
            self.passes.game,
            place.part,
            place.starts,
            (player != 1, player != 0),
            packed.number[place.entries],
            packed.exponent[place.sets],
            into,
            self._buffers.scale,
        )
        return into[: where.stop - where.start]

    def _pack(self, entries: Floats, where: slice, packed: Packed, player: int, seed: int) -> None:
        place = self._places[where.start, where.stop]
        pack_entries(
            self.passes.game,
            place.part,
            place.starts,
            player,
            entries,
            packed.number[place.entries],
            packed.exponent[place.sets],
            (seed + where.start * int(STRIDE)) % (1 << 32),
            self._buffers.scale,
        )
