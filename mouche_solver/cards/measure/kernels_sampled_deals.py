"""Kernels for random deals, dealt, declared and played by the kernels that training uses.

Everyone chooses uniformly: what to declare, which cards to lay down, which legal card to play.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from mouche_solver.cards.kernels.bits import ONE, Int, Ints, Seat, count, lowest, nth_bit
from mouche_solver.cards.kernels.deal import (
    count_in,
    legal_declarations,
    new_deal,
    pass_hand,
    settle_early,
    stay_in,
    unasked,
)
from mouche_solver.cards.kernels.mouche import NOT_ASKED, STAND, random_subset
from mouche_solver.cards.kernels.records import CONTEXT, SWAPPED, Game, Table
from mouche_solver.cards.kernels.tricks import begin_play, legal_now, pay_tricks, put, to_move
from mouche_solver.cards.kernels.view import PLAYED, PLAYS, TRICK, WON
from mouche_solver.core.jit import kernel
from mouche_solver.core.random import State, below

ALONE, MOUCHE, TRICKS = 0, 1, 2  # how a deal ended


class DealLog(NamedTuple):
    """What happened in some deals; the first axis is the deal, the second the seat.

    ``dealt``, ``laid``, ``drawn`` are masks; ``swapped`` is the card the dealer gave for the
    turn-up, or -1; ``played`` holds the cards in the order played, -1 after the last; ``winner``
    is the seat that was alone or had the mouche, or -1; ``makes`` marks mouches made.
    """

    turned: NDArray[np.int8]
    trump: NDArray[np.int8]
    dealt: Ints
    declared: NDArray[np.int8]
    laid: Ints
    drawn: Ints
    swapped: NDArray[np.int8]
    played: NDArray[np.int8]
    how: NDArray[np.int8]
    winner: NDArray[np.int8]
    tricks: NDArray[np.int8]
    makes: NDArray[np.int8]


class Names(NamedTuple):
    """Real deals that a context stands for.

    ``number[context]`` of them; ``card[context, i]`` are the real names of the context's cards,
    ``turned[context, i]`` and ``trump[context, i]`` the real turn-up and trumps.
    """

    number: Ints
    card: NDArray[np.int64]
    turned: Ints
    trump: Ints


@kernel
def real(mask: Int, names: Ints) -> Int:
    """A mask of a context's cards in their real names."""
    out = ONE * 0
    while mask:
        card: Int = names[lowest(mask)]
        out |= ONE << card
        mask &= mask - ONE
    return out


@kernel
def declare_anything(seat: Seat, game: Game, table: Table, state: State) -> Int:
    """Any legal declaration with any cards; returns the cards drawn."""
    legal = legal_declarations(seat, game, table)
    action = nth_bit(legal, below(state, count(legal)))
    if action == 0:
        pass_hand(seat, game, table)
        return ONE * 0
    hand = table.hands[seat]
    given = ONE * -1
    if game.swap[action] >= 0:
        given = nth_bit(hand, below(state, count(hand)))
        hand ^= (ONE << given) | (ONE << game.turned[table.stock[CONTEXT]])
    laid = random_subset(hand & ~game.kept, game.size[action], state)
    stay_in(seat, laid, given, game, table, state)
    return table.hands[seat] & ~(hand & ~laid)


@kernel
def declare_all(i: Int, names: Ints, game: Game, table: Table, log: DealLog, state: State) -> None:
    """All declarations of a deal, logged."""
    for seat in range(game.players):
        if unasked(seat, game, table):
            log.declared[i, seat] = NOT_ASKED
            return
        log.drawn[i, seat] = real(declare_anything(seat, game, table, state), names)
        log.declared[i, seat] = table.said[seat]
        log.laid[i, seat] = real(table.laid[seat], names)
    if table.stock[SWAPPED] >= 0:
        log.swapped[i] = names[table.stock[SWAPPED]]


@kernel
def play_anything(
    i: Int, inside: Int, names: Ints, game: Game, table: Table, log: DealLog, state: State
) -> None:
    """All tricks with random legal cards, logged; the chips are paid."""
    at, context = table.at, table.stock[CONTEXT]
    begin_play(inside, game, table)
    while at[0, TRICK] < game.hand_size:
        place = to_move(at, 0)
        legal = legal_now(at, 0, place, game, context)
        choices = count(legal)
        card = lowest(legal) if choices == 1 else nth_bit(legal, below(state, choices))
        put(at, 0, place, card, game.trump[context], game)
    for n in range(at[0, PLAYS]):
        log.played[i, n] = names[at[0, PLAYED + n]]
    for place in range(inside):
        log.tricks[i, table.seats[place]] = at[0, WON + place]
    pay_tricks(game, table)


@kernel
def random_deals(
    start: Int, stop: Int, names: Names, game: Game, table: Table, log: DealLog, state: State
) -> None:
    """Deals ``start`` to ``stop - 1`` of the log, whose arrays are zero except ``played``, -1.

    The game's ``fee`` is 0, so that whoever has paid anything has made the mouche.
    """
    for i in range(start, stop):
        new_deal(game, table, state)
        context = table.stock[CONTEXT]
        which = below(state, names.number[context])
        cards = names.card[context, which]
        log.turned[i], log.trump[i] = names.turned[context, which], names.trump[context, which]
        log.winner[i] = log.swapped[i] = -1
        for seat in range(game.players):
            log.dealt[i, seat] = real(table.dealt[seat], cards)
        declare_all(i, cards, game, table, log, state)
        inside = count_in(game, table)
        if settle_early(inside, game, table) < 0.0:
            log.how[i] = TRICKS
            play_anything(i, inside, cards, game, table, log, state)
        elif inside < 2:
            log.how[i] = ALONE
            log.winner[i] = table.seats[0] if inside else game.players - 1
        else:
            log.how[i] = MOUCHE
        for seat in range(game.players):
            if log.how[i] == MOUCHE and table.chips[seat] > 0.0:
                log.winner[i] = seat
            if game.points:
                played = log.how[i] == TRICKS and log.declared[i, seat] >= STAND
                log.makes[i, seat] = played and log.tricks[i, seat] == 0
            else:
                log.makes[i, seat] = table.chips[seat] < 0.0
