"""Average strategies as probabilities of 16 or 32 bits, one information set at a time."""

from typing import Any

import numpy as np

from mouche_solver.core.jit import kernel
from mouche_solver.dice.sweep.arrays import NOTHING, Floats, GameArrays, Part

# A probability of one in 16 bits; in 32 bits it is 1.0.
SCALE = 65535


def rounding(dtype: "np.dtype[Any]") -> tuple[float, float]:
    """What a stored number is per probability, and what is added before it is cut off."""
    return (float(SCALE), 0.5) if dtype == np.uint16 else (1.0, 0.0)


@kernel
def block_of(game: GameArrays, part: Part, cell: int) -> tuple[int, int, int]:
    """Actions of a cell, where its entries start, and entries of an action; 0 if forced."""
    region, claim = part.region, cell // 2
    actions = game.raises_start[claim + 1] - game.raises_start[claim]
    if actions == 0:
        return 0, 0, 0
    width = game.size[cell % 2, game.level[claim]] * region.rows[cell] * part.many
    return actions + (claim > 0), region.entry[cell] * part.many, width


@kernel
def pack_region(
    game: GameArrays,
    part: Part,
    average: Floats,
    regret: Floats,
    packed: Floats,
    one: tuple[float, float],
) -> None:
    """Normalise the entries of a part; the arrays begin with its first one.

    Where the player's own strategy never goes the average is empty; there the current strategy
    stands in, and where that is empty too, all actions are alike. ``one`` is :func:`rounding`'s.
    """
    for cell in part.region.expand:
        actions, start, width = block_of(game, part, cell)
        for x in range(start, start + width):
            average_total = 0.0
            regret_total = 0.0
            for action in range(actions):
                average_total += average[x + action * width]
                regret_total += max(regret[x + action * width], 0.0)
            for action in range(actions):
                y = x + action * width
                if average_total > NOTHING:
                    chance = average[y] / average_total
                elif regret_total > NOTHING:
                    chance = max(regret[y], 0.0) / regret_total
                else:
                    chance = 1.0 / actions
                packed[y] = chance * one[0] + one[1]


@kernel
def merge_region(
    game: GameArrays,
    part: Part,
    average: Floats,
    stored: Floats,
    merged: Floats,
    one: tuple[float, float],
) -> None:
    """Probabilities from averages where anything flowed, as stored before elsewhere."""
    for cell in part.region.expand:
        actions, start, width = block_of(game, part, cell)
        for x in range(start, start + width):
            total = 0.0
            for action in range(actions):
                total += average[x + action * width]
            for action in range(actions):
                y = x + action * width
                known = total > NOTHING
                merged[y] = average[y] / total * one[0] + one[1] if known else stored[y]


@kernel
def fill_region(game: GameArrays, part: Part, player: int, source: Floats, target: Floats) -> None:
    """Copy one player's entries of a part; the arrays begin with its first one."""
    for cell in part.region.expand:
        if cell % 2 != player:
            continue
        actions, start, width = block_of(game, part, cell)
        for x in range(start, start + actions * width):
            target[x] = source[x]
