"""``mouche dice export-efg``."""

from pathlib import Path
from typing import Annotated

from cyclopts import Parameter

from mouche_solver.adapters.gambit import MAX_NODES, export_efg
from mouche_solver.cli.common import OutputFlags, Whole, emit
from mouche_solver.cli.dice.group import DEFAULT_RULES, RuleFlags, whole_numbers
from mouche_solver.dice.rules.rules import NextStarter
from mouche_solver.errors import UsageError


def efg(
    *,
    match: Annotated[bool, Parameter(help="A whole match instead of one round.")] = False,
    points: Annotated[
        str | None, Parameter(help="With --match: points at the start, one number or one each.")
    ] = None,
    next_starter: Annotated[
        NextStarter | None, Parameter(help="With --match: who starts the next round.")
    ] = None,
    max_nodes: Annotated[Whole, Parameter(help="The largest tree to write.")] = MAX_NODES,
    out: Annotated[
        Path | None, Parameter(help="File that receives the tree; standard output without it.")
    ] = None,
    game: RuleFlags = DEFAULT_RULES,
) -> None:
    """Write the tree of a small game for Gambit, with exact probabilities.

    OpenSpiel reads it too, with ``pyspiel.load_efg_game``.
    """
    if not match and not (points is None and next_starter is None):
        raise UsageError("--points and --next-starter belong to a match: add --match")
    numbers = None if points is None else whole_numbers("--points", points)
    shared = numbers[0] if numbers is not None and len(numbers) == 1 else numbers
    rules = game.read(points=shared, next_starter=next_starter)
    text = export_efg(rules, match, max_nodes)
    emit(OutputFlags(out=out), (), table=text)
