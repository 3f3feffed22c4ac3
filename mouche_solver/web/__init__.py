"""The table to play at: a local web app and its JSON API."""

from mouche_solver.lazy import attach

_HOME = {"build": "app", "Settings": "app"}

__getattr__, __dir__, __all__ = attach(__name__, _HOME)
