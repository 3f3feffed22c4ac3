"""Kernels that play deals with one strategy everywhere and keep what happened to every hand."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from mouche_solver.cards.kernels.bits import Int, Ints, Seat
from mouche_solver.cards.kernels.deal import (
    BY_HEIGHT,
    count_in,
    lay_out,
    least,
    room,
    settle_early,
    shuffle,
    take,
    unasked,
)
from mouche_solver.cards.kernels.lookup import Floats
from mouche_solver.cards.kernels.mouche import NOT_ASKED, STAND, mouche_value
from mouche_solver.cards.kernels.policies import declare, whole_deal
from mouche_solver.cards.kernels.records import CONTEXT, PILE, SWAPPED, Game, Policy, Table
from mouche_solver.cards.kernels.tricks import begin_play, play_out
from mouche_solver.cards.kernels.view import TRICK, WON
from mouche_solver.core.jit import kernel
from mouche_solver.core.random import State

NO_TRICKS = -1


class DealsLog(NamedTuple):
    """What happened in some deals.

    ``dealt``, ``held`` (when tricks begin), ``said``, ``tricks`` (-1 where none were played) and
    ``chips`` have one row for each deal and one column for each seat; ``context`` and ``debts``
    one entry for each deal.
    """

    context: Ints
    dealt: Ints
    held: Ints
    said: Ints
    tricks: Ints
    chips: NDArray[np.float64]
    debts: Floats


class StandsLog(NamedTuple):
    """Stands and what unseen exchanges gain: ``gain[i, k - 1]`` with k cards, NaN if impossible."""

    context: Ints
    seat: Ints
    hand: Ints
    deal: Ints
    gain: NDArray[np.float64]


@kernel
def log_deals(
    first: Int, stop: Int, policy: Policy, game: Game, table: Table, state: State, log: DealsLog
) -> None:
    """Deals ``first`` to ``stop - 1`` of the log, one policy everywhere."""
    for seat in range(game.players):
        table.who[seat] = 0
    for i in range(first, stop):
        shuffle(game, table, state)
        table.at[0, TRICK] = 0
        log.debts[i] = whole_deal(policy, policy, game, table, state)
        log.context[i] = table.stock[CONTEXT]
        played = table.at[0, TRICK] > 0
        nobody_asked = unasked(game.players - 1, game, table)
        place = 0
        for seat in range(game.players):
            log.dealt[i, seat] = table.dealt[seat]
            log.held[i, seat] = table.hands[seat]
            log.said[i, seat] = table.said[seat]
            log.chips[i, seat] = table.chips[seat]
            log.tricks[i, seat] = NO_TRICKS
            if played and table.said[seat] >= STAND:
                log.tricks[i, seat] = table.at[0, WON + place]
                place += 1
        if nobody_asked:
            log.said[i, game.players - 1] = NOT_ASKED


@kernel
def exchange_unseen(seat: Seat, number: Int, game: Game, table: Table, state: State) -> None:
    """Change the cards of a player who has stood; nobody learns of it."""
    hand, stock = table.hands[seat], table.stock
    laid = least(hand, number, BY_HEIGHT, stock[CONTEXT], game)
    if game.own_return:
        stock[PILE] |= laid
    drawn = take(number, game, table, state)
    if not game.own_return:
        stock[PILE] |= laid
    table.laid[seat] = laid
    table.hands[seat] = (hand & ~laid) | drawn


@kernel
def value_unseen(
    me: Seat, number: Int, policy: Policy, share: Floats, game: Game, table: Table, state: State
) -> float:
    """What a player gets who stands and exchanges unseen; NaN if he cannot, or draws one suit."""
    lay_out(game, table)
    for seat in range(game.players):
        if unasked(seat, game, table):
            break
        declare(seat, policy, game, table, state)
        if seat == me:
            if number > room(game, table):
                return np.nan
            exchange_unseen(me, number, game, table, state)
            context = table.stock[CONTEXT]
            # To the referee it would look like a mouche that was dealt.
            if game.mouche and mouche_value(table.hands[me], game.trump[context], game) > 0:
                return np.nan
    inside = count_in(game, table)
    debts = settle_early(inside, game, table)
    if debts < 0.0:
        begin_play(inside, game, table)
        debts = play_out(policy, policy, game, table)
    value: float = table.chips[me] + debts * share[me]
    return value


@kernel
def log_stands(
    first: Int,
    stop: Int,
    policy: Policy,
    share: Floats,
    game: Game,
    table: Table,
    state: State,
    log: StandsLog,
) -> Int:
    """Every stand without a mouche in deals ``first`` to ``stop - 1``; returns how many."""
    found = 0
    for seat in range(game.players):
        table.who[seat] = 0
    for deal in range(first, stop):
        shuffle(game, table, state)
        start = state[0]
        debts = whole_deal(policy, policy, game, table, state)
        after, context = state[0], table.stock[CONTEXT]
        begun = found
        for seat in range(game.players):
            hand = table.dealt[seat]
            swapped = seat == game.players - 1 and table.stock[SWAPPED] >= 0
            mouche = game.mouche and mouche_value(hand, game.trump[context], game) > 0
            if table.said[seat] == STAND and not swapped and not mouche:
                log.context[found], log.seat[found] = context, seat
                log.hand[found], log.deal[found] = hand, deal
                log.gain[found, 0] = table.chips[seat] + debts * share[seat]
                found += 1
        for i in range(begun, found):
            stood = log.gain[i, 0]
            for number in range(1, game.max_exchange + 1):
                state[0] = start
                value = value_unseen(log.seat[i], number, policy, share, game, table, state)
                log.gain[i, number - 1] = value - stood
        state[0] = after
    return found
