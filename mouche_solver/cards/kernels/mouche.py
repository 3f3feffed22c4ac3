"""Kernels for the declarations of random deals: draws, exchanges and the worth of a mouche."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from mouche_solver.cards.kernels.bits import ONE, Int, Ints, count, lowest
from mouche_solver.cards.kernels.random import State, below, nth_bit
from mouche_solver.core.jit import kernel

NOT_ASKED, PASS, STAND = -2, -1, 0  # declarations; a positive number is an exchange


class DealArrays(NamedTuple):
    """One deal's rules as numbers; see :func:`mouche_solver.cards.compiled.arrays.compile_deal`."""

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
    """Work space of one chunk.

    ``order`` is any permutation of the pack, ``stock`` is (cards of ``order`` gone, reshuffled
    stock, cards laid aside).
    """

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
