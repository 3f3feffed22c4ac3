"""Kernels that ask a policy about many hands at once."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from mouche_solver.cards.kernels.bits import ONE, Hand, HandClass, Int, Ints, Seat
from mouche_solver.cards.kernels.deal import (
    given_card,
    laid_by_rule,
    legal_declarations,
    positions,
)
from mouche_solver.cards.kernels.lookup import cell_of, declaration_mix, hand_class
from mouche_solver.cards.kernels.records import CONTEXT, LEVELS, Game, Policy, Rows, Table
from mouche_solver.core.jit import kernel


@kernel
def declarations_of(
    hands: Ints,
    seat: Seat,
    number: Int,
    policy: Policy,
    game: Game,
    table: Table,
    out: NDArray[np.float64],
) -> None:
    """Probabilities of all declarations of a seat for many hands, after a public history."""
    for i in range(len(hands)):
        table.hands[seat] = hands[i]
        legal = legal_declarations(seat, game, table)
        hand = hand_class(hands[i], table.stock[CONTEXT], policy)
        declaration_mix(policy, hand, number, legal, table.mix)
        for a in range(game.actions):
            out[i, a] = table.mix[a]


Floats = NDArray[np.float64]


class Chart(NamedTuple):
    """What a seat does with some hands; the first axis is the hand, the second the action.

    ``chances`` are probabilities, ``worth[hand]`` is the value of the mix and ``laid`` are masks of
    the cards laid down. ``cell[hand]`` is the finest cell behind the value, ``variance[hand]`` that
    of the value when a visit has variance 1.
    """

    chances: Floats
    worth: Floats
    laid: Ints
    cell: Ints
    variance: Floats


@kernel
def laid_down(hand: Hand, action: Int, context: Int, game: Game, policy: Policy) -> Int:
    """The cards that an action lays down, after the dealer's swap."""
    given = given_card(hand, action, context, game, policy)
    if given >= 0:
        hand ^= (ONE << given) | (ONE << game.turned[context])
    if game.every:
        return positions(hand, game.subset[action], context, game, policy)
    return laid_by_rule(hand, action, context, game)


@kernel
def value_weights(
    own: HandClass, number: Int, priors: Floats, policy: Policy, cells: Ints, weights: Floats
) -> None:
    """Cells of a hand class and a history, and what each counts in their value: 0 without visits.

    Levels are blended as by :func:`declaration_mix`, by the levels that training met.
    """
    facts, met = policy.facts, False
    for level in range(facts.levels):
        cells[level] = cell_of(level, own, number, policy)
        weights[level] = 0.0
    level = 0
    while level < facts.levels:
        number_of = 2 if met and level + 1 < facts.levels and facts.beside[level + 1] else 1
        left = 1.0
        for one in range(level, level + number_of):
            seen = np.float64(policy.visits[cells[one]])
            if seen > 0.0:
                weights[one] = seen / (seen + priors[one]) if met else 1.0
                left -= weights[one]
        for coarser in range(level):
            weights[coarser] *= left
        met = met or weights[level] > 0.0
        level += number_of


@kernel
def blended_value(
    values: Rows,
    priors: Floats,
    own: HandClass,
    number: Int,
    policy: Policy,
    chances: Floats,
    width: Int,
) -> tuple[float, float, Int]:
    """What a mixture is worth, by the levels that training met; NaN when it met none.

    Then the variance of that when a visit has variance 1, and the finest cell.
    """
    cells, weights = np.zeros(LEVELS, np.int64), np.zeros(LEVELS)
    value_weights(own, number, priors, policy, cells, weights)
    blend, variance, met = 0.0, 0.0, False
    for level in range(policy.facts.levels):
        if weights[level] != 0.0:
            met = True
            variance += weights[level] ** 2 / np.float64(policy.visits[cells[level]])
            for a in range(width):
                blend += weights[level] * chances[a] * np.float64(values[cells[level], a])
    return blend if met else np.nan, variance, cells[policy.facts.levels - 1]


@kernel
def chart_hands(
    hands: Ints,
    seat: Seat,
    number: Int,
    values: Rows,
    priors: Floats,
    policy: Policy,
    game: Game,
    table: Table,
    chart: Chart,
) -> None:
    """Fill a chart: what a seat does with many hands after a public history."""
    context = table.stock[CONTEXT]
    for i in range(len(hands)):
        table.hands[seat] = hands[i]
        legal = legal_declarations(seat, game, table)
        own = hand_class(hands[i], context, policy)
        declaration_mix(policy, own, number, legal, table.mix)
        chart.worth[i], chart.variance[i], chart.cell[i] = blended_value(
            values, priors, own, number, policy, table.mix, game.actions
        )
        for a in range(game.actions):
            chart.chances[i, a] = table.mix[a]
            if a > 0 and (legal >> a) & 1:
                chart.laid[i, a] = laid_down(hands[i], a, context, game, policy)
