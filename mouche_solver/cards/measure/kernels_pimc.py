"""Kernels of perfect-information Monte Carlo: guess the hidden hands, play them open, choose.

Guesses are uniform over the unseen cards, whatever was said or shown. Each legal card is worth the
mean of the chips that it brings when everybody then sees all hands. Positions after the trick are
looked up, so this is for two or three players in; with more the rule of thumb plays.

References
----------
.. [1] Long, Sturtevant, Buro and Furtak, Understanding the success of perfect information Monte
   Carlo sampling in game tree search, AAAI 24, 2010: PIMC.
.. [2] Ginsberg, GIB: imperfect information in a computationally challenging game, Journal of
   Artificial Intelligence Research 14, 2001: play by guessed hands.
"""

from typing import Any, NamedTuple, TypeAlias

import numpy as np

from mouche_solver.cards.kernels.baselines import thumb_card
from mouche_solver.cards.kernels.bits import ONE, Int, count, lowest, nth_bit
from mouche_solver.cards.kernels.deal import count_in, lay_out, settle_early, shuffle, unasked
from mouche_solver.cards.kernels.lookup import Floats
from mouche_solver.cards.kernels.policies import declare
from mouche_solver.cards.kernels.records import CONTEXT, PLACES, Game, Policy, Table
from mouche_solver.cards.kernels.tricks import (
    begin_play,
    choose_card,
    copy_row,
    legal_now,
    pay_tricks,
    put,
    to_move,
)
from mouche_solver.cards.kernels.view import (
    GONE,
    HAND,
    INSIDE,
    LAID,
    LEAD,
    LEADER,
    TOP,
    TRICK,
    TURN,
    WON,
)
from mouche_solver.cards.odds.kernels_open import (
    FIELD,
    LANE,
    LANES,
    liking,
    pattern_number,
    seen_from,
)
from mouche_solver.core.jit import kernel
from mouche_solver.core.random import State, below

Levels: TypeAlias = Any  # Level for 0, 1, ... cards, as a tuple

GUESS = 1  # the row of the first guessed position


class Guess(NamedTuple):
    """How often to guess, and open-hand values of the last tricks for two and three players in."""

    samples: int
    pairs: Levels
    threes: Levels


@kernel
def guess_hands(d: Int, place: Int, game: Game, table: Table, state: State) -> None:
    """Deal the unseen cards to the others in row d."""
    at = table.at
    everything = (ONE << game.cards) - 1
    unseen = everything & ~(at[d, HAND + place] | at[d, LAID + place] | at[d, GONE])
    inside, left = at[d, INSIDE], game.hand_size - at[d, TRICK]
    for k in range(1, inside):
        other = (place + k) % inside
        played = (other - at[d, LEADER]) % inside < at[d, TURN]
        hand = ONE * 0
        for _ in range(left - played):
            card = nth_bit(unseen, below(state, count(unseen)))
            unseen ^= ONE << card
            hand |= ONE << card
        at[d, HAND + other] = hand


@kernel
def looked_up(d: Int, game: Game, table: Table, levels: Levels) -> Int:
    """All tricks of a deal, packed from place 0 on, when row d is between two tricks."""
    at = table.at
    inside, leader = at[d, INSIDE], at[d, LEADER]
    trump = game.trump[table.stock[CONTEXT]]
    owner = np.zeros(LANES * LANE + 4, np.int8)
    out = ONE * 0
    cards = game.hand_size - at[d, TRICK]
    for place in range(inside):
        lane = 1
        for suit in range(game.suit_count):
            shift = 0
            if suit != trump:
                shift = lane * LANE
                lane += 1
            own = at[d, HAND + place] & game.suit_mask[trump, suit]
            while own:
                card = lowest(own)
                own &= own - ONE
                rank = count(game.suit_mask[trump, suit]) - 1 - count(game.above[trump, card])
                out |= ONE << (shift + rank)
                owner[shift + rank] = place
    packed = ONE * 0
    if cards:
        level = levels[cards]
        packed = level.packed[level.value[pattern_number(out, owner, leader, level)]]
        packed = seen_from(packed, (inside - leader) % inside, inside)
    for place in range(inside):
        packed += at[d, WON + place] << (FIELD * (inside - 1 - place))
    return packed


@kernel
def open_value(d: Int, game: Game, table: Table, levels: Levels) -> Int:
    """All tricks, packed, when the at most two players still to play to the trick see all hands."""
    at, context = table.at, table.stock[CONTEXT]
    trump = game.trump[context]
    if at[d, TURN] == 0:
        return looked_up(d, game, table, levels)
    first, inside = to_move(at, d), at[d, INSIDE]
    best, liked = ONE * 0, ONE * -1
    legal = legal_now(at, d, first, game, context)
    while legal:
        card = lowest(legal)
        legal &= legal - ONE
        copy_row(at, d, False)
        put(at, d + 1, first, card, trump, game)
        packed = ONE * 0
        if at[d + 1, TURN] == 0:
            packed = looked_up(d + 1, game, table, levels)
        else:
            packed = last_value(d + 1, game, table, levels)
        if liking(packed, first, inside) > liked:
            best, liked = packed, liking(packed, first, inside)
    return best


@kernel
def last_value(d: Int, game: Game, table: Table, levels: Levels) -> Int:
    """The same for the last player of the trick."""
    at, context = table.at, table.stock[CONTEXT]
    mover, inside = to_move(at, d), at[d, INSIDE]
    best, liked = ONE * 0, ONE * -1
    legal = legal_now(at, d, mover, game, context)
    while legal:
        card = lowest(legal)
        legal &= legal - ONE
        copy_row(at, d, False)
        put(at, d + 1, mover, card, game.trump[context], game)
        packed = looked_up(d + 1, game, table, levels)
        if liking(packed, mover, inside) > liked:
            best, liked = packed, liking(packed, mover, inside)
    return best


@kernel
def pimc_card(
    place: Int,
    legal: Int,
    samples: Int,
    game: Game,
    table: Table,
    levels: Levels,
    state: State,
) -> Int:
    """The legal card of row 0 with the best mean over guessed hands."""
    at, trump = table.at, game.trump[table.stock[CONTEXT]]
    inside = at[0, INSIDE]
    for i in range(count(legal)):
        table.mine[i] = 0.0
    for _ in range(samples):
        copy_row(at, 0, False)
        guess_hands(GUESS, place, game, table, state)
        rest, i = legal, 0
        while rest:
            card = lowest(rest)
            rest &= rest - ONE
            copy_row(at, GUESS, False)
            put(at, GUESS + 1, place, card, trump, game)
            packed = open_value(GUESS + 1, game, table, levels)
            won = (packed >> (FIELD * (inside - 1 - place))) & ((1 << FIELD) - 1)
            table.mine[i] += won / game.hand_size - game.debt * (won == 0)
            i += 1
    best = 0
    for i in range(1, count(legal)):
        if table.mine[i] > table.mine[best]:
            best = i
    return nth_bit(legal, best)


@kernel
def duplicate_pimc(
    deals: Int,
    guess: Guess,
    one: Policy,
    two: Policy,
    share: Floats,
    game: Game,
    table: Table,
    state: State,
    sums: Floats,
) -> None:
    """Policy one declares and guessing plays, in each seat in turn; policy two in all others.

    ``sums`` as in :func:`mouche_solver.cards.measure.kernels_tournament.duplicate`.
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
            debts = one_deal(guess, one, two, game, table, state)
            value = table.chips[me] + debts * share[me]
            sums[2 + me] += value
            mean += value / players
        sums[0] += mean
        sums[1] += mean * mean


@kernel
def one_deal(
    guess: Guess, one: Policy, two: Policy, game: Game, table: Table, state: State
) -> float:
    """Play the shuffled cards; fill the chips, return the debts."""
    lay_out(game, table)
    for seat in range(game.players):
        if unasked(seat, game, table):
            break
        if table.who[seat] == 0:
            declare(seat, one, game, table, state)
        else:
            declare(seat, two, game, table, state)
    inside = count_in(game, table)
    debts = settle_early(inside, game, table)
    if debts >= 0.0:
        return debts
    begin_play(inside, game, table)
    at, context = table.at, table.stock[CONTEXT]
    trump = game.trump[context]
    while at[0, TRICK] < game.hand_size:
        place = to_move(at, 0)
        legal = legal_now(at, 0, place, game, context)
        card = lowest(legal)
        if legal & (legal - ONE):
            seat = table.seats[place]
            luck = table.luck[PLACES + seat * game.hand_size + at[0, TRICK]]
            if table.who[seat] == 1:
                card = choose_card(two, place, legal, luck, game, table)
            elif inside == 2:
                card = pimc_card(place, legal, guess.samples, game, table, guess.pairs, state)
            elif inside == 3:
                card = pimc_card(place, legal, guess.samples, game, table, guess.threes, state)
            else:
                last = at[0, TURN] == inside - 1
                unseen = ~(at[0, HAND + place] | at[0, LAID + place] | at[0, GONE])
                card = thumb_card(legal, at[0, LEAD], at[0, TOP], last, unseen, trump, game)
        put(at, 0, place, card, trump, game)
    return pay_tricks(game, table)
