"""Kernels that ask a policy about many hands at once."""

import numpy as np
from numpy.typing import NDArray

from mouche_solver.cards.kernels.bits import Int, Ints
from mouche_solver.cards.kernels.deal import legal_declarations
from mouche_solver.cards.kernels.lookup import declaration_mix, hand_class
from mouche_solver.cards.kernels.records import CONTEXT, Policy, Record
from mouche_solver.core.jit import kernel


@kernel
def declarations_of(
    hands: Ints, seat: Int, number: Int, policy: Policy, game: Record, table: Record,
    out: NDArray[np.float64],
) -> None:  # fmt: skip
    """Probabilities of all declarations of a seat for many hands, after a public history."""
    for i in range(len(hands)):
        table.hands[seat] = hands[i]
        legal = legal_declarations(seat, game, table)
        hand = hand_class(hands[i], table.stock[CONTEXT], policy)
        declaration_mix(policy, hand, number, legal, table.mix)
        for a in range(game.actions):
            out[i, a] = table.mix[a]
