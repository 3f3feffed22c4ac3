"""What a strategy declares with every hand that can be dealt."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from mouche_solver.cards.compiled.arrays import effective_order
from mouche_solver.cards.kernels.records import HISTORY
from mouche_solver.cards.rules.rules import CardRules
from mouche_solver.cards.strategy.compile import new_table
from mouche_solver.cards.strategy.contexts import Context, Frame
from mouche_solver.cards.strategy.evidence import standard_error
from mouche_solver.cards.strategy.situation import Declared, Situation, set_table
from mouche_solver.cards.strategy.strategy import CardStrategy
from mouche_solver.core.checks import check_int, whole
from mouche_solver.errors import IllegalMoveError

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]


class Shapes(NamedTuple):
    """What a person sees in some hands; int64 arrays, one entry for each hand.

    Attributes
    ----------
    trumps : int64 array
        Trumps held.
    best : int64 array
        Place of the best of them among the trumps that can be in play: 1 is the highest, 0 none.
    kings, queens : int64 arrays
        Cards of plain suits of the pack's highest and second rank.
    longest : int64 array
        Length of the longest plain suit.
    """

    trumps: Ints
    best: Ints
    kings: Ints
    queens: Ints
    longest: Ints


def hand_shapes(rules: CardRules, context: Context, hands: Ints) -> Shapes:
    """The shapes of some hands of a context.

    Examples
    --------
    >>> from mouche_solver.cards.strategy.contexts import contexts
    >>> rules = CardRules(players=3)
    >>> hand = rules.pack.hand("QC 10C KD QD 8H")
    >>> [int(n[0]) for n in hand_shapes(rules, contexts(rules)[0], np.array([hand]))]
    [2, 2, 1, 1, 2]
    """
    trumps, best, kings, queens, longest = (np.zeros_like(hands) for _ in range(5))
    for suit, order in enumerate(effective_order(rules, context.trump)):
        length = sum((hands >> card & 1 for card in order), np.zeros_like(hands))
        if suit != context.trump:
            kings += hands >> order[-1] & 1
            queens += hands >> order[-2] & 1 if len(order) > 1 else 0
            longest = np.maximum(longest, length)
            continue
        trumps = length
        in_play = [card for card in order if card != context.turned]
        for place, card in enumerate(in_play):
            best[hands >> card & 1 == 1] = len(in_play) - place
    return Shapes(trumps, best, kings, queens, longest)


@dataclass(frozen=True)
class Answers:
    """What one seat declares with every hand class of a context.

    Attributes
    ----------
    context : Context
        The turn-up and trumps in whose names the hands are.
    hands : int64 array, shape (classes,)
        Bit masks, one hand of each class.
    weight : float64 array, shape (classes,)
        Probability that a hand of the class is dealt; adds up to the context's chance.
    chances : float64 array, shape (classes, actions)
        Probability of each action of the strategy.
    worth : float64 array, shape (classes,)
        In pots, what waits in the next pot included; NaN where training never came.
    laid : int64 array, shape (classes, actions)
        Bit masks of the cards laid down.
    cell : int64 array, shape (classes,)
        The finest cell of the strategy's table behind ``worth``; hands may share one.
    visits : float64 array, shape (classes,)
        How often training met that cell.
    error : float64 array, shape (classes,)
        Standard error of ``worth``; NaN where training never came.
    """

    context: Context
    hands: Ints
    weight: Floats
    chances: Floats
    worth: Floats
    laid: Ints
    cell: Ints
    visits: Floats
    error: Floats


def situation_of(
    rules: CardRules, seat: int | None, declared: Sequence[Declared] | None
) -> tuple[int, tuple[Declared, ...]]:
    """The seat that is asked and what was said before: that all passed when it is left out.

    Raises
    ------
    IllegalMoveError
        For a dealer whom nobody asks.
    """
    if seat is not None:
        seat = check_int("seat", seat, 0, rules.players - 1)
    passed: list[Declared] = ["pass"] * (seat or 0)
    words = tuple(
        word if isinstance(word, str) else whole("declared", word, IllegalMoveError)
        for word in (passed if declared is None else declared)
    )
    place = len(words) if seat is None else seat
    if place == rules.players - 1 and all(word == "pass" for word in words):
        raise IllegalMoveError(
            "all others have passed: the dealer is not asked; say what was declared before him"
        )
    return place, words


def all_answers(
    strategy: CardStrategy, seat: int, declared: Sequence[Declared]
) -> tuple[Answers, ...]:
    """What a seat declares with every hand, one entry for each context.

    Contexts where the dealer named trumps are left out: his hand is no longer any hand.

    Raises
    ------
    IllegalMoveError
        When the rules do not lead to such a situation.
    """
    return tuple(
        _of_context(strategy, context, seat, declared)
        for context in strategy.abstraction.contexts
        if not context.named
    )


def _of_context(
    strategy: CardStrategy, context: Context, seat: int, declared: Sequence[Declared]
) -> Answers:
    from mouche_solver.cards.strategy.kernels_answers import Chart, chart_hands

    rules, game = strategy.rules, strategy.game
    frame, table = Frame(rules, context.turned), new_table()
    classes = strategy.abstraction.hands[frame.context]
    hands = classes.hand_of(np.arange(classes.n_classes))
    seen = Situation(int(hands[0]), context.turned, seat, tuple(declared))
    set_table(rules, game, table, frame, seen)
    number = int(game["first_history"][seat] + table["stock"][HISTORY])
    shape = len(hands), len(strategy.abstraction.actions)
    chances: Floats = np.zeros(shape)
    worth: Floats = np.zeros(len(hands))
    laid: Ints = np.zeros(shape, np.int64)
    cell: Ints = np.zeros(len(hands), np.int64)
    variance: Floats = np.zeros(len(hands))
    chart_hands(
        hands,
        seat,
        number,
        strategy.tables.value,
        np.array(strategy.abstraction.learning_priors),
        strategy.policy,
        game,
        table,
        Chart(chances, worth, laid, cell, variance),
    )
    dealt = sum(c.chance for c in strategy.abstraction.contexts if not c.named)
    chance = context.chance / dealt
    weight: Floats = (classes.weights() * (chance / classes.n_hands)).astype(np.float64)
    visits: Floats = strategy.tables.visits[cell].astype(np.float64)
    error: Floats = np.where(np.isnan(worth), np.nan, standard_error(strategy, variance))
    return Answers(context, hands, weight, chances, worth, laid, cell, visits, error)


class Grouped(NamedTuple):
    """Values of groups of hands, weighted by how likely the hands are dealt; float64 arrays.

    Attributes
    ----------
    value : float64 array
        NaN where training never came.
    error : float64 array
        At most the standard error of the value: that of hands that err alike.
    visits : float64 array
        How often training met the hands of the group, cells that some of them share counted once.
    """

    value: Floats
    error: Floats
    visits: Floats


def grouped_values(found: Sequence[Answers], group: Ints) -> Grouped:
    """What groups of hands are worth, and what that rests on.

    Parameters
    ----------
    found : sequence of Answers
    group : int64 array
        The group of each hand of all answers in turn, numbered from 0.
    """
    weight, worth, error, visits, cell = (
        np.concatenate([getattr(each, name) for each in found])
        for name in ("weight", "worth", "error", "visits", "cell")
    )
    number, met = int(group.max()) + 1, ~np.isnan(worth)
    group, cell = group[met], cell[met]
    seen = np.bincount(group, weight[met], number)
    means = [
        np.divide(
            np.bincount(group, weight[met] * what[met], number),
            seen,
            out=np.full(number, np.nan),
            where=seen > 0,
        )
        for what in (worth, error)
    ]
    _, first = np.unique(group * (int(cell.max(initial=0)) + 1) + cell, return_index=True)
    total = np.bincount(group[first], visits[met][first], number)
    return Grouped(means[0], means[1], total.astype(np.float64))


def kept_cards(strategy: CardStrategy, found: Answers) -> Ints:
    """Bit masks of what is left of each hand after each action; shape (hands, actions)."""
    kept = found.hands[:, None] & ~found.laid
    for action, known in enumerate(strategy.abstraction.actions):
        if known.swap >= 0:
            kept[:, action] = _after_a_swap(strategy, found, action)
    return kept


def _after_a_swap(strategy: CardStrategy, found: Answers, action: int) -> Ints:
    """The dealer takes the turn-up for a card and lays others down."""
    from mouche_solver.cards.kernels.deal import given_card

    context = strategy.abstraction.contexts.index(found.context)
    given = np.array(
        [given_card(hand, action, context, strategy.game, strategy.policy) for hand in found.hands]
    )
    swapped = (found.hands ^ (1 << given)) | (1 << found.context.turned)
    kept: Ints = swapped & ~found.laid[:, action]
    return kept
