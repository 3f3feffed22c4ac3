"""Kernels of a local best response in the play, against the strategy on the same deals."""

import numpy as np

from mouche_solver.cards.kernels.bits import ONE, Int, Seat, lowest
from mouche_solver.cards.kernels.deal import count_in, lay_out, settle_early, shuffle, unasked
from mouche_solver.cards.kernels.lookup import Floats
from mouche_solver.cards.kernels.mouche import STAND
from mouche_solver.cards.kernels.policies import declare, whole_deal
from mouche_solver.cards.kernels.records import (
    CONTEXT,
    PLACES,
    SHUFFLED,
    SWAPPED,
    TRICKS,
    Game,
    Policy,
    Table,
)
from mouche_solver.cards.kernels.tricks import (
    begin_play,
    choose_card,
    legal_now,
    pay_tricks,
    play_out,
    put,
    to_move,
)
from mouche_solver.cards.kernels.view import TRICK, TURN
from mouche_solver.cards.measure.kernels_best_response import OWN, Cells, Rows, answer, respond
from mouche_solver.cards.measure.kernels_look import Look, local_card
from mouche_solver.core.jit import kernel
from mouche_solver.core.random import State


@kernel
def local_play(me: Seat, share: float, game: Game, policy: Policy, table: Table, look: Look) -> Int:
    """Play the tricks with a local response in one seat and pay; the debts are in ``total[0]``.

    Returns where the first deviation was: twice the trick, plus 1 when not leading; -1 for none.
    """
    at, context, dream = table.at, table.stock[CONTEXT], look.dream
    trump = game.trump[context]
    dream.stock[:] = table.stock
    for seat in range(game.players):
        dream.seats[seat], dream.said[seat] = table.seats[seat], table.said[seat]
        dream.hands[seat] = table.hands[seat]
        dream.who[seat] = 0
    first = ONE * -1
    while at[0, TRICK] < game.hand_size:
        place = to_move(at, 0)
        legal = legal_now(at, 0, place, game, context)
        card = lowest(legal)
        if legal & (legal - ONE):
            seat = table.seats[place]
            luck = table.luck[PLACES + seat * game.hand_size + at[0, TRICK]]
            card = choose_card(policy, place, legal, luck, game, table)
            if seat == me:
                own = card
                card = local_card(me, place, own, legal, share, game, policy, table, look)
                if card != own and first < 0:
                    first = 2 * at[0, TRICK] + (at[0, TURN] > 0)
        put(at, 0, place, card, trump, game)
    table.total[0] = pay_tricks(game, table)
    return first


@kernel
def duplicate_local(
    deals: Int,
    share: Floats,
    game: Game,
    policy: Policy,
    cells: Cells,
    gains: Rows,
    table: Table,
    state: State,
    look: Look,
    sums: Floats,
) -> None:
    """A local response in each seat in turn against the strategy's own play of the same deal.

    It declares by the response ``gains``, without levels by the strategy. ``sums`` as in
    :func:`mouche_solver.cards.measure.kernels_best_response.duplicate_response`.
    """
    players, changes = game.players, look.changes
    own = np.zeros(players)
    for seat in range(players):
        table.who[seat] = 0
    for _ in range(deals):
        shuffle(game, table, state)
        start = state[0]
        debts = whole_deal(policy, policy, game, table, state)
        for seat in range(players):
            own[seat] = table.chips[seat] + debts * share[seat]
        mean = 0.0
        for me in range(players):
            state[0] = start
            new = declared_again(me, game, policy, cells, gains, table, state)
            where = played_again(me, new, share[me], game, policy, table, look)
            difference = 0.0
            if new or where >= 0:
                difference = table.chips[me] + table.total[0] * share[me] - own[me]
            if where >= 0 and not new:
                changes[me, where, 0] += 1.0
                changes[me, where, 1] += difference
                changes[me, where, 2] += difference * difference
            sums[2 + me] += own[me] + difference
            sums[2 + players + me] += difference
            mean += difference / players
        sums[0] += mean
        sums[1] += mean * mean


@kernel
def declared_again(
    me: Seat, game: Game, policy: Policy, cells: Cells, gains: Rows, table: Table, state: State
) -> bool:
    """Declare the shuffled deal again, one seat by its response; whether that departs."""
    cards = np.zeros(TRICKS, np.int64)
    new = False
    lay_out(game, table)
    for seat in range(game.players):
        if unasked(seat, game, table):
            break
        code = ONE * OWN
        if seat == me:
            code = answer(me, game, policy, cells, gains, table)
        if code == OWN:
            declare(seat, policy, game, table, state)
        else:
            respond(me, code, game, policy, table, cards, state)
            new = True
    return new


@kernel
def played_again(
    me: Seat, new: bool, share: float, game: Game, policy: Policy, table: Table, look: Look
) -> Int:
    """Settle or play, the debts in ``total[0]``; the place of the first deviation, -1 for none.

    Guesses do not understand deals in which cards laid aside were drawn again, or the dealer took
    the turn-up: there the strategy plays.
    """
    inside = count_in(game, table)
    table.total[0] = settle_early(inside, game, table)
    if table.total[0] >= 0.0:
        return ONE * -1
    begin_play(inside, game, table)
    stock = table.stock
    if table.said[me] >= STAND and stock[SHUFFLED] == 0 and stock[SWAPPED] < 0:
        return local_play(me, share, game, policy, table, look)
    if new:
        table.total[0] = play_out(policy, policy, game, table)
    return ONE * -1
