"""``mouche cards report``."""

from pathlib import Path
from typing import Annotated

from cyclopts import Parameter

from mouche_solver.cli.cards.group import DEFAULT_RULES, RuleFlags
from mouche_solver.cli.common import Real


def report(
    *,
    out: Annotated[Path, Parameter(help="The HTML file to write.")],
    strategy: Annotated[
        Path | None, Parameter(help="File of mouche cards solve; the shipped one without it.")
    ] = None,
    think: Annotated[
        Real,
        Parameter(help="Seconds for each of four hands of a seat; 0: none is thought over."),
    ] = 0.0,
    game: RuleFlags = DEFAULT_RULES,
) -> None:
    """Write one HTML file about a card strategy: the one shipped for these rules, or a file's.

    With ``--think`` it shows what a search finds for some hands, with standard errors.
    """
    from mouche_solver.cli.cards.strategy import strategy_for
    from mouche_solver.cli.cards.thinking import budget_of
    from mouche_solver.cli.pages import write

    budget = budget_of(think, None, 1, None)
    write(strategy_for(game, strategy), out, None if budget.idle else budget)
