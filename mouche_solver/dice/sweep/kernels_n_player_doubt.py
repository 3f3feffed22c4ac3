"""What a doubt is worth when several players' dice are unknown.

Given the public history hands are independent, so the reach of the others is a product, and the
number of their dice that match the claim has the convolution of their own counts as its
distribution.
"""

from mouche_solver.core.jit import fast_kernel
from mouche_solver.dice.sweep.arrays import Floats, GameArrays


@fast_kernel
def group_by_count(
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
def convolve(counted: Floats, size: int, grouped: Floats, more: int, rows: int) -> int:
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
def doubt_values(
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
