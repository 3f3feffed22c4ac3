"""Card Mouche as data: decks, rules, what a mouche and a trick are worth."""

from mouche_solver.lazy import attach

_HOME = {"CardRules": "rules"}

__getattr__, __dir__, __all__ = attach(__name__, _HOME)
