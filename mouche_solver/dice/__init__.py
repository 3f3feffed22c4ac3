"""Dice Mouche: rules, referee, odds and the exact two-player round."""

from importlib import import_module
from typing import Any

_HOME = {
    "DiceRules": "rules",
    "Claim": "rules",
    "all_claims": "claims",
    "can_raise": "claims",
    "legal_claims": "claims",
}

__all__ = sorted(_HOME)  # noqa: PLE0605


def __getattr__(name: str) -> Any:
    if name in _HOME:
        return getattr(import_module(f"{__name__}.{_HOME[name]}"), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return __all__
