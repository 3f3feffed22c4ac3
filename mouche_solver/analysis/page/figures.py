"""What all charts share: a figure that needs no display, colours, captions.

Colour maps whose lightness changes evenly read the same in greyscale and to colour-blind eyes;
lines also differ by marker and dash. Charts are made to be printed: light cells, type of 7 pt and
more.
"""

import io
from itertools import cycle
from textwrap import wrap
from typing import Any

import numpy as np
import pandas as pd
from matplotlib import rc_context
from matplotlib.axes import Axes
from matplotlib.colors import LinearSegmentedColormap
from matplotlib.figure import Figure

COLOURS = "cividis"
# Cells: white for nothing, and never so dark that black type is hard to read or ink is wasted.
CELLS = LinearSegmentedColormap.from_list("cells", ["#ffffff", "#c9dcf0", "#5b9bd5"]).with_extremes(
    bad="#eeeeee"
)
_DASHES = ("-", "--", "-.", ":")
_MARKERS = "osD^vP*X"
_CELL_TEXT = 1200  # cells beyond this number are too small to write into


class Chart(Figure):
    """A figure that pyplot does not know, so nothing leaks; a notebook shows it as SVG."""

    def _repr_svg_(self) -> str:
        return svg_text(self)


def svg_text(figure: Figure) -> str:
    """A figure as the text of an ``svg`` element, the same for the same data."""
    buffer = io.StringIO()
    with rc_context({"svg.hashsalt": "mouche", "svg.fonttype": "none"}):
        figure.savefig(buffer, format="svg", bbox_inches="tight", metadata={"Date": None})
    text = buffer.getvalue()
    return text[text.index("<svg") :]


def axes_for(ax: Axes | None, width: float = 6.4, height: float = 4.0) -> Axes:
    """The given axes, or those of a new figure; sizes in inches."""
    return Chart(figsize=(width, height), layout="constrained").subplots() if ax is None else ax


def finish(ax: Axes, title: str, x: str, y: str, caption: str) -> Figure:
    """Label the axes and put the caption below them."""
    ax.set_title(title)
    ax.set_xlabel(x)
    ax.set_ylabel(y)
    ax.annotate(
        "\n".join(wrap(caption, 90)),
        xy=(0, 0),
        xycoords=("axes fraction", ax.xaxis.label),  # under the label, however long the ticks are
        xytext=(0, -6),
        textcoords="offset points",
        fontsize=7,
        va="top",
        annotation_clip=False,
        label="caption",
    )
    figure = ax.get_figure(root=True)
    assert figure is not None  # axes that are drawn upon belong to one
    return figure


def heatmap(
    ax: Axes, cells: pd.DataFrame, unit: str, low: float = 0.0, high: float = 1.0, text: str = ".0%"
) -> None:
    """Draw a table as coloured cells, white for the lowest; cells without a number are grey.

    Small tables have their numbers written into the cells in the format ``text``.
    """
    values = np.ma.masked_invalid(cells.to_numpy(dtype=float))
    image = ax.imshow(values, cmap=CELLS, vmin=low, vmax=high, aspect="auto")
    ax.set_xticks(range(cells.shape[1]), [str(name) for name in cells.columns])
    ax.set_yticks(range(cells.shape[0]), [str(name) for name in cells.index])
    if max(map(len, map(str, cells.columns))) > 2 and cells.shape[1] > 12:
        ax.tick_params(axis="x", rotation=90)
    ax.figure.colorbar(image, ax=ax, label=unit)
    if values.size > _CELL_TEXT:
        return
    for (row, column), value in np.ndenumerate(values):
        if value is np.ma.masked or abs(value) < 0.0005:
            continue
        ax.text(column, row, f"{value:{text}}", ha="center", va="center", fontsize=7)


def line_styles() -> Any:
    """Endless styles for lines, each with its own marker and dash."""
    return (
        {"marker": marker, "linestyle": dash, "markersize": 5}
        for marker, dash in zip(cycle(_MARKERS), cycle(_DASHES), strict=False)
    )


def shade(number: int, count: int) -> Any:
    """Colour ``number`` of ``count``, from dark to light; the lightest are too pale for lines."""
    import matplotlib

    return matplotlib.colormaps[COLOURS](0.85 * number / max(count - 1, 1))
