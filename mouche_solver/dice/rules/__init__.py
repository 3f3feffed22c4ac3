"""Dice Mouche as data, its notation and its referee."""

from mouche_solver.lazy import attach

_HOME = {"Claim": "rules", "DiceRules": "rules"}

__getattr__, __dir__, __all__ = attach(__name__, _HOME)
