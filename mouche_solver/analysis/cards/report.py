"""The report of a card strategy: one HTML file with rules, quality, tables, charts and a tree."""

from collections.abc import Sequence

import numpy as np
import pandas as pd

from mouche_solver.analysis.cards.charts import exchange_grid_chart
from mouche_solver.analysis.cards.declarations import after, seat_name
from mouche_solver.analysis.cards.thought import thought_frame
from mouche_solver.analysis.cards.tree import (
    ChartBook,
    DealtHands,
    chart_numbers,
    class_numbers,
    declaration_tree,
)
from mouche_solver.analysis.page.figures import svg_text
from mouche_solver.analysis.page.likeliest import cut_note
from mouche_solver.analysis.page.output import PathLike
from mouche_solver.analysis.page.page import Section, page, sortable, tree_html, write_page
from mouche_solver.cards.compiled.arrays import effective_order
from mouche_solver.cards.rules.html import SYMBOLS, quality_html, rules_html, rules_text
from mouche_solver.cards.rules.rules import CardRules
from mouche_solver.cards.strategy.charts import ExchangeChart, spoken_cards
from mouche_solver.cards.strategy.strategy import CardStrategy
from mouche_solver.cards.think.search import Budget
from mouche_solver.solutions.cards import exchange_frame

CLASS = ("trumps", "best", "kings", "queens", "longest")
_SUITS = {"C": "clubs", "D": "diamonds", "H": "hearts", "S": "spades"}
_SHOWN = 0.001  # a class that exchanges more rarely is not in the table of what is kept
_FORMATS = {"value": "+.3f", "error": ".3f"}

_CLASSES = (
    "<p>A class of hands: the trumps held, the place of the best of them (1 is the highest that "
    "can be in play, 0 none), kings and queens of plain suits, the longest plain suit. Values are "
    "in pots and count what waits in the next pot; error is their standard error, at most. Those "
    "with ~ and ? rest on fewer than 100 visits of training, and come from rougher classes.{}</p>"
)
_THOUGHT = (
    "<p>Random hands: what the table declares, and the answer after every declaration was played "
    "through in guessed deals. Values are in pots, with their standard errors.</p>"
)
_KEPT = (
    "<p>What a class lays down most often when it exchanges, whatever the number, and what it "
    "keeps; share: how many of its exchanges do so.</p>"
)


def write_card_report(strategy: CardStrategy, path: PathLike, budget: Budget | None = None) -> None:
    """Write the report of a card strategy; the file is whole or as it was.

    Parameters
    ----------
    strategy : CardStrategy
    path : path-like
    budget : Budget, optional
        As for :func:`card_report_html`.

    Raises
    ------
    StorageError
        When it cannot be written.
    """
    write_page(card_report_html(strategy, budget), path)


def card_report_html(strategy: CardStrategy, budget: Budget | None = None) -> str:
    """The report of a card strategy as the text of one HTML file.

    Parameters
    ----------
    strategy : CardStrategy
    budget : Budget, optional
        For each of four hands of every seat that are thought over; none are without it.

    Returns
    -------
    str
        It needs no network and no other file.
    """
    book, hands = ChartBook(strategy), DealtHands(strategy)
    tree = declaration_tree(book, hands)
    drawn = book.charts()
    charts = first_of_each_seat(drawn)
    note = f"{cut_note(tree, 'deal', 'declaration')} {_sampled(hands)}"
    rules, pack = strategy.rules, strategy.rules.pack
    exchanges = "".join(_table(rules, chart) for chart in charts)
    kept = "".join(_kept_table(rules, chart) for chart in charts)
    pictures = "".join(_picture(strategy, chart) for chart in charts)
    trumps = SYMBOLS[rules.pack.suits[strategy.abstraction.contexts[0].trump]]
    known = _CLASSES.format(
        f" The hand shown is the likeliest of its class with {trumps} as trumps."
    )
    over = []
    if budget is not None:
        found = "".join(_thought(strategy, chart, hands, budget) for chart in charts)
        over = [Section("thought", "Hands thought over", _THOUGHT + found)]
    about = "<h3>Quality</h3>" + quality_html(strategy) + "<h3>Rules</h3>" + rules_html(rules)
    sections = [
        Section("tree", "The tree of declarations", known + tree_html(note)),
        Section("exchanges", "What to declare", _CLASSES.format("") + exchanges),
        Section("kept", "Which cards to keep", _KEPT + kept),
        *over,
        Section("charts", "Charts", _explained(rules) + pictures),
        Section("rules", "Rules and quality", about, folded=True),
    ]
    orders = {
        pack.suits[trump]: {
            pack.suits[suit]: list(pack.names(cards))
            for suit, cards in enumerate(effective_order(rules, trump))
        }
        for trump in range(len(pack.suits))
    }
    data = {
        "players": rules.players,
        "hand_size": rules.hand_size,
        "orders": orders,
        "pamphile": None if rules.pamphile_card is None else pack.name(rules.pamphile_card),
        "sample": " ".join(pack.names(range(rules.hand_size + 1))),
        "charts": [chart_numbers(chart) for chart in drawn],
        **class_numbers(strategy),
        **tree,
    }
    title = f"Card Mouche: {rules_text(rules)}"
    hint = f"a hand and the turn-up, like {data['sample']}, or like trumps:2"
    return page(title, sections, data, ["tables.js", "tree.js", "declarations.js"], hint)


def first_of_each_seat(charts: Sequence[ExchangeChart]) -> list[ExchangeChart]:
    """For each seat the first of its charts: after the likeliest history, as a book has them."""
    first: dict[int, ExchangeChart] = {}
    for chart in charts:
        first.setdefault(chart.seat, chart)
    return [first[seat] for seat in sorted(first)]


def kept_frame(chart: ExchangeChart, hand_size: int) -> pd.DataFrame:
    """What each class of hands lays down and keeps when it exchanges.

    Parameters
    ----------
    chart : ExchangeChart
    hand_size : int
        Cards in a hand.

    Returns
    -------
    DataFrame
        Indexed as :func:`mouche_solver.analysis.exchange_frame`, classes that
        exchange less than one time in a thousand left out; columns ``weight``, ``exchanges``
        (how often), ``laid``, ``kept`` and ``share`` of the exchanges that do so.
    """
    frame = exchange_frame(chart)
    exchanges = frame[list(chart.actions[2:])].sum(axis=1)
    held = np.stack([chart.trumps, chart.kings, chart.queens], axis=1)
    low = hand_size - held.sum(axis=1, keepdims=True)
    kept = np.hstack([held, low]) - chart.laid
    found = pd.DataFrame(
        {
            "weight": frame["weight"],
            "exchanges": exchanges,
            "laid": frame["laid"],
            "kept": [spoken_cards(row) or "nothing" for row in kept],
            "share": frame["laid_share"],
        }
    )
    return found[exchanges >= _SHOWN]


def _table(rules: CardRules, chart: ExchangeChart) -> str:
    table = sortable(exchange_frame(chart), f"exchange-{chart.seat}", _FORMATS, CLASS)
    return f"<h3>{_heading(rules, chart)}</h3>{table}"


def _thought(
    strategy: CardStrategy, chart: ExchangeChart, hands: DealtHands, budget: Budget
) -> str:
    frame = thought_frame(strategy, chart, hands, budget)
    formats = {"table": ".3f", "answer": ".3f", "value": "+.3f", "error": ".4f"}
    table = sortable(frame, f"thought-{chart.seat}", formats)
    return f"<h3>{_heading(strategy.rules, chart)}</h3>{table}"


def _kept_table(rules: CardRules, chart: ExchangeChart) -> str:
    # A dealer who takes the turn-up lays down from another hand than the class describes.
    if rules.dealer_takes_trump and chart.seat == rules.players - 1:
        return ""
    table = sortable(kept_frame(chart, rules.hand_size), f"kept-{chart.seat}", hands=CLASS)
    return f"<h3>{_heading(rules, chart)}</h3>{table}"


def _picture(strategy: CardStrategy, chart: ExchangeChart) -> str:
    figure = exchange_grid_chart(strategy, chart.declared, chart.seat)
    return f'<div class="charts">{svg_text(figure)}</div>'


def _explained(rules: CardRules) -> str:
    """Seats and symbols of the charts, on the page that is printed."""
    suits = ", ".join(f"{SYMBOLS[suit]} {_SUITS[suit]}" for suit in rules.pack.suits)
    return (
        f"<p>Seat 0, the first hand, declares first; seat {rules.players - 1} is the dealer. "
        "p: pass, S: stand, a number: so many cards are exchanged. A row is a trump holding (how "
        "many, and the place of the best among the trumps in play), a column the best side cards. "
        f"{suits}.</p>"
    )


def _heading(rules: CardRules, chart: ExchangeChart) -> str:
    return f"{seat_name(rules, chart.seat).capitalize()}, {after(chart.declared)}"


def _sampled(hands: DealtHands) -> str:
    return (
        f"Chances of histories are those of {hands.number:,} deals drawn at random, with their "
        "standard error; what classes of hands do is counted over all hands."
    )
