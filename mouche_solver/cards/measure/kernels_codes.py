"""Kernels for all actions of a declaration, every set of cards laid down included, as codes.

A code: 0 passes; ``1 + mask + (given << hand_size)`` stays in, ``mask`` being the cards laid down
by their place in :func:`in_order`, ``given`` 0 or 1 plus the place of the card that the dealer
gives for the turn-up (the places of ``mask`` are those of the hand after it). In hands of one
coarse class the n-th card in order is of the same kind, in hands of one canonical class the same
card, so that one code can be compared between them.
"""

import numpy as np

from mouche_solver.cards.kernels.bits import ONE, Int, Ints, count, lowest
from mouche_solver.cards.kernels.deal import (
    BY_HEIGHT,
    given_card,
    laid_by_rule,
    legal_declarations,
    pass_hand,
    positions,
    room,
    stay_in,
    worth,
)
from mouche_solver.cards.kernels.lookup import Floats, declaration_mix
from mouche_solver.cards.kernels.mouche import mouche_value
from mouche_solver.cards.kernels.random import State
from mouche_solver.cards.kernels.records import CONTEXT, TRICKS, Policy, Record
from mouche_solver.core.jit import kernel

LEAST = 0.002  # probability from which an action counts in the strategy's own value


@kernel
def in_order(hand: Int, context: Int, game: Record, policy: Policy, cards: Ints) -> None:
    """The cards of a hand, the least wanted first; equal ones as in the canonical hand."""
    size = count(hand)
    wanted = np.empty(TRICKS, np.int64)
    for i in range(size):
        card = lowest(positions(hand, ONE << i, context, game, policy))
        value = worth(card, hand, BY_HEIGHT, context, game)
        j = i
        while j > 0 and wanted[j - 1] > value:
            wanted[j], cards[j] = wanted[j - 1], cards[j - 1]
            j -= 1
        wanted[j], cards[j] = value, card


@kernel
def subset(cards: Ints, mask: Int) -> Int:
    """The cards at the places of a mask."""
    chosen = ONE * 0
    while mask:
        card: Int = cards[lowest(mask)]
        chosen |= ONE << card
        mask &= mask - ONE
    return chosen


@kernel
def places(cards: Ints, size: Int, chosen: Int) -> Int:
    """The places of some cards as a mask."""
    mask = ONE * 0
    for i in range(size):
        if (chosen >> cards[i]) & 1:
            mask |= ONE << i
    return mask


@kernel
def code_of(
    seat: Int, action: Int, game: Record, policy: Policy, table: Record, cards: Ints
) -> Int:
    """The code of one of the strategy's actions."""
    if action == 0:
        return ONE * 0
    hand, context, size = table.hands[seat], table.stock[CONTEXT], game.hand_size
    given = given_card(hand, action, context, game, policy)
    swap = ONE * 0
    if given >= 0:
        in_order(hand, context, game, policy, cards)
        swap = 1 + lowest(places(cards, size, ONE << given))
        hand ^= (ONE << given) | (ONE << game.turned[context])
    if game.every:
        laid = positions(hand, game.subset[action], context, game, policy)
    else:
        laid = laid_by_rule(hand, action, context, game)
    in_order(hand, context, game, policy, cards)
    return 1 + places(cards, size, laid) + (swap << size)


@kernel
def allowed(seat: Int, code: Int, game: Record, table: Record) -> bool:
    """Whether the rules allow an action; the last code is not asked for."""
    context, size = table.stock[CONTEXT], game.hand_size
    hand, trump = table.hands[seat], game.trump[context]
    if game.must_stand and game.mouche and mouche_value(hand, trump, game) > 0:
        return bool(code == 1)
    if code == 0:
        return True
    may_swap = (
        game.dealer_takes and seat == game.players - 1 and game.turned[context] != game.pamphile
    )
    if (code - 1) >> size and not may_swap:
        return False
    laid = count((code - 1) & ((ONE << size) - 1))
    return bool(laid <= min(game.max_exchange, room(game, table)))


@kernel
def act(
    seat: Int, code: Int, game: Record, policy: Policy, table: Record, cards: Ints, state: State
) -> None:
    """Carry an action out; not the last code."""
    if code == 0:
        pass_hand(seat, game, table)
        return
    hand, context, size = table.hands[seat], table.stock[CONTEXT], game.hand_size
    swap = (code - 1) >> size
    given = ONE * -1
    if swap:
        in_order(hand, context, game, policy, cards)
        given = ONE * cards[swap - 1]
        hand ^= (ONE << given) | (ONE << game.turned[context])
    in_order(hand, context, game, policy, cards)
    laid = subset(cards, (code - 1) & ((ONE << size) - 1))
    stay_in(seat, laid, given, game, table, state)


@kernel
def likeliest(width: Int, table: Record) -> Int:
    """The action with the largest probability in ``table.mix``."""
    best = 0
    for a in range(1, width):
        if table.mix[a] > table.mix[best]:
            best = a
    return best


@kernel
def own_codes(
    me: Int, hand: Int, number: Int, game: Record, policy: Policy, table: Record, cards: Ints,
    own: Floats,
) -> Int:  # fmt: skip
    """The strategy's probabilities by code, small ones left out; returns the likeliest code."""
    own[:] = 0.0
    legal = legal_declarations(me, game, table)
    declaration_mix(policy, hand, number, legal, table.mix)
    total = 0.0
    for a in range(game.actions):
        if table.mix[a] >= LEAST:
            own[code_of(me, a, game, policy, table, cards)] += table.mix[a]
            total += table.mix[a]
    own /= total
    return code_of(me, likeliest(game.actions, table), game, policy, table, cards)
