"""A game as text that people can write; docs/rules-cards.md describes the format."""

import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from mouche_solver.cards.referee.actions import Action, Shuffle
from mouche_solver.cards.referee.deal import Deal
from mouche_solver.cards.referee.game import Game, apply, begin_deal, new_game, next_seating
from mouche_solver.cards.referee.record import (
    KEYWORDS,
    Record,
    RecordedDeal,
    check_names,
    default_names,
)
from mouche_solver.cards.referee.statements import read_action, write_action
from mouche_solver.cards.rules.pack import cards_of
from mouche_solver.cards.rules.rules import MUSHKA_PLAY, CardRules
from mouche_solver.errors import IllegalMoveError, MoucheError, NotationError


class DealCards:
    """The cards of one deal while they are being named."""

    def __init__(self, rules: CardRules, seats: Sequence[str]) -> None:
        self._rules, self._seats = rules, seats
        self._places: dict[str, tuple[int, ...]] = {}

    @property
    def drawable(self) -> int:
        """How many cards of the stock were named."""
        return len(self._places.get("the stock", ()))

    def read(self, word: str, text: str) -> None:
        """Take ``hand NAME CARDS``, ``turned CARD`` or ``stock CARDS``."""
        place, expected = {"turned": ("the turn-up", 1)}.get(word, ("the stock", None))
        if word == "hand":
            name, _, text = text.partition(" ")
            if name not in self._seats:
                raise NotationError(f"hand of {name!r}: this deal has {' '.join(self._seats)}")
            place, expected = f"{name}'s hand", self._rules.hand_size
        cards = self._rules.pack.cards(text)
        if place in self._places:
            raise NotationError(f"{place} is given twice")
        if expected is not None and len(cards) != expected:
            raise NotationError(f"{place} has {len(cards)} cards; it must have {expected}")
        for other, taken in self._places.items():
            for card in cards:
                if card in taken:
                    name = self._rules.pack.name(card)
                    raise NotationError(f"{place}: {name} is already in {other}")
        self._places[place] = cards

    def order(self) -> tuple[int, ...]:
        """The whole pack; cards of the stock that were not named come last, by number."""
        order: list[int] = []
        for place in [*(f"{name}'s hand" for name in self._seats), "the turn-up"]:
            if place not in self._places:
                raise NotationError(f"{place} is missing")
            order += self._places[place]
        order += self._places.get("the stock", ())
        return (*order, *(c for c in range(self._rules.pack.size) if c not in order))


HEADER = "mouche-cards 1"


class Reader:
    """The state of reading: the game so far, and the deal whose cards are being given."""

    def __init__(self, rules: CardRules | None) -> None:
        self._given = rules
        self._headed = False
        self._rules: CardRules | None = None
        self._names: tuple[str, ...] | None = None
        self._first: int | None = None
        self._game: Game | None = None
        self._cards: DealCards | None = None
        self._drawable = 0
        self._deals: list[tuple[tuple[int, ...], list[Action]]] = []
        self._games: list[Game] = []

    @property
    def rules(self) -> CardRules:
        """The rules that the text gives, else those given to the reader, else the default."""
        return self._rules or self._given or CardRules()

    @property
    def names(self) -> tuple[str, ...]:
        """The players' names."""
        return self._names or default_names(self.rules.players)

    def read(self, statement: str) -> None:
        """Take one statement."""
        if not self._headed:
            self._read_header(statement)
            return
        word, _, rest = statement.partition(" ")
        if word in ("rules", "players", "dealer"):
            if self._game is not None:
                raise NotationError(f"{word} belongs before the first deal")
            {"rules": self._read_rules, "players": self._read_names, "dealer": self._read_dealer}[
                word
            ](rest)
        elif word == "deal":
            if rest:
                raise NotationError(f"{rest!r} after deal: its cards follow on lines of their own")
            self._open_deal()
        elif word in ("hand", "turned", "stock"):
            if self._cards is None:
                raise NotationError(f"{word} belongs after deal and before the first action")
            self._cards.read(word, rest)
        elif word == "shuffle":
            self._shuffle(rest)
        else:
            self._act(word, rest.split())

    def _read_header(self, statement: str) -> None:
        if statement != HEADER:
            raise NotationError(f"a transcript begins with the line {HEADER!r}")
        self._headed = True

    def _read_rules(self, text: str) -> None:
        if self._names is not None or self._first is not None:
            raise NotationError("rules belong before players and dealer")
        if self._rules is not None:
            raise NotationError("rules are given twice")
        self._rules = CardRules.from_json(text)
        if self._given is not None and self._given.game_hash != self._rules.game_hash:
            raise NotationError("the transcript has other rules than those asked for")

    def _read_names(self, text: str) -> None:
        if self._names is not None:
            raise NotationError("players is given twice")
        self._names = check_names(text.split(), self.rules.players)

    def _read_dealer(self, text: str) -> None:
        if self._first is not None:
            raise NotationError("dealer is given twice")
        if text not in self.names:
            raise NotationError(f"dealer {text!r}: the players are {' '.join(self.names)}")
        self._first = self.names.index(text)

    def _open_deal(self) -> None:
        self._close_cards()
        if self._game is None:
            first = self.rules.players - 1 if self._first is None else self._first
            if self._first is None and self.rules.first_dealer is not None:
                first = self.rules.first_dealer
            self._first = first
            self._game = new_game(self.rules, first)
        if not self._game.between:
            raise IllegalMoveError(
                "the game is over" if self._game.over else "the deal before this one is not over"
            )
        seats = [self.names[player] for player in next_seating(self._game)]
        self._cards = DealCards(self.rules, seats)

    def _close_cards(self) -> None:
        """Begin the deal whose cards have been given."""
        if self._cards is None or self._game is None:
            return
        order = self._cards.order()
        self._drawable, self._cards = self._cards.drawable, None
        self._game = begin_deal(self._game, order)
        self._deals.append((order, []))
        self._games.append(self._game)

    def _running(self) -> tuple[Game, Deal]:
        self._close_cards()
        if self._game is None or self._game.deal is None:
            raise IllegalMoveError("no deal has begun; the word deal begins one")
        return self._game, self._game.deal

    def _shuffle(self, text: str) -> None:
        _, deal = self._running()
        named = self.rules.pack.cards(text)
        rest = [card for card in cards_of(deal.pile) if card not in named]
        self._drawable = len(named)
        self._take(Shuffle((*named, *rest)))

    def _act(self, name: str, words: Sequence[str]) -> None:
        game, _ = self._running()
        seats = [self.names[player] for player in game.seating]
        if name not in seats:
            raise NotationError(
                f"{name!r} is neither a player of this deal ({' '.join(seats)}) nor one of "
                f"{', '.join(KEYWORDS)}"
            )
        self._take(read_action(self.rules, seats, seats.index(name), words))

    def _take(self, action: Action) -> None:
        game, before = self._running()
        try:
            after = apply(game, action)
        except IllegalMoveError as error:
            raise IllegalMoveError(self._named(str(error))) from None
        assert after.deal is not None
        stock = len(action.cards) if isinstance(action, Shuffle) else len(before.stock)
        self._drawable -= stock - len(after.deal.stock)
        if self._drawable < 0:
            raise NotationError("more cards are drawn than the stock or shuffle line names")
        self._game = self._games[-1] = after
        self._deals[-1][1].append(action)

    def _named(self, text: str) -> str:
        """The referee's message with the players' names for their seats."""
        seating = self._game.seating if self._game else ()
        return re.sub(r"seat (\d+)", lambda found: self.names[seating[int(found[1])]], text)

    def finish(self) -> None:
        """The text has ended."""
        if not self._headed:
            self._read_header("")
        self._close_cards()
        if self._first is None:
            self._first = self.rules.players - 1

    def record(self) -> Record:
        """What was read."""
        deals = tuple(RecordedDeal(order, tuple(actions)) for order, actions in self._deals)
        return Record(self.rules, self.names, self._first or 0, deals)

    def games(self) -> list[Game]:
        """The game after each deal, the last one perhaps in the middle of it."""
        return list(self._games)


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
    always = ["players", *(MUSHKA_PLAY if rules.scoring == "countdown" else ())]
    return {k: v for k, v in rules.to_dict().items() if k in always or v != default.get(k)}


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
