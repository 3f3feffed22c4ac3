"""The sweep over one region for any number of players.

One player is *updated* (or answered, or evaluated); all others *push*: each one's flow, prior
times own reach, goes down the region, and the updated player's counterfactual values come back
up. Given the public history hands are independent: the reach of the others is a product, and the
number of their dice that match a claim has the convolution of their own counts as its distribution.

All vectors live in one array ``space``: ``region.vector[seat, cell]`` is where a pusher's
flow starts, and for the updated player the values. The layouts are those of ``arrays.py``.
"""

from typing import Any, NamedTuple

from mouche_solver.core.jit import fast_kernel
from mouche_solver.dice.sweep.arrays import (
    BEST_RESPONSE,
    EVALUATE,
    NOTHING,
    Entries,
    Floats,
    GameArrays,
    Part,
    RegionArrays,
    Scratch,
    Step,
)
from mouche_solver.dice.sweep.kernels_doubt import spread_table
from mouche_solver.dice.sweep.kernels_passes import give_rows, take_rows
from mouche_solver.dice.sweep.kernels_regret import (
    add_plain,
    add_regret,
    keep_best,
    mix,
    reach_norms,
)


class Turn(NamedTuple):
    """Who is updated in a pass, how, whose strategy enters the average, and the payoffs.

    ``payoff[correct, loser, player]`` is in the precision of the entries.
    """

    player: int
    mode: int
    averaged: int
    payoff: Any


class TableRim(NamedTuple):
    """The trunk's vectors, their template, and the task's first row in its root cell."""

    region: RegionArrays
    space: Floats
    first: int


@fast_kernel
def _group_by_count(
    game: GameArrays, claim: int, seat: int, flow: Floats, rows: int, grouped: Floats
) -> None:
    """Sum a player's flow over the classes with the same count of the claimed face."""
    grouped[: game.counts[seat] * rows] = flow.dtype.type(0)
    for k in range(game.size[seat, game.level[claim]]):
        count = game.own_count[seat, claim, k]
        target = grouped[count * rows : (count + 1) * rows]
        part = flow[k * rows : (k + 1) * rows]
        for r in range(rows):
            target[r] += part[r]


@fast_kernel
def _convolve(counted: Floats, size: int, grouped: Floats, more: int, rows: int) -> int:
    """Add one player's count to the others', in place; the new number of counts.

    Row ``m`` of the result needs rows up to ``m`` only, so the highest comes first.
    """
    for m in range(size + more - 2, -1, -1):
        target = counted[m * rows : (m + 1) * rows]
        if m < size:
            part = grouped[:rows]
            for r in range(rows):
                target[r] *= part[r]
        else:
            target[:] = counted.dtype.type(0)
        for c in range(max(1, m - size + 1), min(more - 1, m) + 1):
            part = grouped[c * rows : (c + 1) * rows]
            before = counted[(m - c) * rows : (m - c + 1) * rows]
            for r in range(rows):
                target[r] += part[r] * before[r]
    return size + more - 1


@fast_kernel
def _doubt_values(
    game: GameArrays,
    claim: int,
    player: int,
    counted: Floats,
    size: int,
    paid: tuple[Floats, Floats],
    rows: int,
    table: Floats,
) -> None:
    """Counterfactual value of a doubt for each own count: ``table[count][row]``.

    ``counted`` holds the others' joint flow by count and is overwritten; ``paid`` is what the
    player gets when the claim is incorrect and when it is correct.
    """
    zero = counted.dtype.type(0)
    wrong, gap = paid[0], paid[1] - paid[0]
    total = table[game.counts[player] * rows : (game.counts[player] + 1) * rows]
    if game.exact:
        total[:] = zero
        for m in range(size):
            part = counted[m * rows : (m + 1) * rows]
            for r in range(rows):
                total[r] += part[r]
    else:
        for m in range(size - 2, -1, -1):  # flow with at least m matches
            part = counted[m * rows : (m + 1) * rows]
            above = counted[(m + 1) * rows : (m + 2) * rows]
            for r in range(rows):
                part[r] += above[r]
        total[:] = counted[:rows]
    for own in range(game.counts[player]):
        missing = game.quantity[claim] - own
        target = table[own * rows : (own + 1) * rows]
        never = missing >= size or (game.exact and missing < 0)
        if never:
            for r in range(rows):
                target[r] = wrong * total[r]
        else:
            part = counted[max(missing, 0) * rows : (max(missing, 0) + 1) * rows]
            for r in range(rows):
                target[r] = wrong * total[r] + gap * part[r]


@fast_kernel
def _doubt_table(
    game: GameArrays,
    part: Part,
    cell: int,
    turn: Turn,
    doubted: Floats,
    space: Floats,
    scratch: Scratch,
) -> None:
    """Leave in ``scratch.doubt`` what a doubt in the cell pays the updated player, by own count.

    ``doubted`` is the acting player's doubted flow, not looked at when that is the updated one.
    """
    region, many = part.region, part.many
    counted, grouped = scratch.counted, scratch.grouped
    players = len(game.counts)
    claim, acting = cell // players, cell % players
    rows = region.rows[cell] * many
    size = 0
    for seat in range(players):
        if seat == turn.player:
            continue
        at = region.vector[seat, cell] * many
        flow = doubted if seat == acting else space[at:]
        if size == 0:
            _group_by_count(game, claim, seat, flow, rows, counted)
            size = game.counts[seat]
        else:
            _group_by_count(game, claim, seat, flow, rows, grouped)
            size = _convolve(counted, size, grouped, game.counts[seat], rows)
    claimant = (acting + players - 1) % players
    paid = (turn.payoff[0, claimant, turn.player], turn.payoff[1, acting, turn.player])
    _doubt_values(game, claim, turn.player, counted, size, paid, rows, scratch.doubt)


@fast_kernel
def _clear_rows(space: Floats, at: int, classes: int, rows: int, child_rows: int) -> None:
    for k in range(classes):
        space[at + k * child_rows : at + k * child_rows + rows] = space.dtype.type(0)


@fast_kernel
def _push_waiting(game: GameArrays, part: Part, cell: int, seat: int, space: Floats) -> None:
    """A pusher waits: its whole flow reaches every child."""
    region, many = part.region, part.many
    players = len(game.counts)
    claim, after = cell // players, (cell + 1) % players
    level = game.level[claim]
    rows = region.rows[cell] * many
    at = region.vector[seat, cell] * many
    for number in range(game.raises_start[claim], game.raises_start[claim + 1]):
        child_claim = game.raises[number]
        child = players * child_claim + after
        child_rows = region.rows[child] * many
        child_at = (region.vector[seat, child] + region.child_row[cell, child_claim]) * many
        deeper = game.level[child_claim]
        merge = game.merge[seat, level, deeper]
        if deeper != level:
            _clear_rows(space, child_at, game.size[seat, deeper], rows, child_rows)
        for k in range(game.size[seat, level]):
            to = child_at + merge[k] * child_rows
            target = space[to : to + rows]
            held = space[at + k * rows : at + (k + 1) * rows]
            if deeper == level:
                for r in range(rows):
                    target[r] = held[r]
            else:
                for r in range(rows):
                    target[r] += held[r]


@fast_kernel
def _push_raise(
    own: Floats,
    entry: Floats,
    scale: Floats,
    fallback: Floats,
    total: Floats,
    weight: Any,
    target: Floats,
) -> None:
    """The flow of one class that goes on with one raise, and into the average with a weight."""
    zero = own.dtype.type(0)
    if weight > zero:
        for r in range(len(own)):
            played = own[r] * (max(entry[r], zero) * scale[r] + fallback[r])
            target[r] += played
            total[r] += weight * played
    else:
        for r in range(len(own)):
            target[r] += own[r] * (max(entry[r], zero) * scale[r] + fallback[r])


@fast_kernel
def _push_acting(
    game: GameArrays,
    part: Part,
    cell: int,
    entries: Entries,
    turn: Turn,
    step: Step,
    space: Floats,
    scratch: Scratch,
) -> None:
    """A pusher acts: split its flow over the actions; what its doubt pays the updated player."""
    region, many = part.region, part.many
    source, average = entries.pusher, entries.average
    players = len(game.counts)
    claim, seat = cell // players, cell % players
    level = game.level[claim]
    rows = region.rows[cell] * many
    classes = game.size[seat, level]
    width = classes * rows
    at = region.vector[seat, cell] * many
    own = space[at : at + width]
    at = region.vector[turn.player, cell] * many
    answer = space[at : at + game.size[turn.player, level] * rows]
    first, last = game.raises_start[claim], game.raises_start[claim + 1]
    if last == first:
        _doubt_table(game, part, cell, turn, own, space, scratch)
        spread_table(game, claim, turn.player, scratch.doubt, rows, answer)
        return
    zero = space.dtype.type(0)
    weight = step.weight if turn.averaged == seat else zero
    start = region.entry[cell] * many
    doubts = 1 if claim > 0 else 0
    scale, fallback, doubted = scratch.scale, scratch.fallback, scratch.doubted
    reach_norms(source, start, last - first + doubts, width, scale, fallback)
    if doubts:
        doubted[:width] = zero
        entry, total = source[start : start + width], average[start : start + width]
        _push_raise(own, entry, scale, fallback, total, weight, doubted)
        _doubt_table(game, part, cell, turn, doubted, space, scratch)
        spread_table(game, claim, turn.player, scratch.doubt, rows, answer)
    else:
        answer[:] = zero
    for number in range(last - first):
        child_claim = game.raises[first + number]
        child = players * child_claim + (seat + 1) % players
        child_rows = region.rows[child] * many
        child_at = (region.vector[seat, child] + region.child_row[cell, child_claim]) * many
        deeper = game.level[child_claim]
        _clear_rows(space, child_at, game.size[seat, deeper], rows, child_rows)
        for k in range(classes):
            to = child_at + game.merge[seat, level, deeper, k] * child_rows
            x = k * rows
            y = start + (number + doubts) * width + x
            _push_raise(
                own[x : x + rows],
                source[y : y + rows],
                scale[x : x + rows],
                fallback[x : x + rows],
                average[y : y + rows],
                weight,
                space[to : to + rows],
            )


@fast_kernel
def _pull_waiting(game: GameArrays, part: Part, cell: int, player: int, space: Floats) -> None:
    """Another player acted here: values of its actions add up (its flow is already in them)."""
    region, many = part.region, part.many
    players = len(game.counts)
    claim, after = cell // players, (cell + 1) % players
    level = game.level[claim]
    rows = region.rows[cell] * many
    at = region.vector[player, cell] * many
    for number in range(game.raises_start[claim], game.raises_start[claim + 1]):
        child_claim = game.raises[number]
        child = players * child_claim + after
        child_rows = region.rows[child] * many
        child_at = (region.vector[player, child] + region.child_row[cell, child_claim]) * many
        merge = game.merge[player, level, game.level[child_claim]]
        for k in range(game.size[player, level]):
            start = child_at + merge[k] * child_rows
            worth = space[start : start + rows]
            target = space[at + k * rows : at + (k + 1) * rows]
            for r in range(rows):
                target[r] += worth[r]


@fast_kernel
def _pull_acting(
    game: GameArrays,
    part: Part,
    cell: int,
    entries: Entries,
    turn: Turn,
    step: Step,
    space: Floats,
    scratch: Scratch,
) -> None:
    """The updated player acts: the value of each class, and its regrets."""
    region, many = part.region, part.many
    source, regret = entries.player, entries.regret
    players = len(game.counts)
    claim, player = cell // players, cell % players
    level = game.level[claim]
    rows = region.rows[cell] * many
    classes = game.size[player, level]
    width = classes * rows
    at = region.vector[player, cell] * many
    first, last = game.raises_start[claim], game.raises_start[claim + 1]
    doubts = 1 if claim > 0 else 0
    table = scratch.doubt
    if doubts:
        _doubt_table(game, part, cell, turn, scratch.doubted, space, scratch)
    if last == first:
        spread_table(game, claim, player, table, rows, space[at : at + width])
        return
    zero = space.dtype.type(0)
    nothing = space.dtype.type(NOTHING)
    uniform = space.dtype.type(1) / space.dtype.type(last - first + doubts)
    start = region.entry[cell] * many
    total, plain = scratch.total[:rows], scratch.plain[:rows]
    for k in range(classes):
        x = k * rows
        expected = space[at + x : at + x + rows]
        count = game.own_count[player, claim, k]
        doubt = table[count * rows : (count + 1) * rows]
        if turn.mode == BEST_RESPONSE:
            expected[:] = -space.dtype.type(1e30)
            if doubts:
                keep_best(doubt, expected)
        else:
            expected[:] = zero
            total[:] = zero
            plain[:] = zero
            if doubts:
                mix(source[start + x : start + x + rows], doubt, total, expected)
                add_plain(doubt, plain)
        for number in range(last - first):
            to = _child_value(game, part, cell, game.raises[first + number], k)
            if turn.mode == BEST_RESPONSE:
                keep_best(space[to : to + rows], expected)
            else:
                y = start + (number + doubts) * width + x
                mix(source[y : y + rows], space[to : to + rows], total, expected)
                add_plain(space[to : to + rows], plain)
        if turn.mode == BEST_RESPONSE:
            continue
        for r in range(rows):
            known = total[r] > nothing
            expected[r] = expected[r] / total[r] if known else plain[r] * uniform
        if turn.mode == EVALUATE:
            continue
        if doubts:
            y = start + x
            add_regret(regret[y : y + rows], source[y : y + rows], doubt, expected, step)
        for number in range(last - first):
            to = _child_value(game, part, cell, game.raises[first + number], k)
            y = start + (number + doubts) * width + x
            add_regret(
                regret[y : y + rows], source[y : y + rows], space[to : to + rows], expected, step
            )


@fast_kernel
def _child_value(game: GameArrays, part: Part, cell: int, claim: int, k: int) -> int:
    """Where the acting player's values after a raise start, for its class k."""
    region = part.region
    players = len(game.counts)
    seat = cell % players
    child = players * claim + (seat + 1) % players
    merged = game.merge[seat, game.level[cell // players], game.level[claim], k]
    at = region.vector[seat, child] + region.child_row[cell, claim]
    return int(at + merged * region.rows[child]) * part.many


@fast_kernel
def push_table(
    game: GameArrays,
    part: Part,
    entries: Entries,
    turn: Turn,
    step: Step,
    space: Floats,
    scratch: Scratch,
) -> None:
    """Send all pushers' flow from the root cell to the ends of a part."""
    players = len(game.counts)
    for cell in part.region.expand:
        for seat in range(players):
            if seat != cell % players and seat != turn.player:
                _push_waiting(game, part, cell, seat, space)
        if cell % players != turn.player:
            _push_acting(game, part, cell, entries, turn, step, space, scratch)


@fast_kernel
def pull_table(
    game: GameArrays,
    part: Part,
    entries: Entries,
    turn: Turn,
    step: Step,
    space: Floats,
    scratch: Scratch,
) -> None:
    """Bring the updated player's values from the ends back to the root cell."""
    players = len(game.counts)
    expand = part.region.expand
    for n in range(len(expand) - 1, -1, -1):
        cell = expand[n]
        if cell % players == turn.player:
            _pull_acting(game, part, cell, entries, turn, step, space, scratch)
        else:
            _pull_waiting(game, part, cell, turn.player, space)


@fast_kernel
def table_task(
    game: GameArrays,
    part: Part,
    rim: TableRim,
    entries: Entries,
    turn: Turn,
    step: Step,
    space: Floats,
    scratch: Scratch,
) -> None:
    """One task from its rim rows down and back: the unit of parallel work."""
    region, many = part.region, part.many
    level = game.level[region.root // len(game.counts)]
    rows = rim.region.rows[region.root]
    for seat in range(len(game.counts)):
        if seat != turn.player:
            above = rim.space[rim.region.vector[seat, region.root] :]
            below = space[region.vector[seat, region.root] * many :]
            take_rows(above, game.size[seat, level], rows, rim.first, below, many)
    push_table(game, part, entries, turn, step, space, scratch)
    pull_table(game, part, entries, turn, step, space, scratch)
    seat = turn.player
    above = rim.space[rim.region.vector[seat, region.root] :]
    below = space[region.vector[seat, region.root] * many :]
    give_rows(below, game.size[seat, level], many, above, rows, rim.first)
