"""Kernels that play every choice of a decision through, in deals guessed from what a seat knows.

The guesses of :mod:`mouche_solver.cards.think.kernels_belief` are thinned to those of large weight:
one of weight w is kept with probability min(1, w / c) and then weighs max(c, w), which leaves
all means as they are. In a guess every choice meets the same luck, so that differences between
choices are much less noisy than values.
"""

import numpy as np

from mouche_solver.cards.kernels.bits import ONE, Int, Ints, Seat, lowest
from mouche_solver.cards.kernels.deal import (
    history,
    legal_declarations,
    restore,
    save,
    say,
    unasked,
)
from mouche_solver.cards.kernels.lookup import Floats, declaration_mix, hand_class, play_mix
from mouche_solver.cards.kernels.mouche import PASS
from mouche_solver.cards.kernels.policies import declare, outcome
from mouche_solver.cards.kernels.records import (
    CONTEXT,
    HISTORY,
    PLACES,
    SWAPPED,
    TRICKS,
    Game,
    Policy,
    Record,
    Table,
)
from mouche_solver.cards.kernels.tricks import Real, legal_now, paid, play_out, put, to_move
from mouche_solver.cards.kernels.view import (
    GONE,
    HAND,
    LAID,
    PLAYED,
    PLAYS,
    TRICK,
    information,
)
from mouche_solver.cards.think.kernels_belief import (
    Seen,
    fill_pool,
    guess,
    played_chance,
    shown_cards,
)
from mouche_solver.core.jit import kernel
from mouche_solver.core.random import State, uniform

EXACT_FROM = 2  # tricks left from which the others' choices are added up instead of drawn

# What is asked: the seat; how many seats have declared; in the play (``place`` >= 0) the place and
# the ``number`` candidate ``cards``; which candidates are still tried, as a mask; the weight ``c``
# above which guesses are always kept; the others' ``slip``; what a debt of one pot is worth to the
# seat; the guesses that may be thrown away for one chunk.
TASK = np.dtype(
    [
        ("me", "i8"),
        ("spoken", "i8"),
        ("place", "i8"),
        ("number", "i8"),
        ("cards", "i8", (TRICKS,)),
        ("alive", "i8"),
        ("usual", "f8"),
        ("slip", "f8"),
        ("share", "f8"),
        ("tries", "i8"),
    ]
)


@kernel
def candidates(legal: Int, place: Int, game: Game, table: Table, cards: Ints) -> Int:
    """One of every group of equal legal cards, added to the first of ``cards``; how many.

    Cards are equal when no card that the player has not seen lies between them. ``cards`` holds
    -1 after those that are to stand for their groups.
    """
    at, trump = table.at, game.trump[table.stock[CONTEXT]]
    known = at[0, HAND + place] | at[0, LAID + place] | at[0, GONE]
    unseen = ((ONE << game.cards) - 1) & ~known
    number = 0
    while number < len(cards) and cards[number] >= 0:
        number += 1
    while legal:
        card = lowest(legal)
        legal &= legal - ONE
        new = True
        for i in range(number):
            other = cards[i]
            between = game.above[trump, card] ^ game.above[trump, other]
            same = game.suit_of[trump, card] == game.suit_of[trump, other]
            special = card != other and (card == game.killer or other == game.killer)
            if same and not special and not between & unseen:
                new = False
        if new:
            cards[number] = card
            number += 1
    return number


@kernel
def one_guess(
    task: Record,
    least: float,
    game: Game,
    policy: Policy,
    table: Table,
    dream: Table,
    seen: Seen,
    state: State,
) -> float:
    """A guess in ``dream``, in the play with the position in row 0; its weight."""
    weight = guess(task.me, task.spoken, least, task.slip, game, policy, table, dream, seen, state)
    if weight > 0.0 and task.place >= 0:
        weight *= played_chance(task.me, least / weight, task.slip, game, policy, table, dream)
    return weight


@kernel
def prepare(task: Record, game: Game, table: Table, dream: Table, shown: Ints) -> None:
    """Copy what all have seen, and find who has shown which cards."""
    dream.stock[:] = table.stock
    for seat in range(game.players):
        dream.seats[seat], dream.said[seat] = table.seats[seat], table.said[seat]
        dream.who[seat] = 0
    shown[:] = 0
    if task.place >= 0:
        shown_cards(game, table, dream, shown)


@kernel
def largest_weight(
    task: Record,
    guesses: Int,
    game: Game,
    policy: Policy,
    table: Table,
    dream: Table,
    seen: Seen,
    state: State,
) -> tuple[float, float]:
    """The largest and the mean weight of some guesses, 0 when nothing fits."""
    prepare(task, game, table, dream, seen.shown)
    most, total = 0.0, 0.0
    for _ in range(guesses):
        weight = one_guess(task, 0.0, game, policy, table, dream, seen, state)
        most = max(most, weight)
        total += weight
    return most, total / guesses


@kernel
def fill_pools(
    task: Record,
    game: Game,
    policy: Policy,
    table: Table,
    dream: Table,
    seen: Seen,
    state: State,
) -> None:
    """Fill the pools of the other seats that have declared and are in."""
    prepare(task, game, table, dream, seen.shown)
    for seat in range(task.spoken):
        if seat != task.me and table.said[seat] != PASS:
            fill_pool(task.me, seat, task.slip, game, policy, table, dream, seen, state)


@kernel
def try_choices(
    task: Record,
    game: Game,
    policy: Policy,
    table: Table,
    dream: Table,
    seen: Seen,
    state: State,
    values: Floats,
    weights: Floats,
) -> Int:
    """Fill the rows of ``values`` with what each choice is worth in one guess; how many rows.

    Fewer than all rows are filled when ``task.tries`` guesses are used up. ``values`` holds NaN
    where a choice is not tried.
    """
    prepare(task, game, table, dream, seen.shown)
    n = 0
    for _ in range(task.tries):
        if n == len(values):
            break
        least = uniform(state) * task.usual
        weight = one_guess(task, least, game, policy, table, dream, seen, state)
        if weight == 0.0 or weight < least:
            continue
        weights[n] = max(task.usual, weight)
        if task.place >= 0:
            try_cards(task, game, policy, dream, state, values[n])
        else:
            try_declarations(task, game, policy, table, dream, state, values[n])
        n += 1
    return n


@kernel
def try_declarations(
    task: Record,
    game: Game,
    policy: Policy,
    table: Table,
    dream: Table,
    state: State,
    values: Floats,
) -> None:
    """What each declaration brings in the deal of ``dream``, all going on by the strategy."""
    me, stock = task.me, dream.stock
    stock[HISTORY], stock[SWAPPED] = table.stock[HISTORY], -1
    for seat in range(me, game.players):
        dream.said[seat] = PASS
    for i in range(PLACES + game.players * game.hand_size):
        dream.luck[i] = uniform(state)
    save(game.players, dream)
    start = state[0]
    for a in range(task.number):
        if not (task.alive >> a) & 1:
            continue
        restore(game.players, dream)
        state[0] = start
        debts = continued(me, a, game, policy, dream, state)
        values[a] = dream.chips[me] + debts * task.share


@kernel
def try_cards(
    task: Record, game: Game, policy: Policy, dream: Table, state: State, values: Floats
) -> None:
    """What each card brings in row 0 of ``dream``, everybody going on by the strategy."""
    at, me, place = dream.at, task.me, task.place
    trump = game.trump[dream.stock[CONTEXT]]
    exact = game.hand_size - at[0, TRICK] <= EXACT_FROM
    for i in range(PLACES, PLACES + game.players * game.hand_size):
        dream.luck[i] = uniform(state)
    columns = PLAYED + at[0, PLAYS]
    for column in range(columns):
        at[1, column] = at[0, column]
    for i in range(task.number):
        if not (task.alive >> i) & 1:
            continue
        for column in range(columns):
            at[0, column] = at[1, column]
        put(at, 0, place, task.cards[i], trump, game)
        if exact:
            for column in range(PLAYED + at[0, PLAYS]):
                at[2, column] = at[0, column]
            values[i] = expected(2, place, task.share, game, policy, dream)
            continue
        for seat in range(game.players):
            dream.chips[seat] = 0.0
        debts = play_out(policy, policy, game, dream)
        values[i] = dream.chips[me] + debts * task.share


@kernel
def next_choice(d: Int, game: Game, policy: Policy, table: Table) -> Int:
    """Go on in row d to the next player with a choice, 0 at the end; fills ``weight[d]``."""
    at, context = table.at, table.stock[CONTEXT]
    trump = game.trump[context]
    while at[d, TRICK] < game.hand_size:
        place = to_move(at, d)
        legal = legal_now(at, d, place, game, context)
        card = lowest(legal)
        if legal & (legal - ONE):
            key = information(d, place, legal, context, policy.facts.lossless, game, table)
            number = table.choices
            card = table.choice[0]
            if number > 1:
                play_mix(policy, key, number, table.mix)
                for a in range(number):
                    table.held[d, a], table.weight[d, a] = table.choice[a], table.mix[a]
                return number
        put(at, d, place, card, trump, game)
    return 0


@kernel
def expected(top: Int, me: Seat, share: float, game: Game, policy: Policy, table: Table) -> Real:
    """The value of row ``top`` for a place: the sum over all that the strategy may play."""
    at, trump = table.at, game.trump[table.stock[CONTEXT]]
    d = top
    table.number[d] = next_choice(d, game, policy, table)
    if table.number[d] == 0:
        return paid(d, me, share, game, table)
    table.tried[d], table.total[d] = 0, 0.0
    while True:
        if table.tried[d] == table.number[d]:
            value = table.total[d]
            if d == top:
                return value
        else:
            a = table.tried[d]
            table.tried[d] = a + 1
            if table.weight[d, a] == 0.0:
                continue
            for column in range(PLAYED + at[d, PLAYS]):
                at[d + 1, column] = at[d, column]
            put(at, d + 1, to_move(at, d), table.held[d, a], trump, game)
            d += 1
            table.number[d] = next_choice(d, game, policy, table)
            if table.number[d]:
                table.tried[d], table.total[d] = 0, 0.0
                continue
            value = paid(d, me, share, game, table)
        d -= 1
        table.total[d] += table.weight[d, table.tried[d] - 1] * value


@kernel
def declared_mix(me: Seat, game: Game, policy: Policy, table: Table) -> Int:
    """The legal declarations of a seat as a mask; their probabilities are in ``table.mix``."""
    legal = legal_declarations(me, game, table)
    own = hand_class(table.hands[me], table.stock[CONTEXT], policy)
    declaration_mix(policy, own, history(me, game, table), legal, table.mix)
    return legal


@kernel
def continued(
    me: Seat, action: Int, game: Game, policy: Policy, table: Table, state: State
) -> float:
    """One seat declares so, the later ones and the play go by the strategy; the debts."""
    say(me, action, game, policy, table, state)
    for seat in range(me + 1, game.players):
        if unasked(seat, game, table):
            break
        declare(seat, policy, game, table, state)
    return outcome(game, policy, table)
