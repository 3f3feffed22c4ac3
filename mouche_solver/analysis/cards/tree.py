"""The tree of declarations: how likely it comes to each, and its data for a page."""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mouche_solver.analysis.cards.declarations import by_declaration
from mouche_solver.analysis.cards.grid import hand_names
from mouche_solver.analysis.page.likeliest import MOST_BYTES, MOST_POSITIONS, likeliest
from mouche_solver.cards.rules.rules import CardRules
from mouche_solver.cards.strategy.answers import hand_shapes
from mouche_solver.cards.strategy.charts import ExchangeChart, exchange_chart
from mouche_solver.cards.strategy.contexts import Context, Frame
from mouche_solver.cards.strategy.evidence import FEW_VISITS
from mouche_solver.cards.strategy.situation import Declared, draw_counts, said_numbers
from mouche_solver.cards.strategy.strategy import CardStrategy
from mouche_solver.core.chunks import Workers
from mouche_solver.errors import IllegalMoveError

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]
Key = tuple[int, int, int]

DEALS = 1 << 15  # a history of one deal in a hundred is known to some three percent of itself


class DealtHands:
    """Sampled hands of all seats, and what the strategy declares with them.

    Parameters
    ----------
    strategy : CardStrategy
    deals : int
        How many deals are drawn, about.
    seed : int
        The same seed gives the same deals.
    """

    def __init__(self, strategy: CardStrategy, deals: int = DEALS, seed: int = 1) -> None:
        self.strategy = strategy
        rng = np.random.default_rng(seed)
        self._hands = [
            (context, _draw(strategy.rules, context, max(1, round(deals * context.chance)), rng))
            for context in strategy.abstraction.contexts
            if not context.named
        ]
        self._known: dict[Key, NDArray[np.float32]] = {}

    @property
    def number(self) -> int:
        """Deals drawn."""
        return sum(len(hands) for _, hands in self._hands)

    def of_first_context(self, seat: int, most: int) -> tuple[Context, Ints]:
        """Some hands of a seat, with their context."""
        context, hands = self._hands[0]
        return context, hands[:most, seat]

    def mixes(self, said: Sequence[Declared]) -> NDArray[np.float32]:
        """What the next seat declares in each deal.

        Returns
        -------
        float32 array, shape (deals, max_exchange + 2)
            Probabilities of pass, stand and exchanges of 1, 2, ... cards.
        """
        key = history_key(self.strategy, said)
        if key not in self._known:
            parts = [
                self._ask(context, hands[:, len(said)], said) for context, hands in self._hands
            ]
            self._known[key] = np.concatenate(parts)
        return self._known[key]

    def _ask(self, context: Context, hands: Ints, said: Sequence[Declared]) -> NDArray[np.float32]:
        strategy = self.strategy
        chances = strategy.mixes(Frame(strategy.rules, context.turned), hands, said)
        return by_declaration(strategy, chances).astype(np.float32)


def _draw(rules: CardRules, context: Context, deals: int, rng: np.random.Generator) -> Ints:
    """Hands of all seats in the names of a context, as masks; shape (deals, players)."""
    size, pack = rules.hand_size, rules.pack.size
    cards = np.delete(np.arange(pack), context.turned)
    order = rng.random((deals, pack - 1)).argsort(axis=1)[:, : rules.players * size]
    bits = np.left_shift(1, cards[order]).reshape(deals, rules.players, size)
    return np.asarray(bits.sum(axis=2), np.int64)


def history_key(strategy: CardStrategy, said: Sequence[Declared]) -> Key:
    """What the strategy, and the rules of the draw, tell apart of a history before a seat."""
    histories = strategy.abstraction.histories
    number = histories.index(said)
    exact = any(level in ("last", "lossless") for _, level in strategy.abstraction.levels)
    return len(said), number if exact else int(histories.class_of[number]), _most(strategy, said)


def _most(strategy: CardStrategy, said: Sequence[Declared]) -> int:
    """The most cards that the next seat can exchange."""
    rules = strategy.rules
    numbers = said_numbers(rules, said)
    for most in range(rules.max_exchange, 0, -1):
        try:
            draw_counts(rules, [*numbers, most])
        except IllegalMoveError:
            continue
        return most
    return 0


@dataclass(frozen=True)
class CardWalk:
    """A history of declarations with a seat to declare.

    Attributes
    ----------
    hands : DealtHands
    said : tuple of "pass", "stand" or int
        What the seats before have declared.
    reach, error : float
        Probability of the history, and its standard error.
    chances : float64 array, shape (actions,)
        Probability of each declaration given the history; with hands as dealt where nobody comes
        to it.
    """

    hands: DealtHands
    said: tuple[Declared, ...]
    reach: float
    error: float
    chances: Floats

    @classmethod
    def to(cls, hands: DealtHands, said: tuple[Declared, ...] = ()) -> "CardWalk":
        """The position after some declarations.

        Raises
        ------
        IllegalMoveError
            When the rules do not lead there.
        """
        draw_counts(hands.strategy.rules, said_numbers(hands.strategy.rules, said))
        flow = np.ones(hands.number)
        for seat, word in enumerate(said):
            flow *= hands.mixes(said[:seat])[:, _column(word)]
        mixes, reach = hands.mixes(said), float(flow.mean())
        weights = flow / flow.sum() if reach > 0 else np.full(len(flow), 1 / len(flow))
        actions = 2 + _most(hands.strategy, said)
        chances = np.asarray(weights @ mixes[:, :actions], np.float64)
        return cls(hands, said, reach, float(flow.std() / np.sqrt(len(flow))), chances)

    @property
    def player(self) -> int:
        """The seat that declares."""
        return len(self.said)

    @property
    def actions(self) -> tuple[str, ...]:
        """What it may declare: ``pass``, ``stand``, ``exchange1``, ..."""
        return ("pass", "stand", *(f"exchange{k}" for k in range(1, len(self.chances) - 1)))

    @property
    def leads(self) -> tuple[int, ...]:
        """The places of the declarations after which another seat is asked."""
        after = len(self.said) + 1
        players = self.hands.strategy.rules.players
        if after == players:
            return ()
        # A dealer whom all leave alone takes the pot and declares nothing.
        alone = after == players - 1 and all(word == "pass" for word in self.said)
        return tuple(range(int(alone), len(self.actions)))

    def down(self, place: int) -> "CardWalk":
        """The history with one more declaration."""
        words: tuple[Declared, ...] = ("pass", "stand")
        word = words[place] if place < 2 else place - 1
        return CardWalk.to(self.hands, (*self.said, word))


def _column(word: Declared) -> int:
    return {"pass": 0, "stand": 1}[word] if isinstance(word, str) else word + 1


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
        with Workers(threads) as workers:
            return workers.map(self._chart, self.histories)

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
        ``mixes`` (in ten-thousandths), ``values`` and ``errors`` (their standard errors, in
        ten-thousandths of a pot, null where not known), ``few`` (the rows whose values rest on few
        visits), ``histories`` (how many share the values), ``laid`` (what is laid down most often,
        in words) and ``shares`` (of the exchanges, in percent).
    """
    rows = chart.rows()
    return {
        "mixes": _whole(chart.mix * 1e4),
        "values": _known(chart.value * 1e4),
        "errors": _known(chart.error * 1e4),
        "few": np.flatnonzero(chart.visits < FEW_VISITS).tolist(),
        "histories": chart.histories,
        "laid": [row["laid"] for row in rows],
        "shares": _known(chart.laid_share * 100),
    }


def _whole(numbers: NDArray[np.floating[Any]]) -> Any:
    return np.rint(numbers).astype(int).tolist()


def _known(numbers: NDArray[np.float64]) -> list[int | None]:
    return [None if np.isnan(number) else round(number) for number in numbers.tolist()]
