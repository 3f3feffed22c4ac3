"""Solve and analyse the two games called Mouche.

The names below load on first use, so that importing the package stays quick.
"""

from mouche_solver.lazy import attach

__version__ = "0.1.0"

_HOME = {
    "DiceRules": "dice",
    "CardRules": "cards",
    "solve_dice": "solutions",
    "solve_cards": "solutions",
    "load": "solutions",
}

__getattr__, __dir__, __all__ = attach(__name__, _HOME, ("__version__",))
