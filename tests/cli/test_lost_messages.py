"""Messages on standard error are optional, results are not."""

import shlex
import subprocess
import sys
from pathlib import Path

import pytest

RUN = [sys.executable, "-c", "import sys; from mouche_solver.cli import main; sys.exit(main())"]
SOLVE = "dice solve --dice 1,1 --faces 2 --iterations 3 --target 1e-9 --format json --out"


@pytest.mark.parametrize(
    "lost", ["2>/dev/full", "2>&-", "2> >(exec 0<&-)", "2> >(head -1 >/dev/null)"]
)
def test_a_solve_goes_on_without_standard_error(lost: str, tmp_path: Path) -> None:
    out = tmp_path / "solved"
    line = f"{shlex.join(RUN)} {SOLVE} {shlex.quote(str(out))} {lost}"
    done = subprocess.run(["bash", "-c", line], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("{")
    assert out.stat().st_size > 0


@pytest.mark.parametrize("lost", ["2>/dev/full", "2>&-", "2> >(exec 0<&-; sleep 1)"])
def test_a_refusal_keeps_its_code(lost: str) -> None:
    line = f"{shlex.join(RUN)} dice odds 0x5 {lost}"
    done = subprocess.run(["bash", "-c", line], capture_output=True, text=True)
    assert (done.returncode, done.stdout) == (2, "")
