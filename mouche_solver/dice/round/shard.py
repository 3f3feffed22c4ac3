"""A shard of a solve: the entries of some tasks, held in this process; and packed strategies.

A :class:`Shard` holds them as a usual solve does, a :class:`CompactShard` in 16 bits.
"""

from bisect import bisect_right
from collections.abc import Callable, Sequence
from functools import cached_property
from itertools import takewhile
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from mouche_solver.dice.round.kernels_solution import pack_region, rounding
from mouche_solver.dice.sweep.arrays import Entries, Floats, Packed
from mouche_solver.dice.sweep.compact import CompactTasks
from mouche_solver.dice.sweep.holders import Order, Plan, Share
from mouche_solver.dice.sweep.passes import RoundPasses, TakeEntries
from mouche_solver.dice.sweep.sweep import Sweep


def packed_entries(sweep: Sweep, fine: bool = False) -> Packed:
    """The average strategies of the entries that a sweep holds.

    Parameters
    ----------
    sweep : Sweep
    fine : bool
        In 32 bits, not in 16.

    Returns
    -------
    uint16 or float32 array, shape (entries held,)
    """
    packed: Packed = np.zeros(len(sweep.average), dtype=np.float32 if fine else np.uint16)
    one = rounding(packed.dtype)
    first, last = sweep.held.start, sweep.held.stop
    for part, where in sweep.passes.parts():
        if first <= where.start and where.stop <= last:
            here = slice(where.start - first, where.stop - first)
            pack_region(
                sweep.passes.game, part, sweep.average[here], sweep.source[here], packed[here], one
            )
    return packed


class Shard:
    """A holder in this process; implements :class:`mouche_solver.dice.sweep.holders.Holder`.

    Parameters
    ----------
    plan : Plan
    share : Share
    threads : int, optional
        All processors by default; the result does not depend on it.

    Attributes
    ----------
    sweep : Sweep
        Holds the entries.
    """

    def __init__(self, plan: Plan, share: Share, threads: int | None) -> None:
        self.share, self.plan, self.threads = share, plan, threads
        self.sweep = Sweep(
            plan.tree, plan.layout, plan.dtype, threads, plan.predictive, share=share
        )
        self._packed: Packed | None = None
        self._value: Floats | None = None

    def state(self) -> dict[str, NDArray[Any]]:
        """Everything that the learning needs, as arrays; not copied."""
        return self.sweep.state()

    def down(self, order: Order, flow: Floats) -> None:
        """Sweep the tasks."""
        packed = order.plays[0] == "packed"
        passes = self._packed_passes if packed else self.sweep.passes
        take: TakeEntries = self._take_packed if packed else self.sweep.take(order)
        self._value = passes.run_rim(order.player, (order.step, order.mode, take), flow)

    def up(self) -> Floats:
        """The values that the pass found."""
        assert self._value is not None  # up() follows down()
        value, self._value = self._value, None
        return value

    def pack(self) -> None:
        """Round the average strategies to 16 bits."""
        self._packed = packed_entries(self.sweep)

    def packed(self, where: slice) -> Packed:
        """Probabilities of a slice of the round's entries, within this share."""
        assert self._packed is not None  # pack() comes first
        first = self.share.entries.start
        return self._packed[where.start - first : where.stop - first]

    @cached_property
    def _packed_passes(self) -> RoundPasses:
        """Solutions are swept in single precision."""
        plan = self.plan
        return RoundPasses(plan.tree, plan.layout, np.float32, self.threads, self.share.tasks)

    def _take_packed(self, where: slice) -> Entries:
        part = self.packed(where).astype(np.float32)
        return Entries(part, part, part, part)


class CompactShard:
    """A holder in this process that keeps 16 bits for a regret or an average.

    Implements :class:`mouche_solver.dice.sweep.holders.Holder`. The packed strategy takes no
    memory: it is worked out of averages and regrets where it is asked for.

    Parameters
    ----------
    plan : Plan
        In single precision, not predictive.
    share : Share
    threads : int, optional
        All processors by default; the result does not depend on it.

    Attributes
    ----------
    tasks : CompactTasks
        Holds the entries.
    """

    def __init__(self, plan: Plan, share: Share, threads: int | None) -> None:
        self.share = share
        self.tasks = CompactTasks(plan, share, threads)
        self._parts = {(where.start, where.stop): part for part, where in self.tasks.passes.parts()}
        self._value: Floats | None = None

    def state(self) -> dict[str, NDArray[Any]]:
        """Everything that the learning needs, as arrays of 16 bits; not copied."""
        found = {}
        for name in ("regret", "average"):
            number, exponent = getattr(self.tasks, name)
            found[f"task_{name}"] = number.view(np.uint16)
            found[f"task_{name}_exponent"] = exponent.view(np.uint16)
        return found

    def down(self, order: Order, flow: Floats) -> None:
        """Sweep the tasks."""
        if order.plays[0] == "packed":
            how = order.step, order.mode, self._take_packed
            self._value = self.tasks.passes.run_rim(order.player, how, flow)
        else:
            self._value = self.tasks.run(order, flow)

    def up(self) -> Floats:
        """The values that the pass found."""
        assert self._value is not None  # up() follows down()
        value, self._value = self._value, None
        return value

    def pack(self) -> None:
        """Nothing: what is packed is worked out where it is asked for."""

    def packed(self, where: slice) -> Packed:
        """Probabilities of a slice of the round's entries, within this share."""
        return join_tasks(where, self.tasks.slices, self._pack_task, np.dtype(np.uint16))

    def _pack_task(self, where: slice) -> Packed:
        tasks, size = self.tasks, where.stop - where.start
        packed = np.empty(size, dtype=np.uint16)
        average = tasks.unpack(tasks.average, where, np.empty(size, dtype=np.float32))
        regret = tasks.unpack(tasks.regret, where, np.empty(size, dtype=np.float32))
        one = rounding(packed.dtype)
        pack_region(tasks.passes.game, tasks.part(where), average, regret, packed, one)
        return packed

    def _take_packed(self, where: slice) -> Entries:
        part = self._pack_task(where).astype(np.float32)
        return Entries(part, part, part, part)


def join_tasks(
    where: slice,
    tasks: Sequence[slice],
    work_out: Callable[[slice], Packed],
    dtype: np.dtype[Any],
) -> Packed:
    """Probabilities of a slice of a round's entries, worked out for the tasks that it touches.

    Parameters
    ----------
    where : slice
        Within the tasks.
    tasks : sequence of slice
        Which entries of the round each task has, in their order.
    work_out : callable
        Gives the probabilities of a task.
    dtype : dtype
        As they come: uint16 or float32.

    Returns
    -------
    uint16 or float32 array, shape (entries,)
    """
    found: Packed = np.empty(where.stop - where.start, dtype=dtype)
    first = bisect_right(tasks, where.start, key=lambda task: task.stop)
    for task in takewhile(lambda task: task.start < where.stop, tasks[first:]):
        begin, end = max(task.start, where.start), min(task.stop, where.stop)
        here = work_out(task)[begin - task.start : end - task.start]
        found[begin - where.start : end - where.start] = here
    return found


class HoldsPacked(Protocol):
    """Holds the packed strategies of some tasks."""

    @property
    def share(self) -> Share:
        """Which tasks."""
        ...

    def packed(self, where: slice) -> Packed:
        """Probabilities of a slice of the round's entries, within the share."""
        ...


class HeldStrategy:
    """Probabilities of a whole round, which lie with holders; read where they are asked for.

    Parameters
    ----------
    trunk : uint16 or float32 array
        The trunk's.
    holders : sequence of HoldsPacked
        In the order of their entries, packed.
    """

    def __init__(self, trunk: Packed, holders: Sequence[HoldsPacked]) -> None:
        self._trunk, self._holders = trunk, holders

    @property
    def dtype(self) -> np.dtype[Any]:
        """The trunk's."""
        return self._trunk.dtype

    def __len__(self) -> int:
        return int(self._holders[-1].share.entries.stop)

    @property
    def nbytes(self) -> int:
        """Bytes of all probabilities."""
        return len(self) * self.dtype.itemsize

    def __getitem__(self, where: slice, /) -> Packed:
        first, last, step = where.indices(len(self))
        pieces = [self._trunk[first:last]]
        for holder in self._holders:
            held = holder.share.entries
            begin, end = max(first, held.start), min(last, held.stop)
            if begin < end:
                pieces.append(holder.packed(slice(begin, end)))
        return np.concatenate(pieces)[::step]
