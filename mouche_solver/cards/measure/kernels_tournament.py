"""Kernels for duplicate tournaments: the same cards and the same luck in every seat."""

from mouche_solver.cards.kernels.bits import Int
from mouche_solver.cards.kernels.deal import (
    shuffle,
)
from mouche_solver.cards.kernels.lookup import (
    Floats,
)
from mouche_solver.cards.kernels.mouche import STAND
from mouche_solver.cards.kernels.policies import whole_deal
from mouche_solver.cards.kernels.records import (
    Game,
    Policy,
    Table,
)
from mouche_solver.core.jit import kernel
from mouche_solver.core.random import State


@kernel
def duplicate(
    deals: Int,
    one: Policy,
    two: Policy,
    share: Floats,
    game: Game,
    table: Table,
    state: State,
    sums: Floats,
) -> None:
    """Policy one in each seat in turn, policy two in all others.

    ``sums`` gets, of the mean over the seats: the sum and the sum of squares; then the sums of each
    seat.
    """
    players = game.players
    for _ in range(deals):
        shuffle(game, table, state)
        start = state[0]
        mean = 0.0
        for me in range(players):
            for seat in range(players):
                table.who[seat] = seat != me
            state[0] = start
            debts = whole_deal(one, two, game, table, state)
            value = table.chips[me] + debts * share[me]
            sums[2 + me] += value
            mean += value / players
        sums[0] += mean
        sums[1] += mean * mean


@kernel
def self_play(
    deals: Int, policy: Policy, game: Game, table: Table, state: State, sums: Floats
) -> None:
    """One policy in every seat.

    ``sums`` gets the chips of each seat, then the debts, then how often 0, 1, ... were in.
    """
    for seat in range(game.players):
        table.who[seat] = 0
    for _ in range(deals):
        shuffle(game, table, state)
        debts = whole_deal(policy, policy, game, table, state)
        for seat in range(game.players):
            sums[seat] += table.chips[seat]
        sums[game.players] += debts
        inside = 0
        for seat in range(game.players):
            inside += table.said[seat] >= STAND
        sums[game.players + 1 + inside] += 1.0
