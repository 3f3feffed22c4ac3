"""Average strategies as 16-bit probabilities, one information set at a time."""

from mouche_solver.core.jit import kernel
from mouche_solver.dice.sweep.arrays import NOTHING, Floats, GameArrays, Part

# A probability of one.
SCALE = 65535


@kernel
def pack_region(
    game: GameArrays, part: Part, average: Floats, regret: Floats, packed: Floats
) -> None:
    """Normalise the entries of a part; the arrays begin with its first one.

    Where the player's own strategy never goes the average is empty; there the current strategy
    stands in, and where that is empty too, all actions are alike.
    """
    region, many = part.region, part.many
    for cell in region.expand:
        claim, player = cell // 2, cell % 2
        actions = game.raises_start[claim + 1] - game.raises_start[claim]
        if actions == 0:
            continue
        if claim > 0:
            actions += 1
        width = game.size[player, game.level[claim]] * region.rows[cell] * many
        start = region.entry[cell] * many
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
                packed[y] = int(chance * SCALE + 0.5)


@kernel
def merge_region(
    game: GameArrays, part: Part, average: Floats, stored: Floats, merged: Floats
) -> None:
    """Probabilities from averages where anything flowed, as stored before elsewhere."""
    region, many = part.region, part.many
    for cell in region.expand:
        claim, player = cell // 2, cell % 2
        actions = game.raises_start[claim + 1] - game.raises_start[claim]
        if actions == 0:
            continue
        if claim > 0:
            actions += 1
        width = game.size[player, game.level[claim]] * region.rows[cell] * many
        start = region.entry[cell] * many
        for x in range(start, start + width):
            total = 0.0
            for action in range(actions):
                total += average[x + action * width]
            for action in range(actions):
                y = x + action * width
                known = total > NOTHING
                merged[y] = int(average[y] / total * SCALE + 0.5) if known else stored[y]


@kernel
def fill_region(game: GameArrays, part: Part, player: int, source: Floats, target: Floats) -> None:
    """Copy one player's entries of a part; the arrays begin with its first one."""
    region, many = part.region, part.many
    for cell in region.expand:
        claim = cell // 2
        actions = game.raises_start[claim + 1] - game.raises_start[claim]
        if cell % 2 != player or actions == 0:
            continue
        if claim > 0:
            actions += 1
        size = actions * game.size[player, game.level[claim]] * region.rows[cell] * many
        start = region.entry[cell] * many
        for x in range(start, start + size):
            target[x] = source[x]
