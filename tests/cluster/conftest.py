"""One Ray of this machine for all tests of a session; none where Ray is not installed."""

import os
import secrets
import signal
import subprocess
import sys
from collections.abc import Iterator
from importlib.util import find_spec
from types import ModuleType

import pytest

from mouche_solver.cluster.place import import_ray


@pytest.fixture(scope="session")
def warmed() -> None:
    """The disk cache holds every kernel: processes that compile round differently."""
    subprocess.run([sys.executable, "-m", "mouche_solver.cluster.warm", "float64"], check=True)


@pytest.fixture(scope="session")
def ray(warmed: None) -> Iterator[ModuleType]:
    if find_spec("ray") is None:
        pytest.skip("ray is not installed")
    heard = signal.getsignal(signal.SIGTERM)
    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(os.environ, "RAY_AUTH_MODE", "token")
        patch.setitem(os.environ, "RAY_AUTH_TOKEN", secrets.token_hex(32))
        patch.setitem(os.environ, "RAY_USAGE_STATS_ENABLED", "0")
        ray = import_ray()
        ray.init(
            address="local",
            num_cpus=4,
            include_dashboard=False,
            object_store_memory=100_000_000,
            log_to_driver=False,
            logging_level="ERROR",
        )
        signal.signal(signal.SIGTERM, heard)
        yield ray
        ray.shutdown()
