"""Actions of a strategy added up to declarations, and the cards that each leaves."""

import numpy as np

from mouche_solver.cards.strategy.answers import Answers, Floats, Ints
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


def kept_cards(strategy: CardStrategy, found: Answers) -> Ints:
    """Bit masks of what is left of each hand after each action; shape (hands, actions)."""
    kept = found.hands[:, None] & ~found.laid
    for action, (_, _, swap) in enumerate(strategy.abstraction.actions):
        if swap >= 0:
            kept[:, action] = _after_a_swap(strategy, found, action)
    return kept


def _after_a_swap(strategy: CardStrategy, found: Answers, action: int) -> Ints:
    """The dealer takes the turn-up for a card and lays others down."""
    from mouche_solver.cards.kernels.deal import given_card

    context = strategy.abstraction.contexts.index(found.context)
    given = np.array(
        [given_card(hand, action, context, strategy.game, strategy.policy) for hand in found.hands]
    )
    swapped = (found.hands ^ (1 << given)) | (1 << found.context.turned)
    kept: Ints = swapped & ~found.laid[:, action]
    return kept
