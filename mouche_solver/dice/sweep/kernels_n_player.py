"""The sweep over one region for any number of players.

One player is *updated* (or answered, or evaluated); all others *push*: each one's flow, prior
times own reach, goes down the region, and the updated player's counterfactual values come back
up. All vectors live in one array ``space``: ``region.vector[seat, cell]`` is where a pusher's
flow starts, and for the updated player the values. Layouts are those of ``kernels.py``.
"""

from typing import Any, NamedTuple

from mouche_solver.core.jit import fast_kernel
from mouche_solver.dice.sweep.arrays import (
    BEST_RESPONSE,
    EVALUATE,
    NOTHING,
    Floats,
    GameArrays,
    RegionArrays,
    Scratch,
    Step,
)
from mouche_solver.dice.sweep.kernels_doubt import spread_table
from mouche_solver.dice.sweep.kernels_n_player_doubt import convolve, doubt_values, group_by_count
from mouche_solver.dice.sweep.kernels_regret import add_regret, keep_best, mix, reach_norms
from mouche_solver.dice.sweep.kernels_task import give_rows, take_rows


class Turn(NamedTuple):
    """Who is updated in a pass, how, whose strategy enters the average, and the payoffs.

    ``payoff[correct, loser, player]`` is in the precision of the entries.
    """

    player: int
    mode: int
    averaged: int
    payoff: Any


@fast_kernel
def _doubt_table(
    game: GameArrays,
    region: RegionArrays,
    cell: int,
    many: int,
    turn: Turn,
    doubted: Floats,
    space: Floats,
    work: Scratch,
) -> None:
    """Leave in ``work[5]`` what a doubt in the cell pays the updated player, by own count.

    ``doubted`` is the acting player's doubted flow, not looked at when that is the updated one.
    """
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
            group_by_count(game, claim, seat, flow, rows, work[3])
            size = game.counts[seat]
        else:
            group_by_count(game, claim, seat, flow, rows, work[4])
            size = convolve(work[3], size, work[4], game.counts[seat], rows)
    claimant = (acting + players - 1) % players
    paid = (turn.payoff[0, claimant, turn.player], turn.payoff[1, acting, turn.player])
    doubt_values(game, claim, turn.player, work[3], size, paid, rows, work[5])


@fast_kernel
def _clear_rows(space: Floats, at: int, classes: int, rows: int, child_rows: int) -> None:
    for k in range(classes):
        space[at + k * child_rows : at + k * child_rows + rows] = space.dtype.type(0)


@fast_kernel
def _push_waiting(
    game: GameArrays, region: RegionArrays, cell: int, many: int, seat: int, space: Floats
) -> None:
    """A pusher waits: its whole flow reaches every child."""
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
            part = space[at + k * rows : at + (k + 1) * rows]
            if deeper == level:
                for r in range(rows):
                    target[r] = part[r]
            else:
                for r in range(rows):
                    target[r] += part[r]


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
    region: RegionArrays,
    cell: int,
    many: int,
    base: int,
    source: Floats,
    average: Floats,
    turn: Turn,
    step: Step,
    space: Floats,
    work: Scratch,
) -> None:
    """A pusher acts: split its flow over the actions; what its doubt pays the updated player."""
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
        _doubt_table(game, region, cell, many, turn, own, space, work)
        spread_table(game, claim, turn.player, work[5], rows, answer)
        return
    zero = space.dtype.type(0)
    weight = step.weight if turn.averaged == seat else zero
    start = base + region.entry[cell] * many
    doubts = 1 if claim > 0 else 0
    scale, fallback, doubted = work[0], work[1], work[2]
    reach_norms(source, start, last - first + doubts, width, scale, fallback)
    if doubts:
        doubted[:width] = zero
        entry, total = source[start : start + width], average[start : start + width]
        _push_raise(own, entry, scale, fallback, total, weight, doubted)
        _doubt_table(game, region, cell, many, turn, doubted, space, work)
        spread_table(game, claim, turn.player, work[5], rows, answer)
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
                own[x : x + rows], source[y : y + rows], scale[x : x + rows],
                fallback[x : x + rows], average[y : y + rows], weight, space[to : to + rows],
            )  # fmt: skip


@fast_kernel
def _pull_waiting(
    game: GameArrays, region: RegionArrays, cell: int, many: int, player: int, space: Floats
) -> None:
    """Another player acted here: values of its actions add up (its flow is already in them)."""
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
            part = space[start : start + rows]
            target = space[at + k * rows : at + (k + 1) * rows]
            for r in range(rows):
                target[r] += part[r]


@fast_kernel
def _pull_acting(
    game: GameArrays,
    region: RegionArrays,
    cell: int,
    many: int,
    base: int,
    regret: Floats,
    source: Floats,
    turn: Turn,
    step: Step,
    space: Floats,
    work: Scratch,
) -> None:
    """The updated player acts: the value of each class, and its regrets."""
    players = len(game.counts)
    claim, player = cell // players, cell % players
    level = game.level[claim]
    rows = region.rows[cell] * many
    classes = game.size[player, level]
    width = classes * rows
    at = region.vector[player, cell] * many
    first, last = game.raises_start[claim], game.raises_start[claim + 1]
    doubts = 1 if claim > 0 else 0
    table = work[5]
    if doubts:
        _doubt_table(game, region, cell, many, turn, work[2], space, work)
    if last == first:
        spread_table(game, claim, player, table, rows, space[at : at + width])
        return
    zero = space.dtype.type(0)
    nothing = space.dtype.type(NOTHING)
    uniform = space.dtype.type(1) / space.dtype.type(last - first + doubts)
    start = base + region.entry[cell] * many
    total, plain = work[0][:rows], work[1][:rows]
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
                mix(source[start + x : start + x + rows], doubt, total, expected, plain)
        for number in range(last - first):
            to = _child_value(game, region, cell, game.raises[first + number], k, many)
            if turn.mode == BEST_RESPONSE:
                keep_best(space[to : to + rows], expected)
            else:
                y = start + (number + doubts) * width + x
                mix(source[y : y + rows], space[to : to + rows], total, expected, plain)
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
            to = _child_value(game, region, cell, game.raises[first + number], k, many)
            y = start + (number + doubts) * width + x
            add_regret(
                regret[y : y + rows], source[y : y + rows], space[to : to + rows], expected, step
            )


@fast_kernel
def _child_value(
    game: GameArrays, region: RegionArrays, cell: int, claim: int, k: int, many: int
) -> int:
    """Where the acting player's values after a raise start, for its class k."""
    players = len(game.counts)
    seat = cell % players
    child = players * claim + (seat + 1) % players
    merged = game.merge[seat, game.level[cell // players], game.level[claim], k]
    at = region.vector[seat, child] + region.child_row[cell, claim]
    return int(at + merged * region.rows[child]) * many


@fast_kernel
def push_table(
    game: GameArrays,
    region: RegionArrays,
    many: int,
    base: int,
    source: Floats,
    average: Floats,
    turn: Turn,
    step: Step,
    space: Floats,
    work: Scratch,
) -> None:
    """Send all pushers' flow from the root cell to the ends of the region."""
    players = len(game.counts)
    for cell in region.expand:
        for seat in range(players):
            if seat != cell % players and seat != turn.player:
                _push_waiting(game, region, cell, many, seat, space)
        if cell % players != turn.player:
            _push_acting(
                game, region, cell, many, base, source, average, turn, step, space, work
            )  # fmt: skip


@fast_kernel
def pull_table(
    game: GameArrays,
    region: RegionArrays,
    many: int,
    base: int,
    regret: Floats,
    source: Floats,
    turn: Turn,
    step: Step,
    space: Floats,
    work: Scratch,
) -> None:
    """Bring the updated player's values from the ends back to the root cell."""
    players = len(game.counts)
    for n in range(len(region.expand) - 1, -1, -1):
        cell = region.expand[n]
        if cell % players == turn.player:
            _pull_acting(game, region, cell, many, base, regret, source, turn, step, space, work)
        else:
            _pull_waiting(game, region, cell, many, turn.player, space)


@fast_kernel
def table_task(
    game: GameArrays,
    region: RegionArrays,
    many: int,
    base: int,
    first: int,
    rim: RegionArrays,
    rim_space: Floats,
    regret: Floats,
    source: Floats,
    average: Floats,
    turn: Turn,
    step: Step,
    space: Floats,
    work: Scratch,
) -> None:
    """One task from its rim rows down and back: the unit of parallel work."""
    level = game.level[region.root // len(game.counts)]
    rows = rim.rows[region.root]
    for seat in range(len(game.counts)):
        if seat != turn.player:
            at, to = rim.vector[seat, region.root], region.vector[seat, region.root] * many
            take_rows(rim_space[at:], game.size[seat, level], rows, first, space[to:], many)
    push_table(game, region, many, base, source, average, turn, step, space, work)
    pull_table(game, region, many, base, regret, source, turn, step, space, work)
    seat = turn.player
    at, to = region.vector[seat, region.root] * many, rim.vector[seat, region.root]
    give_rows(space[at:], game.size[seat, level], many, rim_space[to:], rows, first)
