"""``mouche dice review``."""

from pathlib import Path
from typing import Annotated

from cyclopts import Parameter

from mouche_solver.cli.common import Whole, read_text
from mouche_solver.cli.dice.group import DEFAULT_RULES, RuleFlags, whole_numbers
from mouche_solver.cli.reviewing import PLAIN, ReviewFlags, show_review
from mouche_solver.dice.rules.rules import NextStarter
from mouche_solver.errors import UsageError


def review(
    file: Annotated[
        Path,
        Parameter(help="The written match; - reads standard input.", allow_leading_hyphen=True),
    ],
    /,
    *,
    points: Annotated[
        str | None, Parameter(help="Points at the start, one number or one each.")
    ] = None,
    next_starter: Annotated[
        NextStarter | None, Parameter(help="Who starts the next round.")
    ] = None,
    strategy_seat: Annotated[
        Whole | None, Parameter(help="The seat that followed the strategy; its draws are luck.")
    ] = None,
    solution: Annotated[Path | None, Parameter(help="File of mouche dice solve.")] = None,
    game: RuleFlags = DEFAULT_RULES,
    output: ReviewFlags = PLAIN,
) -> None:
    """What every decision of a written match cost, and the result as skill and luck.

    Losses are in points of a round. From 0.02 a loss is an inaccuracy, from 0.04 a mistake, from
    0.08 a blunder.
    """
    from mouche_solver.review.dice import review_dice

    numbers = None if points is None else whole_numbers("--points", points)
    shared = numbers[0] if numbers is not None and len(numbers) == 1 else numbers
    rules = game.read(points=shared, next_starter=next_starter)
    if strategy_seat is not None and not 0 <= strategy_seat < rules.players:
        raise UsageError(f"--strategy-seat {strategy_seat}: allowed are 0 to {rules.players - 1}")
    known = () if strategy_seat is None else (strategy_seat,)
    show_review(review_dice(read_text(file), rules, solution, known), output)
