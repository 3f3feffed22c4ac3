"""``mouche cards chart``."""

from pathlib import Path
from typing import Annotated, Any

from cyclopts import Parameter

from mouche_solver.cli.cards.group import DEFAULT_RULES, RuleFlags
from mouche_solver.cli.common import STDOUT, OutputFlags, Whole, aligned, emit


def chart(
    *,
    seat: Annotated[
        Whole | None, Parameter(help="0 is the first hand; the next to declare without it.")
    ] = None,
    declared: Annotated[
        str | None,
        Parameter(help="What was said before, such as pass,exchange2; all passed without it."),
    ] = None,
    strategy: Annotated[Path | None, Parameter(help="File of mouche cards solve.")] = None,
    game: RuleFlags = DEFAULT_RULES,
    output: OutputFlags = STDOUT,
) -> None:
    """What to declare with each class of hand: pass, stand, or exchange so many cards.

    A class is the number of trumps with the place of the best one (1 is the highest that can be
    in play), the kings and queens of plain suits, and the longest plain suit. The weight is the
    probability of being dealt such a hand, the value is in pots. With ~ and ? it rests on fewer
    than 100 visits of training. Error is its standard error, at most; histories says how many
    share these values.
    """
    from mouche_solver.cards.strategy.charts import exchange_chart
    from mouche_solver.cards.strategy.evidence import FEW_VISITS
    from mouche_solver.cli.cards.strategy import read_declared, spoken, strategy_for

    found = strategy_for(game, strategy)
    said = None if declared is None else read_declared(declared)
    result = exchange_chart(found, seat, said)
    rows = result.rows()
    text = f"seat {result.seat}; {spoken(result.declared)}\n"
    if result.histories > 1:
        text += f"{result.histories} histories share these values\n"
    shown = [row | {"value": _shown(row, FEW_VISITS)} for row in rows]
    whole = ("trumps", "best", "kings", "queens", "longest", "visits", "histories")
    columns = dict.fromkeys(whole, int) | {"laid": str}
    emit(output, rows, columns, table=text + aligned(shown) + found.quality_text + "\n")


def _shown(row: dict[str, Any], few: float) -> str:
    """A value for people, marked where it rests on few visits."""
    value = row["value"]
    if value is None:
        return ""
    return f"{value:.3f}" if row["visits"] >= few else f"~{value:.3f}?"
