"""``mouche dice drill``."""

from typing import Annotated

from cyclopts import Parameter

from mouche_solver.cli.common import Seed, Whole
from mouche_solver.cli.dice.group import DEFAULT_RULES, RuleFlags
from mouche_solver.cli.reviewing import drill as ask_for
from mouche_solver.errors import UsageError


def drill(
    *,
    count: Annotated[Whole, Parameter(help="Positions to answer.")] = 10,
    seed: Annotated[Seed | None, Parameter(help="The same seed draws the same positions.")] = None,
    game: RuleFlags = DEFAULT_RULES,
) -> None:
    """Answer positions that occur against human-like players; what was missed comes again.

    Every answer that loses at most 0.01 points counts. ``quit``, or the end of the input, ends.
    """
    from mouche_solver.review.box import Box
    from mouche_solver.review.drills import dice_drill

    if count < 1:
        raise UsageError(f"--count {count}: at least 1 is needed")
    rules = game.read()
    ask_for(Box(), "dice", count, lambda n: dice_drill(rules, None if seed is None else seed + n))
