"""Kernels for whole random deals: cards, declarations, the mouche, the tricks.

Everyone chooses uniformly: what to declare, which cards to lay down, which legal card to play.
"""

import numpy as np

from mouche_solver.cards.kernels.bits import ONE, Int, count, lowest
from mouche_solver.cards.kernels.mouche import (
    NOT_ASKED,
    STAND,
    DealArrays,
    DealLog,
    Scratch,
    declare,
    draw,
    mouche_value,
)
from mouche_solver.cards.kernels.play import PlayArrays, beats, legal_cards
from mouche_solver.cards.kernels.random import State, below, nth_bit
from mouche_solver.core.jit import kernel

ALONE, MOUCHE, TRICKS = 0, 1, 2  # how a deal ended


@kernel
def show_mouche(i: Int, seats: Int, deal: DealArrays, work: Scratch, log: DealLog) -> Int:
    """Pay the best mouche among those in, if there is one; whether there was."""
    best, winner = 0, -1
    for n in range(seats):
        seat = work.seats[n]
        worth = shown(i, seat, deal, work, log)
        if worth > best:  # ties go to the seat nearest the dealer's right
            best, winner = worth, seat
    if winner < 0:
        return False
    log.how[i], log.winner[i] = MOUCHE, winner
    for seat in range(deal.players):
        if seat != winner:
            inside = log.declared[i, seat] >= STAND
            free = inside and not deal.losers_pay and shown(i, seat, deal, work, log) > 0
            log.makes[i, seat] = (inside or deal.passers_pay) and not free
    return True


@kernel
def shown(i: Int, seat: Int, deal: DealArrays, work: Scratch, log: DealLog) -> Int:
    """The value of the mouche that a player who is in may show, 0 for none."""
    swapped = seat == deal.players - 1 and log.swapped[i] >= 0
    changed = log.declared[i, seat] > STAND and not deal.mouche_exchanged
    if not deal.mouche or swapped or changed:
        return 0
    return mouche_value(work.hands[seat], log.trump[i], deal)


@kernel
def play_tricks(
    i: Int,
    seats: Int,
    hand_size: Int,
    trump: Int,
    play: PlayArrays,
    work: Scratch,
    log: DealLog,
    state: State,
) -> None:
    """Play all tricks with random legal cards; the first player in leads."""
    leader = 0
    at = 0
    for _ in range(hand_size):
        lead = best_led = top = ONE * -1
        taker = leader
        for k in range(seats):
            who = leader + k if leader + k < seats else leader + k - seats
            seat = work.seats[who]
            legal = legal_cards(work.hands[seat], lead, best_led, top, trump, play)
            choices = count(legal)
            card = lowest(legal) if choices == 1 else nth_bit(legal, below(state, choices))
            work.hands[seat] ^= ONE << card
            log.played[i, at] = card
            at += 1
            if lead < 0:
                lead = best_led = top = card
                continue
            if (play.above[trump, best_led] >> card) & 1:
                best_led = card
            if beats(card, top, lead, trump, play):
                top, taker = card, who
        log.tricks[i, work.seats[taker]] += 1
        leader = taker
    log.how[i] = TRICKS
    for n in range(seats):
        seat = work.seats[n]
        log.makes[i, seat] = log.tricks[i, seat] == 0


@kernel
def deal_cards(i: Int, deal: DealArrays, work: Scratch, log: DealLog, state: State) -> None:
    """Hands, turn-up and trumps; a Pamphile turned up leaves them to the dealer."""
    stock = work.stock
    stock[0] = stock[1] = stock[2] = 0
    for seat in range(deal.players):
        work.hands[seat] = draw(deal.hand_size, deal, work, state)
        log.dealt[i, seat] = work.hands[seat]
        log.declared[i, seat] = NOT_ASKED
    turned = lowest(draw(1, deal, work, state))
    log.turned[i] = turned
    suits = len(deal.suits)
    log.trump[i] = turned // (deal.cards // suits)
    if turned == deal.pamphile:
        log.trump[i] = below(state, suits)
    log.swapped[i] = log.winner[i] = -1


@kernel
def random_deals(
    start: Int,
    stop: Int,
    deal: DealArrays,
    play: PlayArrays,
    work: Scratch,
    log: DealLog,
    state: State,
) -> None:
    """Deals ``start`` to ``stop - 1`` of the log, whose arrays are zero except ``played``, -1."""
    for i in range(start, stop):
        deal_cards(i, deal, work, log, state)
        inside = 0
        for seat in range(deal.players):
            if seat == deal.players - 1 and inside == 0:
                break  # all have passed before the dealer, who is not asked
            declare(i, seat, deal, work, log, state)
            if log.declared[i, seat] >= STAND:
                work.seats[inside] = seat
                inside += 1
        if inside < 2:
            log.how[i] = ALONE
            log.winner[i] = work.seats[0] if inside else deal.players - 1
            continue
        if not show_mouche(i, inside, deal, work, log):
            play_tricks(i, inside, deal.hand_size, np.int64(log.trump[i]), play, work, log, state)
