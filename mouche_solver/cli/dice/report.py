"""``mouche dice report``."""

from pathlib import Path
from typing import Annotated

from cyclopts import Parameter

from mouche_solver.cli.dice.group import DEFAULT_RULES, RuleFlags
from mouche_solver.cli.dice.strategy import rules_for, strategy_for
from mouche_solver.cli.pages import write
from mouche_solver.errors import RulesError


def report(
    *,
    out: Annotated[Path, Parameter(help="The HTML file to write.")],
    solution: Annotated[
        Path | None, Parameter(help="File of mouche dice solve; the shipped book without it.")
    ] = None,
    game: RuleFlags = DEFAULT_RULES,
) -> None:
    """Write one HTML file about a round of two: the shipped book, or a solution.

    A round that no book is shipped for is solved on the spot when it is small.
    """
    rules = rules_for(game, solution)
    if rules.players != 2:
        raise RulesError(f"dice={rules.dice}: a report is about a round of two players")
    write(strategy_for(rules, solution), out)
