"""Kernels of a local best response in the play: look one card ahead, then go on by the strategy."""

import numpy as np
from numpy.typing import NDArray

from mouche_solver.cards.kernels_belief import guess, played_chance, shown_cards
from mouche_solver.cards.kernels_bits import ONE, Int, Ints, lowest
from mouche_solver.cards.kernels_declare import STAND
from mouche_solver.cards.kernels_features import (
    GONE,
    HAND,
    LAID,
    PLAYED,
    PLAYS,
    TRICK,
    TURN,
)
from mouche_solver.cards.kernels_policy import Floats
from mouche_solver.cards.kernels_random import State
from mouche_solver.cards.kernels_records import (
    CONTEXT,
    PLACES,
    SHUFFLED,
    SWAPPED,
    TRICKS,
    Policy,
    Record,
)
from mouche_solver.cards.kernels_respond import OWN, Cells, Rows, answer, respond
from mouche_solver.cards.kernels_table import count_in, lay_out, settle_early, shuffle, uniform
from mouche_solver.cards.kernels_tournament import declare, whole_deal
from mouche_solver.cards.kernels_train import unasked
from mouche_solver.cards.kernels_tricks import (
    begin_play,
    choose_card,
    legal_now,
    pay_tricks,
    play_out,
    put,
    to_move,
)
from mouche_solver.core.jit import kernel

BATCH = 32  # guesses between two looks at the statistics
PILOT = 64  # guesses that tell how large weights are
FAIR = 0.3  # share of the largest weight from which a guess is always kept
TRIES = 64  # guesses that may be thrown away for each that is kept
SURE = 3.0  # paired t-statistic from which a card is played instead of the strategy's
VERY_SURE = 5.0  # and from which no more guesses are needed
HOPELESS = 2.0  # standard errors by which all others must be behind to stop
WORTH = 0.001  # pots that are not worth more guesses

CHOICES, DEVIATIONS, GUESSES = 0, 1, 2  # entries of ``counts``


@kernel
def candidates(own: Int, legal: Int, place: Int, game: Record, table: Record, cards: Ints) -> Int:
    """The strategy's card and one of every other group of equal legal cards; returns how many.

    Cards are equal when no card that the player has not seen lies between them.
    """
    at, trump = table.at, game.trump[table.stock[CONTEXT]]
    known = at[0, HAND + place] | at[0, LAID + place] | at[0, GONE]
    unseen = ((ONE << game.cards) - 1) & ~known
    cards[0] = own
    number = 1
    while legal:
        card = lowest(legal)
        legal &= legal - ONE
        new = True
        for i in range(number):
            other = cards[i]
            between = game.above[trump, card] ^ game.above[trump, other]
            if game.suit_of[trump, card] == game.suit_of[trump, other] and not between & unseen:
                new = False
        if new:
            cards[number] = card
            number += 1
    return number


@kernel
def one_guess(
    me: Int, game: Record, policy: Policy, table: Record, dream: Record, shown: Ints, state: State
) -> float:
    """A guess in ``dream``, row 0 being the position; its weight."""
    weight = guess(me, game, policy, table, dream, shown, state)
    if weight > 0.0:
        weight *= played_chance(me, game, policy, table, dream)
    return weight


@kernel
def values_of(
    me: Int, place: Int, number: Int, cards: Ints, share: float, game: Record, policy: Policy,
    dream: Record, state: State, values: Floats,
) -> None:  # fmt: skip
    """What each card brings in row 0 of ``dream``, everybody going on by the strategy."""
    at, trump = dream.at, game.trump[dream.stock[CONTEXT]]
    columns = PLAYED + at[0, PLAYS]
    for i in range(PLACES, PLACES + game.players * game.hand_size):
        dream.luck[i] = uniform(state)
    for column in range(columns):
        at[1, column] = at[0, column]
    for i in range(number):
        for column in range(columns):
            at[0, column] = at[1, column]
        for seat in range(game.players):
            dream.chips[seat] = 0.0
        put(at, 0, place, cards[i], trump, game)
        debts = play_out(policy, policy, game, dream)
        values[i] = dream.chips[me] + debts * share


@kernel
def local_card(
    me: Int, place: Int, own: Int, legal: Int, most: Int, share: float, game: Record,
    policy: Policy, table: Record, dream: Record, state: State, counts: Ints,
) -> Int:  # fmt: skip
    """The card that is better than the strategy's with significance, else the strategy's."""
    cards, shown = np.zeros(TRICKS, np.int64), np.zeros(PLACES, np.int64)
    number = candidates(own, legal, place, game, table, cards)
    if number == 1:
        return own
    counts[CHOICES] += 1
    shown_cards(game, table, dream, shown)
    usual = 0.0
    for _ in range(PILOT):
        usual = max(usual, one_guess(me, game, policy, table, dream, shown, state))
    if usual == 0.0:
        return own
    usual *= FAIR
    values = np.zeros(TRICKS)
    sums = np.zeros((TRICKS, 4))  # see mean_error
    kept, tried, total = 0, 0, 0.0
    while kept < most and tried < TRIES * most:
        tried += 1
        weight = one_guess(me, game, policy, table, dream, shown, state) / usual
        if weight <= 0.0 or uniform(state) >= weight:
            continue
        weight = max(weight, 1.0)
        values_of(me, place, number, cards, share, game, policy, dream, state, values)
        kept += 1
        total += weight
        for i in range(1, number):
            difference = values[i] - values[0]
            sums[i, 0] += weight * difference
            sums[i, 1] += weight * weight
            sums[i, 2] += weight * weight * difference
            sums[i, 3] += weight * weight * difference * difference
        if kept % BATCH == 0 and settled(number, total, kept, sums):
            break
    counts[GUESSES] += kept
    best, chosen = 0.0, own
    for i in range(1, number):
        mean, error = mean_error(i, total, sums)
        if mean > best and mean > SURE * error:
            best, chosen = mean, cards[i]
    if kept < BATCH:
        return own
    counts[DEVIATIONS] += chosen != own
    return chosen


@kernel
def mean_error(i: Int, total: float, sums: NDArray[np.float64]) -> tuple[float, float]:
    """The weighted mean difference of a card and its standard error."""
    if total == 0.0:
        return 0.0, 1.0
    mean = sums[i, 0] / total
    square = sums[i, 3] - 2.0 * mean * sums[i, 2] + mean * mean * sums[i, 1]
    return mean, np.sqrt(max(square, 0.0)) / total


@kernel
def settled(number: Int, total: float, kept: Int, sums: NDArray[np.float64]) -> bool:
    """Whether one card is very surely better, or none can be by anything worth while."""
    hope = False
    for i in range(1, number):
        mean, error = mean_error(i, total, sums)
        if kept >= 2 * BATCH and mean > VERY_SURE * error and mean > 0.0:
            return True
        hope = hope or mean + HOPELESS * error > WORTH
    return not hope


@kernel
def local_play(
    me: Int, most: Int, share: float, game: Record, policy: Policy, table: Record, dream: Record,
    state: State, counts: Ints,
) -> Int:  # fmt: skip
    """Play the tricks with a local response in one seat and pay; the debts are in ``total[0]``.

    Returns where the first deviation was: twice the trick, plus 1 when not leading; -1 for none.
    """
    at, context = table.at, table.stock[CONTEXT]
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
                card = local_card(
                    me, place, own, legal, most, share, game, policy, table, dream, state, counts
                )
                if card != own and first < 0:
                    first = 2 * at[0, TRICK] + (at[0, TURN] > 0)
        put(at, 0, place, card, trump, game)
    table.total[0] = pay_tricks(game, table)
    return first


@kernel
def duplicate_local(
    deals: Int, most: Int, share: Floats, game: Record, policy: Policy, cells: Cells, gains: Rows,
    table: Record, dream: Record, state: State, dice: State, sums: Floats,
    changes: NDArray[np.float64], counts: Ints,
) -> None:  # fmt: skip
    """A local response in each seat in turn against the strategy's own play of the same deal.

    It declares by the response ``gains``, without levels by the strategy; ``dice`` are the random
    numbers of the guesses. ``sums`` as in
    :func:`mouche_solver.cards.kernels_respond.duplicate_response`; ``changes[seat, where]`` gets
    number, sum and sum of squares of the differences by the place of the first deviation, when the
    declaration was the strategy's.
    """
    players = game.players
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
            where = played_again(me, new, most, share[me], game, policy, table, dream, dice, counts)
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
    me: Int, game: Record, policy: Policy, cells: Cells, gains: Rows, table: Record, state: State
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
    me: Int, new: bool, most: Int, share: float, game: Record, policy: Policy, table: Record,
    dream: Record, dice: State, counts: Ints,
) -> Int:  # fmt: skip
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
        return local_play(me, most, share, game, policy, table, dream, dice, counts)
    if new:
        table.total[0] = play_out(policy, policy, game, table)
    return ONE * -1
