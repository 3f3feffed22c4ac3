"""``mouche cards report``."""

from pathlib import Path
from typing import Annotated

from cyclopts import Parameter

from mouche_solver.cli.cards.group import DEFAULT_RULES, RuleFlags


def report(
    *,
    out: Annotated[Path, Parameter(help="The HTML file to write.")],
    strategy: Annotated[
        Path | None, Parameter(help="File of mouche cards solve; the shipped one without it.")
    ] = None,
    game: RuleFlags = DEFAULT_RULES,
) -> None:
    """Write one HTML file about a card strategy: the one shipped for these rules, or a file's."""
    from mouche_solver.cli.cards.strategy import strategy_for
    from mouche_solver.cli.pages import write

    write(strategy_for(game, strategy), out)
