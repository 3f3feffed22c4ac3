"""``mouche report``."""

from pathlib import Path
from typing import Annotated

from cyclopts import Parameter


def report(
    solution: Annotated[
        Path,
        Parameter(
            help="A file of mouche dice solve, dice book or cards solve. What the package ships "
            "has mouche dice report and mouche cards report."
        ),
    ],
    /,
    *,
    out: Annotated[Path, Parameter(help="The HTML file to write.")],
) -> None:
    """Write one HTML file about a solution, a book or a strategy.

    It holds a tree of claims or of declarations that one clicks through, tables, charts, rules and
    quality. The page opens in any browser and needs neither a network nor another file.
    """
    from mouche_solver.cli.pages import write
    from mouche_solver.solutions.files import load, refuse_others

    refuse_others(solution, "dice-solution", "dice-book", "card-strategy")
    write(load(solution), out)
