"""Charts of card strategies: what is declared, what hands are worth, who gets the pot."""

from collections.abc import Sequence
from textwrap import wrap
from typing import Any

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.collections import PolyCollection
from matplotlib.figure import Figure

from mouche_solver.analysis.cards.compare import Named, seat_table
from mouche_solver.analysis.cards.declarations import after, card_caption, seat_name
from mouche_solver.analysis.cards.samples import hand_value_table, no_trick_table, stand_table
from mouche_solver.analysis.cards.tables import Said, exchange_grid
from mouche_solver.analysis.cards.tells import kept_table
from mouche_solver.analysis.page.figures import (
    CELLS,
    Chart,
    axes_for,
    finish,
    heatmap,
    line_styles,
    shade,
)
from mouche_solver.cards.measure.census import Census, Stands
from mouche_solver.cards.rules.rules import CardRules
from mouche_solver.cards.strategy.situation import Declared
from mouche_solver.cards.strategy.strategy import CardStrategy
from mouche_solver.errors import RulesError

_HEIGHT = 0.86  # of a bar in its cell
_LETTERS = {"pass": "p", "stand": "S"}
_Y = "trumps held, place of the best"
_A4 = (8.27, 11.69)  # inches
_SMALLEST = 7  # points that one can read on paper


def exchange_grid_chart(
    strategy: CardStrategy, declared: Said = None, seat: int | None = None, ax: Axes | None = None
) -> Figure:
    """What a seat declares: a stacked bar for each trump holding and side cards.

    The colours go from pass (hatched) over exchanges of many and of few cards to stand: the
    lighter, the more of the hand is kept. The likeliest declaration is written into the cell:
    ``p``, a number of cards, ``S``.

    Parameters
    ----------
    strategy, declared, seat
        As in :func:`mouche_solver.analysis.exchange_grid`.
    ax : Axes, optional
        Where to draw; a new figure without it.

    Returns
    -------
    Figure

    Raises
    ------
    IllegalMoveError
        When the rules do not lead to such a situation.
    """
    grid = exchange_grid(strategy, declared, seat)
    ax = axes_for(ax, 6.8, 2.0 + 0.24 * grid.index.unique("trumps").size)
    draw_grid(ax, grid)
    ax.legend(loc="upper left", bbox_to_anchor=(1.0, 1.0), fontsize=7)
    title = panel_title(strategy.rules, grid)
    return finish(ax, title, _side_label(strategy.rules), _Y, grid.attrs["caption"])


def exchange_page(
    strategy: CardStrategy, histories: Sequence[Sequence[Declared]] | None = None
) -> Figure:
    """Exchange charts for print, a panel for each seat and what happened before.

    Parameters
    ----------
    strategy : CardStrategy
    histories : sequence of declarations, optional
        What was said before the seat of each panel. Left out: for each seat that nobody is in, that
        the seat before has exchanged, as many cards as it does most, and that it has stood.

    Returns
    -------
    Figure

    Raises
    ------
    RulesError
        When there is no panel to draw.
    IllegalMoveError
        When the rules do not lead to one of the situations.
    """
    panels = usual_panels(strategy) if histories is None else [list(words) for words in histories]
    if not panels:
        raise RulesError("no panel to draw: give at least one history, or leave histories out")
    grids = [exchange_grid(strategy, words) for words in panels]
    columns = min(3, len(panels))
    rows = -(-len(panels) // columns)
    figure = Chart(figsize=(_A4[0], min(_A4[1], 1.6 + 3.4 * rows)), layout="constrained")
    places = figure.subplots(rows, columns, squeeze=False).ravel()
    for ax, grid in zip(places, grids, strict=False):
        draw_grid(ax, grid)
        ax.set_title(panel_title(strategy.rules, grid), fontsize=8)
        ax.tick_params(labelsize=_SMALLEST)
    for ax in places[len(grids) :]:
        ax.set_axis_off()
    handles, labels = places[0].get_legend_handles_labels()
    figure.legend(handles, labels, loc="outside upper center", ncols=4, fontsize=8)
    caption = f"{symbols_text(strategy.rules)} {card_caption(strategy)}"
    figure.supxlabel("\n".join(wrap(caption, 125)), fontsize=_SMALLEST)
    return figure


def symbols_text(rules: CardRules) -> str:
    """What stands on a printed page for who has not read the manual.

    Examples
    --------
    >>> symbols_text(CardRules(players=3)).split(".")[0]
    'The first hand declares first, the dealer (seat 2) last'
    """
    return (
        f"The first hand declares first, the dealer (seat {rules.players - 1}) last. p: pass, "
        "S: stand, a number: so many cards exchanged; parts of a bar are probabilities. Rows: "
        "trumps held and the place of the best among those in play (1st is the highest). Columns: "
        f"{_side_label(rules)}."
    )


def usual_panels(strategy: CardStrategy) -> list[list[Declared]]:
    """Three situations of each seat: nobody in, the seat before exchanged, the seat before stood.

    Examples
    --------
    >>> from mouche_solver.analysis import card_strategy
    >>> rules = CardRules(players=2, ranks="K Q J", suits="C D", hand_size=2)
    >>> panels = usual_panels(card_strategy(rules, deals=1000))
    >>> panels[0], panels[-1], len(panels)
    ([], ['stand'], 3)
    """
    panels: list[list[Declared]] = [[]]
    for seat in range(1, strategy.rules.players):
        before: list[Declared] = ["pass"] * (seat - 1)
        if seat < strategy.rules.players - 1:
            panels.append([*before, "pass"])
        if strategy.rules.max_exchange:
            panels.append([*before, _usual_exchange(strategy, before)])
        panels.append([*before, "stand"])
    return panels


def _usual_exchange(strategy: CardStrategy, before: Sequence[Declared]) -> int:
    """How many cards the next seat exchanges most often."""
    grid = exchange_grid(strategy, before)
    mass = [
        np.dot(grid["weight"], grid[f"exchange{k}"])
        for k in range(1, strategy.rules.max_exchange + 1)
    ]
    return int(np.argmax(mass)) + 1


def draw_grid(ax: Axes, grid: pd.DataFrame) -> None:
    """Draw the bars of a table of :func:`mouche_solver.analysis.exchange_grid`."""
    order = keep_order(grid)
    rows = {label: y for y, label in enumerate(grid.index.unique("trumps"))}
    columns = {label: x for x, label in enumerate(grid.index.unique("sides").sort_values())}
    y = np.array([rows[label] for label in grid.index.get_level_values("trumps")])
    x = np.array([columns[label] for label in grid.index.get_level_values("sides")])
    ends = np.cumsum(grid[order].to_numpy(), axis=1)
    starts = np.hstack([np.zeros((len(grid), 1)), ends[:, :-1]])
    for number, name in enumerate(order):
        left, right = x - 0.5 + starts[:, number], x - 0.5 + ends[:, number]
        bars = PolyCollection(
            _rectangles(left, right, y),
            facecolor=keep_shade(number, len(order)),
            edgecolor="white" if name == "pass" else "none",
            linewidth=0.0,
            hatch="////" if name == "pass" else None,
            label=name,
        )
        bars.set_in_layout(False)  # inside the axes; asking each part for its size takes seconds
        ax.add_collection(bars)
    _write_letters(ax, grid, order, x, y, (starts + ends) / 2)
    ax.set_xlim(-0.5, len(columns) - 0.5)
    ax.set_ylim(len(rows) - 0.5, -0.5)
    ax.set_xticks(range(len(columns)), list(columns))
    ax.set_yticks(range(len(rows)), list(rows))
    ax.tick_params(axis="x", rotation=90 if len(columns) > 6 else 0)
    ax.set_xticks(np.arange(len(columns) + 1) - 0.5, minor=True)
    ax.grid(which="minor", axis="x", color="black", linewidth=0.4)
    ax.tick_params(which="minor", length=0)


def _rectangles(left: Any, right: Any, y: Any) -> list[Any]:
    """The corners of one bar for each cell."""
    low, high = y - _HEIGHT / 2, y + _HEIGHT / 2
    return list(
        np.stack([left, low, left, high, right, high, right, low], axis=1).reshape(-1, 4, 2)
    )


def _write_letters(
    ax: Axes, grid: pd.DataFrame, order: list[str], x: Any, y: Any, middles: Any
) -> None:
    """The likeliest declaration of each cell, in the middle of its part of the bar."""
    likeliest = grid[order].to_numpy().argmax(axis=1)
    for cell, number in enumerate(likeliest):
        name = order[number]
        colour = keep_shade(number, len(order))
        letter = _LETTERS.get(name, name.removeprefix("exchange"))
        box = {"facecolor": colour, "edgecolor": "none", "pad": 0.6}  # the hatching stays outside
        text = ax.text(
            x[cell] - 0.5 + middles[cell, number],
            y[cell],
            letter,
            fontsize=_SMALLEST,
            ha="center",
            va="center",
            bbox=box if name == "pass" else None,
        )
        text.set_in_layout(False)


def keep_shade(number: int, count: int) -> Any:
    """The lighter, the more of the hand is kept; black type is read on all."""
    return CELLS(1 - 0.92 * number / max(count - 1, 1))  # not the white of a cell without hands


def keep_order(grid: pd.DataFrame) -> list[str]:
    """The declarations of a table by how much of the hand they keep: pass first, stand last."""
    exchanges = [name for name in grid.columns if name.startswith("exchange")]
    return ["pass", *reversed(exchanges), "stand"]


def panel_title(rules: CardRules, grid: pd.DataFrame) -> str:
    """Such as ``dealer, after pass, stand``."""
    return f"{seat_name(rules, grid.attrs['seat'])}, {after(grid.attrs['declared'])}"


def _side_label(rules: CardRules) -> str:
    top, second = rules.pack.ranks[-1], rules.pack.ranks[-2:][0]
    return f"best side cards: {top} and {second} of plain suits"


_FEWEST = 30  # hands below which a cell of a heatmap stays empty
_Y = "trumps held, place of the best"


def hand_value_chart(census: Census, ax: Axes | None = None) -> Figure:
    """Lines: what a hand is worth by its trumps, a line per seat, bars of two standard errors."""
    table = hand_value_table(census)
    rules = census.strategy.rules
    ax = axes_for(ax, 7.2, 4.4)
    holdings = list(table.index.unique("trumps").sort_values()[::-1])
    for seat, style in zip(range(rules.players), line_styles(), strict=False):
        rows = table.xs(seat, level="seat")
        share = rows["hands"] / rows.groupby(level="trumps", observed=True)["hands"].transform(
            "sum"
        )
        parts = pd.DataFrame(
            {"value": share * rows["value"], "square": (share * rows["error"].fillna(0)) ** 2}
        )
        sums = parts.groupby(level="trumps", observed=True).sum().reindex(holdings)
        ax.errorbar(
            range(len(holdings)),
            sums["value"],
            2 * np.sqrt(sums["square"]),
            label=seat_name(rules, seat),
            color=shade(seat, rules.players),
            capsize=2,
            **style,
        )
    ax.axhline(0, color="black", linewidth=0.8)
    ax.set_xticks(range(len(holdings)), holdings, rotation=90)
    ax.legend()
    title, y = "What a hand as dealt is worth", "value (pots)"
    return finish(ax, title, _Y, y, table.attrs["caption"])


def no_trick_chart(census: Census, ax: Axes | None = None) -> Figure:
    """Heatmap: how often a player who is in takes no trick, by his trumps and the players in."""
    table = no_trick_table(census)
    made = (table["chance"] * table["hands"]).groupby(level=["trumps", "inside"], observed=True)
    hands = table["hands"].groupby(level=["trumps", "inside"], observed=True).sum()
    chance = (made.sum() / hands).where(hands >= _FEWEST)
    cells = chance.unstack("inside").sort_index()
    ax = axes_for(ax, 5.4, 1.8 + 0.22 * len(cells))
    heatmap(ax, cells, "probability of no trick", high=max(float(cells.max().max()), 0.01))
    caption = f"{table.attrs['caption']}; cells of fewer than {_FEWEST} hands are left empty"
    return finish(ax, "Making the mouche: in, and no trick", "players in", _Y, caption)


def stand_chart(census: Census, stands: Stands, ax: Axes | None = None) -> Figure:
    """Bars: which trump holdings stand, and the part of it that is bluffs."""
    table = stand_table(census, stands)
    total = table["share"].groupby(level="trumps", observed=True).sum()
    bluffs = table["share"].where(table["bluff"], 0.0).groupby(level="trumps", observed=True).sum()
    ax = axes_for(ax, 6.4, 1.8 + 0.22 * len(total))
    places = range(len(total))
    ax.barh(places, total - bluffs, left=bluffs, color=shade(2, 3), label="no bluff")
    ax.barh(places, bluffs, color=shade(0, 3), hatch="//", edgecolor="white", label="bluff")
    ax.set_yticks(places, list(total.index))
    ax.invert_yaxis()
    ax.legend()
    title = "Which hands stand"
    return finish(ax, title, "share of all stands (probability)", _Y, table.attrs["caption"])


def kept_chart(
    strategy: CardStrategy, declared: Said = None, seat: int | None = None, ax: Axes | None = None
) -> Figure:
    """Stacked bars: how many trumps are kept, given each declaration.

    Raises
    ------
    IllegalMoveError
        When the rules do not lead to such a situation.
    """
    table = kept_table(strategy, declared, seat).iloc[1:]
    ax = axes_for(ax, 6.8, 1.8 + 0.35 * len(table))
    columns = [name for name in table.columns if name.endswith(" trumps")]
    left, places = np.zeros(len(table)), range(len(table))
    for number, name in enumerate(columns):
        width = table[name].fillna(0).to_numpy()
        ax.barh(
            places,
            width,
            left=left,
            label=name.removesuffix(" trumps"),
            color=shade(number, len(columns)),
            edgecolor="white",
            linewidth=0.4,
            hatch="//" if number % 2 else None,
        )
        left += width
    labels = [f"{name} ({chance:.0%})" for name, chance in table["chance"].items()]
    ax.set_yticks(places, labels)
    ax.invert_yaxis()
    ax.set_xlim(0, 1)
    ax.legend(title="trumps kept", loc="upper left", bbox_to_anchor=(1.0, 1.0), fontsize=8)
    who = seat_name(strategy.rules, table.attrs["seat"])
    title = f"What is kept by the {who}, {after(table.attrs['declared'])}"
    return finish(ax, title, "probability", "declaration (how often)", table.attrs["caption"])


def seat_chart(
    named: Named, deals: int = 100_000, seed: int = 0, threads: int = 1, ax: Axes | None = None
) -> Figure:
    """Lines: each seat's share of the pot over an equal one, a line per strategy.

    Parameters
    ----------
    named, deals, seed, threads
        As in :func:`mouche_solver.analysis.seat_table`.
    ax : Axes, optional
        Where to draw; a new figure without it.

    Raises
    ------
    RulesError
        When nothing is given to compare.
    """
    table = seat_table(named, deals, seed, threads)
    ax = axes_for(ax)
    most = 0
    for number, (name, style) in enumerate(zip(named, line_styles(), strict=False)):
        rows = table.loc[name]
        most = max(most, len(rows))
        ax.errorbar(
            range(len(rows)),
            rows["share"] / rows["equal"],
            2 * rows["error"] / rows["equal"],
            label=name,
            color=shade(number, len(named)),
            capsize=2,
            **style,
        )
    ax.axhline(1, color="black", linewidth=0.8)
    ax.set_xticks(range(most), ["first hand", *(f"seat {n}" for n in range(1, most))])
    ax.legend()
    title, y = "Who gets the pot", "share / equal share"
    x = "seat, the last one of a line is the dealer"
    return finish(ax, title, x, y, table.attrs["caption"])
