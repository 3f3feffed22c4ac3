"""``mouche report``."""

import sys
from pathlib import Path
from typing import Annotated
from zipfile import is_zipfile

from cyclopts import Parameter


def report(
    solution: Annotated[
        Path, Parameter(help="A file that mouche dice solve or mouche cards solve has written.")
    ],
    /,
    *,
    out: Annotated[Path, Parameter(help="The HTML file to write.")],
) -> None:
    """Write one HTML file about a solution: rules, quality, tables, charts, a tree.

    The tree is one of claims or of declarations, as the file is about dice or cards. The page
    opens in any browser and needs neither a network nor another file.
    """
    (_about_cards if is_zipfile(solution) else _about_dice)(solution, out)
    print(f"{out}: {out.stat().st_size / 1e6:.1f} MB", file=sys.stderr)


def _about_dice(solution: Path, out: Path) -> None:
    from mouche_solver.analysis.dice.report import write_report
    from mouche_solver.storage.atomic import check_writable
    from mouche_solver.storage.dice.solutions import load_solution

    found = load_solution(solution)
    check_writable(out)
    write_report(found, out)


def _about_cards(solution: Path, out: Path) -> None:
    from mouche_solver.analysis.cards.report import write_card_report
    from mouche_solver.storage.atomic import check_writable
    from mouche_solver.storage.cards.strategies import load_strategy

    found = load_strategy(solution)
    check_writable(out)
    write_card_report(found, out)
