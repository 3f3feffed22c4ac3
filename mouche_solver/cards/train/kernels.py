"""Kernels of external sampling: they read the tables and write logs."""

from typing import Any, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from mouche_solver.cards.kernels.bits import ONE, Int, Ints, count, lowest
from mouche_solver.cards.kernels.deal import (
    count_in,
    history,
    legal_declarations,
    new_deal,
    say,
    settle_early,
    uniform,
)
from mouche_solver.cards.kernels.lookup import (
    Floats,
    declaration_mix,
    hand_class,
    pick,
    play_mix,
)
from mouche_solver.cards.kernels.mouche import STAND
from mouche_solver.cards.kernels.random import State, below, nth_bit
from mouche_solver.cards.kernels.records import CONTEXT, PLACES, Policy, Record
from mouche_solver.cards.kernels.tricks import (
    begin_play,
    copy_row,
    legal_now,
    place_points,
    play_out,
    put,
    to_move,
)
from mouche_solver.cards.kernels.view import INSIDE, TRICK, WON, information
from mouche_solver.core.jit import kernel

EXPLORE = 0.05  # share of random declarations before the play that is trained
PATIENCE = 50  # deals that may end early for each that is played

NODES, VISITS, DEALS = 0, 1, 2  # entries of ``Log.counts``


Real: TypeAlias = Any  # a float64


class Log(NamedTuple):
    """What one chunk saw.

    ``nodes`` are traversed: (hand class, history, legal actions) of a declaration, or (key, number
    of choices, 0) of a card; ``values[node, action]`` their values. ``visits`` are sampled nodes,
    with the same columns. ``node_mix`` and ``visit_mix`` are the probabilities of the choices.
    ``totals`` adds up the chips of each seat, then debts, then deals.
    """

    counts: Ints
    nodes: NDArray[np.int64]
    values: NDArray[np.float32]
    node_mix: NDArray[np.float32]
    visits: NDArray[np.int64]
    visit_mix: NDArray[np.float32]
    totals: Floats


@kernel
def note(log: Log, first: Int, second: Int, third: Int, width: Int, mix: Floats) -> None:
    """Log a sampled node; a full log takes no more, but counts."""
    v = log.counts[VISITS]
    if v < len(log.visits):
        log.visits[v, 0], log.visits[v, 1], log.visits[v, 2] = first, second, third
        for a in range(width):
            log.visit_mix[v, a] = mix[a]
    log.counts[VISITS] = v + 1


@kernel
def save(players: Int, table: Record) -> None:
    """Keep what declarations change."""
    for seat in range(players):
        table.saved[0, seat], table.saved[1, seat] = table.hands[seat], table.laid[seat]
        table.saved[2, seat] = table.said[seat]
    for i in range(len(table.stock)):
        table.saved[3, i] = table.stock[i]


@kernel
def restore(players: Int, table: Record) -> None:
    """Undo what was done since :func:`save`."""
    for seat in range(players):
        table.hands[seat], table.laid[seat] = table.saved[0, seat], table.saved[1, seat]
        table.said[seat] = table.saved[2, seat]
    for i in range(len(table.stock)):
        table.stock[i] = table.saved[3, i]


@kernel
def unasked(seat: Int, game: Record, table: Record) -> Int:
    """Whether all have passed before the dealer, who then is not asked."""
    if seat < game.players - 1:
        return False
    inside = 0
    for other in range(seat):
        inside += table.said[other] >= STAND
    return inside == 0


@kernel
def sample_declarations(
    first: Int, stop: Int, explore: float, game: Record, policy: Policy, table: Record, log: Log,
    state: State,
) -> None:  # fmt: skip
    """The seats ``first`` to ``stop - 1`` declare; without exploration their nodes are logged."""
    for seat in range(first, stop):
        if unasked(seat, game, table):
            return
        legal = legal_declarations(seat, game, table)
        if explore > 0.0 and uniform(state) < explore:
            action = nth_bit(legal, below(state, count(legal)))
        else:
            hand = hand_class(table.hands[seat], table.stock[CONTEXT], policy)
            number = history(seat, game, table)
            declaration_mix(policy, hand, number, legal, table.mix)
            if explore == 0.0:
                note(log, hand, number, legal, game.actions, table.mix)
            action = pick(table.mix, game.actions, table.luck[seat])
        say(seat, action, game, policy, table, state)


@kernel
def outcome(game: Record, policy: Policy, table: Record) -> float:
    """Everyone has declared: fill the chips, return the debts."""
    inside = count_in(game, table)
    debts = settle_early(inside, game, table)
    if debts >= 0.0:
        return debts
    begin_play(inside, game, table)
    return play_out(policy, policy, game, table)


@kernel
def add_totals(weight: float, debts: float, players: Int, table: Record, log: Log) -> None:
    """Add an outcome's chips and debts."""
    for seat in range(players):
        log.totals[seat] += weight * table.chips[seat]
    log.totals[players] += weight * debts
    log.totals[players + 1] += weight


@kernel
def train_declarations(
    first: Int, deals: Int, share: Floats, game: Record, policy: Policy, table: Record, log: Log,
    state: State,
) -> None:  # fmt: skip
    """Traverse deals; ``share[seat]`` is what a chip of debt is worth to the seat."""
    players = game.players
    for i in range(deals):
        me = (first + i) % players
        new_deal(game, table, state)
        sample_declarations(0, me, 0.0, game, policy, table, log, state)
        if unasked(me, game, table):
            add_totals(1.0, outcome(game, policy, table), players, table, log)
            continue
        legal = legal_declarations(me, game, table)
        hand = hand_class(table.hands[me], table.stock[CONTEXT], policy)
        number = history(me, game, table)
        declaration_mix(policy, hand, number, legal, table.mine)
        save(players, table)
        start = state[0]
        n = log.counts[NODES]
        for a in range(game.actions):
            log.values[n, a] = 0.0
            log.node_mix[n, a] = table.mine[a]
            if not (legal >> a) & 1:
                continue
            restore(players, table)
            state[0] = start
            say(me, a, game, policy, table, state)
            sample_declarations(me + 1, players, 0.0, game, policy, table, log, state)
            debts = outcome(game, policy, table)
            log.values[n, a] = table.chips[me] + debts * share[me]
            add_totals(table.mine[a], debts, players, table, log)
        log.nodes[n, 0], log.nodes[n, 1], log.nodes[n, 2] = hand, number, legal
        log.counts[NODES] = n + 1


@kernel
def train_play(
    deals: Int, share: Floats, game: Record, policy: Policy, table: Record, log: Log, state: State
) -> None:
    """Deal until ``deals`` were played with tricks, and traverse each for one of those in."""
    done = 0
    while done < deals:
        new_deal(game, table, state)
        sample_declarations(0, game.players, EXPLORE, game, policy, table, log, state)
        inside = count_in(game, table)
        log.counts[DEALS] += 1
        if settle_early(inside, game, table) >= 0.0:
            if log.counts[DEALS] > PATIENCE * deals:
                return  # mouches decide nearly every deal
            continue
        begin_play(inside, game, table)
        me = below(state, inside)
        traverse(me, share[table.seats[me]], game, policy, table, log)
        done += 1


@kernel
def paid(d: Int, me: Int, share: float, game: Record, table: Record) -> Real:
    """What a place gets at the end of the tricks, debts of all included."""
    at = table.at
    if game.points:
        value = place_points(d, me, game, table)
        for place in range(at[d, INSIDE]):
            if place != me:
                value -= place_points(d, place, game, table) / (game.players - 1)
        return value
    value = at[d, WON + me] / game.hand_size
    if at[d, WON + me] == 0:
        value -= game.debt
    for place in range(at[d, INSIDE]):
        if at[d, WON + place] == 0:
            value += game.debt * share
    return value


@kernel
def descend(d: Int, me: Int, game: Record, policy: Policy, table: Record, log: Log) -> Int:
    """Go on in row d to the next choice of a place, the others sampling; 0 at the end.

    The choice's cards, probabilities and key are left in ``held``, ``weight`` and ``node``.
    """
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
                if place == me:
                    for a in range(number):
                        table.held[d, a] = table.choice[a]
                        table.weight[d, a] = table.mix[a]
                    table.node[d] = np.int64(key)
                    return number
                note(log, np.int64(key), number, 0, number, table.mix)
                luck = table.luck[PLACES + table.seats[place] * game.hand_size + at[d, TRICK]]
                card = table.choice[pick(table.mix, number, luck)]
        put(at, d, place, card, trump, game)
    return 0


@kernel
def open_node(d: Int, number: Int, table: Record, log: Log) -> None:
    """Begin to try the choices of row d; its place in the log may lie beyond the end."""
    n = log.counts[NODES]
    if n < len(log.nodes):
        log.nodes[n, 0], log.nodes[n, 1], log.nodes[n, 2] = table.node[d], number, 0
        for a in range(number):
            log.node_mix[n, a] = table.weight[d, a]
    log.counts[NODES] = n + 1
    table.node[d] = n
    table.number[d] = number
    table.tried[d] = 0
    table.total[d] = 0.0


@kernel
def traverse(me: Int, share: float, game: Record, policy: Policy, table: Record, log: Log) -> Real:
    """The value of row 0 for a place: its choices are all tried, the others' sampled."""
    trump = game.trump[table.stock[CONTEXT]]
    d = 0
    number = descend(d, me, game, policy, table, log)
    if number == 0:
        return paid(d, me, share, game, table)
    open_node(d, number, table, log)
    while True:
        a = table.tried[d]
        if a < table.number[d]:
            table.tried[d] = a + 1
            copy_row(table.at, d, policy.facts.lossless)
            put(table.at, d + 1, me, table.held[d, a], trump, game)
            d += 1
            number = descend(d, me, game, policy, table, log)
            if number:
                open_node(d, number, table, log)
                continue
            value = paid(d, me, share, game, table)
        else:
            value = table.total[d]
            if d == 0:
                return value
        d -= 1
        a = table.tried[d] - 1
        table.total[d] += table.weight[d, a] * value
        if table.node[d] < len(log.nodes):
            log.values[table.node[d], a] = value
