"""Processes that work on chunks in the place of threads; chunks of one that dies are done again."""

from collections import deque
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from types import TracebackType
from typing import Any, Self, TypeVar

from mouche_solver.cluster.parcels import Array, packed, unpacked
from mouche_solver.cluster.place import Place
from mouche_solver.cluster.worker import ChunkActor
from mouche_solver.core.checks import check_threads
from mouche_solver.core.chunks import default_threads
from mouche_solver.core.memory import available_memory
from mouche_solver.errors import ClusterError, MoucheError

T = TypeVar("T")

# Losses without one more chunk in between: something is wrong beyond bad luck.
_MOST_LOSSES = 5
# Bytes for what passes between processes of this machine; Ray writes what goes beyond to disk.
_LEAST_STORE, _MOST_STORE = 100_000_000, 2_000_000_000


@dataclass(eq=False)
class _Worker:
    """A process, its machine and threads, and what it was asked for, by Ray's references."""

    number: int
    threads: int
    node: str | None  # any without it
    actor: Any = None
    asked: dict[Any, "_Chunk"] = field(default_factory=dict)


@dataclass(frozen=True)
class _Chunk:
    """A chunk's place among the others, and what the job is called with."""

    number: int
    args: bytes


class RayCrew:
    """Ray actors that work on chunks; implements :class:`mouche_solver.core.chunks.Crew`.

    They start when it is entered as a context. On a cluster each machine has one, with a thread
    for each of its processors.

    Parameters
    ----------
    place : str
        ``local:N``, ``auto`` or ``ray://host:port``.
    threads : int, optional
        Of each process; by default the processors of its machine, shared among processes there.
    say : callable
        Receives one line for people about every loss.

    Raises
    ------
    UsageError
        For another place, or without Ray.
    ClusterError
        When no cluster answers, or processes die again and again.
    """

    def __init__(
        self,
        place: str,
        threads: int | None = None,
        say: Callable[[str], None] = lambda text: None,
    ) -> None:
        self._place, self._say = Place(place), say
        self._threads = None if threads is None else check_threads(threads)
        self._ray = self._place.ray
        self._workers: list[_Worker] = []
        self._job: Any = None  # the last one that was sent
        self._jobs, self._losses = 0, 0
        self._box: list[Any] = []
        self._arrays: dict[bytes, Any] = {}

    def __enter__(self) -> Self:
        place, rooms = self._place, list[tuple[int, str | None]]()
        try:
            place.connect()
            if place.many is None:
                rooms = [(self._threads or on.processors, on.node) for on in place.machines()]
            else:
                own = self._threads or max(1, default_threads() // place.many)
                rooms = [(own, None)] * place.many
                place.start_here(own * place.many, _store())
            for number, (threads, node) in enumerate(rooms):
                self._workers.append(_Worker(number, threads, node))
                self._start(self._workers[-1])
        except BaseException:
            self._close()
            raise
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._close()

    def map(self, job: Callable[..., T], *chunks: Iterable[Any]) -> list[T]:
        """The results of all chunks, in the chunks' order; see :meth:`each`."""
        return list(self.each(job, *chunks))

    def each(self, job: Callable[..., T], *chunks: Iterable[Any]) -> Iterator[T]:
        """Work on all chunks and give each result when its turn has come.

        Parameters
        ----------
        job : callable
            Can be pickled. It is sent once for all calls one after the other with the same object,
            so its attributes stay as they are.
        *chunks : iterable
            What it is called with.
        """
        self._send(job)
        waiting = (
            _Chunk(number, packed(args)) for number, args in enumerate(zip(*chunks, strict=False))
        )
        again: deque[_Chunk] = deque()
        found: dict[int, T] = {}
        turn = 0
        try:
            while True:
                self._ask(again, waiting)
                asked = [reference for worker in self._workers for reference in worker.asked]
                if not asked:
                    return
                (reference,), _ = self._ray.wait(asked)
                worker = next(each for each in self._workers if reference in each.asked)
                self._take(worker, reference, found, again)
                while turn in found:
                    yield found.pop(turn)
                    turn += 1
        finally:
            for worker in self._workers:
                worker.asked.clear()  # answers that nobody waits for

    def _ask(self, again: deque[_Chunk], waiting: Iterator[_Chunk]) -> None:
        """Give every worker a chunk for each of its threads, and one in store."""
        for depth in range(1, 2 + max(worker.threads for worker in self._workers)):
            for worker in self._workers:
                if len(worker.asked) < min(depth, worker.threads + 1):
                    chunk = again.popleft() if again else next(waiting, None)
                    if chunk is None:
                        return
                    answer = worker.actor.run.remote(self._jobs, self._box, chunk.args)
                    worker.asked[answer] = chunk

    def _take(
        self, worker: _Worker, reference: Any, found: dict[int, T], again: deque[_Chunk]
    ) -> None:
        """Put an answer where it belongs; a dead worker's chunks go to others, and it is replaced.

        Raises
        ------
        MoucheError
            What the job found wrong.
        ClusterError
            When workers die again and again.
        """
        errors = self._ray.exceptions
        try:
            answer = self._ray.get(reference)
        except errors.RayTaskError as error:
            if isinstance(error.cause, MoucheError):
                raise error.cause from None
            raise
        except errors.AuthenticationError:
            raise
        except errors.RayError as error:
            self._losses += 1
            lost = sorted(worker.asked.values(), key=lambda chunk: chunk.number)
            if self._losses > _MOST_LOSSES:
                raise ClusterError(
                    f"workers died {self._losses} times without one more chunk, the last one with "
                    f"{type(error).__name__}"
                ) from None
            self._say(
                f"mouche: worker {worker.number} died ({type(error).__name__}); its chunks are "
                f"done again"
            )
            again.extendleft(reversed(lost))
            self._start(worker)
            return
        found[worker.asked.pop(reference).number] = unpacked(answer)
        self._losses = 0

    def _start(self, worker: _Worker) -> None:
        """Give it a process, a new one where it had another."""
        from ray.util.scheduling_strategies import NodeAffinitySchedulingStrategy

        self._kill(worker)
        place: Any = "DEFAULT"
        if worker.node is not None and worker.node in {on.node for on in self._place.machines()}:
            # Ray's own spreading puts two workers on one machine, as do its soft affinities.
            place = NodeAffinitySchedulingStrategy(worker.node, soft=False)
        actor = self._ray.remote(ChunkActor).options(
            num_cpus=0,
            scheduling_strategy=place,
            max_restarts=0,  # this crew does it, and gives the chunks to others meanwhile
            max_concurrency=worker.threads,
        )
        worker.actor = actor.remote()

    def _kill(self, worker: _Worker) -> None:
        worker.asked.clear()
        if worker.actor is not None:
            with suppress(self._ray.exceptions.RayError):
                self._ray.kill(worker.actor)
        worker.actor = None

    def _send(self, job: Any) -> None:
        """Put a job where all workers find it, with those of its arrays that are not there yet."""
        if job is self._job:
            return
        known, apart = self._arrays, {}

        def keep(digest: bytes, array: Array) -> None:
            # In a list, a reference is not replaced by the array itself.
            if digest not in apart:
                sent = (array, array.flags.writeable)
                apart[digest] = known.get(digest) or [self._ray.put(sent)]

        parcel = packed(job, keep)
        self._job, self._jobs = job, self._jobs + 1
        self._box = [self._ray.put((parcel, apart))]
        self._arrays = apart  # those of earlier jobs alone may be forgotten

    def _close(self) -> None:
        for worker in self._workers:
            self._kill(worker)
        self._box, self._arrays, self._job = [], {}, None
        self._place.close()


def _store() -> int:
    free = available_memory()
    return _MOST_STORE if free is None else max(_LEAST_STORE, min(_MOST_STORE, free // 8))
