"""Solve and analyse the two games called Mouche.

The names below load on first use, so that importing the package stays quick.
"""

from importlib import import_module
from typing import Any

__version__ = "0.1.0"

_HOME = {
    "DiceRules": "mouche_solver.dice",
    "CardRules": "mouche_solver.cards",
    "solve_dice": "mouche_solver.analysis",
    "load": "mouche_solver.analysis",
}

__all__ = ["__version__", *sorted(_HOME)]


def __getattr__(name: str) -> Any:
    if name in _HOME:
        return getattr(import_module(_HOME[name]), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted(__all__)
