"""Card charts by the data in them: bars, letters, labels, captions."""

import xml.etree.ElementTree as xml

import numpy as np
import pytest
from matplotlib.collections import PolyCollection
from matplotlib.colors import to_rgb
from matplotlib.figure import Figure
from matplotlib.text import Text

from mouche_solver.analysis import (
    card_strategy,
    exchange_grid,
    exchange_grid_chart,
    exchange_page,
    hand_value_chart,
    hand_value_table,
    kept_chart,
    kept_table,
    no_trick_chart,
    no_trick_table,
    save_figure,
    seat_chart,
    seat_table,
    stand_chart,
    stand_table,
)
from mouche_solver.analysis.cards.charts import keep_order, usual_panels
from mouche_solver.analysis.page.figures import axes_for, svg_text
from mouche_solver.cards import CardRules, CardStrategy, Census
from mouche_solver.cards.measure.census import Stands
from mouche_solver.errors import IllegalMoveError, RulesError, StorageError

NAMES = ["exchange", "value", "no trick", "stand", "kept", "seat"]


def draw(name: str, census: Census, stands: Stands, ax=None) -> Figure:
    return {
        "exchange": lambda: exchange_grid_chart(census.strategy, ["pass"], ax=ax),
        "value": lambda: hand_value_chart(census, ax=ax),
        "no trick": lambda: no_trick_chart(census, ax=ax),
        "stand": lambda: stand_chart(census, stands, ax=ax),
        "kept": lambda: kept_chart(census.strategy, ["pass"], ax=ax),
        "seat": lambda: seat_chart({"small": census}, ax=ax),
    }[name]()


def captions(figure: Figure) -> str:
    texts = [t for t in figure.axes[0].texts if t.get_label() == "caption"]
    assert len(texts) == 1
    return texts[0].get_text().replace("\n", " ")


@pytest.mark.parametrize("name", NAMES)
def test_every_chart_is_labelled(census: Census, stands: Stands, name: str) -> None:
    figure = draw(name, census, stands)
    ax = figure.axes[0]
    assert ax.get_title()
    assert ax.get_xlabel()
    assert ax.get_ylabel()
    assert "3 players, 12 cards (K Q J A), 2 in a hand" in captions(figure)
    assert "no bound" in captions(figure)
    xml.fromstring(svg_text(figure))


@pytest.mark.parametrize("name", NAMES)
def test_every_chart_draws_where_it_is_told(census: Census, stands: Stands, name: str) -> None:
    ax = axes_for(None)
    assert draw(name, census, stands, ax) is ax.figure
    assert ax.has_data()


def widths(ax, grid) -> dict[str, np.ndarray]:
    """Of the bars of each declaration, in the order of the table."""
    bars = {c.get_label(): c for c in ax.collections if isinstance(c, PolyCollection)}
    assert list(bars) == keep_order(grid)
    return {
        name: np.array([np.ptp(p.vertices[:, 0]) for p in bar.get_paths()])
        for name, bar in bars.items()
    }


def check_grid(ax, grid) -> None:
    for name, found in widths(ax, grid).items():
        np.testing.assert_allclose(found, grid[name], atol=1e-12)
    columns = [label.get_text() for label in ax.get_xticklabels()]
    rows = [label.get_text() for label in ax.get_yticklabels()]
    passes = next(c for c in ax.collections if c.get_label() == "pass").get_paths()
    for (trumps, sides), path in zip(grid.index, passes, strict=True):
        left, middle = path.vertices[:, 0].min(), path.vertices[:4, 1].mean()
        assert columns[round(left + 0.5)] == sides
        assert rows[round(middle)] == trumps


def test_the_exchange_chart(any_cards: CardStrategy) -> None:
    figure, grid = exchange_grid_chart(any_cards), exchange_grid(any_cards)
    ax = figure.axes[0]
    check_grid(ax, grid)
    letters = [t.get_text() for t in ax.texts if t.get_label() != "caption"]
    likeliest = grid[keep_order(grid)].idxmax(axis=1)
    short = {"pass": "p", "stand": "S"}
    assert letters == [short.get(n, n.removeprefix("exchange")) for n in likeliest]
    assert ax.get_title() == "first hand, first to speak"
    assert ax.get_xlabel() == "best side cards: K and Q of plain suits"


def test_colours_get_lighter_the_more_is_kept(three_cards: CardStrategy) -> None:
    ax = exchange_grid_chart(three_cards).axes[0]
    bars = [c for c in ax.collections if isinstance(c, PolyCollection)]
    lightness = [np.dot(to_rgb(c.get_facecolor()[0]), (0.299, 0.587, 0.114)) for c in bars]
    assert np.diff(lightness).min() > 0.05
    assert [bool(c.get_hatch()) for c in bars] == [True, False, False, False]


def test_a_page_has_a_panel_for_each_seat_and_what_happened(three_cards: CardStrategy) -> None:
    figure, panels = exchange_page(three_cards), usual_panels(three_cards)
    assert [len(words) for words in panels] == [0, 1, 1, 1, 2, 2]
    assert [panels[0], panels[1], panels[3], panels[5]] == [
        [],
        ["pass"],
        ["stand"],
        ["pass", "stand"],
    ]
    first, second = exchange_grid(three_cards), exchange_grid(three_cards, ["pass"])
    for grid, words in ((first, panels[2]), (second, panels[4])):
        often = {k: np.dot(grid["weight"], grid[f"exchange{k}"]) for k in (1, 2)}
        assert words[-1] == max(often, key=often.get)
    shown = [ax for ax in figure.axes if ax.has_data()]
    assert len(shown) == len(panels)
    for ax, words in zip(shown, panels, strict=True):
        check_grid(ax, exchange_grid(three_cards, words))
    titles = [ax.get_title() for ax in shown]
    assert titles[0] == "first hand, first to speak"
    assert titles[-1] == "dealer, after pass, stand"
    text = figure._supxlabel.get_text().replace("\n", " ")
    assert "3 players, 12 cards" in text
    assert "no bound" in text


def test_a_page_of_chosen_panels(three_cards: CardStrategy, tmp_path) -> None:
    figure = exchange_page(three_cards, [["stand"], [1, "pass"]])
    assert [ax.get_title() for ax in figure.axes] == [
        "seat 1, after stand",
        "dealer, after exchange 1, pass",
    ]
    for kind in ("pdf", "png"):
        save_figure(figure, tmp_path / f"page.{kind}")
        assert (tmp_path / f"page.{kind}").stat().st_size > 10_000
    with pytest.raises(StorageError, match="cannot write"):
        save_figure(figure, tmp_path / "missing" / "page.pdf")
    with pytest.raises(RulesError, match="no panel to draw"):
        exchange_page(three_cards, [])
    with pytest.raises(IllegalMoveError, match="the dealer is not asked"):
        exchange_page(three_cards, [["pass", "pass"]])


def test_values(census: Census) -> None:
    ax, table = hand_value_chart(census).axes[0], hand_value_table(census)
    labels = [label.get_text() for label in ax.get_xticklabels()]
    assert labels[0] == "none"
    names = ["first hand", "seat 1", "dealer"]
    assert [bars.get_label() for bars in ax.containers] == names
    for seat, bars in enumerate(ax.containers):
        rows = table.xs(seat, level="seat")
        drawn = bars.lines[0].get_ydata()
        for label, value in zip(labels, drawn, strict=True):
            part = rows.loc[label]
            assert value == pytest.approx(np.average(part["value"], weights=part["hands"]))


def test_no_tricks(census: Census) -> None:
    ax, table = no_trick_chart(census).axes[0], no_trick_table(census)
    found = ax.images[0].get_array()
    rows = [label.get_text() for label in ax.get_yticklabels()]
    for y, holding in enumerate(rows):
        for x, inside in enumerate((2, 3)):
            part = table.loc[holding]
            part = part[part.index.get_level_values("inside") == inside]
            if part["hands"].sum() >= 30:
                wanted = np.average(part["chance"], weights=part["hands"])
                assert found[y, x] == pytest.approx(wanted)
            else:
                assert np.ma.getmaskarray(found)[y, x]


def test_stands(census: Census, stands: Stands) -> None:
    ax, table = stand_chart(census, stands).axes[0], stand_table(census, stands)
    rows = [label.get_text() for label in ax.get_yticklabels()]
    plain, bluffs = ax.containers
    for holding, one, two in zip(rows, plain, bluffs, strict=True):
        part = table.loc[holding]
        assert one.get_width() + two.get_width() == pytest.approx(part["share"].sum())
        assert two.get_width() == pytest.approx(part.loc[part["bluff"], "share"].sum())


def test_what_is_kept(three_cards: CardStrategy) -> None:
    ax, table = kept_chart(three_cards).axes[0], kept_table(three_cards)
    for number, bars in enumerate(ax.containers):
        wanted = table[f"{number} trumps"].iloc[1:].fillna(0)
        np.testing.assert_allclose([bar.get_width() for bar in bars], wanted)
    assert ax.get_yticklabels()[0].get_text() == f"stand ({table.loc['stand', 'chance']:.0%})"


def test_seats(census: Census) -> None:
    ax, table = seat_chart({"small": census}).axes[0], seat_table({"small": census})
    drawn = np.asarray(ax.containers[0].lines[0].get_ydata(), float)
    np.testing.assert_allclose(drawn, table["share"] * 3)
    with pytest.raises(RulesError, match="nothing to compare"):
        seat_chart({})


def test_equal_data_is_an_equal_picture(three_cards: CardStrategy) -> None:
    one, other = exchange_grid_chart(three_cards), exchange_grid_chart(three_cards)
    assert svg_text(one) == svg_text(other)


def test_a_page_is_a4_with_type_that_one_can_read() -> None:
    page = exchange_page(card_strategy(CardRules(players=4)))
    width, height = page.get_size_inches()
    assert width <= 8.27
    assert height <= 11.69
    page.draw_without_rendering()
    texts = [text for text in page.findobj(Text) if text.get_text().strip()]
    assert len(texts) > 50
    assert min(text.get_fontsize() for text in texts) >= 7
    said = " ".join(" ".join(text.get_text() for text in texts).split())
    for word in ("the dealer (seat", "p: pass", "S: stand", "1st is the highest"):
        assert word in said


def test_no_bar_is_dark(three_cards: CardStrategy) -> None:
    ax = exchange_grid_chart(three_cards).axes[0]
    bars = [c for c in ax.collections if isinstance(c, PolyCollection)]
    for bar in bars:
        assert np.dot(to_rgb(bar.get_facecolor()[0]), (0.299, 0.587, 0.114)) > 0.5
