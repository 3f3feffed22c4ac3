"""Kernels that carry a deal on to the next decision of one seat, all others playing a policy."""

from mouche_solver.cards.kernels.bits import Int, Seat, lowest
from mouche_solver.cards.kernels.deal import count_in, lay_out, settle_early, unasked
from mouche_solver.cards.kernels.policies import declare
from mouche_solver.cards.kernels.records import CONTEXT, PLACES, Game, Policy, Table
from mouche_solver.cards.kernels.tricks import (
    begin_play,
    choose_card,
    legal_now,
    pay_tricks,
    put,
    to_move,
)
from mouche_solver.cards.kernels.view import TRICK
from mouche_solver.core.jit import kernel
from mouche_solver.core.random import State


@kernel
def before_declaring(me: Seat, game: Game, policy: Policy, table: Table, state: State) -> bool:
    """Deal the shuffled cards and declare up to a seat; whether that seat is asked."""
    lay_out(game, table)
    for seat in range(me):
        declare(seat, policy, game, table, state)
    return not unasked(me, game, table)


@kernel
def after_declaring(
    me: Seat, game: Game, policy: Policy, table: Table, state: State
) -> tuple[float, int]:
    """The later seats declare; the debts when no trick is played, else -1; how many are in."""
    for seat in range(me + 1, game.players):
        if unasked(seat, game, table):
            break
        declare(seat, policy, game, table, state)
    inside = count_in(game, table)
    debts = settle_early(inside, game, table)
    if debts < 0.0:
        begin_play(inside, game, table)
    return debts, inside


@kernel
def to_my_choice(me: Seat, game: Game, policy: Policy, table: Table) -> Int:
    """Play on until a seat has several legal cards, which are returned; 0 at the end."""
    at, context = table.at, table.stock[CONTEXT]
    while at[0, TRICK] < game.hand_size:
        place = to_move(at, 0)
        legal = legal_now(at, 0, place, game, context)
        card = lowest(legal)
        if legal & (legal - 1):
            seat = table.seats[place]
            if seat == me:
                return legal
            luck = table.luck[PLACES + seat * game.hand_size + at[0, TRICK]]
            card = choose_card(policy, place, legal, luck, game, table)
        put(at, 0, place, card, game.trump[context], game)
    table.total[0] = pay_tricks(game, table)
    return 0
