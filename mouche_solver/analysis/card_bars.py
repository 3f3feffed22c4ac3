"""What a seat declares with each trump holding, as stacked bars."""

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from mouche_solver.analysis.card_frames import exchange_frame
from mouche_solver.analysis.figures import axes_for, finish, shade
from mouche_solver.cards.charts import ExchangeChart


def holding_frame(chart: ExchangeChart) -> pd.DataFrame:
    """Chances of the declarations by trump holding, the mean over all side cards.

    Parameters
    ----------
    chart : ExchangeChart

    Returns
    -------
    DataFrame
        Indexed by ``trumps`` and ``best``; ``weight`` and the declarations, whose rows add up to
        one.
    """
    frame = exchange_frame(chart)
    actions = list(chart.actions)
    mass = frame[actions].mul(frame["weight"], axis=0)
    sums = mass.join(frame["weight"]).groupby(level=["trumps", "best"]).sum()
    return sums[["weight"]].join(sums[actions].div(sums["weight"], axis=0))


def holding_bars(chart: ExchangeChart, caption: str, ax: Axes | None = None) -> Figure:
    """Bars of pass, exchanges from many cards to few, and stand, one for each trump holding.

    Parameters
    ----------
    chart : ExchangeChart
    caption : str
        Stands below the axes.
    ax : Axes, optional
        Where to draw; a figure without a display is made when it is left out.

    Returns
    -------
    Figure
    """
    frame = holding_frame(chart)
    ax = axes_for(ax, width=7.2, height=1.6 + 0.22 * len(frame))
    first, stand, *exchanges = chart.actions
    left = np.zeros(len(frame))
    order = [first, *reversed(exchanges), stand]
    for number, action in enumerate(order):
        width = frame[action].to_numpy()
        ax.barh(
            range(len(frame)), width, left=left, label=action, color=shade(number, len(order)),
            edgecolor="white", linewidth=0.4, hatch="//" if action == first else None,
        )  # fmt: skip
        left += width
    ax.set_yticks(range(len(frame)), [_holding(*each) for each in frame.index])
    ax.set_xlim(0, 1)
    ax.legend(loc="upper left", bbox_to_anchor=(1.0, 1.0), fontsize=8)
    title = f"seat {chart.seat}"
    return finish(ax, title, "probability", "trumps held, place of the best", caption)


def _holding(trumps: int, best: int) -> str:
    return f"{trumps}, best {best}" if trumps else "none"
