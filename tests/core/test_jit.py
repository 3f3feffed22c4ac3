"""The disk cache of compiled code saves time and never costs a result."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import mouche_solver
from mouche_solver.core.jit import source_stamp

PACKAGE = Path(mouche_solver.__file__).parent
INNER = "from mouche_solver.core.jit import kernel\n\n@kernel\ndef inner(x):\n    return x + {}\n"
OUTER = (
    "from mouche_solver.core.jit import kernel\n"
    "from mouche_solver.probe.inner import inner\n\n"
    "@kernel\ndef outer(x):\n    return 10 * inner(x)\n"
)
ASK = """
import sys
from mouche_solver.core.jit import before_compiling
from mouche_solver.probe.outer import outer
assert "numba" not in sys.modules
before_compiling(lambda: print("compiling", file=sys.stderr))
print(outer(1), sum(outer.stats.cache_hits.values()))
"""


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    """A package with what a kernel needs, and two kernels of which one calls the other."""
    package = tmp_path / "mouche_solver"
    (package / "core").mkdir(parents=True)
    (package / "probe").mkdir()
    for name in ("__init__.py", "lazy.py", "core/__init__.py", "core/jit.py"):
        shutil.copy(PACKAGE / name, package / name)
    (package / "probe" / "__init__.py").write_text("")
    (package / "probe" / "inner.py").write_text(INNER.format(1))
    (package / "probe" / "outer.py").write_text(OUTER)
    return tmp_path


def ask(folder: Path, **environment: str) -> list[int]:
    """What the outer kernel answers, and how often its cache did; a wait is told of once."""
    env = {**os.environ, "PYTHONPATH": str(folder), **environment}
    env.pop("NUMBA_DISABLE_JIT", None)
    done = subprocess.run(
        [sys.executable, "-c", ASK], cwd=folder, env=env, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    answer, hits = (int(word) for word in done.stdout.split())
    if hits:
        assert done.stderr == ""
    elif "NUMBA_CACHE_DIR" not in environment:
        assert done.stderr == "compiling\n"
    return [answer, hits]


def test_an_edit_of_an_inner_kernel_is_noticed(copy: Path) -> None:
    assert ask(copy) == [20, 0]
    assert ask(copy) == [20, 1]
    (copy / "mouche_solver" / "probe" / "inner.py").write_text(INNER.format(2))
    assert ask(copy) == [30, 0]


@pytest.mark.parametrize("suffix", ["nbi", "nbc"])
@pytest.mark.parametrize("damage", ["cut", "flip"])
def test_a_damaged_cache_is_compiled_again(copy: Path, suffix: str, damage: str) -> None:
    ask(copy)
    for file in copy.rglob(f"*.{suffix}"):
        data = bytearray(file.read_bytes())
        data[len(data) // 2] ^= 1
        file.write_bytes(data[: len(data) // 3] if damage == "cut" else data)
    assert ask(copy)[0] == 20


def test_no_place_for_a_cache(copy: Path) -> None:
    """A file where every folder of a cache would be."""
    blocked = copy / "blocked"
    blocked.write_text("")
    for room in ("core", "probe"):
        (copy / "mouche_solver" / room / "__pycache__").write_text("")
    where = str(blocked / "inside")
    assert ask(copy, NUMBA_CACHE_DIR=where, HOME=where, XDG_CACHE_HOME=where) == [20, 0]


def test_the_stamp_covers_what_is_imported() -> None:
    stamps = {source_stamp(path) for path in (PACKAGE / "cards" / "kernels").glob("*.py")}
    assert len(stamps) > 5
