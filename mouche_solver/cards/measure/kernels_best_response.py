"""Kernels of a best response in the declarations: all actions of one seat, pooled by cells.

Actions are the codes of :mod:`mouche_solver.cards.measure.kernels_codes`, and after the last
of them the strategy's likeliest action.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from mouche_solver.cards.kernels.bits import ONE, Int, Ints
from mouche_solver.cards.kernels.deal import (
    history,
    lay_out,
    legal_declarations,
    new_deal,
    say,
    shuffle,
)
from mouche_solver.cards.kernels.lookup import Floats, declaration_mix, hand_class
from mouche_solver.cards.kernels.random import State
from mouche_solver.cards.kernels.records import CONTEXT, TRICKS, Policy, Record
from mouche_solver.cards.measure.kernels_codes import act, allowed, likeliest, own_codes
from mouche_solver.cards.measure.kernels_tournament import declare, whole_deal
from mouche_solver.cards.train.kernels import outcome, restore, save, unasked
from mouche_solver.core.jit import kernel

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


class Sums(NamedTuple):
    """Advantages by cell and code: their number and sum; squares at one level."""

    number: Rows
    total: Rows
    squares: NDArray[np.float64]


@kernel
def go_on(first: Int, game: Record, policy: Policy, table: Record, state: State) -> float:
    """The seats from ``first`` on declare and all play by the strategy; returns the debts."""
    for seat in range(first, game.players):
        if unasked(seat, game, table):
            break
        declare(seat, policy, game, table, state)
    return outcome(game, policy, table)


@kernel
def explore_declarations(
    first: Int, deals: Int, share: Floats, game: Record, policy: Policy, cells: Cells,
    alive: Marks, level: Int, table: Record, nodes: NDArray[np.int64], values: Rows, state: State,
) -> Int:  # fmt: skip
    """Log the advantage of codes for one seat of each deal; returns how many seats were asked.

    ``nodes`` are (hand class, history), ``values[node, code]`` NaN where the code is not allowed,
    or given up: neither the strategy's own nor ``alive[cell, code]`` at a level.
    """
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
        row = cell_at(level, hand, number, cells) - cells.first[level]
        save(players, table)
        start = state[0]
        base = 0.0
        for code in range(last):
            values[n, code] = np.nan
            restore(players, table)
            if (own[code] > 0.0 or alive[row, code]) and allowed(me, code, game, table):
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
def cell_at(level: Int, hand: Int, number: Int, cells: Cells) -> Int:
    """The cell of a hand class and a history."""
    place = np.int64(cells.hand_of[level, hand]) * cells.columns[level]
    return cells.first[level] + place + cells.history_of[level, number]


@kernel
def answer(me: Int, game: Record, policy: Policy, cells: Cells, gains: Rows, table: Record) -> Int:
    """The code with the largest estimated advantage, or ``OWN`` when none is positive."""
    hand = hand_class(table.hands[me], table.stock[CONTEXT], policy)
    number = history(me, game, table)
    best, chosen = 0.0, ONE * OWN
    last = gains.shape[1] - 1
    for code in range(last + 1):
        if code < last and not allowed(me, code, game, table):
            continue
        gain = 0.0
        for level in range(len(cells.first)):
            gain += gains[cell_at(level, hand, number, cells), code]
        if gain > best:
            best, chosen = gain, ONE * code
    return chosen


@kernel
def respond(
    me: Int, code: Int, game: Record, policy: Policy, table: Record, cards: Ints, state: State
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
    deals: Int, share: Floats, game: Record, policy: Policy, cells: Cells, gains: Rows,
    table: Record, state: State, sums: Floats, changes: NDArray[np.float64],
) -> None:  # fmt: skip
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
