"""Entries in 16 bits with an exponent for each information set, and back in single precision.

The largest entry of an information set becomes a number from 16,384 to 32,767, whatever its size.
An exponent is that of single precision, one byte of its bits, so scales are put together from it.
"""

import numpy as np
from numpy.typing import NDArray

from mouche_solver.core.jit import fast_kernel
from mouche_solver.dice.sweep.arrays import Floats, GameArrays, IntArray, Part

# What the largest entry of an information set is in 16 bits, at least.
UNIT = 16384.0
# Information sets without an entry of 7.7e-34, which has this exponent, count as empty: their
# scales would leave the normal numbers of single precision.
LEAST = 17
# Information sets that are taken together: their scales stay in the nearest cache.
TOGETHER = 2048
# By how much of 2**32 the threshold of rounding moves from entry to entry.
STRIDE = np.uint32(3242174889)
HOW = 3


@fast_kernel
def unpack_entries(
    game: GameArrays,
    part: Part,
    sets: IntArray,
    acting: tuple[bool, bool],
    packed: NDArray[np.int16],
    exponent: NDArray[np.uint8],
    entries: Floats,
    scale: Floats,
) -> None:
    """Write the entries of those players who are ``acting``; the others' are left as they are.

    All arrays begin with the part's first entry or information set; ``sets`` says where those of
    each cell start, for one root row. ``scale`` has room for ``TOGETHER`` numbers.
    """
    bits = scale.view(np.int32)
    unit = np.float32(1 / UNIT)
    for cell in part.region.expand:
        claim = cell // 2
        raises = game.raises_start[claim + 1] - game.raises_start[claim]
        if raises == 0 or not acting[cell % 2]:
            continue
        actions = raises + (1 if claim > 0 else 0)
        width = game.size[cell % 2, game.level[claim]] * part.region.rows[cell] * part.many
        start, first = part.region.entry[cell] * part.many, sets[cell] * part.many
        for low in range(0, width, TOGETHER):
            many = min(TOGETHER, width - low)
            held = exponent[first + low : first + low + many]
            for x in range(many):
                bits[x] = np.int32(held[x]) << np.int32(23)
            for x in range(many):
                scale[x] *= unit
            for action in range(actions):
                y = start + action * width + low
                source, target = packed[y : y + many], entries[y : y + many]
                for x in range(many):
                    target[x] = np.float32(source[x]) * scale[x]


@fast_kernel
def pack_entries(
    game: GameArrays,
    part: Part,
    sets: IntArray,
    player: int,
    entries: Floats,
    packed: NDArray[np.int16],
    exponent: NDArray[np.uint8],
    seed: int,
    scale: Floats,
) -> None:
    """Round one player's entries to 16 bits; the other's are left as they are.

    An entry is rounded up if what is left of it reaches one minus its threshold. Thresholds are
    multiples of 1/512, so that whole numbers stay what they are. They take all values in turn as
    ``seed`` moves, evenly: what is rounded away in one iteration is given back in another.
    """
    bits = scale.view(np.int32)
    unit, zero = np.float32(UNIT), np.float32(0)
    most, step = np.float32(32767), np.float32(2.0**-9)
    for cell in part.region.expand:
        claim = cell // 2
        raises = game.raises_start[claim + 1] - game.raises_start[claim]
        if raises == 0 or cell % 2 != player:
            continue
        actions = raises + (1 if claim > 0 else 0)
        width = game.size[player, game.level[claim]] * part.region.rows[cell] * part.many
        start, first = part.region.entry[cell] * part.many, sets[cell] * part.many
        for low in range(0, width, TOGETHER):
            many = min(TOGETHER, width - low)
            scale[:many] = zero
            for action in range(actions):
                y = start + action * width + low
                source = entries[y : y + many]
                for x in range(many):
                    scale[x] = max(scale[x], abs(source[x]))
            held = exponent[first + low : first + low + many]
            for x in range(many):
                found = bits[x] >> np.int32(23)
                found = found if found >= LEAST else 0
                held[x] = found
                bits[x] = (np.int32(254) - found) << np.int32(23) if found > 0 else 0
            for x in range(many):
                scale[x] *= unit
            for action in range(actions):
                y = start + action * width + low
                source, target = entries[y : y + many], packed[y : y + many]
                at = np.uint32(seed + y * STRIDE)
                for x in range(many):
                    at_x = np.uint32(at + np.uint32(x) * STRIDE)
                    threshold = np.float32(at_x >> np.uint32(23)) * step
                    number = np.floor(source[x] * scale[x] + threshold)
                    target[x] = np.int16(min(max(number, -most), most))
