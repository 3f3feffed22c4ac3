"""Tests and their children hear signals, wherever the tests were started."""

import signal
from collections.abc import Iterator

import pytest


@pytest.fixture(scope="session", autouse=True)
def _signals_are_heard() -> Iterator[None]:
    """What a shell runs in the background ignores SIGINT, what nohup runs SIGHUP: children too."""
    usual = {
        signal.SIGINT: signal.default_int_handler,
        signal.SIGTERM: signal.SIG_DFL,
        signal.SIGHUP: signal.SIG_DFL,
    }
    ignored = [each for each in usual if signal.getsignal(each) == signal.SIG_IGN]
    for each in ignored:
        signal.signal(each, usual[each])
    yield
    for each in ignored:
        signal.signal(each, signal.SIG_IGN)
