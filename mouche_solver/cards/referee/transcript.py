"""A game as text that people can write; docs/rules-cards.md describes the format."""

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from mouche_solver.cards.referee.game_state import Game
from mouche_solver.cards.referee.record import Record
from mouche_solver.cards.referee.statements import write_action
from mouche_solver.cards.referee.transcript_reader import HEADER, Reader
from mouche_solver.cards.rules.rules import CardRules
from mouche_solver.errors import MoucheError


@dataclass(frozen=True)
class Replay:
    """A transcript that was read and found legal.

    ``games`` holds the game after each deal, the last one perhaps in the middle of it.
    """

    record: Record
    games: tuple[Game, ...]


def replay(text: str, rules: CardRules | None = None) -> Replay:
    """Read a transcript and play it through the referee.

    Parameters
    ----------
    text : str
    rules : CardRules, optional
        The rules when the text has none; if it has, they must be these.

    Raises
    ------
    MoucheError
        At the first line that cannot be read or breaks a rule, with its number.

    Examples
    --------
    >>> text = '''mouche-cards 1
    ... rules {"players": 2, "ranks": ["K", "Q", "J"], "suits": ["C", "D"], "hand_size": 1}
    ... deal
    ... hand P1 KC
    ... hand P2 QD
    ... turned JD
    ... P1 stands
    ... P2 stands
    ... '''
    >>> replay(text).games[-1].deal.outcome
    Outcome(how='mouche', winner=1, mouches=(0,))
    """
    reader = Reader(rules)
    place = ""
    try:
        for place, statement in _statements(text):  # noqa: B007 (used in the message)
            reader.read(statement)
        place = "at the end"
        reader.finish()
    except MoucheError as error:
        raise type(error)(f"{place}: {error}") from None
    return Replay(reader.record(), tuple(reader.games()))


def _statements(text: str) -> Iterator[tuple[str, str]]:
    """Every statement, with its place; # begins a comment, ; separates statements of a line."""
    for number, line in enumerate(text.splitlines(), start=1):
        for part in line.split("#")[0].split(";"):
            if statement := " ".join(part.split()):
                yield f"line {number} ({statement})", statement


def write(record: Record) -> str:
    """The transcript of a game.

    Examples
    --------
    >>> from mouche_solver.cards.referee.simulate import random_game
    >>> record = random_game(CardRules(players=3), seed=7)
    >>> replay(write(record)).record == record
    True
    """
    names = record.names
    lines = [HEADER, f"rules {json.dumps(_changed(record.rules))}"]
    lines += [f"players {' '.join(names)}", f"dealer {names[record.first_dealer]}"]
    games = record.steps()
    next(games)
    for deal in record.deals:
        game = next(games)
        seats = [names[player] for player in game.seating]
        lines += ["", "deal", *_cards(record.rules, seats, deal.order)]
        for action in deal.actions:
            statement = write_action(record.rules, seats, action)
            if game.deal is not None and game.deal.trick:
                lines[-1] += f"; {statement}"
            else:
                lines.append(statement)
            game = next(games)
    return "\n".join(lines) + "\n"


def _changed(rules: CardRules) -> dict[str, Any]:
    """The number of players, and every rule that is not the default."""
    default = CardRules().to_dict()
    return {k: v for k, v in rules.to_dict().items() if k == "players" or v != default[k]}


def _cards(rules: CardRules, seats: Sequence[str], order: Sequence[int]) -> list[str]:
    """The hands, the turn-up and the stock of a deal, a line each."""
    named, size = rules.pack.names(order), rules.hand_size
    dealt = len(seats) * size
    lines = [
        f"hand {name} {' '.join(named[seat * size : (seat + 1) * size])}"
        for seat, name in enumerate(seats)
    ]
    stock = " ".join(["stock", *named[dealt + 1 :]])
    return [*lines, f"turned {named[dealt]}", stock]
