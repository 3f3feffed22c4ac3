"""Ctrl-C, and the signals of a system that shuts down, as requests that a run can follow."""

import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType
from typing import Any

# What ends a program by default: the end of a session, of a terminal.
_ENDS = [getattr(signal, name) for name in ("SIGTERM", "SIGHUP") if hasattr(signal, name)]


Handler = Callable[[int, FrameType | None], Any]


class Interrupt:
    """Whether somebody asked to stop, or insisted; set by a signal in :func:`interruptible`."""

    def __init__(self) -> None:
        self.asked = self.insisted = False


@contextmanager
def interruptible(acknowledge: Callable[[], None]) -> Iterator[Interrupt]:
    """Turn the first Ctrl-C, SIGTERM or SIGHUP into a request to stop at the next safe point.

    It is acknowledged at once. A Ctrl-C after it raises KeyboardInterrupt; more of the others,
    which a closing terminal sends twice, change nothing. Handlers are as before afterwards.
    SIGTERM and SIGHUP that the program handles or ignores are left alone, and so is a handler that
    was not set from Python. Outside the main thread, where signals cannot be caught, nothing
    changes.
    """
    interrupt = Interrupt()

    def handle(number: int, frame: FrameType | None) -> None:
        if not interrupt.asked:
            interrupt.asked = True
            acknowledge()
        elif number == signal.SIGINT:
            interrupt.insisted = True
            raise KeyboardInterrupt

    before = _take_over(handle)
    try:
        yield interrupt
    except Exception:
        if interrupt.insisted:  # a compiler that was struck may turn it into an error of its own
            raise KeyboardInterrupt from None
        raise
    finally:
        _give_back(before)


@contextmanager
def ending_cleanly() -> Iterator[None]:
    """Let SIGTERM and SIGHUP raise KeyboardInterrupt, so that files half-written are removed."""
    before = _take_over(_end, ints=False)
    try:
        yield
    finally:
        _give_back(before)


def _end(number: int, frame: FrameType | None) -> None:
    raise KeyboardInterrupt


def _take_over(handler: Handler, ints: bool = True) -> dict[int, Any]:
    """Set a handler where that can be undone; what was there before."""
    if threading.current_thread() is not threading.main_thread():
        return {}
    numbers = [n for n in _ENDS if signal.getsignal(n) in (signal.SIG_DFL, _end)]
    if ints and signal.getsignal(signal.SIGINT) is not None:
        numbers.append(signal.SIGINT)
    return {number: signal.signal(number, handler) for number in numbers}


def _give_back(before: dict[int, Any]) -> None:
    for number, handler in before.items():
        signal.signal(number, handler)
