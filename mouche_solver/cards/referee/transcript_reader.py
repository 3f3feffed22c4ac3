"""Reading a transcript statement by statement, with the referee alongside."""

import re
from collections.abc import Sequence

from mouche_solver.cards.referee.actions import Action, Shuffle
from mouche_solver.cards.referee.deal import Deal
from mouche_solver.cards.referee.game import apply, begin_deal, new_game
from mouche_solver.cards.referee.game_state import Game, next_seating
from mouche_solver.cards.referee.names import KEYWORDS, check_names, default_names
from mouche_solver.cards.referee.record import Record, RecordedDeal
from mouche_solver.cards.referee.statements import read_action
from mouche_solver.cards.referee.transcript_cards import DealCards
from mouche_solver.cards.rules.pack import cards_of
from mouche_solver.cards.rules.rules import CardRules
from mouche_solver.errors import IllegalMoveError, NotationError

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
