"""Kernels for whole random deals: cards, declarations, the mouche, the tricks.

Everyone chooses uniformly: what to declare, which cards to lay down, which legal card to play.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from mouche_solver.cards.kernels_bits import ONE, Int, Ints, count, lowest
from mouche_solver.cards.kernels_play import PlayArrays, beats, legal_cards
from mouche_solver.cards.kernels_random import State, below, nth_bit
from mouche_solver.core.jit import kernel

NOT_ASKED, PASS, STAND = -2, -1, 0  # declarations; a positive number is an exchange
ALONE, MOUCHE, TRICKS = 0, 1, 2  # how a deal ended


class DealArrays(NamedTuple):
    """The rules of one deal as numbers; see :func:`mouche_solver.cards.compiled.compile_deal`."""

    players: int
    hand_size: int
    cards: int
    max_exchange: int
    reshuffle: bool
    passed_return: bool
    own_return: bool
    dealer_takes: bool
    mouche: bool
    mouche_exchanged: bool
    must_stand: bool
    losers_pay: bool
    passers_pay: bool
    by_points: bool
    pamphile: int
    any_suit: bool
    kept: int
    value: Ints
    suits: Ints


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


class Scratch(NamedTuple):
    """Work space of one chunk; ``order`` is any permutation of the pack, ``stock`` is
    (cards of ``order`` gone, reshuffled stock, cards laid aside)."""

    order: Ints
    hands: Ints
    seats: Ints
    stock: Ints


@kernel
def mouche_value(hand: Int, trump: Int, deal: DealArrays) -> Int:
    """0 when the hand is no mouche, else a number that is larger for the better mouche."""
    rest = hand
    if deal.any_suit and deal.pamphile >= 0:
        rest &= ~(ONE << deal.pamphile)
    suit = -1
    for s in range(len(deal.suits)):
        if rest & deal.suits[s] == rest:
            suit = s
            if rest or s == trump:  # the Pamphile alone is a trump
                break
    if suit < 0:
        return 0
    total: Int = 0
    best: Int = 0
    while hand:
        value = deal.value[lowest(hand)]
        total += value
        best = max(best, value)
        hand &= hand - ONE
    return 1 + (total if deal.by_points else best) + (1000 if suit == trump else 0)


@kernel
def draw(number: Int, deal: DealArrays, work: Scratch, state: State) -> Int:
    """Cards from the stock and, when it has run out, from those laid aside."""
    order, stock = work.order, work.stock
    drawn = ONE * 0
    for _ in range(number):
        at = stock[0]
        if at < deal.cards:
            other = at + below(state, deal.cards - at)
            order[at], order[other] = order[other], order[at]
            stock[0] = at + 1
            drawn |= ONE << order[at]
            continue
        if stock[1] == 0:
            stock[1], stock[2] = stock[2], 0
        card = nth_bit(stock[1], below(state, count(stock[1])))
        stock[1] ^= ONE << card
        drawn |= ONE << card
    return drawn


@kernel
def random_subset(mask: Int, number: Int, state: State) -> Int:
    """``number`` of the cards of ``mask``."""
    chosen = ONE * 0
    for _ in range(number):
        chosen |= ONE << nth_bit(mask & ~chosen, below(state, count(mask & ~chosen)))
    return chosen


@kernel
def declare(i: Int, seat: Int, deal: DealArrays, work: Scratch, log: DealLog, state: State) -> None:
    """One random declaration, with swap and exchange."""
    hands, stock = work.hands, work.stock
    hand = hands[seat]
    mouche = deal.mouche and mouche_value(hand, log.trump[i], deal) > 0
    if deal.must_stand and mouche:
        log.declared[i, seat] = STAND
        return
    may_pass = hand & deal.kept == 0
    most = deal.max_exchange
    room = deal.cards - stock[0]
    if deal.reshuffle:
        room += count(stock[1]) + count(stock[2])
        if deal.own_return:
            room = most
    said = below(state, 1 + may_pass + min(most, room)) - may_pass
    if said == PASS:
        log.declared[i, seat] = PASS
        log.laid[i, seat] = hand
        if deal.passed_return:
            stock[2] |= hand
        return
    turned = log.turned[i]
    may_swap = deal.dealer_takes and seat == deal.players - 1 and turned != deal.pamphile
    if may_swap and below(state, 2):
        given = nth_bit(hand, below(state, deal.hand_size))
        log.swapped[i] = given
        hand ^= (ONE << given) | (ONE << turned)
    said = min(said, count(hand & ~deal.kept))
    log.declared[i, seat] = said
    laid = random_subset(hand & ~deal.kept, said, state)
    if deal.own_return:
        stock[2] |= laid
    drawn = draw(said, deal, work, state)
    if not deal.own_return:
        stock[2] |= laid
    log.laid[i, seat] = laid
    log.drawn[i, seat] = drawn
    hands[seat] = (hand & ~laid) | drawn


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
