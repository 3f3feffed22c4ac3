"""Writing the report of either game."""

from pathlib import Path
from typing import Any

from mouche_solver.cli.streams import note
from mouche_solver.storage.atomic import check_room

# Bytes of a page at most: the largest, of six players of cards, has 10 MB.
_MOST = 16 << 20


def write(strategy: Any, out: Path, budget: Any = None) -> None:
    """Write the report of a strategy of dice or cards.

    Parameters
    ----------
    strategy : CardStrategy or a strategy of dice
    out : Path
    budget : Budget, optional
        For hands of cards that are thought over.

    Raises
    ------
    StorageError
        When it cannot be written.
    """
    check_room(out, _MOST)
    from mouche_solver.analysis.cards.report import write_card_report
    from mouche_solver.analysis.dice.report import write_report
    from mouche_solver.cards.strategy.strategy import CardStrategy
    from mouche_solver.dice.round.book import OpeningBook

    if isinstance(strategy, OpeningBook):
        note("mouche: the likeliest lines below the book are re-solved, which takes about a minute")
    if isinstance(strategy, CardStrategy):
        write_card_report(strategy, out, budget)
    else:
        write_report(strategy, out)
    note(f"{out}: {out.stat().st_size / 1e6:.1f} MB")
