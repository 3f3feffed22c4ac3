"""The referee of one deal: what is legal, and what an action leads to.

Slow, readable and strict. A deal is immutable, so a refused action leaves it unchanged.
"""

import random

from mouche_solver.cards.referee.actions import (
    Action,
    Answer,
    Ask,
    Exchange,
    NameTrump,
    Pass,
    Play,
    Shuffle,
    Stand,
)
from mouche_solver.cards.referee.deal import CHANCE, Deal
from mouche_solver.cards.referee.declare import declare, legal_declarations, name_trump, shuffle
from mouche_solver.cards.referee.play import legal_plays, play
from mouche_solver.cards.referee.question import answer, ask, legal_answers, legal_questions
from mouche_solver.cards.rules.pack import cards_of
from mouche_solver.core.checks import plain
from mouche_solver.errors import IllegalMoveError

_PHASE = {
    NameTrump: ("name-trump", "names trumps"),
    Pass: ("declare", "declares"),
    Stand: ("declare", "declares"),
    Exchange: ("declare", "declares"),
    Play: ("play", "plays"),
    Shuffle: ("shuffle", "shuffles"),
}
_NOW = {
    "name-trump": "the dealer must name trumps",
    "declare": "players declare",
    "play": "cards are played",
    "shuffle": "the cards laid aside must be shuffled",
    "over": "the deal is over",
}


def legal_actions(deal: Deal) -> list[Action]:
    """Every action a player may take now; empty when chance moves or the deal is over.

    The questions of other players are among them when the rules have the question.

    Examples
    --------
    >>> from mouche_solver.cards import CardRules
    >>> from mouche_solver.cards.referee.deal import start_deal
    >>> rules = CardRules(players=2, ranks="K Q J", suits="C D", hand_size=1)
    >>> legal_actions(start_deal(rules, range(6)))
    [Pass(seat=0), Stand(seat=0, swap=None), Exchange(seat=0, cards=(0,), swap=None)]
    """
    if deal.question is not None:
        return list(legal_answers(deal))
    if deal.phase == "name-trump":
        return [NameTrump(deal.turn, suit) for suit in range(len(deal.rules.pack.suits))]
    if deal.phase == "declare":
        return [*legal_declarations(deal), *legal_questions(deal)]
    return list(legal_plays(deal)) if deal.phase == "play" else []


_PLAIN = (int, bool, str, tuple, type(None))


def apply(deal: Deal, action: Action) -> Deal:
    """The deal after an action.

    Raises
    ------
    IllegalMoveError
        When the rules forbid it; the message names the rule.
    """
    action = _with_plain_numbers(action)
    if isinstance(action, Ask):
        return ask(deal, action)
    if isinstance(action, Answer):
        return answer(deal, action)
    _check_turn(deal, action)
    if isinstance(action, Shuffle):
        return shuffle(deal, action)
    if isinstance(action, NameTrump):
        return name_trump(deal, action)
    if isinstance(action, Play):
        return play(deal, action)
    return declare(deal, action)


def _with_plain_numbers(action: Action) -> Action:
    """The action with Python's numbers, which do not overflow, in place of numpy's."""
    values = vars(action)
    if all(type(value) in _PLAIN for value in values.values()):
        cards = values.get("cards", ())
        if all(type(card) is int for card in cards):
            return action
    return type(action)(**{name: plain(value) for name, value in values.items()})


def _check_turn(deal: Deal, action: NameTrump | Pass | Stand | Exchange | Play | Shuffle) -> None:
    phase, verb = _PHASE[type(action)]
    if deal.question is not None:
        raise IllegalMoveError(f"seat {deal.question} was asked for the mouche and answers first")
    if deal.phase != phase:
        raise IllegalMoveError(f"nobody {verb} now: {_NOW[deal.phase]}")
    seat = CHANCE if isinstance(action, Shuffle) else action.seat
    if seat != deal.turn:
        raise IllegalMoveError(f"seat {seat} is out of turn: seat {deal.turn} {verb} now")


def draw_shuffle(deal: Deal, rng: random.Random) -> Shuffle:
    """Chance's move: a random order of the cards laid aside."""
    cards = list(cards_of(deal.pile))
    rng.shuffle(cards)
    return Shuffle(tuple(cards))
