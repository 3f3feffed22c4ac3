"""The likeliest declarations of a card strategy as compact data for a page."""

import json
import os
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mouche_solver.analysis.cards.grid import hand_names
from mouche_solver.analysis.cards.walk import CardWalk, DealtHands, Key, history_key
from mouche_solver.analysis.page.likeliest import MOST_BYTES, MOST_POSITIONS, likeliest
from mouche_solver.cards.strategy.answers import hand_shapes
from mouche_solver.cards.strategy.charts import ExchangeChart, exchange_chart
from mouche_solver.cards.strategy.situation import Declared
from mouche_solver.cards.strategy.strategy import CardStrategy


class ChartBook:
    """Exchange charts, one for all histories that the strategy does not tell apart.

    Parameters
    ----------
    strategy : CardStrategy

    Attributes
    ----------
    histories : list of tuple
        For each chart, the first history that asked for it.
    """

    def __init__(self, strategy: CardStrategy) -> None:
        self.strategy = strategy
        self.histories: list[tuple[Declared, ...]] = []
        self._places: dict[Key, int] = {}

    def place(self, said: tuple[Declared, ...]) -> int:
        """Where the chart of a history is in :attr:`histories`; it is entered when it is new."""
        key = history_key(self.strategy, said)
        if key not in self._places:
            self._places[key] = len(self.histories)
            self.histories.append(said)
        return self._places[key]

    def charts(self, threads: int | None = None) -> list[ExchangeChart]:
        """The charts, each over every hand; a second of work for one of six players.

        Parameters
        ----------
        threads : int, optional
            All processors by default.
        """
        with ThreadPoolExecutor(threads or os.cpu_count() or 1) as pool:
            return list(pool.map(self._chart, self.histories))

    def _chart(self, said: tuple[Declared, ...]) -> ExchangeChart:
        return exchange_chart(self.strategy, len(said), said)


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
        Receives the histories that need a chart, the likeliest first.
    hands : DealtHands
        For the chances of histories.
    positions : int
        At most so many.
    size : int
        About so many bytes of JSON at most, those of the charts among them.

    Returns
    -------
    dict
        What :func:`mouche_solver.analysis.page.likeliest.likeliest` returns. A position also has
        ``error`` (standard error of ``reach``) and ``chart`` (its place in the book).

    Raises
    ------
    RulesError
        When no position at all is allowed.
    """
    opening = exchange_chart(book.strategy, 0, ())
    weight = len(json.dumps(chart_numbers(opening), separators=(",", ":")))

    def describe(walk: CardWalk) -> tuple[dict[str, Any], int]:
        known = len(book.histories)
        place = book.place(walk.said)
        return {"error": walk.error, "chart": place}, weight if place == known else 0

    return likeliest(CardWalk.to(hands), describe, positions, size)


def class_numbers(strategy: CardStrategy) -> dict[str, Any]:
    """What all charts of a strategy share, as JSON types.

    Returns
    -------
    dict
        ``classes``: of each class of hands trumps, best, kings, queens, longest. ``weights``: how
        likely each is dealt, in millionths. ``examples``: the likeliest hand of each, named as
        :meth:`mouche_solver.cards.rules.pack.Pack.mask_names` does, with the first suit as trumps.
    """
    rules, parts = strategy.rules, []
    for context, classes in zip(
        strategy.abstraction.contexts, strategy.abstraction.hands, strict=True
    ):
        hands = classes.hand_of(np.arange(classes.n_classes))
        weights = classes.weights() * (context.chance / classes.n_hands)
        parts.append((hands, np.stack(hand_shapes(rules, context, hands), axis=1), weights))
    hands, shapes, weights = (np.concatenate(part) for part in zip(*parts, strict=True))
    order = np.argsort(-weights, kind="stable")
    known, likeliest_hand, row = np.unique(
        shapes[order], axis=0, return_index=True, return_inverse=True
    )
    return {
        "classes": known.tolist(),
        "weights": _whole(np.bincount(row.ravel(), weights[order]) * 1e6),
        "examples": hand_names(rules.pack, hands[order][likeliest_hand]).tolist(),
    }


def chart_numbers(chart: ExchangeChart) -> dict[str, Any]:
    """What a chart says of each class of hands, as JSON types.

    Returns
    -------
    dict
        ``mixes`` (in ten-thousandths), ``values`` (in ten-thousandths of a pot, null where not
        known), ``laid`` (what is laid down most often, in words) and ``shares`` (of the
        exchanges, in percent).
    """
    rows = chart.rows()
    return {
        "mixes": _whole(chart.mix * 1e4),
        "values": _known(chart.value * 1e4),
        "laid": [row["laid"] for row in rows],
        "shares": _known(chart.laid_share * 100),
    }


def _whole(numbers: NDArray[np.floating[Any]]) -> Any:
    return np.rint(numbers).astype(int).tolist()


def _known(numbers: NDArray[np.float64]) -> list[int | None]:
    return [None if np.isnan(number) else round(number) for number in numbers.tolist()]
