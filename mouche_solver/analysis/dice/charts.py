"""Charts of strategies, odds, matches and runs; each takes ``ax=`` and returns the figure."""

from collections.abc import Iterable, Sequence

import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from mouche_solver.analysis.dice.claims import bluff_table, claim_grid, doubt_frontier, doubt_table
from mouche_solver.analysis.dice.odds import MOST_DICE, even_table, odds_table
from mouche_solver.analysis.dice.rounds import RunRecord, match_grid
from mouche_solver.analysis.dice.tables import ALIKE, group_table, range_table
from mouche_solver.analysis.page.figures import axes_for, finish, heatmap, line_styles, shade
from mouche_solver.dice.round.strategy import History, RoundStrategy
from mouche_solver.dice.rules.html import rules_text
from mouche_solver.dice.table.match import MatchValues
from mouche_solver.errors import RulesError

_RARE = 0.0005  # actions below this in every row are left out of a chart


def hand_chart(
    strategy: RoundStrategy,
    history: History = "",
    holding: str = "",
    tolerance: float = ALIKE,
    ax: Axes | None = None,
) -> Figure:
    """Heatmap of hands by actions: a row per group of hands that play alike.

    Parameters
    ----------
    strategy, history, holding, tolerance
        As in :func:`mouche_solver.analysis.response_table`.
    ax : Axes, optional
        Where to draw; a new figure without it.

    Returns
    -------
    Figure

    Raises
    ------
    NotationError, IllegalMoveError
        When claims or dice cannot be read, or no hand holds the dice.
    """
    table = group_table(strategy, history, holding, tolerance)
    cells = table.drop(columns=["hands", "chance"])
    cells = cells.loc[:, cells.max() >= _RARE]
    cells.index = [
        f"{hand} +{count - 1}" if count > 1 else hand
        for hand, count in zip(table.index, table["hands"], strict=True)
    ]
    size = 2.5 + 0.3 * cells.shape[1], 1.6 + 0.16 * cells.shape[0]
    ax = axes_for(ax, max(size[0], 6.4), max(size[1], 3.0))
    heatmap(ax, cells, "probability")
    before = cells.columns.name
    title = "Opening claims" if before == "opening" else f"Actions after {before}"
    y = "hand (+ others alike)"
    return finish(ax, title, "action (quantity x face)", y, table.attrs["caption"])


def claim_chart(strategy: RoundStrategy, history: History = "", ax: Axes | None = None) -> Figure:
    """Heatmap of quantity by face: how likely each claim is, over all hands."""
    grid = claim_grid(strategy, history)
    ax = axes_for(ax)
    heatmap(ax, grid.iloc[::-1], "probability", high=max(float(grid.max().max()), 1e-9))
    return finish(ax, "Which claim is made", "face", "quantity (dice)", grid.attrs["caption"])


def doubt_chart(
    strategy: RoundStrategy,
    history: History = "",
    threshold: float = 0.5,
    ax: Axes | None = None,
) -> Figure:
    """Heatmap of faces by own count: the quantity from which on one doubts."""
    frontier = doubt_frontier(strategy, history, threshold)
    cells = frontier.astype("Float64").astype("float64")
    ax = axes_for(ax)
    heatmap(ax, cells, "quantity (dice)", high=strategy.rules.total_dice, text=".0f")
    title = f"Doubt from this quantity on ({threshold:.0%} or more)"
    return finish(ax, title, "own matching dice", "face claimed", frontier.attrs["caption"])


def doubt_heatmap(
    strategy: RoundStrategy, face: int, history: History = "", ax: Axes | None = None
) -> Figure:
    """Heatmap of quantity by own count: how often a claim on one face is doubted.

    Raises
    ------
    RulesError
        When no claim on that face can follow.
    """
    table = doubt_table(strategy, history)
    faces = table.index.get_level_values("face")
    if face not in faces:
        allowed = ", ".join(map(str, sorted(set(faces))))
        raise RulesError(f"face {face}: claims can follow on {allowed}")
    ax = axes_for(ax)
    cells = table[faces == face].droplevel("face")
    heatmap(ax, cells.iloc[::-1], "probability of a doubt")
    title = f"Doubting a claim on {face}"
    return finish(ax, title, "own matching dice", "quantity (dice)", table.attrs["caption"])


def bluff_chart(strategy: RoundStrategy, history: History = "", ax: Axes | None = None) -> Figure:
    """Bars: the chance of each claim, and the part of it that is above what the hand supports."""
    table = bluff_table(strategy, history)
    table = table[table["chance"] >= _RARE]
    ax = axes_for(ax, max(6.4, 1.5 + 0.25 * len(table)))
    places = range(len(table))
    bluffed = table["chance"] * table["bluff"]
    ax.bar(places, table["chance"] - bluffed, bottom=bluffed, color=shade(2, 3), label="supported")
    ax.bar(places, bluffed, color=shade(0, 3), hatch="//", edgecolor="white", label="bluff")
    ax.set_xticks(places, list(table.index), rotation=90)
    ax.legend()
    title = "Claims and bluffs"
    return finish(ax, title, "claim (quantity x face)", "probability", table.attrs["caption"])


def range_chart(
    strategy: RoundStrategy,
    history: History,
    player: int | None = None,
    most: int = 20,
    ax: Axes | None = None,
) -> Figure:
    """Bars: the likeliest hands of the claimer after a line of claims, and how they are rolled.

    Raises
    ------
    RulesError
        When ``most`` is below 1, or there is no such player.
    """
    if most < 1:
        raise RulesError(f"most={most}: at least 1 hand is shown")
    table = range_table(strategy, history, player)
    shown = table.head(most).iloc[::-1]
    ax = axes_for(ax, height=1.6 + 0.2 * len(shown))
    places = range(len(shown))
    ax.barh(places, shown["probability"], color=shade(1, 3), label="given the claims")
    ax.plot(shown["rolled"], places, "k|", markersize=9, label="as rolled")
    ax.set_yticks(places, list(shown.index))
    ax.legend()
    who = table.attrs["player"]
    title = f"Hands of player {who} ({len(shown)} of {len(table)})"
    return finish(ax, title, "probability", "hand", table.attrs["caption"])


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
