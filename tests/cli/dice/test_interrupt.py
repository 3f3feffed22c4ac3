"""Ctrl-C during a solve, as a real signal to a real process."""

import json
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import IO

import pytest

from mouche_solver.cli.app import main
from mouche_solver.storage import load_checkpoint

RUN = [sys.executable, "-c", "from mouche_solver.cli import main; raise SystemExit(main())"]
SOLVE = ["dice", "solve", "--dice", "1,1", "--faces", "3", "--target", "1e-15"]
ACKNOWLEDGED = "mouche: stopping at the next safe point; Ctrl-C again stops at once\n"


def wait_for(stream: IO[str], wanted: str) -> None:
    for line in stream:
        if line == wanted:
            return
    raise AssertionError(f"the process ended before it said {wanted!r}")


def end(process: subprocess.Popen[str]) -> list[str]:
    try:
        out, err = process.communicate(timeout=60)
    finally:
        process.kill()  # a child that did not hear would be waited for without an end
    assert out == ""
    return err.splitlines(keepends=True)


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_once_writes_a_checkpoint(number: signal.Signals, tmp_path: Path, capsys) -> None:
    out = tmp_path / "solution"
    with subprocess.Popen(
        [*RUN, *SOLVE, "--out", str(out)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as process:
        assert process.stderr is not None
        wait_for(process.stderr, "iterating\n")
        start = time.monotonic()
        process.send_signal(number)
        wait_for(process.stderr, ACKNOWLEDGED)
        heard = time.monotonic() - start
        lines = end(process)
    assert heard < 2
    assert time.monotonic() - start < 5
    assert process.returncode == 130
    state = tmp_path / "solution.checkpoint"
    done = load_checkpoint(state).iteration
    assert list(tmp_path.iterdir()) == [state]
    assert lines[-1] == (
        f"mouche: interrupted after iteration {done}; go on with: mouche dice solve "
        f"--resume {state} --out {out} --target 1e-15\n"
    )
    words = lines[-1].split("go on with: mouche ")[1].split()
    code = main([*words, "--iterations", str(done + 3), "--format", "json"])
    assert (code, json.loads(capsys.readouterr().out)["iterations"]) == (0, done + 3)


def test_without_a_file_nothing_is_kept() -> None:
    with subprocess.Popen(
        [*RUN, *SOLVE], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as process:
        assert process.stderr is not None
        wait_for(process.stderr, "iterating\n")
        process.send_signal(signal.SIGINT)
        lines = end(process)
    assert process.returncode == 130
    assert lines[-1].endswith("; nothing was kept: --out keeps the solution and checkpoints\n")


# Iterations of a minute, as in a large solve: the second Ctrl-C must not wait for them.
SLOW = """
import time
from mouche_solver.cli import main
from mouche_solver.dice.round.solve import RoundSolver
def iterate(self):
    self.done += 1
    if self.done > 3:
        print("slow", flush=True)
        time.sleep(60)
RoundSolver.iterate = iterate
raise SystemExit(main())
"""


def test_twice_leaves_the_last_complete_checkpoint(tmp_path: Path, capsys) -> None:
    out, state = tmp_path / "solution", tmp_path / "solution.checkpoint"
    assert main([*SOLVE, "--iterations", "2", "--out", str(out)]) == 0
    capsys.readouterr()
    before = state.read_bytes()
    words = ["dice", "solve", "--resume", str(state), "--out", str(out), "--target", "1e-15"]
    with subprocess.Popen(
        [sys.executable, "-c", SLOW, *words],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        assert process.stdout.readline() == "slow\n"
        start = time.monotonic()
        process.send_signal(signal.SIGINT)
        wait_for(process.stderr, ACKNOWLEDGED)
        process.send_signal(signal.SIGINT)
        lines = end(process)
    assert time.monotonic() - start < 5
    assert process.returncode == 130
    assert lines[-1].startswith("mouche: interrupted after iteration ")
    assert f"--resume {state}" in lines[-1]
    assert state.read_bytes() == before
    assert {f.name for f in tmp_path.iterdir()} == {"solution", "solution.checkpoint"}
