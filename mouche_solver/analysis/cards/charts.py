"""Exchange charts: pass, exchange and stand as stacked colours over a grid of hands."""

from collections.abc import Sequence
from textwrap import wrap
from typing import Any

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.collections import PolyCollection
from matplotlib.colors import to_rgb
from matplotlib.figure import Figure

from mouche_solver.analysis.cards.captions import after, card_caption, seat_name
from mouche_solver.analysis.cards.tables import Said, exchange_grid
from mouche_solver.analysis.page.figures import Chart, axes_for, finish, shade
from mouche_solver.cards.rules.rules import CardRules
from mouche_solver.cards.strategy.situation import Declared
from mouche_solver.cards.strategy.strategy import CardStrategy
from mouche_solver.errors import RulesError

_HEIGHT = 0.86  # of a bar in its cell
_LETTERS = {"pass": "p", "stand": "S"}
_GREY = (0.299, 0.587, 0.114)  # what the eye sees of red, green and blue
_Y = "trumps held, place of the best"


def exchange_grid_chart(
    strategy: CardStrategy, declared: Said = None, seat: int | None = None, ax: Axes | None = None
) -> Figure:
    """What a seat declares: a stacked bar for each trump holding and side cards.

    The colours go from pass over exchanges of many and of few cards to stand: the lighter, the more
    of the hand is kept. The likeliest declaration is written into the cell: ``p``, a number of
    cards, ``S``.

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
    heights = [grid.index.unique("trumps").size for grid in grids]
    size = 0.8 + 3.7 * columns, 0.9 + rows * (0.8 + 0.19 * max(heights))
    figure = Chart(figsize=size, layout="constrained")
    places = figure.subplots(rows, columns, squeeze=False).ravel()
    for ax, grid in zip(places, grids, strict=False):
        draw_grid(ax, grid)
        ax.set_title(panel_title(strategy.rules, grid), fontsize=8)
        ax.set_xlabel(_side_label(strategy.rules), fontsize=7)
        ax.set_ylabel(_Y, fontsize=7)
        ax.tick_params(labelsize=6)
    for ax in places[len(grids) :]:
        ax.set_axis_off()
    handles, labels = places[0].get_legend_handles_labels()
    figure.legend(handles, labels, loc="outside upper center", ncols=len(labels), fontsize=8)
    caption = "\n".join(wrap(card_caption(strategy), 45 * columns))
    figure.supxlabel(caption, fontsize=7)
    return figure


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
            facecolor=shade(number, len(order)),
            edgecolor="white" if name == "pass" else "none",
            linewidth=0.0,
            hatch="//////" if name == "pass" else None,
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
        colour = shade(number, len(order))
        ink = "white" if np.dot(to_rgb(colour), _GREY) < 0.5 else "black"
        letter = _LETTERS.get(name, name.removeprefix("exchange"))
        box = {"facecolor": colour, "edgecolor": "none", "pad": 0.6}  # the hatching stays outside
        text = ax.text(
            x[cell] - 0.5 + middles[cell, number], y[cell], letter, fontsize=6, ha="center",
            va="center", color=ink, bbox=box if name == "pass" else None,
        )  # fmt: skip
        text.set_in_layout(False)


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
