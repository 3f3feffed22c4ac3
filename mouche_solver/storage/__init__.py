"""Files: solutions, checkpoints, tables, rules."""

from mouche_solver.lazy import attach

_HOME = {
    "save_solution": "solutions",
    "load_solution": "solutions",
    "save_checkpoint": "checkpoints",
    "load_checkpoint": "checkpoints",
    "resume": "checkpoints",
    "save_sampled": "sampled",
    "load_sampled": "sampled",
    "embedded_table": "sampled",
    "save_strategy": "card_strategies",
    "load_strategy": "card_strategies",
}

__getattr__, __dir__, __all__ = attach(__name__, _HOME)
