"""What the stored mix of each hand loses against the best of its own actions."""

import numpy as np

from mouche_solver.core.jit import fast_kernel
from mouche_solver.dice.sweep.arrays import Entries, Floats, GameArrays, IntArray, Part, Vectors
from mouche_solver.dice.sweep.kernels_doubt import doubt_table


@fast_kernel
def range_mass(game: GameArrays, part: Part, cell: int, pusher: int, vectors: Vectors) -> None:
    """Sum the pusher's flow over its classes for every row of a cell, into ``scratch.total``."""
    region = part.region
    rows = region.rows[cell] * part.many
    at = region.vector[pusher, cell] * part.many
    mass = vectors.scratch.total[:rows]
    mass[:] = mass.dtype.type(0)
    for k in range(game.size[pusher, game.level[cell // 2]]):
        reached = vectors.flow[at + k * rows : at + (k + 1) * rows]
        for r in range(rows):
            mass[r] += reached[r]


@fast_kernel
def _cell_losses(
    game: GameArrays,
    part: Part,
    cell: int,
    entries: Entries,
    vectors: Vectors,
    hands: IntArray,
    tally: Floats,
) -> None:
    region, many, scratch = part.region, part.many, vectors.scratch
    claim, player = cell // 2, cell % 2
    level, rows = game.level[claim], region.rows[cell] * many
    first, last = game.raises_start[claim], game.raises_start[claim + 1]
    doubts = 1 if claim > 0 else 0
    actions = last - first + doubts
    width = game.size[player, level] * rows
    for k in range(game.size[player, level]):
        own = game.own_count[player, claim, k] * rows
        for r in range(rows):
            if not scratch.total[r] > 0.0:
                tally[5] += hands[level, k]
                continue
            best, total, mixed, plain = -np.inf, 0.0, 0.0, 0.0
            x = region.entry[cell] * many + k * rows + r
            for action in range(actions):
                if action < doubts:
                    worth = scratch.doubt[own + r]
                else:
                    raised = game.raises[first + action - doubts]
                    child = 2 * raised + 1 - player
                    to = region.vector[player, child] + region.child_row[cell, raised]
                    to += game.merge[player, level, game.level[raised], k] * region.rows[child]
                    worth = vectors.value[to * many + r]
                weight = entries.player[x + action * width]
                best = max(best, worth)
                total += weight
                mixed += weight * worth
                plain += worth
            mean = mixed / total if total > 0.0 else plain / actions
            loss = (best - mean) / scratch.total[r]
            tally[0] += hands[level, k]
            tally[1] += hands[level, k] * loss
            tally[2] += hands[level, k] if loss > 0.01 else 0
            tally[3] += hands[level, k] if loss > 0.1 else 0
            tally[4] = max(tally[4], loss)


@fast_kernel
def losses_region(
    game: GameArrays,
    part: Part,
    player: int,
    entries: Entries,
    vectors: Vectors,
    hands: IntArray,
    tally: Floats,
) -> None:
    """Add up the losses of a player in a part, after a pass that evaluated it.

    ``hands[level, class]`` counts the hands of a class. ``tally`` takes the number of
    position-hands, the sum of their losses, how many lose more than 0.01 and than 0.1, the worst
    loss, and the position-hands that the other player's flow does not reach.
    """
    for cell in part.region.expand:
        claim = cell // 2
        if cell % 2 != player or game.raises_start[claim] == game.raises_start[claim + 1]:
            continue
        rows = part.region.rows[cell] * part.many
        range_mass(game, part, cell, 1 - player, vectors)
        if claim > 0:
            at = part.region.vector[1 - player, cell] * part.many
            size = game.size[1 - player, game.level[claim]] * rows
            reached = vectors.flow[at : at + size]
            doubt_table(game, claim, player, reached, rows, True, vectors.scratch)
        _cell_losses(game, part, cell, entries, vectors, hands, tally)
