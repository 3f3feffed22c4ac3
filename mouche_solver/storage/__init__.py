"""Files: solutions, checkpoints, tables, rules."""

from mouche_solver.lazy import attach

_HOME = {
    "save_solution": "dice.solutions",
    "load_solution": "dice.solutions",
    "save_checkpoint": "dice.checkpoints",
    "load_checkpoint": "dice.checkpoints",
    "resume": "dice.checkpoints",
    "save_sampled": "dice.sampled",
    "load_sampled": "dice.sampled",
    "embedded_table": "dice.sampled",
    "save_strategy": "cards.strategies",
    "load_strategy": "cards.strategies",
}

__getattr__, __dir__, __all__ = attach(__name__, _HOME)
