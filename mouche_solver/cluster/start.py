"""Where the holders of a solve go: Ray on this machine, or a cluster that runs already."""

import os
import re
import secrets
import signal
import socket
import sys
import threading
from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from types import TracebackType
from typing import Any, Self

from mouche_solver.cluster.holder import Build, HolderLost, RayHolder
from mouche_solver.cluster.warm import warmed
from mouche_solver.core.checks import check_threads
from mouche_solver.core.chunks import default_threads
from mouche_solver.core.memory import available_memory, human
from mouche_solver.dice.sweep.holders import Plan, Share, shares
from mouche_solver.errors import ClusterError, TooLargeError, UsageError

# Interpreter, compiler, templates and vectors of a process; measured, rounded up.
OVERHEAD = 400_000_000
# Least that Ray takes for the arrays that pass between processes.
_LEAST_STORE = 100_000_000
_MOST_HOLDERS = 1024
# Seconds to wait for a cluster to accept a connection.
_KNOCK = 10.0


@dataclass(frozen=True)
class Room:
    """What one holder may have: threads, and bytes of memory (None: unknown)."""

    threads: int
    memory: int | None


def read_place(text: str) -> int | None:
    """The holders of ``local:N``; None for ``auto`` and ``ray://host:port``.

    Raises
    ------
    UsageError
        For anything else.

    Examples
    --------
    >>> read_place("local:4"), read_place("auto")
    (4, None)
    """
    if text == "auto" or (text.startswith("ray://") and len(text) > len("ray://")):
        return None
    kind, _, number = text.partition(":")
    many = int(number) if kind == "local" and re.fullmatch("[0-9]{1,4}", number) else 0
    if 1 <= many <= _MOST_HOLDERS:
        return many
    raise UsageError(
        f"--cluster {text}: allowed are local:N with 1 to {_MOST_HOLDERS} holders on this machine, "
        f"auto for the cluster that this machine belongs to, and ray://host:port"
    )


def import_ray() -> Any:
    """Ray, with tokens on.

    Raises
    ------
    UsageError
        When it is not installed.
    ClusterError
        When it was imported with tokens off.
    """
    # Ray runs whatever it is sent: never without tokens. It reads this when it is imported.
    if "ray._raylet" in sys.modules and os.environ.get("RAY_AUTH_MODE") != "token":
        raise ClusterError(
            "ray was imported without tokens: set RAY_AUTH_MODE=token before anything imports it"
        )
    os.environ["RAY_AUTH_MODE"] = "token"
    os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")
    try:
        import ray
    except ImportError:
        raise UsageError("--cluster needs ray: pip install 'mouche-solver[cluster]'") from None
    return ray


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
        self.place, self._many = place, read_place(place)
        self._threads = None if threads is None else check_threads(threads)
        self._ray = import_ray()
        self._stack = ExitStack()
        self.holders: list[RayHolder] = []

    def __enter__(self) -> Self:
        if self._many is not None:
            return self  # started when it is known how much passes between processes
        self._knock()
        self._connect(address=self.place)
        return self

    def _knock(self) -> None:
        """Whether anybody listens there: Ray itself would try for many minutes."""
        address = self.place
        if address == "auto":
            address = os.environ.get("RAY_ADDRESS", "")
        found = re.fullmatch(r"(?:ray://)?\[?(.+?)\]?:([0-9]{1,5})", address)
        if found is None:
            return  # Ray looks for a cluster on this machine, and says at once if there is none
        try:
            socket.create_connection((found[1], int(found[2])), _KNOCK).close()
        except (OSError, OverflowError) as error:
            raise ClusterError(
                f"--cluster {self.place}: nobody answers at {address}: {error}"
            ) from None

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        for holder in self.holders:
            holder.kill()
        self._stack.close()

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
        if self._many is not None:
            self._start_here(plan, rooms[0].threads * len(cut))
        for number, (share, room) in enumerate(zip(cut, rooms, strict=False)):
            build = Build(
                plan.tree.rules,
                plan.algorithm,
                share,
                room.threads,
                plan.bytes_of(share.size) + OVERHEAD,
                reserved=self._many is None,
            )
            self.holders.append(RayHolder(self._ray, number, build))
            self.holders[-1].start()
        for holder in self.holders:
            holder.ready()

    def _rooms(self, plan: Plan) -> list[Room]:
        """A room for each holder: equal ones on this machine, one per machine of a cluster."""
        if self._many is not None:
            free = available_memory()
            each = None
            if free is not None:
                each = max(0, free - driver_bytes(plan)) // self._many
            return [
                Room(self._threads or max(1, default_threads() // self._many), each)
            ] * self._many
        found = []
        for node in self._ray.nodes():
            has = node["Resources"]
            if node["Alive"] and has.get("CPU"):
                memory = int(has["memory"]) if "memory" in has else None
                found.append(Room(self._threads or max(1, int(has["CPU"])), memory))
        if not found:
            raise ClusterError(f"{self.place}: no machine of this cluster has processors to give")
        return found

    def _start_here(self, plan: Plan, processors: int) -> None:
        """Start Ray on this machine, for this process and its children alone."""
        if not self._ray.is_initialized():
            # A token that no file holds: nobody else can talk to these processes.
            os.environ.setdefault("RAY_AUTH_TOKEN", secrets.token_hex(32))
            self._connect(
                address="local",
                num_cpus=processors,
                include_dashboard=False,
                object_store_memory=max(_LEAST_STORE, 3 * _rim_bytes(plan)),
            )

    def _connect(self, **how: Any) -> None:
        if self._ray.is_initialized():
            return  # whoever started it ends it
        heard = {}
        if threading.current_thread() is threading.main_thread():
            heard = {each: signal.getsignal(each) for each in (signal.SIGINT, signal.SIGTERM)}
        try:
            self._ray.init(**how, log_to_driver=False, logging_level="ERROR")
        except (ConnectionError, RuntimeError, OSError, ValueError) as error:
            reason = " ".join(str(error).split())[:300]
            raise ClusterError(f"--cluster {self.place}: no cluster answers: {reason}") from None
        except self._ray.exceptions.AuthenticationError as error:
            reason = " ".join(str(error).split())[:300]
            raise ClusterError(f"--cluster {self.place} refuses the token: {reason}") from None
        finally:
            for each, handler in heard.items():
                signal.signal(each, handler)  # Ray puts handlers of its own there
        self._stack.callback(self._ray.shutdown)


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
