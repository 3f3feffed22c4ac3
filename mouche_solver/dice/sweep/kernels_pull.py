"""Backward: the updated player's counterfactual values come back up a region."""

import numpy as np

from mouche_solver.core.jit import fast_kernel
from mouche_solver.dice.sweep.arrays import (
    BEST_RESPONSE,
    UPDATE,
    Entries,
    GameArrays,
    Part,
    Step,
    Vectors,
)
from mouche_solver.dice.sweep.kernels_doubt import doubt_table, spread_table
from mouche_solver.dice.sweep.kernels_regret import (
    add_plain,
    add_regret,
    divide,
    keep_best,
    least,
    mix,
    shake,
)


@fast_kernel
def _pull_waiting(game: GameArrays, part: Part, cell: int, vectors: Vectors) -> None:
    """The pusher acted here: values of its actions add up (its flow is already in them)."""
    region, many, value = part.region, part.many, vectors.value
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
            worth = value[start : start + rows]
            target = value[at + k * rows : at + (k + 1) * rows]
            for r in range(rows):
                target[r] += worth[r]


@fast_kernel
def _pull_acting(
    game: GameArrays,
    part: Part,
    cell: int,
    entries: Entries,
    step: Step,
    mode: int,
    vectors: Vectors,
) -> None:
    """The updated player acts: the value of each class, and its regrets."""
    region, many = part.region, part.many
    flow, value, scratch = vectors.flow, vectors.value, vectors.scratch
    source, regret = entries.player, entries.regret
    claim, player = cell // 2, cell % 2
    pusher = 1 - player
    level = game.level[claim]
    rows = region.rows[cell] * many
    classes = game.size[player, level]
    width = classes * rows
    at = region.vector[player, cell] * many
    first, last = game.raises_start[claim], game.raises_start[claim + 1]
    doubts = 1 if claim > 0 else 0
    table = scratch.doubt
    if doubts:
        pushed = region.vector[pusher, cell] * many
        reached = flow[pushed : pushed + game.size[pusher, level] * rows]
        doubt_table(game, claim, player, reached, rows, True, scratch)
    if last == first:
        spread_table(game, claim, player, table, rows, value[at : at + width])
        return
    zero = flow.dtype.type(0)
    one = flow.dtype.type(1)
    uniform = one / flow.dtype.type(last - first + doubts)
    tremble = flow.dtype.type(least(step.own_tremble, last - first + doubts))
    keep = one - tremble * flow.dtype.type(last - first + doubts)
    start = region.entry[cell] * many
    total, plain = scratch.total[:rows], scratch.plain[:rows]
    for k in range(classes):
        x = k * rows
        expected = value[at + x : at + x + rows]
        count = game.own_count[player, claim, k]
        doubt = table[count * rows : (count + 1) * rows]
        plain[:] = zero
        if mode == BEST_RESPONSE:
            expected[:] = -np.inf
            if doubts:
                keep_best(doubt, expected)
                add_plain(doubt, plain)
        else:
            expected[:] = zero
            total[:] = zero
            if doubts:
                mix(source[start + x : start + x + rows], doubt, total, expected, plain)
        for number in range(last - first):
            child_claim = game.raises[first + number]
            child = 2 * child_claim + pusher
            to = region.vector[player, child] + region.child_row[cell, child_claim]
            to += game.merge[player, level, game.level[child_claim], k] * region.rows[child]
            worth = value[to * many : to * many + rows]
            if mode == BEST_RESPONSE:
                keep_best(worth, expected)
                add_plain(worth, plain)
            else:
                y = start + (number + doubts) * width + x
                mix(source[y : y + rows], worth, total, expected, plain)
        if mode != BEST_RESPONSE:
            divide(expected, total, plain, uniform)
        if mode == UPDATE:
            if doubts:
                y = start + x
                add_regret(regret[y : y + rows], source[y : y + rows], doubt, expected, step)
            for number in range(last - first):
                child_claim = game.raises[first + number]
                child = 2 * child_claim + pusher
                to = region.vector[player, child] + region.child_row[cell, child_claim]
                to += game.merge[player, level, game.level[child_claim], k] * region.rows[child]
                worth = value[to * many : to * many + rows]
                y = start + (number + doubts) * width + x
                add_regret(regret[y : y + rows], source[y : y + rows], worth, expected, step)
        if tremble > zero:
            shake(expected, plain, tremble, keep)


@fast_kernel
def pull_cell(
    game: GameArrays,
    part: Part,
    player: int,
    cell: int,
    entries: Entries,
    step: Step,
    mode: int,
    vectors: Vectors,
) -> None:
    """Bring the updated player's counterfactual values from the children of one cell to it."""
    if cell % 2 == player:
        _pull_acting(game, part, cell, entries, step, mode, vectors)
    else:
        _pull_waiting(game, part, cell, vectors)


@fast_kernel
def pull_region(
    game: GameArrays,
    part: Part,
    player: int,
    entries: Entries,
    step: Step,
    mode: int,
    vectors: Vectors,
) -> None:
    """Bring the updated player's counterfactual values from the ends back to the root cell."""
    expand = part.region.expand
    for n in range(len(expand) - 1, -1, -1):
        cell = expand[n]
        # As pull_cell, whose call would cost a tenth in small rounds.
        if cell % 2 == player:
            _pull_acting(game, part, cell, entries, step, mode, vectors)
        else:
            _pull_waiting(game, part, cell, vectors)
