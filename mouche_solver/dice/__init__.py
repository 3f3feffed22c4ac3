"""Dice Mouche: rules, referee, odds and the exact two-player round."""

from importlib import import_module
from typing import Any

_HOME = {
    "DiceRules": "rules",
    "Claim": "rules",
    "all_claims": "claims",
    "can_raise": "claims",
    "legal_claims": "claims",
    "claim_probability": "odds",
    "claim_table": "odds",
    "count_table": "odds",
    "parse_history": "notation",
    "parse_hand": "notation",
    "Round": "referee",
    "roll": "referee",
    "Match": "match_referee",
    "play_match": "match_referee",
    "replay_match": "match_referee",
    "DiceRound": "extensive",
    "solve_lp": "extensive",
    "loser_pays": "payoffs",
    "TableSolver": "table_solve",
    "solve_table": "table_solve",
    "TableSolution": "table_solution",
    "MatchValues": "match",
    "match_values": "match",
}

__all__ = sorted(_HOME)


def __getattr__(name: str) -> Any:
    if name in _HOME:
        return getattr(import_module(f"{__name__}.{_HOME[name]}"), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return __all__
