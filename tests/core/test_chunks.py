"""Threads that work on chunks: the same results for any number, also where none can be started."""

import threading
import time

import pytest

from mouche_solver.core.chunks import Workers, default_threads
from mouche_solver.errors import RulesError


@pytest.mark.parametrize("threads", [1, 2, 7, None])
def test_results_come_in_the_order_of_the_chunks(threads: int | None) -> None:
    def job(number: int) -> int:
        time.sleep(0.002 * (5 - number))
        return number**2

    with Workers(threads) as workers:
        assert workers.map(job, range(5)) == [0, 1, 4, 9, 16]
        assert list(workers.each(lambda a, b: a - b, [5, 6], [1, 2])) == [4, 4]


@pytest.mark.parametrize("threads", [0, -1, 10**9, 1.5, "2", pytest.param(10**5000, id="long")])
def test_other_numbers_of_threads_are_refused_in_one_line(threads: object) -> None:
    with pytest.raises(RulesError, match=r"threads=.*: at least 1 is needed, at most 1024"):
        Workers(threads)  # type: ignore[arg-type]


@pytest.mark.parametrize("most", [0, 1, 3])
def test_fewer_threads_than_asked_for_do_the_work(
    monkeypatch: pytest.MonkeyPatch, most: int
) -> None:
    """A user's or a container's limit: Thread.start raises RuntimeError."""
    start, lock, running = threading.Thread.start, threading.Lock(), [0]

    def limited(thread: threading.Thread) -> None:
        with lock:
            if running[0] >= most:
                raise RuntimeError("can't start new thread")
            running[0] += 1
        start(thread)

    run = threading.Thread.run

    def counted(thread: threading.Thread) -> None:
        run(thread)
        with lock:
            running[0] -= 1

    monkeypatch.setattr(threading.Thread, "start", limited)
    monkeypatch.setattr(threading.Thread, "run", counted)
    with Workers(8) as workers:
        assert workers.map(lambda n: n + 1, range(20)) == list(range(1, 21))


@pytest.mark.parametrize("threads", [1, 2])
def test_an_error_drops_what_has_not_begun(threads: int) -> None:
    begun = []

    def job(number: int) -> None:
        begun.append(number)
        if number == 0:
            raise ValueError("zero")
        time.sleep(0.005)

    with Workers(threads) as workers, pytest.raises(ValueError, match="zero"):
        workers.map(job, range(1000))
    assert len(begun) < 500


def test_closed_workers_start_again() -> None:
    workers = Workers(2)
    assert workers.map(abs, [-1]) == [1]
    workers.close()
    assert workers.map(abs, [-2]) == [2]
    workers.close()


def test_the_default_is_at_least_one() -> None:
    assert default_threads() >= 1
