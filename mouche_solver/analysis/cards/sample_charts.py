"""Charts of hand values, mouches made, stands, what exchanges tell, and seats."""

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from mouche_solver.analysis.cards.captions import after, seat_name
from mouche_solver.analysis.cards.compare import Named, seat_table
from mouche_solver.analysis.cards.samples import hand_value_table, no_trick_table
from mouche_solver.analysis.cards.stands import stand_table
from mouche_solver.analysis.cards.tables import Said
from mouche_solver.analysis.cards.tells import kept_table
from mouche_solver.analysis.page.figures import axes_for, finish, heatmap, line_styles, shade
from mouche_solver.cards.measure.census import Census, Stands
from mouche_solver.cards.strategy.strategy import CardStrategy

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
            range(len(holdings)), sums["value"], 2 * np.sqrt(sums["square"]),
            label=seat_name(rules, seat), color=shade(seat, rules.players), capsize=2,
            **style,
        )  # fmt: skip
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
            places, width, left=left, label=name.removesuffix(" trumps"),
            color=shade(number, len(columns)), edgecolor="white", linewidth=0.4,
            hatch="//" if number % 2 else None,
        )  # fmt: skip
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
            range(len(rows)), rows["share"] / rows["equal"], 2 * rows["error"] / rows["equal"],
            label=name, color=shade(number, len(named)), capsize=2, **style,
        )  # fmt: skip
    ax.axhline(1, color="black", linewidth=0.8)
    ax.set_xticks(range(most), ["first hand", *(f"seat {n}" for n in range(1, most))])
    ax.legend()
    title, y = "Who gets the pot", "share / equal share"
    x = "seat, the last one of a line is the dealer"
    return finish(ax, title, x, y, table.attrs["caption"])
