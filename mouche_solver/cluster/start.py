"""Where the holders of a solve go, and what is refused before anything is allocated."""

from collections.abc import Sequence
from dataclasses import dataclass
from types import TracebackType
from typing import Self

from mouche_solver.cluster.holder import Build, HolderLost, RayHolder
from mouche_solver.cluster.place import Place
from mouche_solver.cluster.warm import warmed
from mouche_solver.core.checks import check_threads
from mouche_solver.core.chunks import default_threads
from mouche_solver.core.memory import available_memory, human
from mouche_solver.dice.sweep.holders import Plan, Share, shares
from mouche_solver.errors import ClusterError, TooLargeError

# Interpreter, compiler, templates and vectors of a process; measured, rounded up.
OVERHEAD = 400_000_000
# Least that Ray takes for the arrays that pass between processes.
_LEAST_STORE = 100_000_000


@dataclass(frozen=True)
class Room:
    """What one holder may have: threads, and bytes of memory (None: unknown)."""

    threads: int
    memory: int | None


class Cluster:
    """Ray while it is entered as a context, and the holders that were started there.

    Parameters
    ----------
    place : str
        ``local:N``, ``auto`` or ``ray://host:port``.
    threads : int, optional
        Of each holder; by default the processors of its machine, shared among holders there.

    Raises
    ------
    UsageError
        For another place, or without Ray.
    ClusterError
        When no cluster answers.
    """

    def __init__(self, place: str, threads: int | None = None) -> None:
        self._place = Place(place)
        self._threads = None if threads is None else check_threads(threads)
        self.holders: list[RayHolder] = []

    def __enter__(self) -> Self:
        # Ray of this machine is started when it is known how much passes between processes.
        self._place.connect()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        for holder in self.holders:
            holder.kill()
        self._place.close()

    def hold(self, plan: Plan) -> Sequence[RayHolder]:
        """Start the holders of a solve.

        Raises
        ------
        TooLargeError
            When a holder or the driver needs more memory than there is; before anything is
            allocated.
        ClusterError
            When there is no room, or a holder dies at once.
        """
        rooms = self._rooms(plan)
        cut = shares(plan.layout, len(rooms))
        refuse_if_too_small(plan, cut, rooms[: len(cut)])
        try:
            with warmed(plan.dtype):
                self._start(plan, cut, rooms)
        except HolderLost as lost:
            raise ClusterError(
                f"holder {lost.holder.number} died while it started: {lost}"
            ) from None
        return self.holders

    def _start(self, plan: Plan, cut: Sequence[Share], rooms: Sequence[Room]) -> None:
        many = self._place.many
        if many is not None:
            store = max(_LEAST_STORE, 3 * _rim_bytes(plan))
            self._place.start_here(rooms[0].threads * len(cut), store)
        for number, (share, room) in enumerate(zip(cut, rooms, strict=False)):
            build = Build(
                plan.tree.rules,
                plan.algorithm,
                share,
                room.threads,
                plan.bytes_of(share.size) + OVERHEAD,
                reserved=many is None,
            )
            self.holders.append(RayHolder(self._place.ray, number, build))
            self.holders[-1].start()
        for holder in self.holders:
            holder.ready()

    def _rooms(self, plan: Plan) -> list[Room]:
        """A room for each holder: equal ones on this machine, one per machine of a cluster."""
        many = self._place.many
        if many is not None:
            free = available_memory()
            each = None
            if free is not None:
                each = max(0, free - driver_bytes(plan)) // many
            return [Room(self._threads or max(1, default_threads() // many), each)] * many
        return [
            Room(self._threads or machine.processors, machine.memory)
            for machine in self._place.machines()
        ]


def _rim_bytes(plan: Plan) -> int:
    """Most that passes between processes at one time: flow down and values up, generously."""
    trunk = plan.layout.trunk
    numbers = 0 if trunk is None else int(trunk.vector_size.sum())
    return numbers * plan.dtype.itemsize


def driver_bytes(plan: Plan) -> int:
    """Memory of the driver: the trunk's entries, its vectors, and what passes through.

    Parameters
    ----------
    plan : Plan

    Returns
    -------
    int
    """
    trunk = plan.layout.trunk
    entries = 0 if trunk is None else trunk.entries
    # Vectors of learning and of measuring in 16 bits, and what is on its way to and from holders.
    return plan.bytes_of(entries) + 4 * _rim_bytes(plan) + OVERHEAD


def refuse_if_too_small(plan: Plan, cut: Sequence[Share], rooms: Sequence[Room]) -> None:
    """Refuse what does not fit, with the number of holders that would do.

    Parameters
    ----------
    plan : Plan
    cut : sequence of Share
    rooms : sequence of Room
        One for each share.

    Raises
    ------
    TooLargeError
    """
    rules = plan.tree.rules
    what = f"dice={rules.dice}, faces={rules.faces}, {rules.raise_rule}"
    here = available_memory()
    if here is not None and driver_bytes(plan) > here:
        raise TooLargeError(
            f"{what}: the driver needs {human(driver_bytes(plan))} of memory for the trunk, "
            f"{human(here)} are free"
        )
    need = max(plan.bytes_of(share.size) for share in cut) + OVERHEAD
    known = [room.memory for room in rooms if room.memory is not None]
    if not known or need <= min(known):
        return
    room = min(known)
    many = holders_needed(plan, room)
    advice = (
        f"{many} holders with as much would do"
        if many is not None
        else "no number of holders with as much would do"
    )
    raise TooLargeError(
        f"{what} needs {human(need)} of memory for each of {len(cut)} holders, {human(room)} are "
        f"free for each; {advice}"
    )


def holders_needed(plan: Plan, room: int) -> int | None:
    """How many holders with so many bytes of memory a solve needs.

    Parameters
    ----------
    plan : Plan
    room : int

    Returns
    -------
    int or None
        None when even one task does not fit.
    """
    free = room - OVERHEAD
    largest = max(task.entries for task in plan.layout.tasks)
    if plan.bytes_of(largest) > free:
        return None
    many = max(1, plan.bytes_of(plan.layout.entries) // free)
    while max(plan.bytes_of(share.size) for share in shares(plan.layout, many)) > free:
        many += 1 + many // 50
    return many
