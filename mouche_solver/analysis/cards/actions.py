"""Actions of a strategy added up to declarations, and the cards that each leaves."""

import numpy as np

from mouche_solver.cards.strategy.answers import Floats, Ints
from mouche_solver.cards.strategy.strategy import CardStrategy


def declaration_names(strategy: CardStrategy) -> list[str]:
    """``pass``, ``stand``, ``exchange1``, ..."""
    most = strategy.rules.max_exchange
    return ["pass", "stand", *(f"exchange{k}" for k in range(1, most + 1))]


def by_declaration(strategy: CardStrategy, chances: Floats) -> Floats:
    """Chances of actions added up to those of declarations; shape (hands, declarations)."""
    mixed: Floats = np.zeros((len(chances), len(declaration_names(strategy))))
    for action, column in enumerate(declaration_columns(strategy)):
        mixed[:, column] += chances[:, action]
    return mixed


def declaration_columns(strategy: CardStrategy) -> Ints:
    """For each action its place among :func:`declaration_names`."""
    sizes = np.array([size for size, _, _ in strategy.abstraction.actions], np.int64)
    columns: Ints = np.where(np.arange(len(sizes)) == 0, 0, sizes + 1)
    return columns
