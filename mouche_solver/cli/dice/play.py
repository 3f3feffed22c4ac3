"""``mouche dice play``."""

from pathlib import Path
from typing import Annotated

import numpy as np
from cyclopts import Parameter

from mouche_solver.cli.common import Seed, Whole
from mouche_solver.cli.dialog import LeftError, say
from mouche_solver.cli.dice.dialog import play_person, review
from mouche_solver.cli.dice.group import DEFAULT_RULES, RuleFlags, whole_numbers
from mouche_solver.cli.dice.strategy import AGAINST, TRUST, advisor_for, rules_for
from mouche_solver.dice.round.strategy import RoundStrategy
from mouche_solver.dice.rules.match_referee import Match, PlayedRound, format_match
from mouche_solver.dice.rules.referee import roll
from mouche_solver.dice.rules.rules import DiceRules, NextStarter
from mouche_solver.errors import RulesError, UsageError
from mouche_solver.storage.atomic import atomic_path


def play(
    *,
    seat: Annotated[Whole, Parameter(help="Your seat, 0 or 1; seat 0 starts the match.")] = 0,
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
    trust: Annotated[float | None, Parameter(help=TRUST)] = None,
    transcript: Annotated[
        Path | None, Parameter(help="File that receives the match, as dice review reads it.")
    ] = None,
    game: RuleFlags = DEFAULT_RULES,
) -> None:
    """Play a match against the strategy, which sees its own dice alone.

    After every round you learn what the strategy would have done with your hand at each of your
    moves. ``hint`` gives advice; ``quit``, or the end of the input, ends the match.
    """
    if seat not in (0, 1):
        raise UsageError(f"--seat {seat}: allowed are 0 and 1")
    numbers = None if points is None else whole_numbers("--points", points)
    shared = numbers[0] if numbers is not None and len(numbers) == 1 else numbers
    changes = {"points": shared, "next_starter": next_starter}
    rules = rules_for(game, solution)
    rules = rules.replace(**{name: value for name, value in changes.items() if value is not None})
    if rules.players != 2:
        raise RulesError(f"dice={rules.dice}: the strategy plays a match of two")
    strategies = _strategies(rules, solution, against, trust)
    dice, mixing = (np.random.default_rng(s) for s in np.random.SeedSequence(seed).spawn(2))
    finished: list[PlayedRound] = []
    try:
        _play_match(rules, seat, strategies, (dice, mixing), finished)
    except LeftError:
        say("\nThe match is left.")
    except KeyboardInterrupt:
        raise KeyboardInterrupt("the match is left") from None
    finally:
        if transcript is not None:
            with atomic_path(transcript) as path:
                path.write_text(format_match(finished), encoding="utf-8")


def _strategies(
    rules: DiceRules, solution: Path | None, against: str | None, trust: float | None
) -> dict[str, RoundStrategy]:
    """One strategy for each round that the match can have: either seat may start."""
    found: dict[str, RoundStrategy] = {}
    for starter in (0, 1):
        one = Match(rules, rules.starting_points, starter).round_rules
        if one.round_hash not in found:
            # A solution is for the order in its rules; the other order is solved on the spot.
            found[one.round_hash] = advisor_for(
                one, solution if starter == 0 else None, against, trust
            )
    return found


def _play_match(
    rules: DiceRules,
    seat: int,
    strategies: dict[str, RoundStrategy],
    streams: tuple[np.random.Generator, np.random.Generator],
    finished: list[PlayedRound],
) -> None:
    dice, mixing = streams
    match, number = Match.start(rules), 0
    say(next(iter(strategies.values())).quality_text)
    while match.winner is None:
        number += 1
        place = match.seats.index(seat)
        mine, yours = match.points[1 - seat], match.points[seat]
        say(f"\nRound {number}: you have {_points(yours)}, the strategy has {mine}.")
        strategy = strategies[match.round_rules.round_hash]
        played = play_person(strategy, roll(match.round_rules, dice), place, mixing)
        reveal = played.reveal
        assert reveal is not None  # the round was played to its doubt
        review(strategy, played, place)
        finished.append(PlayedRound(match, played, match.after(reveal)))
        match = finished[-1].after
    say(
        "\nYou have won the match." if match.winner == seat else "\nThe strategy has won the match."
    )


def _points(number: int) -> str:
    return f"{number} point" if number == 1 else f"{number} points"
