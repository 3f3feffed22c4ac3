"""Kernels of a best response in the declarations: all actions of one seat, pooled by cells.

An action is a code, so that every set of cards laid down can be compared between hands. 0 passes;
``1 + mask + (given << hand_size)`` stays in, ``mask`` being the cards laid down by their place in
:func:`in_order`, ``given`` 0 or 1 plus the place of the card that the dealer gives for the turn-up
(the places of ``mask`` are those of the hand after it). In hands of one coarse class the n-th card
in order is of the same kind, in hands of one canonical class the same card. After the last of
these codes comes the strategy's likeliest action.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from mouche_solver.cards.kernels.bits import ONE, Hand, HandClass, Int, Ints, Seat, count, lowest
from mouche_solver.cards.kernels.deal import (
    BY_HEIGHT,
    given_card,
    history,
    laid_by_rule,
    lay_out,
    legal_declarations,
    must_stand,
    new_deal,
    pass_hand,
    positions,
    restore,
    room,
    save,
    say,
    shuffle,
    stay_in,
    unasked,
    worth,
)
from mouche_solver.cards.kernels.lookup import Floats, declaration_mix, hand_class
from mouche_solver.cards.kernels.policies import declare, outcome, whole_deal
from mouche_solver.cards.kernels.records import CONTEXT, TRICKS, Game, Policy, Table
from mouche_solver.core.jit import kernel
from mouche_solver.core.random import State

LEAST = 0.002  # probability from which an action counts in the strategy's own value


@kernel
def in_order(hand: Hand, context: Int, game: Game, policy: Policy, cards: Ints) -> None:
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
def code_of(seat: Seat, action: Int, game: Game, policy: Policy, table: Table, cards: Ints) -> Int:
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
def keeps(hand: Hand, code: Int, context: Int, game: Game, policy: Policy) -> bool:
    """Whether an action neither passes nor lays down the card that Mushka's holder must keep.

    Nobody takes the turn-up in Mushka.
    """
    if code == 0:
        return False
    cards = np.zeros(TRICKS, np.int64)
    in_order(hand, context, game, policy, cards)
    return bool(subset(cards, (code - 1) & ((ONE << game.hand_size) - 1)) & game.kept == 0)


@kernel
def allowed(seat: Seat, code: Int, game: Game, policy: Policy, table: Table) -> bool:
    """Whether the rules allow an action; the last code is not asked for."""
    hand, context, size = table.hands[seat], table.stock[CONTEXT], game.hand_size
    if must_stand(hand, context, game):
        return bool(code == 1)
    if hand & game.kept and not keeps(hand, code, context, game, policy):
        return False
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
    seat: Seat, code: Int, game: Game, policy: Policy, table: Table, cards: Ints, state: State
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
def likeliest(width: Int, table: Table) -> Int:
    """The action with the largest probability in ``table.mix``."""
    best = 0
    for a in range(1, width):
        if table.mix[a] > table.mix[best]:
            best = a
    return best


@kernel
def own_codes(
    me: Seat,
    hand: HandClass,
    number: Int,
    game: Game,
    policy: Policy,
    table: Table,
    cards: Ints,
    own: Floats,
) -> Int:
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


Rows = NDArray[np.float32]
Marks = NDArray[np.bool_]

OWN = -1  # the answer of doing what the strategy does


class Cells(NamedTuple):
    """Levels of cells.

    The cell of a hand class and a history is ``first[level] + hand_of[level, hand] *
    columns[level] + history_of[level, history]``.
    """

    first: Ints
    columns: Ints
    hand_of: NDArray[np.int32]
    history_of: NDArray[np.int32]


class Alive(NamedTuple):
    """The codes that are still tried: ``marks[cell, code]`` in the cells of one level."""

    marks: Marks
    level: int


class Explored(NamedTuple):
    """Seats that were asked: ``nodes`` are (hand class, history), ``values[node, code]``."""

    nodes: NDArray[np.int64]
    values: Rows


class Sums(NamedTuple):
    """Advantages by cell and code: their number and sum; squares at one level."""

    number: Rows
    total: Rows
    squares: NDArray[np.float64]


@kernel
def go_on(first: Int, game: Game, policy: Policy, table: Table, state: State) -> float:
    """The seats from ``first`` on declare and all play by the strategy; returns the debts."""
    for seat in range(first, game.players):
        if unasked(seat, game, table):
            break
        declare(seat, policy, game, table, state)
    return outcome(game, policy, table)


@kernel
def explore_declarations(
    first: Int,
    deals: Int,
    share: Floats,
    game: Game,
    policy: Policy,
    cells: Cells,
    alive: Alive,
    table: Table,
    log: Explored,
    state: State,
) -> Int:
    """Log the advantage of codes for one seat of each deal; returns how many seats were asked.

    ``log.values`` are NaN where a code is not allowed, or given up: neither the strategy's own nor
    alive.
    """
    nodes, values = log.nodes, log.values
    players, last = game.players, values.shape[1] - 1
    cards = np.zeros(TRICKS, np.int64)
    own = np.zeros(last)
    n = 0
    for i in range(deals):
        me = (first + i) % players
        new_deal(game, table, state)
        for seat in range(me):
            declare(seat, policy, game, table, state)
        if unasked(me, game, table):
            continue
        hand = hand_class(table.hands[me], table.stock[CONTEXT], policy)
        number = history(me, game, table)
        pure = own_codes(me, hand, number, game, policy, table, cards, own)
        row = cell_at(alive.level, hand, number, cells) - cells.first[alive.level]
        save(players, table)
        start = state[0]
        base = 0.0
        for code in range(last):
            values[n, code] = np.nan
            restore(players, table)
            tried = own[code] > 0.0 or alive.marks[row, code]
            if tried and allowed(me, code, game, policy, table):
                state[0] = start
                act(me, code, game, policy, table, cards, state)
                debts = go_on(me + 1, game, policy, table, state)
                value = table.chips[me] + debts * share[me]
                values[n, code] = value
                base += own[code] * value
        values[n, last] = values[n, pure]
        for code in range(last + 1):
            values[n, code] -= base
        nodes[n, 0], nodes[n, 1] = hand, number
        n += 1
    return n


@kernel
def pool(
    seen: Int, nodes: NDArray[np.int64], values: Rows, cells: Cells, squared: Int, sums: Sums
) -> None:
    """Add logged advantages to the cells of all levels, at one level their squares too."""
    for level in range(len(cells.first)):
        for n in range(seen):
            cell = cell_at(level, nodes[n, 0], nodes[n, 1], cells)
            for code in range(values.shape[1]):
                value = values[n, code]
                if not np.isnan(value):
                    sums.number[cell, code] += 1
                    sums.total[cell, code] += value
                    if level == squared:
                        sums.squares[cell - cells.first[level], code] += value * value


@kernel
def cell_at(level: Int, hand: HandClass, number: Int, cells: Cells) -> Int:
    """The cell of a hand class and a history."""
    place = np.int64(cells.hand_of[level, hand]) * cells.columns[level]
    return cells.first[level] + place + cells.history_of[level, number]


@kernel
def answer(me: Seat, game: Game, policy: Policy, cells: Cells, gains: Rows, table: Table) -> Int:
    """The code with the largest estimated advantage, or ``OWN`` when none is positive."""
    hand = hand_class(table.hands[me], table.stock[CONTEXT], policy)
    number = history(me, game, table)
    best, chosen = 0.0, ONE * OWN
    last = gains.shape[1] - 1
    for code in range(last + 1):
        if code < last and not allowed(me, code, game, policy, table):
            continue
        gain = 0.0
        for level in range(len(cells.first)):
            gain += gains[cell_at(level, hand, number, cells), code]
        if gain > best:
            best, chosen = gain, ONE * code
    return chosen


@kernel
def respond(
    me: Seat, code: Int, game: Game, policy: Policy, table: Table, cards: Ints, state: State
) -> None:
    """Carry out an answer that is not ``OWN``."""
    if code < 1 + ((1 + game.dealer_takes * game.hand_size) << game.hand_size):
        act(me, code, game, policy, table, cards, state)
        return
    legal = legal_declarations(me, game, table)
    hand = hand_class(table.hands[me], table.stock[CONTEXT], policy)
    declaration_mix(policy, hand, history(me, game, table), legal, table.mix)
    say(me, likeliest(game.actions, table), game, policy, table, state)


@kernel
def duplicate_response(
    deals: Int,
    share: Floats,
    game: Game,
    policy: Policy,
    cells: Cells,
    gains: Rows,
    table: Table,
    state: State,
    sums: Floats,
    changes: NDArray[np.float64],
) -> None:
    """The response in each seat in turn against the strategy's own play of the same deal.

    ``sums`` gets, of the mean difference over the seats: the sum and the sum of squares; then what
    each seat gets, then the differences of each seat. ``changes[seat, own, answer]`` gets number,
    sum and sum of squares of the differences, by what was declared (0 pass, 1 stand, ...).
    """
    players = game.players
    cards = np.zeros(TRICKS, np.int64)
    own, said = np.zeros(players), np.zeros(players, np.int64)
    for seat in range(players):
        table.who[seat] = 0
    for _ in range(deals):
        shuffle(game, table, state)
        start = state[0]
        debts = whole_deal(policy, policy, game, table, state)
        for seat in range(players):
            own[seat] = table.chips[seat] + debts * share[seat]
            said[seat] = table.said[seat]
        mean = 0.0
        for me in range(players):
            state[0] = start
            lay_out(game, table)
            for seat in range(me):
                declare(seat, policy, game, table, state)
            difference = 0.0
            if not unasked(me, game, table):
                code = answer(me, game, policy, cells, gains, table)
                if code != OWN:
                    respond(me, code, game, policy, table, cards, state)
                    new = table.said[me]
                    debts = go_on(me + 1, game, policy, table, state)
                    difference = table.chips[me] + debts * share[me] - own[me]
                    changes[me, said[me] + 1, new + 1, 0] += 1.0
                    changes[me, said[me] + 1, new + 1, 1] += difference
                    changes[me, said[me] + 1, new + 1, 2] += difference * difference
            sums[2 + me] += own[me] + difference
            sums[2 + players + me] += difference
            mean += difference / players
        sums[0] += mean
        sums[1] += mean * mean
