"""Kernels that choose a card by looking one card ahead, then going on by the strategy."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from mouche_solver.cards.kernels.bits import Int, Ints, Seat
from mouche_solver.cards.kernels.lookup import Floats
from mouche_solver.cards.kernels.records import CONTEXT, PLACES, TRICKS, Game, Policy, Table
from mouche_solver.cards.kernels.tricks import play_out, put
from mouche_solver.cards.kernels.view import PLAYED, PLAYS
from mouche_solver.cards.think.kernels_belief import Seen, guess, played_chance, shown_cards
from mouche_solver.cards.think.kernels_search import candidates
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
def one_guess(
    me: Seat, game: Game, policy: Policy, table: Table, dream: Table, seen: Seen, state: State
) -> float:
    """A guess in ``dream``, row 0 being the position; its weight."""
    weight = guess(me, game.players, 0.0, 0.0, game, policy, table, dream, seen, state)
    if weight > 0.0:
        weight *= played_chance(me, 0.0, 0.0, game, policy, table, dream)
    return weight


class Look(NamedTuple):
    """A player who looks ahead: guesses at most for a choice, work space, random numbers, counts.

    ``changes[seat, where]`` gets number, sum and sum of squares of the differences by the place of
    the first deviation, when the declaration was the strategy's.
    """

    most: int
    dream: Table
    dice: State
    counts: Ints
    changes: NDArray[np.float64]


@kernel
def values_of(
    me: Seat,
    place: Int,
    number: Int,
    cards: Ints,
    share: float,
    game: Game,
    policy: Policy,
    dream: Table,
    state: State,
    values: Floats,
) -> None:
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
    me: Seat,
    place: Int,
    own: Int,
    legal: Int,
    share: float,
    game: Game,
    policy: Policy,
    table: Table,
    look: Look,
) -> Int:
    """The card that is better than the strategy's with significance, else the strategy's."""
    most, dream, state, counts = look.most, look.dream, look.dice, look.counts
    cards = np.full(TRICKS, -1, np.int64)
    cards[0] = own
    number = candidates(legal, place, game, table, cards)
    if number == 1:
        return own
    counts[CHOICES] += 1
    masks, upto = np.zeros((PLACES, 0), np.int64), np.zeros((PLACES, 0))
    none = np.zeros(PLACES, np.int64)  # no seat has a pool
    some = np.zeros(PLACES)
    seen = Seen(np.zeros(PLACES, np.int64), masks, masks, upto, none, some, some, none)
    shown_cards(game, table, dream, seen.shown)
    usual = 0.0
    for _ in range(PILOT):
        usual = max(usual, one_guess(me, game, policy, table, dream, seen, state))
    if usual == 0.0:
        return own
    usual *= FAIR
    values = np.zeros(TRICKS)
    sums = np.zeros((TRICKS, 4))  # see mean_error
    kept, tried, total = 0, 0, 0.0
    while kept < most and tried < TRIES * most:
        tried += 1
        weight = one_guess(me, game, policy, table, dream, seen, state) / usual
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
