"""Declarations of a card strategy: their names and columns, what they leave, captions."""

from collections.abc import Sequence

import numpy as np

from mouche_solver.cards.measure.census import Census
from mouche_solver.cards.rules.html import rules_text
from mouche_solver.cards.rules.rules import CardRules
from mouche_solver.cards.strategy.answers import Floats, Ints, all_answers
from mouche_solver.cards.strategy.situation import Declared
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


def spoken(declared: Sequence[Declared]) -> str:
    """Declarations in words.

    Examples
    --------
    >>> spoken(["pass", 2, "stand"])
    'pass, exchange 2, stand'
    """
    return ", ".join(w if isinstance(w, str) else f"exchange {w}" for w in declared)


def is_ever_said(strategy: CardStrategy, declared: Sequence[Declared]) -> bool:
    """Whether the strategy declares so with any hands.

    Raises
    ------
    IllegalMoveError
        When the rules do not lead there.
    """
    sizes = [size for size, _, _ in strategy.abstraction.actions]
    for seat, word in enumerate(declared):
        wanted = 0 if isinstance(word, str) else word
        fitting = [
            action
            for action, size in enumerate(sizes)
            if (action == 0) == (word == "pass") and size == wanted
        ]
        asked = all_answers(strategy, seat, declared[:seat])
        if not any(found.chances[:, fitting].any() for found in asked):
            return False
    return True


def card_caption(
    strategy: CardStrategy, declared: Sequence[Declared] = (), seat: int | None = None
) -> str:
    """Rules, what was said before and quality in one line."""
    words = [rules_text(strategy.rules)]
    if seat is not None:
        words.append(f"{seat_name(strategy.rules, seat)}, {after(declared)}")
    if not is_ever_said(strategy, declared):
        words.append("nobody declares so (probability zero): hands as dealt")
    return "; ".join([*words, strategy.quality_text])


def census_caption(census: Census) -> str:
    """Rules, deals sampled and quality in one line."""
    rules = rules_text(census.strategy.rules)
    return f"{rules}; {len(census.debts):,} deals sampled; {census.strategy.quality_text}"


def after(declared: Sequence[Declared]) -> str:
    """Such as ``after pass, stand``."""
    return f"after {spoken(declared)}" if declared else "first to speak"


def seat_name(rules: CardRules, seat: int) -> str:
    """Such as ``first hand``, ``seat 1`` or ``dealer``.

    Examples
    --------
    >>> [seat_name(CardRules(players=3), seat) for seat in range(3)]
    ['first hand', 'seat 1', 'dealer']
    """
    return {0: "first hand", rules.players - 1: "dealer"}.get(seat, f"seat {seat}")
