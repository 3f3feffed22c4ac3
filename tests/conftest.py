"""What all tests share: they and their children hear signals, and leave the user's cache alone."""

import os
import signal
from collections.abc import Iterator

import pytest


@pytest.fixture(scope="session", autouse=True)
def _cache_of_its_own(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Rounds that tests solve on the spot are kept in a folder of this run."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(os.environ, "XDG_CACHE_HOME", str(tmp_path_factory.mktemp("cache")))
        yield


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
