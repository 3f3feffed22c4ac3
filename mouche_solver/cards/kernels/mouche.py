"""Kernels for what a mouche is worth, and words for declarations."""

from typing import NamedTuple

from mouche_solver.cards.kernels.bits import ONE, Hand, Int, Ints, count, lowest, nth_bit
from mouche_solver.cards.kernels.records import Game
from mouche_solver.core.jit import kernel
from mouche_solver.core.random import State, below

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


@kernel
def mouche_value(hand: Hand, trump: Int, deal: DealArrays | Game) -> Int:
    """0 when the hand is no mouche, else a number that is larger for the better mouche."""
    rest: Int = hand
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
    rest = hand
    while rest:
        value = deal.value[lowest(rest)]
        total += value
        best = max(best, value)
        rest &= rest - ONE
    return 1 + (total if deal.by_points else best) + (1000 if suit == trump else 0)


@kernel
def random_subset(mask: Int, number: Int, state: State) -> Int:
    """``number`` of the cards of ``mask``."""
    chosen = ONE * 0
    for _ in range(number):
        chosen |= ONE << nth_bit(mask & ~chosen, below(state, count(mask & ~chosen)))
    return chosen
