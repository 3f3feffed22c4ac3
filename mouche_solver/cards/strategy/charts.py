"""Exchange charts: what a strategy declares with each class of hand."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from mouche_solver.cards.compiled.arrays import effective_order
from mouche_solver.cards.rules.rules import CardRules
from mouche_solver.cards.strategy.answers import (
    Answers,
    all_answers,
    grouped_values,
    hand_shapes,
    situation_of,
)
from mouche_solver.cards.strategy.evidence import histories_alike
from mouche_solver.cards.strategy.situation import Declared
from mouche_solver.cards.strategy.strategy import CardStrategy

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]

# Numbers of trumps, kings, queens and other plain cards of a set are digits of one number, and so
# are the features of a hand: there are at most 13 cards of a suit.
_BITS = 4
_MASK = (1 << _BITS) - 1


@dataclass(frozen=True)
class ExchangeChart:
    """What one seat declares, one row for each class of hand.

    Attributes
    ----------
    seat : int
    declared : tuple of "pass", "stand" or int
        What the seats before have said.
    actions : tuple of str
        ``pass``, ``stand``, ``exchange1``, ...: the columns of ``mix``.
    trumps : int64 array, shape (rows,)
        Trumps held.
    best : int64 array, shape (rows,)
        Place of the best of them among the trumps that can be in play: 1 is the highest, 0 none.
    kings, queens : int64 arrays, shape (rows,)
        Cards of plain suits of the pack's highest and second rank.
    longest : int64 array, shape (rows,)
        Length of the longest plain suit.
    weight : float64 array, shape (rows,)
        Probability that such a hand is dealt; adds up to one.
    mix : float64 array, shape (rows, actions)
        Probability of each declaration; rows add up to one.
    value : float64 array, shape (rows,)
        In pots, what waits in the next pot included; NaN where training never came.
    error : float64 array, shape (rows,)
        At most the standard error of the value; NaN where training never came.
    visits : float64 array, shape (rows,)
        How often training met hands of the row, after this history or one that the strategy's
        finest cells pool with it. A value that rests on fewer than ``FEW_VISITS`` is from rougher
        cells, and not to be shown without saying so.
    histories : int
        How many histories share these values, this one included.
    laid : int64 array, shape (rows, 4)
        What is laid down most often: trumps, kings, queens and other plain cards. Zeros where
        nothing is ever exchanged.
    laid_share : float64 array, shape (rows,)
        How many of the exchanges lay that down; NaN where there are none.
    """

    seat: int
    declared: tuple[Declared, ...]
    actions: tuple[str, ...]
    trumps: Ints
    best: Ints
    kings: Ints
    queens: Ints
    longest: Ints
    weight: Floats
    mix: Floats
    value: Floats
    error: Floats
    visits: Floats
    histories: int
    laid: Ints
    laid_share: Floats

    def rows(self) -> list[dict[str, object]]:
        """One mapping of plain Python values a row; None instead of NaN."""
        return [
            {
                "trumps": int(self.trumps[i]),
                "best": int(self.best[i]),
                "kings": int(self.kings[i]),
                "queens": int(self.queens[i]),
                "longest": int(self.longest[i]),
                "weight": float(self.weight[i]),
                **dict(zip(self.actions, self.mix[i].tolist(), strict=True)),
                "value": _known(self.value[i]),
                "error": _known(self.error[i]),
                "visits": round(float(self.visits[i])),
                "histories": self.histories,
                "laid": spoken_cards(self.laid[i]),
                "laid_share": _known(self.laid_share[i]),
            }
            for i in range(len(self.weight))
        ]


def exchange_chart(
    strategy: CardStrategy, seat: int | None = None, declared: Sequence[Declared] | None = None
) -> ExchangeChart:
    """What a seat declares, for every class of hand.

    Every hand that can be dealt is counted, so the numbers are exact for this strategy. Deals with
    the Pamphile turned up, where the dealer names trumps, are left out.

    Parameters
    ----------
    strategy : CardStrategy
    seat : int, optional
        Without it the seat that declares next.
    declared : sequence of "pass", "stand" or int, optional
        What the seats before have said; without it that all of them have passed.

    Raises
    ------
    IllegalMoveError
        When the rules do not lead to such a situation.

    Examples
    --------
    >>> from mouche_solver.cards import Abstraction, CardRules, CardStrategy, CardTrainer
    >>> from mouche_solver.cards.train.trainer import Batch
    >>> rules = CardRules(players=2, ranks="K Q J", suits="C D", hand_size=2, reshuffle=False)
    >>> trainer = CardTrainer(Abstraction(rules), batch=Batch(64, 64, 2, 64))
    >>> trainer.train_round()
    >>> chart = exchange_chart(trainer.strategy(), seat=0)
    >>> chart.actions, len(chart.weight), round(float(chart.weight.sum()), 9)
    (('pass', 'stand', 'exchange1', 'exchange2'), 10, 1.0)
    """
    rules = strategy.rules
    place, words = situation_of(rules, seat, declared)
    return _grouped(strategy, place, words, all_answers(strategy, place, words))


def _parts(rules: CardRules, found: Answers) -> tuple[Ints, Floats, Floats, Ints]:
    """Features, weights, chances and kinds of sets laid down of all hands."""
    features = _joined(hand_shapes(rules, found.context, found.hands))
    kinds = _kinds(rules, found.context.trump, found.laid)
    return features, found.weight, found.chances, kinds


def _kinds(rules: CardRules, trump: int, laid: Ints) -> Ints:
    """How many trumps, kings, queens and other plain cards each set has, as one number."""
    masks = [0, 0, 0, 0]
    for suit, order in enumerate(effective_order(rules, trump)):
        for place, card in enumerate(reversed(order)):
            masks[0 if suit == trump else 1 + min(place, 2)] |= 1 << card
    return _joined([np.bitwise_count(laid & mask).astype(np.int64) for mask in masks])


def _joined(digits: Sequence[Ints]) -> Ints:
    """Some small numbers as one, the first the highest digit."""
    key = np.zeros_like(digits[0])
    for digit in digits:
        key = key << _BITS | digit
    return key


def _digits(keys: Ints, count: int) -> Ints:
    """The way back from :func:`_joined`; shape (keys, count)."""
    places = np.arange(count - 1, -1, -1) * _BITS
    found: Ints = keys[:, None] >> places & _MASK
    return found


def _grouped(
    strategy: CardStrategy,
    seat: int,
    words: tuple[Declared, ...],
    found: Sequence[Answers],
) -> ExchangeChart:
    """Add up the hands of each class."""
    each = [_parts(strategy.rules, answers) for answers in found]
    features, weight, chances, kinds = (np.concatenate(part) for part in zip(*each, strict=True))
    rows, row = np.unique(features, return_inverse=True)
    total: Floats = np.bincount(row, weight).astype(np.float64)
    sizes = np.array([size for size, _, _ in strategy.abstraction.actions])
    names = ["pass", "stand"]
    names += [f"exchange{k}" for k in range(1, strategy.rules.max_exchange + 1)]
    mix = np.zeros((len(rows), len(names)))
    for action, size in enumerate(sizes):
        column = size + 1 if action else 0
        mix[:, column] += np.bincount(row, weight * chances[:, action], len(rows))
    values = grouped_values(found, row)
    history = strategy.abstraction.histories.index(words)
    laid, share = _most_often(row, weight, chances * (sizes > 0), kinds)
    trumps, best, kings, queens, longest = _digits(rows, 5).T
    return ExchangeChart(
        seat=seat,
        declared=words,
        actions=tuple(names),
        trumps=trumps,
        best=best,
        kings=kings,
        queens=queens,
        longest=longest,
        weight=total,
        mix=mix / mix.sum(axis=1, keepdims=True),
        value=values.value,
        error=values.error,
        visits=values.visits,
        histories=histories_alike(strategy, history),
        laid=laid,
        laid_share=share,
    )


def _most_often(row: Ints, weight: Floats, chances: Floats, kinds: Ints) -> tuple[Ints, Floats]:
    """The kinds of cards that each row lays down most often, and its share of the exchanges."""
    known = np.flatnonzero(np.bincount(kinds.ravel()))
    number = np.zeros(int(known[-1]) + 1, np.int64)
    number[known] = np.arange(len(known))
    sums = np.zeros((int(row.max()) + 1) * len(known))
    for action in range(kinds.shape[1]):
        pair = row * len(known) + number[kinds[:, action]]
        sums += np.bincount(pair, weight * chances[:, action], len(sums))
    mass = sums.reshape(-1, len(known))
    total, most = mass.sum(axis=1), mass.argmax(axis=1)
    top = mass[np.arange(len(mass)), most]
    laid = _digits(np.where(total > 0, known[most], 0), 4)
    return laid, np.divide(top, total, out=np.full(len(mass), np.nan), where=total > 0)


def _known(value: float) -> float | None:
    return None if np.isnan(value) else float(value)


def spoken_cards(laid: Ints) -> str:
    """Numbers of trumps, kings, queens and other cards in words, such as ``1 trump, 2 low``."""
    kinds = ("trump", "king", "queen", "low")
    return ", ".join(f"{count} {kind}" for count, kind in zip(laid, kinds, strict=True) if count)
