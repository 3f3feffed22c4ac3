"""``mouche dice solve --cluster``: files are those of one process, byte for byte."""

import os
import secrets
import signal
import subprocess
import sys
import time
from contextlib import suppress
from importlib.util import find_spec
from pathlib import Path

import pytest

from mouche_solver.storage.dice.shards import latest_shards

RUN = [sys.executable, "-c", "import sys; from mouche_solver.cli import main; sys.exit(main())"]
# The same, keeping a checkpoint after every iteration.
KEEPING = [
    *RUN[:2],
    "import sys, mouche_solver.core.run as run; run._CHECKPOINT_EVERY = 0.0; "
    "run._CHECKPOINT_SHARE = 1e9; from mouche_solver.cli import main; sys.exit(main())",
]
SOLVE = ["dice", "solve", "--dice", "2,2", "--target", "1e-9"]


def started_with(mark: str) -> set[int]:
    """Processes that inherited a mark in their environment."""
    found = set()
    for path in Path("/proc").glob("[0-9]*/environ"):
        with suppress(OSError):
            if mark.encode() in path.read_bytes():
                found.add(int(path.parent.name))
    return found


def wait_until_gone(mark: str, seconds: float) -> set[int]:
    until = time.monotonic() + seconds
    while (left := started_with(mark)) and time.monotonic() < until:
        time.sleep(0.1)
    return left


@pytest.mark.skipif(find_spec("ray") is None, reason="ray is not installed")
@pytest.mark.skipif(not Path("/proc/self/cmdline").exists(), reason="reads /proc")
def test_a_killed_driver_is_resumed(warmed, tmp_path):
    environment = {k: v for k, v in os.environ.items() if not k.startswith("RAY_")}
    killed, ended = (f"{name}-{secrets.token_hex(8)}" for name in ("killed", "ended"))
    one, many = tmp_path / "one", tmp_path / "many"
    more = ["--iterations", "40"]
    subprocess.run(
        [*RUN, *SOLVE, *more, "--out", str(one)], check=True, capture_output=True, env=environment
    )
    folder = tmp_path / "many.checkpoint"
    driver = subprocess.Popen(
        [*KEEPING, *SOLVE, "--out", str(many), "--cluster", "local:2"],
        env=environment | {"MOUCHE_TEST": killed},
        stderr=subprocess.DEVNULL,
    )
    for _ in range(600):
        time.sleep(0.1)
        if driver.poll() is not None or any(folder.glob("iteration-[2-9]/trunk.safetensors")):
            break
    driver.kill()
    assert driver.wait() == -signal.SIGKILL
    assert 2 <= latest_shards(folder).iteration < 40
    resumed = ["dice", "solve", "--resume", str(folder), "--target", "1e-9", "--out", str(many)]
    wrong = subprocess.run([*RUN, *resumed], capture_output=True, env=environment)
    assert wrong.returncode == 2
    assert b"is a folder of shards: it goes on with --cluster" in wrong.stderr
    done = subprocess.run(
        [*RUN, *resumed, *more, "--cluster", "local:3"],
        capture_output=True,
        env=environment | {"MOUCHE_TEST": ended},
    )
    assert done.returncode == 0, done.stderr
    assert many.read_bytes() == one.read_bytes()
    assert wait_until_gone(ended, 10) == set()
    # Ray's agents outlive a driver that was killed by a while.
    for left in wait_until_gone(killed, 1):
        with suppress(ProcessLookupError):
            os.kill(left, signal.SIGKILL)
    assert wait_until_gone(killed, 5) == set()
