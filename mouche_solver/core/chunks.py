"""Who works on chunks: threads here, or processes elsewhere; results do not depend on them."""

import os
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import AbstractContextManager, nullcontext
from functools import cached_property
from threading import Event
from types import TracebackType
from typing import Any, Protocol, Self, TypeVar

from mouche_solver.core.checks import check_threads, shown, whole
from mouche_solver.errors import RulesError

T = TypeVar("T")

# Of one measurement: more would take days, and a list of its chunks more memory than there is.
MOST_DEALS = 10**10


def default_threads() -> int:
    """One thread per processor that this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def chunk_count(deals: int, size: int, most: int = MOST_DEALS) -> int:
    """Chunks of ``size`` that hold so many deals.

    Raises
    ------
    RulesError
        For anything but a whole number from 1 to ``most``.

    Examples
    --------
    >>> chunk_count(4097, 4096)
    2
    """
    deals = whole("deals", deals)
    if not 1 <= deals <= most:
        raise RulesError(f"deals={shown(deals)}: allowed are 1 to {most:,}")
    return -(-deals // size)


class Crew(Protocol):
    """Who works on chunks: :class:`Workers`, or processes that a caller has started.

    Processes are sent the job: an instance of a class of a module, whose attributes stay as they
    are and whose results hold all that it finds.
    """

    def map(self, job: Callable[..., T], *chunks: Iterable[Any]) -> list[T]:
        """The results of all chunks, in the chunks' order."""
        ...

    def each(self, job: Callable[..., T], *chunks: Iterable[Any]) -> Iterator[T]:
        """Work on all chunks and give each result when its turn has come."""
        ...


def crew_of(threads: int | Crew | None) -> AbstractContextManager[Crew]:
    """So many threads while it is entered; a crew is left to whoever started it.

    Parameters
    ----------
    threads : int or Crew, optional
        All processors by default.

    Raises
    ------
    RulesError
        For another number of threads than 1 to 1024.

    Examples
    --------
    >>> with crew_of(2) as crew:
    ...     crew.map(abs, [-1, -2])
    [1, 2]
    """
    each = getattr(threads, "each", None)
    return Workers(threads) if each is None else nullcontext(threads)  # type: ignore[arg-type]


class Workers:
    """Threads that last, for kernels that release the GIL.

    The threads start with the first chunks; where the system starts fewer, those do the work. One
    thread is the caller's own.

    Parameters
    ----------
    threads : int, optional
        1 to 1024; all processors by default.
    name : str
        What debuggers call the threads.

    Raises
    ------
    RulesError
        For another number of threads.

    Examples
    --------
    >>> with Workers(2) as workers:
    ...     workers.map(lambda number: number**2, range(5))
    [0, 1, 4, 9, 16]
    """

    def __init__(self, threads: int | None = None, name: str = "mouche") -> None:
        self.threads = default_threads() if threads is None else check_threads(threads)
        self._name = name

    def map(self, job: Callable[..., T], *chunks: Iterable[Any]) -> list[T]:
        """The results of all chunks, in the chunks' order; see :meth:`each`."""
        return list(self.each(job, *chunks))

    def each(self, job: Callable[..., T], *chunks: Iterable[Any]) -> Iterator[T]:
        """Work on all chunks and give each result when its turn has come.

        An error or Ctrl-C in the caller drops the chunks that have not begun.
        """
        pool = self._pool
        if pool is None:
            yield from map(job, *chunks)
            return
        futures: list[Future[T]] = []
        try:
            futures += [pool.submit(job, *chunk) for chunk in zip(*chunks, strict=False)]
            for future in futures:
                yield future.result()
        except BaseException:
            for future in futures:
                future.cancel()
            raise

    @cached_property
    def _pool(self) -> ThreadPoolExecutor | None:
        return _started(self.threads, self._name)

    def close(self) -> None:
        """End the threads; running chunks are waited for, others dropped."""
        if self.__dict__.get("_pool") is not None:
            self.__dict__.pop("_pool").shutdown(cancel_futures=True)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()


def _started(threads: int, name: str) -> ThreadPoolExecutor | None:
    """A pool whose threads all run; None where the caller's own thread is the only one."""
    if threads == 1:
        return None
    pool, go, running = ThreadPoolExecutor(threads, name), Event(), 0
    try:
        for _ in range(threads):
            pool.submit(go.wait)
            running += 1
        return pool
    except RuntimeError:  # "can't start new thread": limits of users and containers
        pass
    finally:
        go.set()
    pool.shutdown()
    return _started(max(running, 1), name)
