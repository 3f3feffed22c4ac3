"""One deal of cards in words, so that it is found again: the order of the pack and what was done.

The words of an action are those of a review: ``pass``, ``exchange 9C 8D``, ``trumps H``, ``KH``.
"""

import random
from collections.abc import Sequence
from typing import Any

from mouche_solver.cards.referee.actions import (
    Action,
    Answer,
    Ask,
    Exchange,
    NameTrump,
    Pass,
    Play,
    Shuffle,
)
from mouche_solver.cards.referee.deal import Deal, start_deal
from mouche_solver.cards.referee.record import RecordedDeal
from mouche_solver.cards.referee.referee import apply, draw_shuffle, legal_actions
from mouche_solver.cards.rules.pack import Pack
from mouche_solver.cards.rules.rules import CardRules
from mouche_solver.errors import IllegalMoveError


def shown(pack: Pack, action: Action) -> str:
    """An action in full; exchanged cards in the pack's order.

    Examples
    --------
    >>> pack = CardRules(players=3).pack
    >>> shown(pack, Exchange(0, (pack.card("KH"), pack.card("9C"))))
    'exchange 9C KH'
    """
    if isinstance(action, Play):
        return pack.name(action.card)
    if isinstance(action, NameTrump):
        return f"trumps {pack.suits[action.suit]}"
    if isinstance(action, Shuffle):
        return f"shuffle {' '.join(pack.names(action.cards))}"
    swap = getattr(action, "swap", None)
    given = "" if swap is None else f"give {pack.name(swap)} "
    if isinstance(action, Exchange):
        return f"{given}exchange {' '.join(pack.names(sorted(action.cards)))}"
    return f"{given}{'pass' if isinstance(action, Pass) else 'stand'}"


def read_words(deal: Deal, text: str) -> Action:
    """The legal action of these words, exchanged cards in any order.

    Raises
    ------
    IllegalMoveError
        When there is none.
    """
    pack, words = deal.rules.pack, text.split()
    if deal.phase == "shuffle" and words[:1] == ["shuffle"]:
        return Shuffle(pack.cards(" ".join(words[1:])))
    if deal.phase == "declare" and "exchange" in words[:3:2]:
        at = words.index("exchange") + 1
        words[at:] = pack.names(sorted(pack.cards(" ".join(words[at:]))))
    wanted = " ".join(words)
    for legal in legal_actions(deal):
        if shown(pack, legal) == wanted:
            return legal
    raise IllegalMoveError(f"{wanted!r} is not legal now")


def in_words(rules: CardRules, deal: RecordedDeal) -> dict[str, Any] | None:
    """``order`` and ``line`` of a deal; None where somebody asked for the mouche.

    Examples
    --------
    >>> rules = CardRules(players=3)
    >>> in_words(rules, RecordedDeal(tuple(range(28)), (Pass(0), Pass(1))))["line"]
    ['pass', 'pass']
    """
    if any(isinstance(action, Ask | Answer) for action in deal.actions):
        return None
    pack = rules.pack
    return {
        "order": " ".join(pack.names(deal.order)),
        "line": [shown(pack, action) for action in deal.actions],
    }


def follow(rules: CardRules, order: str, line: Sequence[str]) -> Deal:
    """The deal after some actions.

    Where the cards laid aside are shuffled and the line does not say how, the order of the pack
    decides, so that the same words lead to the same deal.

    Raises
    ------
    MoucheError
        For cards that are no pack, and for an illegal action.
    """
    deal = start_deal(rules, rules.pack.cards(order))
    for words in line:
        deal = apply(
            _shuffled(deal, order, words), read_words(_shuffled(deal, order, words), words)
        )
    return _shuffled(deal, order, "")


def _shuffled(deal: Deal, order: str, words: str) -> Deal:
    if deal.phase == "shuffle" and not words.startswith("shuffle"):
        return apply(deal, draw_shuffle(deal, random.Random(order)))
    return deal
