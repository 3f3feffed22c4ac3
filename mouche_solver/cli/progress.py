"""Progress of a solve on standard error: a line that changes in a terminal, lines in a log."""

import os
import sys
from contextlib import suppress
from io import UnsupportedOperation
from types import TracebackType
from typing import IO, Self, cast

from rich.console import Console

from mouche_solver.cli.streams import Heedless
from mouche_solver.core.run import Progress

_STOPPING = "mouche: stopping at the next safe point; Ctrl-C again stops at once\n"
# Seconds between lines of a log.
_QUIET = 1.0


class Reporter:
    """Receives a run's events while it is entered as a context.

    Parameters
    ----------
    target : float
        The exploitability that the run is after, named beside the remaining time.
    log : bool
        Whether to write lines where there is no terminal.
    """

    def __init__(self, target: float, log: bool = True) -> None:
        self.target, self.log = target, log
        self.console = Console(file=cast(IO[str], Heedless(sys.stderr)), highlight=False)
        self.status = self.console.status("") if self.console.is_terminal else None
        self.last = -_QUIET

    def __enter__(self) -> Self:
        if self.status is not None:
            self.status.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if self.status is not None:
            self.status.stop()

    def __call__(self, event: Progress) -> None:
        """Show one event of a run."""
        if event.phase == "stopping":
            acknowledge()
            return
        text = self.describe(event)
        if self.status is not None:
            self.status.update(text)
        elif self.log and (event.phase != "measured" or event.seconds - self.last >= _QUIET):
            self.say(text)
            self.last = event.seconds if event.phase == "measured" else self.last

    def say(self, text: str) -> None:
        """One line that stays."""
        self.console.print(text, soft_wrap=True, markup=False)

    def describe(self, event: Progress) -> str:
        """An event in one line."""
        if event.phase != "measured":
            return {
                "compiling": "compiling",
                "iterating": "iterating",
                "checkpoint": f"writing a checkpoint at iteration {event.iteration}",
                "stopping": "stopping",
            }[event.phase]
        parts = [f"iteration {event.iteration}", f"exploitability {event.exploitability:.2e}"]
        if event.slope is not None:
            parts.append(f"trend {event.slope:+.2f}")
        if event.entries_per_second is not None:
            parts.append(f"{event.entries_per_second:.2e} entries/s")
        if event.remaining is not None:
            parts.append(f"{_duration(event.remaining)} to {self.target:g}")
        return ", ".join(parts)


def acknowledge() -> None:
    """Say that Ctrl-C was heard; safe at any moment, even inside another write."""
    with suppress(UnsupportedOperation, OSError, ValueError):
        os.write(sys.stderr.fileno(), _STOPPING.encode())


def _duration(seconds: float) -> str:
    """A time that is left, in a unit that one can picture.

    Examples
    --------
    >>> [_duration(each) for each in (59, 3000, 9000, 1e6, 81_649_440)]
    ['59 s', '50 min', '2.5 h', '12 days', 'more than a year']
    """
    if seconds < 100:
        return f"{seconds:.0f} s"
    if seconds < 360_000:
        return f"{seconds / 60:.0f} min" if seconds < 6000 else f"{seconds / 3600:.1f} h"
    return f"{seconds / 86_400:.0f} days" if seconds < 3e7 else "more than a year"
