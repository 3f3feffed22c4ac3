"""Forward: the pusher's flow, prior times own reach, goes down a region."""

from mouche_solver.core.jit import fast_kernel
from mouche_solver.dice.sweep.arrays import Entries, GameArrays, Part, Step, Vectors
from mouche_solver.dice.sweep.kernels_doubt import doubt_table, spread_table
from mouche_solver.dice.sweep.kernels_regret import least, reach_norms


@fast_kernel
def _push_acting(
    game: GameArrays, part: Part, cell: int, entries: Entries, step: Step, vectors: Vectors
) -> None:
    """The pusher acts: split its flow over the actions, merge it into the children."""
    region, many = part.region, part.many
    flow, value, scratch = vectors.flow, vectors.value, vectors.scratch
    source, average = entries.pusher, entries.average
    claim, pusher = cell // 2, cell % 2
    player = 1 - pusher
    level = game.level[claim]
    rows = region.rows[cell] * many
    classes = game.size[pusher, level]
    width = classes * rows
    at = region.vector[pusher, cell] * many
    own = flow[at : at + width]
    at = region.vector[player, cell] * many
    answer = value[at : at + game.size[player, level] * rows]
    first, last = game.raises_start[claim], game.raises_start[claim + 1]
    doubts = 1 if claim > 0 else 0
    if last == first:
        doubt_table(game, claim, player, own, rows, False, scratch)
        spread_table(game, claim, player, scratch.doubt, rows, answer)
        return
    zero = flow.dtype.type(0)
    start = region.entry[cell] * many
    scale, fallback, doubted = scratch.scale, scratch.fallback, scratch.doubted
    reach_norms(source, start, last - first + doubts, width, scale, fallback)
    tremble = flow.dtype.type(least(step.tremble, last - first + doubts))
    keep = flow.dtype.type(1) - tremble * flow.dtype.type(last - first + doubts)
    if doubts:
        entry = source[start : start + width]
        for x in range(width):
            doubted[x] = own[x] * (max(entry[x], zero) * scale[x] + fallback[x])
        if step.weight > zero:
            total = average[start : start + width]
            for x in range(width):
                total[x] += step.weight * doubted[x]
        if tremble > zero:
            for x in range(width):
                doubted[x] = doubted[x] * keep + own[x] * tremble
        doubt_table(game, claim, player, doubted, rows, False, scratch)
        spread_table(game, claim, player, scratch.doubt, rows, answer)
    else:
        answer[:] = zero
    for number in range(last - first):
        child_claim = game.raises[first + number]
        child = 2 * child_claim + player
        child_rows = region.rows[child] * many
        child_at = region.vector[pusher, child] * many + region.child_row[cell, child_claim] * many
        merge = game.merge[pusher, level, game.level[child_claim]]
        action = start + (number + doubts) * width
        for k in range(classes):
            to = child_at + merge[k] * child_rows
            target = flow[to : to + rows]
            x = k * rows
            entry = source[action + x : action + x + rows]
            held, s, f = own[x : x + rows], scale[x : x + rows], fallback[x : x + rows]
            if step.weight > zero:
                total = average[action + x : action + x + rows]
                for r in range(rows):
                    played = held[r] * (max(entry[r], zero) * s[r] + f[r])
                    target[r] += played * keep + held[r] * tremble
                    total[r] += step.weight * played
            else:
                for r in range(rows):
                    played = max(entry[r], zero) * s[r] + f[r]
                    target[r] += held[r] * (played * keep + tremble)


@fast_kernel
def _push_waiting(game: GameArrays, part: Part, cell: int, vectors: Vectors) -> None:
    """The pusher waits: its whole flow reaches every child."""
    region, many, flow = part.region, part.many, vectors.flow
    claim, player = cell // 2, cell % 2
    pusher = 1 - player
    level = game.level[claim]
    rows = region.rows[cell] * many
    at = region.vector[pusher, cell] * many
    for number in range(game.raises_start[claim], game.raises_start[claim + 1]):
        child_claim = game.raises[number]
        child = 2 * child_claim + pusher
        child_rows = region.rows[child] * many
        child_at = region.vector[pusher, child] * many + region.child_row[cell, child_claim] * many
        merge = game.merge[pusher, level, game.level[child_claim]]
        for k in range(game.size[pusher, level]):
            to = child_at + merge[k] * child_rows
            target = flow[to : to + rows]
            held = flow[at + k * rows : at + (k + 1) * rows]
            for r in range(rows):
                target[r] += held[r]


@fast_kernel
def push_cell(
    game: GameArrays,
    part: Part,
    pusher: int,
    cell: int,
    entries: Entries,
    step: Step,
    vectors: Vectors,
) -> None:
    """Send the pusher's flow from one cell to its children."""
    if cell % 2 == pusher:
        _push_acting(game, part, cell, entries, step, vectors)
    else:
        _push_waiting(game, part, cell, vectors)


@fast_kernel
def push_region(
    game: GameArrays, part: Part, pusher: int, entries: Entries, step: Step, vectors: Vectors
) -> None:
    """Send the pusher's flow from the root cell to the ends of a part.

    ``vectors.flow`` holds the flow at the root; all other cells are overwritten.
    ``vectors.value`` receives what the pusher's doubts pay the other player, ``entries.average``
    the pusher's flow of every action times ``step.weight``: the strategy without trembles, weighed
    by the reach with them.
    """
    region, flow = part.region, vectors.flow
    zero = flow.dtype.type(0)
    for n in range(len(region.rows)):
        if region.rows[n] > 0 and n != region.root:
            size = game.size[pusher, game.level[n // 2]] * region.rows[n] * part.many
            at = region.vector[pusher, n] * part.many
            flow[at : at + size] = zero
    for cell in region.expand:
        # As push_cell, whose call would cost a tenth in small rounds.
        if cell % 2 == pusher:
            _push_acting(game, part, cell, entries, step, vectors)
        else:
            _push_waiting(game, part, cell, vectors)
