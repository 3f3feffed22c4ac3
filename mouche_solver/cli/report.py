"""``mouche report``."""

import sys
from pathlib import Path
from typing import Annotated

from cyclopts import Parameter


def report(
    solution: Annotated[Path, Parameter(help="A solution that mouche dice solve has written.")],
    /,
    *,
    out: Annotated[Path, Parameter(help="The HTML file to write.")],
) -> None:
    """Write one HTML file about a solution: rules, quality, tables, charts, a tree of claims.

    It opens in any browser and needs neither a network nor another file.
    """
    from mouche_solver.analysis.dice_report import write_report
    from mouche_solver.storage.atomic import check_writable
    from mouche_solver.storage.solutions import load_solution

    found = load_solution(solution)
    check_writable(out)
    write_report(found, out)
    print(f"{out}: {out.stat().st_size / 1e6:.1f} MB", file=sys.stderr)
