"""Tables and charts for notebooks."""

from importlib import import_module
from typing import Any

_HOME = {
    "DiceFrames": "dice_frames",
    "DiceSolution": "dice_frames",
    "load": "dice_frames",
    "solve_dice": "dice_frames",
}

__all__ = sorted(_HOME)


def __getattr__(name: str) -> Any:
    if name in _HOME:
        return getattr(import_module(f"{__name__}.{_HOME[name]}"), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return __all__
