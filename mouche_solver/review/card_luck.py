"""The luck of cards: what was dealt and drawn, priced by a function fixed beforehand.

A control variate in the manner of AIVAT, as :mod:`mouche_solver.review.luck` is for dice. Its
chance events are the deal, and the cards drawn in each exchange: whoever plays, and whatever he
saw, the cards drawn are any of those left in the stock, all alike. The value of a seat's cards is
that of its declaration with them when the first hand has stood and all between have passed. What
one seat gains by its cards the others lose alike, so that the luck of a deal adds up to zero.

Deals in which the dealer named trumps, the Pamphile lying face up, count nothing: which they are is
known before the hands are dealt, with the turn-up.
"""

from collections.abc import Sequence
from functools import lru_cache
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from mouche_solver.cards.referee.actions import Action, Exchange
from mouche_solver.cards.referee.deal import Deal
from mouche_solver.cards.rules.rules import CardRules
from mouche_solver.cards.strategy.answers import all_answers
from mouche_solver.cards.strategy.contexts import Frame
from mouche_solver.cards.strategy.situation import Declared
from mouche_solver.cards.strategy.strategy import CardStrategy

Floats = NDArray[np.float64]
# Their strategies are trained on the spot, and the values of a short training are rough.
PAMPHILE_SHARE, MUSHKA_SHARE = 0.7, 0.4


def deal_luck(strategy: CardStrategy, deals: Sequence[Deal], actions: Sequence[Action]) -> Floats:
    """Each seat's luck in one deal, in pots, in points for Mushka.

    Parameters
    ----------
    strategy : CardStrategy
        Whose values price the cards.
    deals : sequence of Deal
        The deal before its first action and after each of them.
    actions : sequence of Action

    Returns
    -------
    float64 array, shape (players,)
        Of expectation zero whoever plays; the sum is zero.
    """
    first = deals[0]
    players = first.rules.players
    own = np.array(
        [hand_luck(strategy, first.dealt[seat], first.turned, seat) for seat in range(players)]
    )
    for before, action, after in zip(deals, actions, deals[1:], strict=False):
        if isinstance(action, Exchange):
            own[action.seat] += draw_luck(strategy, before, action, after)
    return share(strategy.rules) * np.asarray(own - (own.sum() - own) / (players - 1))


def share(rules: CardRules) -> float:
    """How much of the correction counts: any fixed share is unbiased (docs/decisions/0039)."""
    if rules.scoring == "countdown":
        return MUSHKA_SHARE
    return 1.0 if rules.pamphile_card is None else PAMPHILE_SHARE


def hand_luck(strategy: CardStrategy, hand: int, turned: int, seat: int) -> float:
    """The luck of a dealt hand: its worth minus the exact mean over all hands of the seat."""
    if turned == strategy.rules.pamphile_card:
        return 0.0
    return float(_worths(strategy, seat, turned, [hand])[0]) - _hand_values(strategy, seat).mean


def draw_luck(strategy: CardStrategy, before: Deal, action: Exchange, after: Deal) -> float:
    """The luck of the cards drawn: their worth minus the exact mean over all draws from the stock.

    Draws that need a reshuffle, those after a swap of the turn-up, and those of deals in which the
    dealer named trumps count nothing; which they are is known before the draw.
    """
    count, named = len(action.cards), before.turned == strategy.rules.pamphile_card
    if named or action.swap is not None or count > len(before.stock):
        return 0.0
    drawn = sum(1 << card for card in before.stock[:count])
    kept = after.hands[action.seat] & ~drawn
    cards = 1 << np.array(before.stock, dtype=np.int64)
    places = np.array(list(combinations(range(len(cards)), count)))
    hands = kept | cards[places].sum(axis=1)
    worth = _worths(strategy, action.seat, before.turned, [*hands.tolist(), kept | drawn])
    return float(worth[-1] - worth[:-1].mean())


def _worths(strategy: CardStrategy, seat: int, turned: int, hands: Sequence[int]) -> Floats:
    frame = Frame(strategy.rules, turned)
    classes = strategy.abstraction.hands[frame.context].class_of([frame.inside(h) for h in hands])
    return np.asarray(_hand_values(strategy, seat).worth[frame.context][np.asarray(classes)])


class HandValues:
    """What every hand of a seat is worth, by context and class, and the mean over all deals."""

    def __init__(self, strategy: CardStrategy, seat: int) -> None:
        passed: list[Declared] = ["pass"] * (seat - 1)
        said: list[Declared] = ["stand", *passed] if seat else []
        self.worth: dict[int, Floats] = {}
        self.mean, total = 0.0, 0.0
        for found in all_answers(strategy, seat, said):
            worth = np.nan_to_num(found.worth, nan=0.0)
            self.worth[strategy.abstraction.contexts.index(found.context)] = worth
            self.mean += float(found.weight @ worth)
            total += float(found.weight.sum())
        self.mean /= total


@lru_cache(maxsize=16)
def _hand_values(strategy: CardStrategy, seat: int) -> HandValues:
    return HandValues(strategy, seat)
