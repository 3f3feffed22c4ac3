"""What importing the package costs, and what its lazy names promise."""

import importlib
import pkgutil
import subprocess
import sys

import pytest

import mouche_solver

HEAVY = {
    "numpy",
    "numba",
    "scipy",
    "pandas",
    "matplotlib",
    "pyspiel",
    "pyarrow",
    "rich",
    "cyclopts",
}


def test_importing_the_package_loads_nothing_heavy() -> None:
    code = f"import sys, mouche_solver; print(sorted({HEAVY!r} & set(sys.modules)))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


@pytest.mark.parametrize(
    "room", [m.name for m in pkgutil.iter_modules(mouche_solver.__path__) if m.ispkg]
)
def test_every_public_name_exists(room: str) -> None:
    module = importlib.import_module(f"mouche_solver.{room}")
    for name in getattr(module, "__all__", []):
        assert getattr(module, name) is not None


def test_unknown_names_are_attribute_errors() -> None:
    with pytest.raises(AttributeError, match="no attribute 'nothing'"):
        mouche_solver.nothing  # noqa: B018
