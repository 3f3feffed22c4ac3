"""Strategies with a habit changed, to measure what the habit is worth."""

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from mouche_solver.cards.strategy.strategy import CardStrategy
from mouche_solver.errors import RulesError

STAND, ONE_CARD = 1, 2  # actions


def never_stands(strategy: CardStrategy) -> CardStrategy:
    """The same strategy, but it stands with a dealt mouche only.

    What it would have stood with is played as its other declarations have it, or changes one card
    where it has no others. Sent against the strategy by
    :func:`mouche_solver.cards.challenge`, it tells what standing is worth.

    Parameters
    ----------
    strategy : CardStrategy

    Raises
    ------
    RulesError
        When nothing can be exchanged.

    Examples
    --------
    >>> from mouche_solver.cards import CardRules
    >>> from mouche_solver.storage.cards.strategies import embedded_strategy
    >>> strategy = never_stands(embedded_strategy(CardRules(players=3)))
    >>> pack = strategy.rules.pack
    >>> options = strategy.declaration(pack.hand("KC QC JC KD KH"), pack.card("8C"), 0, [])
    >>> [round(o.probability, 3) for o in options if o.action == "stand"]
    [0.0]
    """
    if not strategy.rules.max_exchange:
        raise RulesError("exchange_cap=0: without an exchange all who are in stand")
    table = strategy.tables.probability.copy()
    rows = np.concatenate(
        [_without_mouche(strategy, level) for level in range(len(strategy.abstraction.levels))]
    )
    stood = table[rows, STAND].copy()
    table[rows, STAND] = 0
    empty = table[rows].sum(axis=1) == 0
    table[rows[empty & (stood > 0)], ONE_CARD] = 1
    # A row of nothing would be read as anything, a stand too.
    unknown = rows[empty & (stood == 0)]
    table[unknown] = 1
    table[unknown, STAND] = 0
    tables = replace(strategy.tables, probability=table)
    return CardStrategy(strategy.abstraction, tables, strategy.training)


def _without_mouche(strategy: CardStrategy, level: int) -> NDArray[np.int64]:
    """The table rows of one level whose hands are no mouche."""
    book = strategy.abstraction
    hands, _ = book.levels[level]
    holds = np.array([bool(feature.mouche) for feature in book.features])[book.coarse_of]
    groups = book.hand_maps[hands]
    mouche = np.bincount(groups, holds) > 0
    first = sum(book.cells[:level])
    histories = book.cells[level] // len(mouche)
    rows: NDArray[np.int64] = first + np.arange(book.cells[level]).reshape(-1, histories)
    return rows[~mouche].ravel()
