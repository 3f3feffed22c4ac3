"""Card Mouche: rules, referee, deals, odds, small exact games."""

from importlib import import_module
from typing import Any

_HOME = {
    "HandClasses": "hands",
    "OpenHands": "perfect",
    "sample_deals": "deals",
    "CardRules": "rules",
    "write": "transcript",
    "replay": "transcript",
    "random_game": "simulate",
    "trick_winner": "tricks",
    "legal_cards": "tricks",
    "Game": "game_state",
    "apply": "referee",
    "legal_actions": "referee",
    "start_deal": "table",
    "Deal": "table",
    "Pack": "cards",
    "cards_of": "cards",
    "mask_of": "cards",
    "CardDeal": "extensive",
}

__all__ = sorted(_HOME)


def __getattr__(name: str) -> Any:
    if name in _HOME:
        return getattr(import_module(f"{__name__}.{_HOME[name]}"), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return __all__
