"""Charts by the data in them: cells, bars, labels, captions."""

import inspect
import os
import subprocess
import sys
import xml.etree.ElementTree as xml

import numpy as np
import pytest
from matplotlib.colors import to_rgb
from matplotlib.figure import Figure

from mouche_solver.analysis import (
    DiceSolution,
    bluff_chart,
    bluff_table,
    claim_chart,
    claim_grid,
    doubt_chart,
    doubt_frontier,
    doubt_heatmap,
    doubt_table,
    group_table,
    hand_chart,
    range_chart,
    range_table,
)
from mouche_solver.analysis.page.figures import Chart, axes_for, shade, svg_text
from mouche_solver.dice.round.strategy import RoundStrategy
from mouche_solver.errors import RulesError

CHARTS = {
    "hand": lambda s, ax=None: hand_chart(s, ax=ax),
    "claim": lambda s, ax=None: claim_chart(s, ax=ax),
    "doubt": lambda s, ax=None: doubt_chart(s, ax=ax),
    "doubt heatmap": lambda s, ax=None: doubt_heatmap(s, s.rules.faces, ax=ax),
    "bluff": lambda s, ax=None: bluff_chart(s, ax=ax),
    "range": lambda s, ax=None: range_chart(s, "", ax=ax),
}


def cells(figure: Figure) -> np.ndarray:
    return figure.axes[0].images[0].get_array().filled(np.nan)


def captions(figure: Figure) -> str:
    texts = [t for t in figure.axes[0].texts if t.get_label() == "caption"]
    assert len(texts) == 1
    return texts[0].get_text().replace("\n", " ")


@pytest.mark.parametrize("name", CHARTS)
def test_every_chart_is_labelled(strategy: RoundStrategy, name: str) -> None:
    figure = CHARTS[name](strategy)
    ax = figure.axes[0]
    assert ax.get_title()
    assert ax.get_xlabel()
    assert ax.get_ylabel()
    caption = captions(figure)
    assert f"{strategy.rules.dice[0]} v {strategy.rules.dice[1]} dice" in caption
    assert "exploitability" in caption
    xml.fromstring(svg_text(figure))


@pytest.mark.parametrize("name", CHARTS)
def test_every_chart_draws_where_it_is_told(plain: DiceSolution, name: str) -> None:
    ax = axes_for(None)
    assert CHARTS[name](plain, ax) is ax.figure
    assert ax.has_data()


def test_hands_by_actions(plain: DiceSolution) -> None:
    figure, table = hand_chart(plain, "1x1"), group_table(plain, "1x1")
    ax = figure.axes[0]
    shown = [label.get_text() for label in ax.get_xticklabels()]
    np.testing.assert_array_equal(cells(figure), table[shown].to_numpy())
    left_out = table.drop(columns=["hands", "chance", *shown])
    assert not (left_out >= 0.0005).any(axis=None)
    others = [int(label.get_text().partition(" +")[2] or 0) for label in ax.get_yticklabels()]
    assert others == (table["hands"] - 1).tolist()
    assert ax.get_title() == "Actions after 1x1"


def test_quantity_by_face(plain: DiceSolution) -> None:
    figure, grid = claim_chart(plain, "1x2"), claim_grid(plain, "1x2")
    np.testing.assert_array_equal(cells(figure), grid.iloc[::-1].to_numpy())
    assert np.isnan(cells(figure)[:, 0]).all()  # nothing on ones can follow a claim on twos


def test_the_frontier(plain: DiceSolution) -> None:
    figure, table = doubt_chart(plain, threshold=0.3), doubt_frontier(plain, threshold=0.3)
    np.testing.assert_array_equal(cells(figure), table.to_numpy(dtype=float, na_value=np.nan))
    written = {t.get_text() for t in figure.axes[0].texts if t.get_label() != "caption"}
    assert written == {str(n) for n in table.to_numpy().ravel()}


def test_doubts_on_one_face(plain: DiceSolution) -> None:
    table = doubt_table(plain).xs(2, level="face")
    np.testing.assert_array_equal(cells(doubt_heatmap(plain, 2)), table.iloc[::-1].to_numpy())
    with pytest.raises(RulesError, match="face 1: claims can follow on 2, 3"):
        doubt_heatmap(plain, 1, "3x1")


def test_bluffs(plain: DiceSolution) -> None:
    figure, table = bluff_chart(plain), bluff_table(plain)
    table = table[table["chance"] >= 0.0005]
    supported, bluffs = figure.axes[0].containers
    np.testing.assert_allclose([bar.get_height() for bar in bluffs], table.chance * table.bluff)
    tops = [bar.get_y() + bar.get_height() for bar in supported]
    np.testing.assert_allclose(tops, table["chance"])


def test_ranges(plain: DiceSolution) -> None:
    figure, table = range_chart(plain, "1x3", most=4), range_table(plain, "1x3").head(4)
    ax = figure.axes[0]
    widths = [bar.get_width() for bar in ax.containers[0]]
    np.testing.assert_array_equal(widths[::-1], table["probability"])
    np.testing.assert_array_equal(ax.lines[0].get_xdata()[::-1], table["rolled"])
    assert ax.get_title() == "Hands of player 0 (4 of 6)"
    with pytest.raises(RulesError, match="most=0: at least 1"):
        range_chart(plain, "1x3", most=0)


def test_equal_data_is_an_equal_picture(plain: DiceSolution) -> None:
    assert svg_text(claim_chart(plain)) == svg_text(claim_chart(plain))
    assert claim_chart(plain)._repr_svg_().startswith("<svg")


def test_colours_tell_by_lightness_alone() -> None:
    lightness = [np.dot(to_rgb(shade(n, 5)), (0.299, 0.587, 0.114)) for n in range(5)]
    assert np.diff(lightness).min() > 0.1


def test_charts_need_no_display_and_leak_nothing() -> None:
    code = (
        "import sys\n"
        "from mouche_solver.analysis.page.figures import axes_for, finish, svg_text\n"
        "for _ in range(30): svg_text(finish(axes_for(None), 't', 'x', 'y', 'c'))\n"
        "assert 'matplotlib.pyplot' not in sys.modules\n"
    )
    # A window system is asked for, and there is none.
    env = {k: v for k, v in os.environ.items() if k != "DISPLAY"} | {"MPLBACKEND": "TkAgg"}
    words = [sys.executable, "-c", code]
    done = subprocess.run(words, capture_output=True, text=True, check=False, env=env)
    assert (done.returncode, done.stderr) == (0, "")
    assert issubclass(Chart, Figure)


def test_every_chart_takes_axes() -> None:
    from mouche_solver import analysis

    charts = [name for name in analysis.__all__ if name.endswith(("_chart", "_heatmap"))]
    dice = [name for name in charts if getattr(analysis, name).__module__.endswith("dice.charts")]
    firsts = [next(iter(inspect.signature(getattr(analysis, name)).parameters)) for name in dice]
    assert firsts.count("strategy") == len(CHARTS)
    for name in charts:
        assert "ax" in inspect.signature(getattr(analysis, name)).parameters


def test_nothing_is_white_and_no_cell_is_dark(plain: DiceSolution) -> None:
    cells = hand_chart(plain).axes[0].images[0]
    colours = cells.cmap(cells.norm(np.array([0.0, 0.5, 1.0])))[:, :3]
    assert colours[0].tolist() == [1, 1, 1]
    lightness = colours @ (0.299, 0.587, 0.114)
    assert np.diff(lightness).max() < 0
    assert lightness.min() > 0.5
