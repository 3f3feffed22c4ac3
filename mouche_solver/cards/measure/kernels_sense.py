"""What a strategy declares with many hands, and what it lists each declaration as worth."""

from typing import NamedTuple

import numpy as np

from mouche_solver.cards.kernels.bits import Int, Ints, Seat
from mouche_solver.cards.kernels.deal import legal_declarations
from mouche_solver.cards.kernels.lookup import Floats, declaration_mix, hand_class
from mouche_solver.cards.kernels.records import CONTEXT, LEVELS, Game, Policy, Rows, Table
from mouche_solver.cards.strategy.kernels_answers import value_weights
from mouche_solver.core.jit import kernel


class Listed(NamedTuple):
    """Probabilities and values by hand and declaration; NaN without a value or a right to it."""

    chances: Floats
    values: Floats


@kernel
def list_hands(
    hands: Ints,
    seat: Seat,
    number: Int,
    values: Rows,
    priors: Floats,
    policy: Policy,
    game: Game,
    table: Table,
    out: Listed,
) -> None:
    """Fill in what a seat does with many hands after a public history."""
    context = table.stock[CONTEXT]
    cells, weights = np.zeros(LEVELS, np.int64), np.zeros(LEVELS)
    for i in range(len(hands)):
        table.hands[seat] = hands[i]
        legal = legal_declarations(seat, game, table)
        own = hand_class(hands[i], context, policy)
        declaration_mix(policy, own, number, legal, table.mix)
        value_weights(own, number, priors, policy, cells, weights)
        met = False
        for level in range(policy.facts.levels):
            met = met or weights[level] != 0.0
        for a in range(game.actions):
            out.chances[i, a] = table.mix[a]
            out.values[i, a] = np.nan
            if met and (legal >> a) & 1:
                worth = 0.0
                for level in range(policy.facts.levels):
                    if weights[level] != 0.0:
                        worth += weights[level] * np.float64(values[cells[level], a])
                out.values[i, a] = worth
