"""Backward: the updated player's counterfactual values come back up a region."""

import numpy as np

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
from mouche_solver.dice.sweep.kernels_doubt import doubt_table, spread_table
from mouche_solver.dice.sweep.kernels_regret import add_regret, keep_best, mix


@fast_kernel
def _pull_waiting(
    game: GameArrays, region: RegionArrays, cell: int, many: int, value: Floats
) -> None:
    """The pusher acted here: values of its actions add up (its flow is already in them)."""
    claim, pusher = cell // 2, cell % 2
    player = 1 - pusher
    level = game.level[claim]
    rows = region.rows[cell] * many
    at = region.vector[player, cell] * many
    for number in range(game.raises_start[claim], game.raises_start[claim + 1]):
        child_claim = game.raises[number]
        child = 2 * child_claim + player
        child_rows = region.rows[child] * many
        child_at = region.vector[player, child] * many + region.child_row[cell, child_claim] * many
        merge = game.merge[player, level, game.level[child_claim]]
        for k in range(game.size[player, level]):
            start = child_at + merge[k] * child_rows
            part = value[start : start + rows]
            target = value[at + k * rows : at + (k + 1) * rows]
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
    step: Step,
    mode: int,
    flow: Floats,
    value: Floats,
    work: Scratch,
) -> None:
    """The updated player acts: the value of each class, and its regrets."""
    claim, player = cell // 2, cell % 2
    pusher = 1 - player
    level = game.level[claim]
    rows = region.rows[cell] * many
    classes = game.size[player, level]
    width = classes * rows
    at = region.vector[player, cell] * many
    first, last = game.raises_start[claim], game.raises_start[claim + 1]
    doubts = 1 if claim > 0 else 0
    table = work[4]
    if doubts:
        pushed = region.vector[pusher, cell] * many
        reached = flow[pushed : pushed + game.size[pusher, level] * rows]
        doubt_table(game, claim, player, reached, rows, True, work[3], table)
    if last == first:
        spread_table(game, claim, player, table, rows, value[at : at + width])
        return
    zero = flow.dtype.type(0)
    one = flow.dtype.type(1)
    nothing = flow.dtype.type(NOTHING)
    uniform = one / flow.dtype.type(last - first + doubts)
    start = base + region.entry[cell] * many
    total, plain = work[0][:rows], work[1][:rows]
    for k in range(classes):
        x = k * rows
        expected = value[at + x : at + x + rows]
        count = game.own_count[player, claim, k]
        doubt = table[count * rows : (count + 1) * rows]
        if mode == BEST_RESPONSE:
            expected[:] = -np.inf
            if doubts:
                keep_best(doubt, expected)
        else:
            expected[:] = zero
            total[:] = zero
            plain[:] = zero
            if doubts:
                mix(source[start + x : start + x + rows], doubt, total, expected, plain)
        for number in range(last - first):
            child_claim = game.raises[first + number]
            child = 2 * child_claim + pusher
            to = region.vector[player, child] + region.child_row[cell, child_claim]
            to += game.merge[player, level, game.level[child_claim], k] * region.rows[child]
            part = value[to * many : to * many + rows]
            if mode == BEST_RESPONSE:
                keep_best(part, expected)
            else:
                y = start + (number + doubts) * width + x
                mix(source[y : y + rows], part, total, expected, plain)
        if mode == BEST_RESPONSE:
            continue
        for r in range(rows):
            known = total[r] > nothing
            expected[r] = expected[r] / total[r] if known else plain[r] * uniform
        if mode == EVALUATE:
            continue
        if doubts:
            y = start + x
            add_regret(regret[y : y + rows], source[y : y + rows], doubt, expected, step)
        for number in range(last - first):
            child_claim = game.raises[first + number]
            child = 2 * child_claim + pusher
            to = region.vector[player, child] + region.child_row[cell, child_claim]
            to += game.merge[player, level, game.level[child_claim], k] * region.rows[child]
            part = value[to * many : to * many + rows]
            y = start + (number + doubts) * width + x
            add_regret(regret[y : y + rows], source[y : y + rows], part, expected, step)


@fast_kernel
def pull_region(
    game: GameArrays,
    region: RegionArrays,
    many: int,
    base: int,
    player: int,
    regret: Floats,
    source: Floats,
    step: Step,
    mode: int,
    flow: Floats,
    value: Floats,
    work: Scratch,
) -> None:
    """Bring the updated player's counterfactual values from the ends back to the root cell."""
    for n in range(len(region.expand) - 1, -1, -1):
        cell = region.expand[n]
        if cell % 2 == player:
            _pull_acting(
                game, region, cell, many, base, regret, source, step, mode, flow, value, work
            )
        else:
            _pull_waiting(game, region, cell, many, value)
