"""Kernels of external sampling: they read the tables and write logs.

References
----------
.. [1] Lanctot, Waugh, Zinkevich and Bowling, Monte Carlo sampling for regret minimization in
   extensive games, NeurIPS 22, 2009: external sampling.
.. [2] Glasserman and Yao, Some guidelines and guarantees for common random numbers, Management
   Science 38, 1992: two plans compared on the same cards and the same luck.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from mouche_solver.cards.kernels.bits import ONE, Int, Ints, Seat, count, lowest, nth_bit
from mouche_solver.cards.kernels.deal import (
    count_in,
    history,
    legal_declarations,
    new_deal,
    restore,
    save,
    say,
    settle_early,
    shuffle,
    unasked,
)
from mouche_solver.cards.kernels.lookup import (
    SHARD_BITS,
    SHARDS,
    Floats,
    Keys,
    cell_of,
    declaration_mix,
    find,
    hand_class,
    pick,
    play_mix,
)
from mouche_solver.cards.kernels.policies import outcome, whole_deal
from mouche_solver.cards.kernels.records import CONTEXT, PLACES, Game, Policy, Rows, Table
from mouche_solver.cards.kernels.tricks import (
    Real,
    begin_play,
    copy_row,
    legal_now,
    paid,
    put,
    to_move,
)
from mouche_solver.cards.kernels.view import TRICK, information
from mouche_solver.core.jit import kernel
from mouche_solver.core.random import State, below, uniform

EXPLORE = 0.05  # share of random declarations before the play that is trained
PATIENCE = 50  # deals that may end early for each that is played

NODES, VISITS, DEALS = 0, 1, 2  # entries of ``Log.counts``


class Log(NamedTuple):
    """What one chunk saw.

    ``nodes`` are traversed: (hand class, history, legal actions) of a declaration, or (key, number
    of choices, 0) of a card; ``values[node, action]`` their values. ``visits`` are sampled nodes,
    with the same columns. ``node_mix`` and ``visit_mix`` are the probabilities of the choices,
    ``node_weight`` how much likelier than with trembles the others came there without any.
    ``totals`` adds up the chips of each seat, then debts, then deals.
    """

    counts: Ints
    nodes: NDArray[np.int64]
    values: NDArray[np.float32]
    node_mix: NDArray[np.float32]
    node_weight: Floats
    visits: NDArray[np.int64]
    visit_mix: NDArray[np.float32]
    totals: Floats


class Tremble(NamedTuple):
    """How the others explore, so that training comes where they hardly ever go.

    ``declarations`` and ``cards`` are shares of random actions: of the seats that declared before a
    traversed one, and of the others' cards. With ``weighted`` a deal counts as often as it would
    have happened without trembles; cards that tremble are never weighted out.
    """

    declarations: float
    cards: float
    weighted: bool


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
def sample_declarations(
    first: Int,
    stop: Int,
    explore: float,
    noted: bool,
    game: Game,
    policy: Policy,
    table: Table,
    log: Log,
    state: State,
) -> float:
    """The seats ``first`` to ``stop - 1`` declare, a share of them at random.

    Returns how much likelier their declarations are without exploring; 1 when nobody explores.
    """
    likelier = 1.0
    for seat in range(first, stop):
        if unasked(seat, game, table):
            return likelier
        legal = legal_declarations(seat, game, table)
        random = explore > 0.0 and uniform(state) < explore
        if random:
            action = nth_bit(legal, below(state, count(legal)))
        if noted or not random:
            hand = hand_class(table.hands[seat], table.stock[CONTEXT], policy)
            number = history(seat, game, table)
            declaration_mix(policy, hand, number, legal, table.mix)
            if noted:
                note(log, hand, number, legal, game.actions, table.mix)
                if not random:
                    action = pick(table.mix, game.actions, table.luck[seat])
                chance = table.mix[action]
                likelier *= chance / ((1.0 - explore) * chance + explore / count(legal))
            else:
                action = pick(table.mix, game.actions, table.luck[seat])
        say(seat, action, game, policy, table, state)
    return likelier


@kernel
def add_totals(weight: float, debts: float, players: Int, table: Table, log: Log) -> None:
    """Add an outcome's chips and debts."""
    for seat in range(players):
        log.totals[seat] += weight * table.chips[seat]
    log.totals[players] += weight * debts
    log.totals[players + 1] += weight


@kernel
def train_declarations(
    first: Int,
    deals: Int,
    tremble: Tremble,
    share: Floats,
    game: Game,
    policy: Policy,
    table: Table,
    log: Log,
    state: State,
) -> None:
    """Traverse deals; ``share[seat]`` is what a chip of debt is worth to the seat.

    Only seats before the traversed one tremble: values are against the strategy itself.
    """
    players = game.players
    for i in range(deals):
        me = (first + i) % players
        new_deal(game, table, state)
        likelier = sample_declarations(
            0, me, tremble.declarations, True, game, policy, table, log, state
        )
        if unasked(me, game, table):
            add_totals(likelier, outcome(game, policy, table), players, table, log)
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
            sample_declarations(me + 1, players, 0.0, True, game, policy, table, log, state)
            debts = outcome(game, policy, table)
            log.values[n, a] = table.chips[me] + debts * share[me]
            add_totals(likelier * table.mine[a], debts, players, table, log)
        log.node_weight[n] = likelier if tremble.weighted else 1.0
        log.nodes[n, 0], log.nodes[n, 1], log.nodes[n, 2] = hand, number, legal
        log.counts[NODES] = n + 1


@kernel
def train_play(
    deals: Int,
    tremble: Tremble,
    share: Floats,
    game: Game,
    policy: Policy,
    table: Table,
    log: Log,
    state: State,
) -> None:
    """Deal until ``deals`` were played with tricks, and traverse each for one of those in."""
    done = 0
    while done < deals:
        new_deal(game, table, state)
        sample_declarations(0, game.players, EXPLORE, False, game, policy, table, log, state)
        inside = count_in(game, table)
        log.counts[DEALS] += 1
        if settle_early(inside, game, table) >= 0.0:
            if log.counts[DEALS] > PATIENCE * deals:
                return  # mouches decide nearly every deal
            continue
        begin_play(inside, game, table)
        me = below(state, inside)
        traverse(me, tremble.cards, share[table.seats[me]], game, policy, table, log)
        done += 1


@kernel
def descend(
    d: Int, me: Seat, tremble: float, game: Game, policy: Policy, table: Table, log: Log
) -> Int:
    """Go on in row d to the next choice of a place, the others sampling; 0 at the end.

    Of the others' cards a share ``tremble`` is any card: their luck decides that, too.

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
                if luck < tremble:
                    card = table.choice[min(number - 1, np.int64(luck / tremble * number))]
                else:
                    luck = (luck - tremble) / (1.0 - tremble)
                    card = table.choice[pick(table.mix, number, luck)]
        put(at, d, place, card, trump, game)
    return 0


@kernel
def open_node(d: Int, number: Int, table: Table, log: Log) -> None:
    """Begin to try the choices of row d; its place in the log may lie beyond the end."""
    n = log.counts[NODES]
    if n < len(log.nodes):
        log.nodes[n, 0], log.nodes[n, 1], log.nodes[n, 2] = table.node[d], number, 0
        log.node_weight[n] = 1.0
        for a in range(number):
            log.node_mix[n, a] = table.weight[d, a]
    log.counts[NODES] = n + 1
    table.node[d] = n
    table.number[d] = number
    table.tried[d] = 0
    table.total[d] = 0.0


@kernel
def traverse(
    me: Seat, tremble: float, share: float, game: Game, policy: Policy, table: Table, log: Log
) -> Real:
    """The value of row 0 for a place: its choices are all tried, the others' sampled."""
    trump = game.trump[table.stock[CONTEXT]]
    d = 0
    number = descend(d, me, tremble, game, policy, table, log)
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
            number = descend(d, me, tremble, game, policy, table, log)
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


FULL = 0.85  # share of the slots of a shard that may be taken


class Memory(NamedTuple):
    """What training writes for the declarations or the play, by row.

    The mean regret of each action, the sum of the strategies, the mean value, the sum of the
    weights, the visits.
    """

    regret: Rows
    average: Rows
    value: NDArray[np.float32]
    weight: NDArray[np.float32]
    visits: NDArray[np.float32]


@kernel
def learn(
    memory: Memory,
    row: Int,
    width: Int,
    legal: Int,
    values: Rows,
    mixes: Rows,
    n: Int,
    weight: float,
) -> None:
    """Take one sample of the values of all actions, and the mix that was played, into the means."""
    if weight <= 0.0:
        return
    value = 0.0
    for a in range(width):
        value += mixes[n, a] * values[n, a]
    memory.weight[row] += weight
    step = weight / memory.weight[row]
    for a in range(width):
        if (legal >> a) & 1:
            memory.regret[row, a] += step * (values[n, a] - value - memory.regret[row, a])
    memory.value[row] += step * (value - memory.value[row])
    memory.visits[row] += 1.0


@kernel
def average_declarations(
    level: Int, policy: Policy, memory: Memory, log: Log, weight: float
) -> None:
    """The sampled nodes of one log at one level."""
    width = memory.regret.shape[1]
    for v in range(log.counts[VISITS]):
        cell = cell_of(level, log.visits[v, 0], log.visits[v, 1], policy)
        for a in range(width):
            memory.average[cell, a] += weight * log.visit_mix[v, a]


@kernel
def learn_declarations(level: Int, policy: Policy, memory: Memory, log: Log, weight: float) -> None:
    """The traversed nodes of one log at one level."""
    width = memory.regret.shape[1]
    for n in range(log.counts[NODES]):
        cell = cell_of(level, log.nodes[n, 0], log.nodes[n, 1], policy)
        own = weight * log.node_weight[n]
        learn(memory, cell, width, log.nodes[n, 2], log.values, log.node_mix, n, own)


@kernel
def slot_for(keys: Keys, key: Int, used: Ints) -> Int:
    """The slot of a key, taken if it was free; -1 when the shard is full."""
    slot = find(keys, key)
    if slot >= 0:
        return slot
    shard = np.int64(key >> SHARD_BITS)
    if used[shard] >= FULL * (len(keys) // SHARDS):
        return -1
    used[shard] += 1
    slot = -1 - slot
    keys[slot] = key
    return slot


@kernel
def average_play(
    shard: Int, keys: Keys, used: Ints, memory: Memory, log: Log, weight: float
) -> None:
    """The sampled nodes of one log in one shard."""
    for v in range(min(log.counts[VISITS], len(log.visits))):
        key = np.uint64(log.visits[v, 0])
        if np.int64(key >> SHARD_BITS) == shard:
            slot = slot_for(keys, key, used)
            number = log.visits[v, 1]
            if slot >= 0:
                for a in range(number):
                    memory.average[slot, a] += weight * log.visit_mix[v, a]


@kernel
def learn_play(shard: Int, keys: Keys, used: Ints, memory: Memory, log: Log, weight: float) -> None:
    """The traversed nodes of one log in one shard."""
    for n in range(min(log.counts[NODES], len(log.nodes))):
        key = np.uint64(log.nodes[n, 0])
        if np.int64(key >> SHARD_BITS) == shard:
            slot = slot_for(keys, key, used)
            number = log.nodes[n, 1]
            if slot >= 0:
                legal = (ONE << number) - 1
                learn(memory, slot, number, legal, log.values, log.node_mix, n, weight)


@kernel
def count_mouches(
    deals: Int,
    policy: Policy,
    game: Game,
    table: Table,
    state: State,
    chips: Floats,
    made: Floats,
) -> None:
    """Add up each seat's chips, in pots, and how often 0, 1, ... mouches were made."""
    for seat in range(game.players):
        table.who[seat] = 0
    for _ in range(deals):
        shuffle(game, table, state)
        debts = whole_deal(policy, policy, game, table, state)
        for seat in range(game.players):
            chips[seat] += table.chips[seat]
        made[int(debts / game.debt + 0.5)] += 1.0
