"""Files: solutions, checkpoints, tables, rules."""

from importlib import import_module
from typing import Any

_HOME = {
    "save_solution": "solutions",
    "load_solution": "solutions",
    "save_checkpoint": "checkpoints",
    "load_checkpoint": "checkpoints",
    "resume": "checkpoints",
}

__all__ = sorted(_HOME)


def __getattr__(name: str) -> Any:
    if name in _HOME:
        return getattr(import_module(f"{__name__}.{_HOME[name]}"), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return __all__
