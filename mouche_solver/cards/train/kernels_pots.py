"""A kernel that counts chips and mouches when everybody plays one strategy."""

from mouche_solver.cards.kernels.bits import Int
from mouche_solver.cards.kernels.deal import shuffle
from mouche_solver.cards.kernels.lookup import Floats
from mouche_solver.cards.kernels.random import State
from mouche_solver.cards.kernels.records import Policy, Record
from mouche_solver.cards.measure.kernels_tournament import whole_deal
from mouche_solver.core.jit import kernel


@kernel
def count_mouches(
    deals: Int, policy: Policy, game: Record, table: Record, state: State, chips: Floats,
    made: Floats,
) -> None:  # fmt: skip
    """Add up each seat's chips, in pots, and how often 0, 1, ... mouches were made."""
    for seat in range(game.players):
        table.who[seat] = 0
    for _ in range(deals):
        shuffle(game, table, state)
        debts = whole_deal(policy, policy, game, table, state)
        for seat in range(game.players):
            chips[seat] += table.chips[seat]
        made[int(debts / game.debt + 0.5)] += 1.0
