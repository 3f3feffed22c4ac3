"""The likeliest declarations of a card strategy as compact data for a page."""

import json
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mouche_solver.analysis.card_walk import CardWalk, DealtHands, Key, history_key
from mouche_solver.analysis.likeliest import MOST_BYTES, MOST_POSITIONS, likeliest
from mouche_solver.cards.charts import ExchangeChart, exchange_chart
from mouche_solver.cards.strategy import CardStrategy


@dataclass
class ChartBook:
    """Exchange charts, one for all histories that the strategy does not tell apart.

    Attributes
    ----------
    strategy : CardStrategy
    charts : list of ExchangeChart
        Each after the first history that asked for it.
    """

    strategy: CardStrategy
    charts: list[ExchangeChart] = field(default_factory=list)
    _places: dict[Key, int] = field(default_factory=dict)

    def place(self, walk: CardWalk) -> int:
        """Where the chart of a position is in :attr:`charts`."""
        key = history_key(self.strategy, walk.said)
        if key not in self._places:
            self._places[key] = len(self.charts)
            self.charts.append(exchange_chart(self.strategy, walk.player, walk.said))
        return self._places[key]


def declaration_tree(
    book: ChartBook,
    hands: DealtHands,
    positions: int = MOST_POSITIONS,
    size: int = MOST_BYTES,
) -> dict[str, Any]:
    """The declarations that a deal most likely comes to, from the first hand on.

    Parameters
    ----------
    book : ChartBook
        Receives the charts, the likeliest history first.
    hands : DealtHands
        For the chances of histories.
    positions : int
        At most so many.
    size : int
        About so many bytes of JSON at most.

    Returns
    -------
    dict
        What :func:`mouche_solver.analysis.likeliest.likeliest` returns, and ``classes``: of each
        class of hands trumps, best, kings, queens, longest; ``weights``: how likely each is dealt,
        in millionths; ``players``; ``charts``: ``mixes`` (of each class, in ten-thousandths),
        ``values`` (in ten-thousandths of a pot, null where not known), ``laid`` (what is laid down
        most often, in words) and ``shares`` (of the exchanges, in percent). A position also has
        ``error`` (standard error of ``reach``) and ``chart`` (which one).

    Raises
    ------
    RulesError
        When no position at all is allowed.
    """
    charts: list[dict[str, Any]] = []

    def describe(walk: CardWalk) -> tuple[dict[str, Any], int]:
        place, added = book.place(walk), 0
        if place == len(charts):
            charts.append(_numbers(book.charts[place]))
            added = len(json.dumps(charts[place], separators=(",", ":")))
        return {"error": walk.error, "chart": place}, added

    found = likeliest(CardWalk.to(hands), describe, positions, size)
    first = book.charts[0]
    classes = np.stack([first.trumps, first.best, first.kings, first.queens, first.longest], 1)
    return {
        "classes": classes.tolist(),
        "weights": _whole(first.weight * 1e6),
        "players": book.strategy.rules.players,
        "charts": charts,
        **found,
    }


def _numbers(chart: ExchangeChart) -> dict[str, Any]:
    rows = chart.rows()
    return {
        "mixes": _whole(chart.mix * 1e4),
        "values": _known(chart.value * 1e4),
        "laid": [row["laid"] for row in rows],
        "shares": _known(chart.laid_share * 100),
    }


def _whole(numbers: NDArray[np.float64]) -> Any:
    return np.rint(numbers).astype(int).tolist()


def _known(numbers: NDArray[np.float64]) -> list[int | None]:
    return [None if np.isnan(number) else round(number) for number in numbers.tolist()]
