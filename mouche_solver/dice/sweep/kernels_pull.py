"""Backward: the updated player's counterfactual values come back up a region."""

import numpy as np

from mouche_solver.core.jit import fast_kernel
from mouche_solver.dice.sweep.arrays import (
    BEST_RESPONSE,
    BLOCK,
    UPDATE,
    Entries,
    Floats,
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
def _gather(
    game: GameArrays,
    part: Part,
    cell: int,
    classes: tuple[int, int],
    vectors: Vectors,
    worth: Floats,
) -> None:
    """What each action of some classes is worth, side by side: the doubt, then the raises."""
    region, many = part.region, part.many
    value, table = vectors.value, vectors.scratch.doubt
    claim, player = cell // 2, cell % 2
    low, high = classes
    rows = region.rows[cell] * many
    first, last = game.raises_start[claim], game.raises_start[claim + 1]
    at = 0
    if claim > 0:
        for k in range(low, high):
            taken = game.own_count[player, claim, k] * rows
            held, target = table[taken : taken + rows], worth[at : at + rows]
            for r in range(rows):
                target[r] = held[r]
            at += rows
    for number in range(first, last):
        child_claim = game.raises[number]
        child = 2 * child_claim + 1 - player
        child_rows = region.rows[child] * many
        child_at = (region.vector[player, child] + region.child_row[cell, child_claim]) * many
        merge = game.merge[player, game.level[claim], game.level[child_claim]]
        for k in range(low, high):
            taken = child_at + merge[k] * child_rows
            held, target = value[taken : taken + rows], worth[at : at + rows]
            for r in range(rows):
                target[r] = held[r]
            at += rows


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
    actions = last - first + doubts
    uniform = flow.dtype.type(1) / flow.dtype.type(actions)
    tremble = flow.dtype.type(least(step.own_tremble, actions))
    keep = flow.dtype.type(1) - tremble * flow.dtype.type(actions)
    start = region.entry[cell] * many
    # Short rows go class by class into one block of numbers, which later loops run through.
    together = max(1, BLOCK // rows)
    for low in range(0, classes, together):
        high = min(low + together, classes)
        wide, x = (high - low) * rows, low * rows
        worth = scratch.worth[: actions * wide]
        _gather(game, part, cell, (low, high), vectors, worth)
        expected = value[at + x : at + x + wide]
        total, plain = scratch.total[:wide], scratch.plain[:wide]
        if mode == BEST_RESPONSE:
            expected[:] = -np.inf
            for action in range(actions):
                keep_best(worth[action * wide : (action + 1) * wide], expected)
        else:
            expected[:] = zero
            total[:] = zero
            for action in range(actions):
                y = start + action * width + x
                mix(
                    source[y : y + wide],
                    worth[action * wide : (action + 1) * wide],
                    total,
                    expected,
                )
        if mode != BEST_RESPONSE or tremble > zero:
            plain[:] = zero
            for action in range(actions):
                add_plain(worth[action * wide : (action + 1) * wide], plain)
        if mode != BEST_RESPONSE:
            divide(expected, total, plain, uniform)
        if mode == UPDATE:
            for action in range(actions):
                y = start + action * width + x
                gain = worth[action * wide : (action + 1) * wide]
                add_regret(regret[y : y + wide], source[y : y + wide], gain, expected, step)
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
