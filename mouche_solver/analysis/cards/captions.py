"""What stands under card tables and charts: rules, what was said, quality, what is odd."""

from collections.abc import Sequence

from mouche_solver.cards.measure.census import Census
from mouche_solver.cards.rules.html import rules_text
from mouche_solver.cards.rules.rules import CardRules
from mouche_solver.cards.strategy.answers import all_answers
from mouche_solver.cards.strategy.situation import Declared
from mouche_solver.cards.strategy.strategy import CardStrategy


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
