"""How the rooms hang together: no import circle anywhere, kernels only beside kernels.

Every import counts, also one inside a function or under ``TYPE_CHECKING``: a module that needs
another to be understood depends on it, whenever it is loaded.
"""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

import mouche_solver

ROOT = Path(mouche_solver.__file__).parent
NAME = "mouche_solver"
PURE = ("cards", "dice")  # games whose kernels are walled off
ALLOWED = {f"{NAME}.core.jit", f"{NAME}.core.random", "typing", "collections.abc"}
# The records that kernels take, in modules that import nothing but numpy.
RECORDS = {f"{NAME}.dice.{room}" for room in ("sweep.arrays", "sample.arrays")}


def module_name(path: Path) -> str:
    parts = (NAME, *path.relative_to(ROOT).with_suffix("").parts)
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


MODULES = {module_name(path): path for path in sorted(ROOT.rglob("*.py"))}


def imports(module: str) -> set[str]:
    """Everything that a module imports, its own package's modules by their full names."""
    found: set[str] = set()
    for node in ast.walk(ast.parse(MODULES[module].read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            found |= {name.name for name in node.names}
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{module} has a relative import"
            source = str(node.module)
            inner = {f"{source}.{name.name}" for name in node.names} & MODULES.keys()
            if len(inner) < len(node.names):
                found.add(source)
            found |= inner
    return found - {module}


def room_of(module: str) -> str:
    """The room below the package, such as ``cards``."""
    return module.split(".")[1] if "." in module else ""


GRAPH = {module: imports(module) for module in MODULES}


def circles(graph: dict[str, set[str]]) -> Iterator[list[str]]:
    """The strongly connected parts of more than one module (Tarjan 1972)."""
    order: dict[str, int] = {}
    low: dict[str, int] = {}
    stack: list[str] = []

    def visit(module: str) -> Iterator[list[str]]:
        order[module] = low[module] = len(order)
        stack.append(module)
        for other in sorted(graph[module] & graph.keys()):
            if other not in order:
                yield from visit(other)
                low[module] = min(low[module], low[other])
            elif other in stack:
                low[module] = min(low[module], order[other])
        if low[module] == order[module]:
            part = stack[stack.index(module) :]
            del stack[-len(part) :]
            if len(part) > 1:
                yield sorted(part)

    for module in graph:
        if module not in order:
            yield from visit(module)


def test_a_circle_is_found() -> None:
    graph = {"a": {"b"}, "b": {"c"}, "c": {"b"}, "d": {"a", "numpy"}}
    assert list(circles(graph)) == [["b", "c"]]


def test_no_modules_import_each_other_in_a_circle() -> None:
    found = list(circles(GRAPH))
    assert found == []


def is_kernel(module: str) -> bool:
    """A module of a kernels' room, a kernel beside its caller, or the records of kernels."""
    return module in RECORDS or any(part.startswith("kernels") for part in module.split("."))


@pytest.mark.parametrize("module", [m for m in MODULES if is_kernel(m) and room_of(m) in PURE])
def test_kernels_import_nothing_but_kernels(module: str) -> None:
    others = {m for m in GRAPH[module] - ALLOWED if not (m.startswith(NAME) and is_kernel(m))}
    assert {m for m in others if m.split(".")[0] not in ("numpy", "numba")} == set()


@pytest.mark.parametrize("game", PURE)
def test_nobody_outside_a_game_imports_its_kernels(game: str) -> None:
    room = f"{NAME}.{game}"
    kernels = {m for m in MODULES if m.startswith(f"{room}.") and is_kernel(m)} - RECORDS
    outside = {m for m in MODULES if not m.startswith((f"{room}.", "tests"))}
    assert {m: found for m in outside if (found := GRAPH[m] & kernels)} == {}


@pytest.mark.parametrize("module", [name for name in MODULES if ".kernels" in name])
def test_a_kernel_takes_ten_parameters_at_most(module: str) -> None:
    for node in ast.walk(ast.parse(MODULES[module].read_text(encoding="utf-8"))):
        if isinstance(node, ast.FunctionDef):
            assert len(node.args.args) <= 10, f"{module}.{node.name}"
