"""The referee of a whole match: points, elimination, who starts next; and written matches.

A match has fixed seats, counted from 0. A round has a playing order: the live seats from the
starter on. Numbers in brackets are the numbered paragraphs of the rules text's "Game Play".
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Self

import numpy as np

from mouche_solver.core.checks import whole
from mouche_solver.dice.rules.hands import Hand
from mouche_solver.dice.rules.notation import dice_count
from mouche_solver.dice.rules.referee import Action, Reveal, Round, roll
from mouche_solver.dice.rules.rules import Claim, DiceRules
from mouche_solver.errors import IllegalMoveError, MoucheError


@dataclass(frozen=True)
class Match:
    """A match between two rounds.

    Parameters
    ----------
    rules : DiceRules
        Rules with ``dice`` and ``points`` by seat.
    points : tuple of int
        Points left, by seat.
    starter : int
        The seat that starts the next round.

    Examples
    --------
    >>> match = Match(DiceRules(dice=(5, 4, 3)), points=(1, 0, 2), starter=2)
    >>> match.seats, match.round_rules.dice
    ((2, 0), (3, 5))
    """

    rules: DiceRules
    points: tuple[int, ...]
    starter: int = 0

    def __post_init__(self) -> None:
        points = tuple(whole("points", points) for points in self.points)
        object.__setattr__(self, "points", points)
        object.__setattr__(self, "starter", whole("starter", self.starter))

    @classmethod
    def start(cls, rules: DiceRules) -> Self:
        """All points are there and seat 0 starts (table rule: the text does not say who does)."""
        return cls(rules, rules.starting_points)

    @property
    def winner(self) -> int | None:
        """The only seat with at least one point left (End of the Game), None before the end."""
        live = [seat for seat, points in enumerate(self.points) if points]
        return live[0] if len(live) == 1 else None

    @property
    def seats(self) -> tuple[int, ...]:
        """Live seats in playing order: the starter, then each next player (3)."""
        order = (self._seat_after(self.starter, step) for step in range(self.rules.players))
        return tuple(seat for seat in order if self.points[seat])

    @property
    def round_rules(self) -> DiceRules:
        """Rules of the next round: the dice of eliminated players are not in play.

        A minimum opening above the dice left is capped, so that a round can be opened.
        """
        dice = tuple(self.rules.dice[seat] for seat in self.seats)
        return self.rules.replace(
            dice=dice,
            minimum_opening=min(self.rules.minimum_opening, sum(dice)),
            points=tuple(self.points[seat] for seat in self.seats),
        )

    def after(self, reveal: Reveal) -> Self:
        """The match after a round: its loser has lost one point (5, 6) and the next is set (7)."""
        loser, winner = self.seats[reveal.loser], self.seats[reveal.winner]
        doubter = self.seats[reveal.doubter]
        points = tuple(have - (seat == loser) for seat, have in enumerate(self.points))
        first = {
            "next-seat": self._seat_after(self.starter, 1),  # (7)
            "loser": loser,
            "winner": winner,
            "after-loser": self._seat_after(loser, 1),
            "doubter": doubter,
            "after-doubter": self._seat_after(doubter, 1),
        }[self.rules.next_starter]
        around = (self._seat_after(first, step) for step in range(self.rules.players))
        return type(self)(self.rules, points, next(seat for seat in around if points[seat]))

    def _seat_after(self, seat: int, step: int) -> int:
        return (seat + step) % self.rules.players


@dataclass(frozen=True)
class PlayedRound:
    """A round within its match: the match before it, the round, the match after it."""

    before: Match
    round: Round
    after: Match

    def explain(self) -> str:
        """What was decided and by which rule, in one line."""
        reveal = self.round.reveal
        if reveal is None:
            return f"seat {self.before.starter} started; the round is not over"
        loser = self.before.seats[reveal.loser]
        verdict = "correct (Game Play 5)" if reveal.correct else "incorrect (Game Play 6)"
        left = self.after.points[loser]
        text = f"{dice_count(reveal.count)} for {reveal.claim}: {verdict}; "
        text += f"seat {loser} loses a point and has {left} left"
        if self.after.winner is not None:
            return f"{text}; seat {self.after.winner} wins (End of the Game)"
        rule = self.before.rules.next_starter
        source = "Game Play 7" if rule == "next-seat" else f"table rule: {rule}"
        return f"{text}; seat {self.after.starter} starts next ({source})"


@dataclass(frozen=True)
class Observation:
    """All that a player may see when it is to act: its own cup, the claims, the points.

    Players are counted from 0 in playing order.
    """

    rules: DiceRules
    player: int
    hand: Hand
    history: tuple[Claim, ...]
    legal_actions: tuple[Action, ...]


Player = Callable[[Observation], Action]


def play_round(
    rules: DiceRules, cups: tuple[Hand, ...], players: Sequence[Player]
) -> tuple[Round, Reveal]:
    """Play one round to its reveal.

    Parameters
    ----------
    rules : DiceRules
        Rules with ``dice`` in playing order.
    cups : tuple of tuple of int
        The faces under each cup.
    players : sequence of callable
        One per cup, in playing order; each takes an :class:`Observation` and returns an action.

    Returns
    -------
    tuple of Round and Reveal

    Raises
    ------
    IllegalMoveError
        When a player's action is not legal.
    """
    state = Round(rules, cups)
    while (player := state.to_act) is not None:
        seen = Observation(rules, player, cups[player], state.history, state.legal_actions())
        state = state.play(players[player](seen))
    reveal = state.reveal
    assert reveal is not None  # nobody is to act only after a doubt
    return state, reveal


def play_match(
    rules: DiceRules, players: Sequence[Player], rng: np.random.Generator
) -> tuple[PlayedRound, ...]:
    """Play a match to its end.

    Parameters
    ----------
    rules : DiceRules
        Rules with ``dice`` and ``points`` by seat.
    players : sequence of callable
        One per seat, as in :func:`play_round`.
    rng : numpy.random.Generator
        Rolls the dice; the same seed gives the same dice.

    Returns
    -------
    tuple of PlayedRound

    Examples
    --------
    >>> def timid(seen):
    ...     return "doubt" if seen.history else seen.legal_actions[0]
    >>> played = play_match(DiceRules(dice=(1, 1, 1)), [timid] * 3, np.random.default_rng(3))
    >>> sum(played[-1].after.points) == played[-1].after.points[played[-1].after.winner]
    True
    """
    match, played = Match.start(rules), []
    while match.winner is None:
        order = [players[seat] for seat in match.seats]
        cups = roll(match.round_rules, rng)
        state, reveal = play_round(match.round_rules, cups, order)
        played.append(PlayedRound(match, state, match.after(reveal)))
        match = played[-1].after
    return tuple(played)


def format_match(played: Iterable[PlayedRound]) -> str:
    """The written match that :func:`replay_match` reads back."""
    return "".join(f"{each.round}\n" for each in played)


def replay_match(rules: DiceRules, text: str) -> tuple[PlayedRound, ...]:
    """Read a written match and check every cup and word.

    Each line is one round, ``cups : claims``. Cups are in playing order from the round's starter
    and apart by ``/``; eliminated players have none. Empty lines and what follows ``#`` are
    skipped. All rounds but the last must end with ``doubt``.

    Parameters
    ----------
    rules : DiceRules
        Rules with ``dice`` and ``points`` by seat.
    text : str
        The written match.

    Returns
    -------
    tuple of PlayedRound

    Raises
    ------
    NotationError, IllegalMoveError
        At the first line that is wrong; the message starts with its number.

    Examples
    --------
    >>> played = replay_match(DiceRules(dice=(1, 1), points=1), "5 / 3 : 1x5 2x5 doubt")
    >>> played[-1].after.winner
    0
    >>> played[-1].explain()
    '1 die counts for 2x5: incorrect (Game Play 6); seat 1 loses a point and has 0 left;
    seat 0 wins (End of the Game)'
    """
    match, played = Match.start(rules), list[PlayedRound]()
    for number, line in enumerate(text.splitlines(), start=1):
        if not (line := line.split("#")[0].strip()):
            continue
        try:
            played.append(_replay_line(match, line, played))
        except MoucheError as error:
            raise type(error)(f"line {number}: {error}") from None
        match = played[-1].after
    return tuple(played)


def _replay_line(match: Match, line: str, played: Sequence[PlayedRound]) -> PlayedRound:
    if match.winner is not None:
        raise IllegalMoveError(f"seat {match.winner} has won already (End of the Game)")
    if played and not played[-1].round.doubted:
        raise IllegalMoveError("the round before has no doubt yet (Game Play 7)")
    cups, _, claims = line.partition(":")
    state = Round.replay(match.round_rules, cups, claims)
    reveal = state.reveal
    return PlayedRound(match, state, match.after(reveal) if reveal else match)
