"""Card Mouche: rules, referee, deals, odds, small exact games."""

from importlib import import_module
from typing import Any

_HOME = {
    "CardRules": "rules",
    "Pack": "cards",
    "cards_of": "cards",
    "mask_of": "cards",
}

__all__ = sorted(_HOME)


def __getattr__(name: str) -> Any:
    if name in _HOME:
        return getattr(import_module(f"{__name__}.{_HOME[name]}"), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return __all__
