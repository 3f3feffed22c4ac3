"""``mouche dice table``."""

from pathlib import Path
from typing import Annotated

from cyclopts import Parameter

from mouche_solver.cli.common import STDOUT, OutputFlags, Real, emit
from mouche_solver.cli.dice.group import DEFAULT_RULES, RuleFlags
from mouche_solver.cli.dice.strategy import (
    AGAINST,
    TRUST,
    advisor_for,
    note_if_assumed,
    rules_for,
    sampled_for,
)
from mouche_solver.dice.round.strategy import HandMix
from mouche_solver.dice.rules.notation import format_hand, parse_history
from mouche_solver.errors import UsageError


def table(
    *,
    history: Annotated[str, Parameter(help="Claims so far, such as '3x5,4x5'.")] = "",
    solution: Annotated[Path | None, Parameter(help="File of mouche dice solve.")] = None,
    against: Annotated[str | None, Parameter(help=AGAINST)] = None,
    trust: Annotated[Real | None, Parameter(help=TRUST)] = None,
    game: RuleFlags = DEFAULT_RULES,
    output: OutputFlags = STDOUT,
) -> None:
    """The bid-probability table: one row per hand of the player to act, one column per action.

    With three players and more it is what the sampled strategy says without thinking.
    """
    rules = rules_for(game, solution)
    claims = parse_history(rules, history)
    found: HandMix
    if rules.players > 2:
        if against is not None or trust is not None:
            raise UsageError("--against and --trust are for two players")
        found = sampled_for(rules, solution).sound_table(claims)
    else:
        answered = advisor_for(rules, solution, against, trust).table(claims)
        note_if_assumed(answered)
        found = answered
    rows = [
        {"hand": format_hand(hand), **dict(zip(found.actions, mix, strict=True))}
        for hand, mix in zip(found.hands, found.probabilities.tolist(), strict=True)
    ]
    emit(output, rows, {"hand": str})
