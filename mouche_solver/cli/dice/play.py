"""``mouche dice play``."""

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any

import numpy as np
from cyclopts import Parameter

from mouche_solver.cli.common import Real, Seed, Whole
from mouche_solver.cli.dialog import LeftError, say
from mouche_solver.cli.dice.dialog import (
    STRATEGY,
    Answering,
    LeftRoundError,
    Seats,
    play_person,
    review,
)
from mouche_solver.cli.dice.group import DEFAULT_RULES, RuleFlags, whole_numbers
from mouche_solver.cli.dice.strategy import AGAINST, TRUST, advisor_for, rules_for
from mouche_solver.cli.saved_games import keep, read_game
from mouche_solver.dice.people.players import PEOPLE
from mouche_solver.dice.rules.match_referee import Match, PlayedRound, format_match, replay_match
from mouche_solver.dice.rules.referee import Round, roll
from mouche_solver.dice.rules.rules import DiceRules, NextStarter
from mouche_solver.errors import MoucheError, RulesError, StorageError, TooLargeError, UsageError
from mouche_solver.review.answering import dice_answer
from mouche_solver.storage.atomic import check_writable


def play(
    *,
    seat: Annotated[
        Whole | None, Parameter(help="Your seat; seat 0, which is yours without it, starts.")
    ] = None,
    opponents: Annotated[
        str | None,
        Parameter(
            help="Who plays the other seats, one for all or by commas: strategy, or a human-like "
            f"player ({', '.join(PEOPLE)})."
        ),
    ] = None,
    points: Annotated[
        str | None, Parameter(help="Points at the start, one number or one each.")
    ] = None,
    next_starter: Annotated[
        NextStarter | None, Parameter(help="Who starts the next round.")
    ] = None,
    seed: Annotated[
        Seed | None, Parameter(help="The same seed rolls the same dice for the same moves.")
    ] = None,
    solution: Annotated[Path | None, Parameter(help="File of mouche dice solve.")] = None,
    against: Annotated[str | None, Parameter(help=f"How you play. {AGAINST}")] = None,
    trust: Annotated[Real | None, Parameter(help=TRUST)] = None,
    transcript: Annotated[
        Path | None, Parameter(help="File that receives the match, as dice review reads it.")
    ] = None,
    save: Annotated[
        Path | None,
        Parameter(help="File that keeps the match when it is left, in the middle of a round too."),
    ] = None,
    resume: Annotated[
        Path | None,
        Parameter(help="Go on with a match that was kept; it is kept there again without --save."),
    ] = None,
    game: RuleFlags = DEFAULT_RULES,
) -> None:
    """Play a match against the strategy, which sees its own dice alone, for two to six players.

    After every round you learn what the strategy would have done with your hand at each of your
    moves. ``hint`` gives advice, ``undo`` takes your last claim of the round back, ``help`` says
    what is legal; ``quit``, or the end of the input, ends the match, which ``--save`` keeps and
    ``--resume`` plays on. With three and more players the others are ``strategy`` or human-like
    players; where no strategy is known for the dice that are left, a human-like one takes over.
    """
    table = _resumed(resume, game, seat) if resume is not None else None
    kept_at = save or resume
    if kept_at is not None:
        check_writable(kept_at)
    if table is None:
        numbers = None if points is None else whole_numbers("--points", points)
        shared = numbers[0] if numbers is not None and len(numbers) == 1 else numbers
        changes = {"points": shared, "next_starter": next_starter}
        rules = rules_for(game, solution)
        given = {name: value for name, value in changes.items() if value is not None}
        table = _seated(rules.replace(**given), seat or 0, opponents)
    if table.rules.players != 2 and (against is not None or trust is not None):
        raise UsageError("--against and --trust: for two players")
    answers = _Answers(solution, against, trust)
    if STRATEGY_WORD in table.players:
        answers.needed(Match.start(table.rules).round_rules)
    streams = tuple(np.random.default_rng(s) for s in np.random.SeedSequence(seed).spawn(2))
    left = False
    try:
        _play_match(table, answers, (streams[0], streams[1]))
    except LeftError:
        left = True
    except KeyboardInterrupt:
        raise KeyboardInterrupt("the match is left") from None
    finally:
        done = [each for each in table.played if each.round.doubted]
        keep("dice", kept_at, table.fields(), transcript, lambda: format_match(done))
    if left:
        how = "" if kept_at is None else f" mouche dice play --resume {kept_at} goes on with it."
        say(f"\nThe match is left.{how}")


STRATEGY_WORD = "strategy"
MOST_PLAYERS = 6
STAND_IN = "casual"  # plays where no strategy is known


@dataclass
class _Table:
    """Who sits where, and the match so far; the last round may be unfinished."""

    rules: DiceRules
    seat: int
    players: tuple[str, ...]
    played: list[PlayedRound]

    def fields(self) -> dict[str, Any]:
        """What a kept match needs."""
        return {
            "rules": self.rules.to_dict(),
            "seat": self.seat,
            "players": list(self.players),
            "text": format_match(self.played),
        }

    @property
    def names(self) -> tuple[str, ...]:
        """How the dialog calls the seats."""
        if len(self.players) == 2:
            return tuple("You" if n == self.seat else STRATEGY for n in range(2))
        return tuple(
            "You"
            if n == self.seat
            else f"P{n + 1}"
            if name == STRATEGY_WORD
            else f"P{n + 1} {name}"
            for n, name in enumerate(self.players)
        )


def _seated(rules: DiceRules, seat: int, opponents: str | None) -> _Table:
    """The table before the match.

    Raises
    ------
    UsageError
        For a seat or players that there are not.
    """
    number = rules.players
    if number > MOST_PLAYERS:
        raise RulesError(f"dice={rules.dice}: two to {MOST_PLAYERS} players can sit here")
    if not 0 <= seat < number:
        allowed = "0 and 1" if number == 2 else f"0 to {number - 1}"
        raise UsageError(f"--seat {seat}: allowed are {allowed}")
    words = [STRATEGY_WORD] * (number - 1)
    if opponents is not None:
        words = [word.strip() for word in opponents.split(",")]
        words = words * (number - 1) if len(words) == 1 else words
    if len(words) != number - 1:
        raise UsageError(f"--opponents {opponents}: one for all or {number - 1} are needed")
    for word in words:
        if word != STRATEGY_WORD and word not in PEOPLE:
            known = ", ".join((STRATEGY_WORD, *PEOPLE))
            raise UsageError(f"--opponents {opponents}: allowed are {known}")
    return _Table(rules, seat, (*words[:seat], "you", *words[seat:]), [])


def _resumed(path: Path, game: RuleFlags, seat: int | None) -> _Table:
    """The table of a kept match."""
    if game != DEFAULT_RULES or seat is not None:
        raise UsageError("--resume: the match knows its rules and your seat; leave the flags out")
    kinds = {"rules": dict, "seat": int, "players": list, "text": str}
    about = read_game(path, "dice", kinds)
    try:
        rules = DiceRules.from_dict(about["rules"])
        words = [str(word) for word in about["players"]]
        others = [word for n, word in enumerate(words) if n != about["seat"]]
        table = _seated(rules, about["seat"], ",".join(others))
        table.played += replay_match(rules, about["text"])
    except MoucheError as error:
        raise StorageError(f"{path} is damaged: {error}") from None
    return table


class _Answers:
    """The strategy for each round that a match can have."""

    def __init__(self, solution: Path | None, against: str | None, trust: float | None) -> None:
        self._first, self._against, self._trust = solution, against, trust
        self._found: dict[str, Answering | None] = {}

    def needed(self, rules: DiceRules) -> Answering:
        """The strategy for a round.

        Raises
        ------
        UsageError
            When there is none.
        """
        if rules.players == 2:
            # A solution is for the order in its rules; the other order is solved on the spot.
            solution = None if self._found else self._first
            found: Answering = advisor_for(rules, solution, self._against, self._trust)
        else:
            found = dice_answer(rules, None if self._found else self._first)
        self._found[rules.round_hash] = found
        return found

    def __call__(self, rules: DiceRules) -> Answering | None:
        """The strategy for a round; None where none is known."""
        key = rules.round_hash
        if key not in self._found:
            try:
                self.needed(rules)
            except (UsageError, TooLargeError):
                self._found[key] = None
        return self._found[key]


def _play_match(
    table: _Table,
    answers: _Answers,
    streams: tuple[np.random.Generator, np.random.Generator],
) -> None:
    dice, mixing = streams
    match = table.played[-1].after if table.played else Match.start(table.rules)
    number = len(table.played)
    first = answers(match.round_rules) if match.winner is None else None
    if first is not None:
        say(first.quality_text)
    while match.winner is None:
        state = Round(match.round_rules, roll(match.round_rules, dice))
        if table.played and not table.played[-1].round.doubted:
            left = table.played.pop()
            match, state = left.before, left.round
        number = len(table.played) + 1
        seats = _seats(table, match, answers(match.round_rules))
        say(f"\nRound {number}: {_standing(table, match)}")
        try:
            played = play_person(state, seats, mixing)
        except LeftRoundError as error:
            table.played.append(PlayedRound(match, error.state, match))
            raise
        reveal = played.reveal
        assert reveal is not None  # the round was played to its doubt
        if seats.person >= 0 and seats.strategy is not None:
            review(seats.strategy, played, seats.person)
        table.played.append(PlayedRound(match, played, match.after(reveal)))
        match = table.played[-1].after
    if match.winner == table.seat:
        say("\nYou have won the match.")
    else:
        say(f"\n{table.names[match.winner]} has won the match.")


def _seats(table: _Table, match: Match, strategy: Answering | None) -> Seats:
    """Who plays the next round, in playing order."""
    words = [table.players[seat] for seat in match.seats]
    if strategy is None:
        words = [STAND_IN if word == STRATEGY_WORD else word for word in words]
    person = match.seats.index(table.seat) if table.seat in match.seats else -1
    names = tuple(table.names[seat] for seat in match.seats)
    return Seats(names, person, tuple(PEOPLE.get(word) for word in words), strategy)


def _standing(table: _Table, match: Match) -> str:
    """The points of everybody."""
    if len(table.players) == 2:
        mine, yours = match.points[1 - table.seat], match.points[table.seat]
        return f"you have {_points(yours)}, the strategy has {mine}."
    pairs = zip(table.names, match.points, strict=True)
    return ", ".join(f"{name} {points}" for name, points in pairs) + "."


def _points(number: int) -> str:
    return f"{number} point" if number == 1 else f"{number} points"
