"""What a doubt pays: only the count of the claimed face matters."""

from mouche_solver.core.jit import fast_kernel
from mouche_solver.dice.sweep.arrays import Floats, GameArrays, Scratch


@fast_kernel
def doubt_table(
    game: GameArrays,
    claim: int,
    player: int,
    flow: Floats,
    rows: int,
    own_doubt: bool,
    scratch: Scratch,
) -> None:
    """Leave in ``scratch.doubt`` what a doubt pays ``player`` for each own count.

    ``flow`` is the other's: the part of it that doubts, or all of it where the player doubts
    (``own_doubt``). Only its sum by count of the claimed face matters.
    """
    other = 1 - player
    grouped, table = scratch.grouped, scratch.doubt
    quantity = game.quantity[claim]
    level = game.level[claim]
    zero = flow.dtype.type(0)
    grouped[: game.counts[other] * rows] = zero
    for k in range(game.size[other, level]):
        count = game.own_count[other, claim, k]
        target = grouped[count * rows : (count + 1) * rows]
        part = flow[k * rows : (k + 1) * rows]
        for r in range(rows):
            target[r] += part[r]
    for own in range(game.counts[player]):
        target = table[own * rows : (own + 1) * rows]
        target[:] = zero
        for count in range(game.counts[other]):
            total = own + count
            true = total == quantity if game.exact else total >= quantity
            part = grouped[count * rows : (count + 1) * rows]
            if true != own_doubt:
                for r in range(rows):
                    target[r] += part[r]
            else:
                for r in range(rows):
                    target[r] -= part[r]


@fast_kernel
def spread_table(
    game: GameArrays, claim: int, player: int, table: Floats, rows: int, value: Floats
) -> None:
    """Give each class of ``player`` the table's row for its own count."""
    for k in range(game.size[player, game.level[claim]]):
        count = game.own_count[player, claim, k]
        part = table[count * rows : (count + 1) * rows]
        target = value[k * rows : (k + 1) * rows]
        for r in range(rows):
            target[r] = part[r]
