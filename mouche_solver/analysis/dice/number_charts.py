"""Charts of odds, round values, matches and runs; each takes ``ax=`` and returns the figure."""

from collections.abc import Iterable, Sequence

import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from mouche_solver.analysis.dice.convergence import RunRecord
from mouche_solver.analysis.dice.match_tables import match_grid
from mouche_solver.analysis.dice.odds_tables import MOST_DICE, even_table, odds_table
from mouche_solver.analysis.page.figures import axes_for, finish, heatmap, line_styles, shade
from mouche_solver.dice.rules.html import rules_text
from mouche_solver.dice.table.match import MatchValues
from mouche_solver.errors import RulesError


def odds_chart(
    dice: Iterable[int] = range(5, 31, 5),
    faces: int = 6,
    wild: bool = False,
    ax: Axes | None = None,
) -> Figure:
    """Lines: the chance that a claim is right by its quantity, a line per number of dice."""
    table = odds_table(dice, faces, wild)
    ax = axes_for(ax)
    for number, style in zip(range(len(table)), line_styles(), strict=False):
        row = table.iloc[number]
        row = row[row >= 0.001]
        label, colour = f"{table.index[number]} dice", shade(number, len(table))
        ax.plot(list(row.index), row.to_numpy(), label=label, color=colour, **style)
    ax.axhline(0.5, color="black", linewidth=0.8)
    ax.legend(fontsize=8)
    title, y = "How likely a claim is right", "probability"
    return finish(ax, title, "quantity claimed (dice)", y, table.attrs["caption"])


def even_chart(
    dice: Iterable[int] = range(1, MOST_DICE + 1), faces: int = 6, ax: Axes | None = None
) -> Figure:
    """Lines: the highest quantity that is as likely right as wrong, plain and wild."""
    table = even_table(dice, faces)
    ax = axes_for(ax)
    for number, name in enumerate(("plain", "wild")):
        dash = ("-", "--")[number]
        ax.step(
            list(table.index),
            table[name],
            where="mid",
            label=name,
            color=shade(number, 3),
            linestyle=dash,
        )
    ax.legend()
    y = "quantity (dice)"
    return finish(ax, "A safe claim", "dice in play", y, table.attrs["caption"])


def starting_chart(table: pd.DataFrame, ax: Axes | None = None) -> Figure:
    """Heatmap of :func:`mouche_solver.analysis.starting_table`: the starter's chance to win."""
    grid = table["win"].unstack("other")
    ax = axes_for(ax)
    heatmap(ax, grid, "probability that the starter wins")
    title = "Starting a round"
    x, y = "dice of the other player", "dice of the starter"
    return finish(ax, title, x, y, table.attrs["caption"])


def match_chart(values: MatchValues, starter: int = 0, ax: Axes | None = None) -> Figure:
    """Heatmap: the first seat's chance to win a match of two, by both players' points."""
    grid = match_grid(values, starter)
    ax = axes_for(ax)
    heatmap(ax, grid, "probability that seat 0 wins")
    caption = f"{rules_text(values.rules)}; next starter: {values.rules.next_starter}"
    title = f"Winning the match, seat {starter} to start"
    return finish(ax, title, "points of seat 1", "points of seat 0", caption)


def convergence_chart(records: Sequence[RunRecord], ax: Axes | None = None) -> Figure:
    """Lines: exploitability by iterations, both logarithmic, a line per run.

    Raises
    ------
    RulesError
        When no run was measured.
    """
    frames = [(record.name, record.frame()) for record in records if record.measured]
    if not frames:
        raise RulesError("no run was measured: give a RunRecord as a solve's report first")
    ax = axes_for(ax)
    for number, ((name, frame), style) in enumerate(zip(frames, line_styles(), strict=False)):
        colour = shade(number, len(frames))
        ax.loglog(list(frame.index), frame["exploitability"], label=name, color=colour, **style)
    ax.legend()
    reached = "; ".join(f"{name}: {frame['exploitability'].iloc[-1]:.1e}" for name, frame in frames)
    caption = f"exploitability reached (payoffs +1 and -1): {reached}"
    return finish(ax, "Convergence", "iteration", "exploitability (payoff)", caption)
