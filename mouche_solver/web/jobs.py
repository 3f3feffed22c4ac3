"""Work that takes longer than a click: at most a few at once, with progress, and cancelled at will.

A job's task is given ``report``; what it reports is what clients see, and a cancelled job ends at
its next report.
"""

import secrets
import threading
import time
from collections.abc import Callable
from typing import Any

from mouche_solver.errors import MoucheError, UsageError

MOST_JOBS = 2
_KEPT = 32
Task = Callable[[Callable[[Any], None]], Any]


class CancelledError(Exception):
    """The job was cancelled."""


class BusyError(UsageError):
    """As many jobs run as may."""


class Job:
    """One piece of work in a thread of its own."""

    def __init__(self, task: Task) -> None:
        self.name = secrets.token_hex(8)
        self.state = "running"
        self.progress: Any = None
        self.result: Any = None
        self.error = ""
        self.began = time.monotonic()
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._run, args=(task,), daemon=True)

    def start(self) -> None:
        """Begin."""
        self._thread.start()

    def cancel(self) -> None:
        """End at the next report; the state says so at once."""
        self._stop.set()
        if self.state == "running":
            self.state = "cancelled"

    @property
    def alive(self) -> bool:
        """Whether its thread still works."""
        return self._thread.is_alive()

    def to_dict(self) -> dict[str, Any]:
        """What clients see."""
        return {
            "job": self.name,
            "state": self.state,
            "seconds": round(time.monotonic() - self.began, 2),
            "progress": self.progress,
            "result": self.result if self.state == "done" else None,
            "error": self.error,
        }

    def _report(self, what: Any) -> None:
        if self._stop.is_set():
            raise CancelledError
        self.progress = what

    def _run(self, task: Task) -> None:
        state, result = "failed", None
        try:
            result = task(self._report)
            state = "done"
        except CancelledError:
            state = "cancelled"
        except MoucheError as error:
            self.error = str(error)
        except Exception as error:  # a bug: the client must not wait for ever
            self.error = f"internal error: {type(error).__name__}"
            raise
        finally:
            if not self._stop.is_set():
                self.result, self.state = result, state


class Jobs:
    """All jobs of a server."""

    def __init__(self, most: int = MOST_JOBS) -> None:
        self.most = most
        self._jobs: dict[str, Job] = {}
        self._lock = threading.Lock()

    def start(self, task: Task) -> Job:
        """Begin a job.

        Raises
        ------
        BusyError
            When as many run as may.
        """
        with self._lock:
            running = sum(job.alive for job in self._jobs.values())
            if running >= self.most:
                raise BusyError(
                    f"{running} jobs are running, at most {self.most} may: wait or cancel one"
                )
            while len(self._jobs) >= _KEPT:
                old = next((n for n, j in self._jobs.items() if not j.alive), None)
                if old is None:
                    break
                del self._jobs[old]
            job = Job(task)
            self._jobs[job.name] = job
            job.start()
        return job

    def get(self, name: str) -> Job | None:
        """A job by its name."""
        return self._jobs.get(name)

    def end(self) -> None:
        """Cancel all that run."""
        for job in list(self._jobs.values()):
            job.cancel()
