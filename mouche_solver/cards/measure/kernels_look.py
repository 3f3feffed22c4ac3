"""Kernels that choose a card by looking one card ahead, then going on by the strategy."""

import numpy as np
from numpy.typing import NDArray

from mouche_solver.cards.kernels.bits import ONE, Int, Ints, lowest
from mouche_solver.cards.kernels.lookup import Floats
from mouche_solver.cards.kernels.records import CONTEXT, PLACES, TRICKS, Policy, Record
from mouche_solver.cards.kernels.tricks import play_out, put
from mouche_solver.cards.kernels.view import GONE, HAND, LAID, PLAYED, PLAYS
from mouche_solver.cards.measure.kernels_belief import guess, played_chance, shown_cards
from mouche_solver.core.jit import kernel
from mouche_solver.core.random import State, uniform

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
