"""A moment of a game of dice, as OpenSpiel and Gambit see it: immutable, and cheap to share."""

from collections.abc import Sequence
from typing import NamedTuple

from mouche_solver.adapters.dice.table import DiceTable, RoundTable, dice_table
from mouche_solver.adapters.moments import CHANCE, TERMINAL
from mouche_solver.dice.rules.hands import Hand
from mouche_solver.dice.rules.match_referee import Match
from mouche_solver.dice.rules.referee import Reveal, Round
from mouche_solver.dice.rules.rules import DiceRules
from mouche_solver.errors import IllegalMoveError


class Ended(NamedTuple):
    """A round that a doubt has ended: seats and cups in playing order, claims, what it showed."""

    seats: tuple[int, ...]
    cups: tuple[Hand, ...]
    claims: tuple[int, ...]
    reveal: Reveal


class Position:
    """What has been rolled, claimed and revealed; :meth:`after` returns the next moment.

    Attributes
    ----------
    table : DiceTable
        Constants of the game.
    match : Match
        Points by seat, and the starter of this round.
    seats : tuple of int
        Live seats in playing order.
    cups : tuple of tuple of int
        Cups in playing order, as far as they are rolled; none once the game is over.
    claims : tuple of int
        Action numbers of this round's claims.
    past : tuple of Ended
        The rounds before; the only round, once it has ended.
    player : int
        The seat to act, or CHANCE or TERMINAL.

    Examples
    --------
    >>> position = Position.start(DiceRules(dice=(1, 1), faces=2))
    >>> for action in (0, 1, 2, position.table.doubt):
    ...     position = position.after(action)
    >>> position.returns()
    [1.0, -1.0]
    """

    __slots__ = ("_round", "claims", "cups", "match", "past", "player", "seats", "table")

    def __init__(
        self, table: DiceTable, match: Match, round_table: RoundTable, past: tuple[Ended, ...]
    ) -> None:
        self.table, self.match, self.past, self._round = table, match, past, round_table
        self.seats = round_table.seats
        self.cups: tuple[Hand, ...] = ()
        self.claims: tuple[int, ...] = ()
        self.player = CHANCE

    @classmethod
    def start(cls, rules: DiceRules, match: bool = False) -> "Position":
        """The moment before the first roll."""
        table, start = dice_table(rules, match), Match.start(rules)
        return cls(table, start, table.round(start), ())

    def after(self, action: int) -> "Position":
        """The position after a roll, claim or doubt.

        Raises
        ------
        IllegalMoveError
            When the action is not possible here.
        """
        if self.player == CHANCE:
            return self._roll(action)
        if action not in self.legal_actions():
            raise IllegalMoveError(
                f"action {action} is not possible; the actions are {self.legal_actions()}"
            )
        if action == self.table.doubt:
            return self._doubt()
        after = self._copy()
        after.claims = (*self.claims, action)
        after.player = self.seats[len(after.claims) % len(self.seats)]
        return after

    def legal_actions(self) -> list[int]:
        """Claims and the doubt by number, ascending; none for chance and at the end."""
        if self.player < 0:
            return []
        return self._round.legal(self.claims[-1] if self.claims else None)

    @property
    def dice_rolled(self) -> int:
        """How many dice the cup holds that chance is rolling."""
        return self._round.rules.dice[self._roller]

    def returns(self) -> list[float]:
        """Payoffs by seat, zeros before the end; see the documentation of the game."""
        payoffs = [0.0] * self.table.rules.players
        if self.player != TERMINAL:
            return payoffs
        share = 1.0 / (len(payoffs) - 1)
        if self.table.match:
            payoffs = [-share] * len(payoffs)
            payoffs[self.match.seats[0]] = 1.0
        else:
            payoffs = [share] * len(payoffs)
            payoffs[self.past[0].reveal.loser] = -1.0
        return payoffs

    @property
    def shown(self) -> tuple[tuple[int, ...], tuple[Hand, ...], tuple[int, ...]]:
        """Seats, cups and claims of this round; of the last one, once the game is over."""
        if self.player == TERMINAL:
            return self.past[-1][:3]
        return self.seats, self.cups, self.claims

    @property
    def before(self) -> tuple[Ended, ...]:
        """The rounds before the one that is :attr:`shown`."""
        return self.past[:-1] if self.player == TERMINAL else self.past

    def cup(self, seat: int) -> Hand:
        """The dice of a seat as far as they are rolled; none for an eliminated one."""
        seats, cups, _ = self.shown
        place = seats.index(seat) if seat in seats else len(cups)
        return cups[place] if place < len(cups) else ()

    def actions(self) -> list[int]:
        """Actions that lead here, with dice of a cup in ascending order."""
        rounds = [(each.cups, (*each.claims, self.table.doubt)) for each in self.past]
        if self.player != TERMINAL:
            rounds.append((self.cups, self.claims))
        actions: list[int] = []
        for cups, claims in rounds:
            for cup in cups:
                if self.table.die_by_die:
                    actions += [face - 1 for face in cup]
                else:
                    actions.append(self.table.rolls(len(cup))[0].index(cup))
            actions += claims
        return actions

    def __deepcopy__(self, memo: object) -> "Position":
        return self  # immutable: OpenSpiel's clone may share it

    def __reduce__(self) -> tuple[object, ...]:
        return replay, (self.table.rules.to_json(), self.table.match, self.actions())

    @property
    def _roller(self) -> int:
        last = len(self.cups) - 1
        unfinished = last >= 0 and len(self.cups[last]) < self._round.rules.dice[last]
        return last if unfinished else last + 1

    def _roll(self, action: int) -> "Position":
        place, dice = self._roller, self.dice_rolled
        rolls = self.table.rolls(dice)[0]
        if not 0 <= action < len(rolls):
            raise IllegalMoveError(
                f"roll {action} is not possible; allowed are 0 to {len(rolls) - 1}"
            )
        before = self.cups[place] if place < len(self.cups) else ()
        cup = tuple(sorted(before + rolls[action]))
        after = self._copy()
        after.cups = (*self.cups[:place], cup)
        if len(cup) == dice and len(after.cups) == len(self.seats):
            after.player = self.seats[0]
        return after

    def _doubt(self) -> "Position":
        table = self.table
        history = tuple(table.claims[number] for number in self.claims)
        reveal = Round(self._round.rules, self.cups, history, doubted=True).reveal
        assert reveal is not None  # there is one after a doubt
        past = (*self.past, Ended(self.seats, self.cups, self.claims, reveal))
        match = self.match.after(reveal) if table.match else self.match
        if table.match and match.winner is None:
            return Position(table, match, table.round(match), past)
        after = Position(table, match, self._round, past)
        after.player = TERMINAL
        return after

    def _copy(self) -> "Position":
        copy = Position(self.table, self.match, self._round, self.past)
        copy.cups, copy.claims, copy.player = self.cups, self.claims, self.player
        return copy


def replay(rules: str, match: bool, actions: Sequence[int]) -> Position:
    """The position after ``actions``, under rules written as JSON."""
    position = Position.start(DiceRules.from_json(rules), match)
    for action in actions:
        position = position.after(action)
    return position
