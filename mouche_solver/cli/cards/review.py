"""``mouche cards review``."""

from pathlib import Path
from typing import Annotated

from cyclopts import Parameter

from mouche_solver.cli.cards.group import DEFAULT_RULES, RuleFlags
from mouche_solver.cli.common import Whole, read_text
from mouche_solver.cli.reviewing import PLAIN, ReviewFlags, show_review
from mouche_solver.errors import UsageError


def review(
    file: Annotated[
        Path,
        Parameter(help="The written game; - reads standard input.", allow_leading_hyphen=True),
    ],
    /,
    *,
    strategy: Annotated[Path | None, Parameter(help="File of mouche cards solve.")] = None,
    samples: Annotated[
        Whole, Parameter(help="Guesses for each decision; 0: the strategy's own values.")
    ] = 2048,
    game: RuleFlags = DEFAULT_RULES,
    output: ReviewFlags = PLAIN,
) -> None:
    """What every decision of a written game cost, and the result as skill and luck.

    Losses are in pots. From 0.02 a loss is an inaccuracy, from 0.04 a mistake, from 0.08 a blunder;
    Mushka's are in points, five times as many.
    """
    from mouche_solver.review.cards import review_cards

    rules = game.read() if game.any_given else None
    if samples < 0:
        raise UsageError(f"--samples {samples}: a number from 0 on is needed")
    show_review(review_cards(read_text(file), rules, strategy, samples), output)
