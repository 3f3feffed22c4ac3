"""The sweep over one region: flow forward, values back, regret where it belongs.

In a sweep one player is *updated* (or answered, or evaluated) and the other *pushes*: the
pusher's flow, prior times own reach, goes down the region; the updated player's counterfactual
values come back up. The layouts are those of ``arrays.py``.
"""

from mouche_solver.core.jit import fast_kernel
from mouche_solver.dice.sweep.arrays import Entries, Floats, GameArrays, Part, Rim, Step, Vectors
from mouche_solver.dice.sweep.kernels_pull import pull_region
from mouche_solver.dice.sweep.kernels_push import push_region


@fast_kernel
def take_rows(whole: Floats, classes: int, rows: int, first: int, part: Floats, many: int) -> None:
    """Copy rows ``first``.. of ``[class][row]`` vectors out of the trunk's rim."""
    for k in range(classes):
        part[k * many : (k + 1) * many] = whole[k * rows + first : k * rows + first + many]


@fast_kernel
def give_rows(part: Floats, classes: int, many: int, whole: Floats, rows: int, first: int) -> None:
    """Copy a task's root vectors back to the trunk's rim."""
    for k in range(classes):
        whole[k * rows + first : k * rows + first + many] = part[k * many : (k + 1) * many]


@fast_kernel
def sweep_task(
    game: GameArrays,
    part: Part,
    rim: Rim,
    player: int,
    entries: Entries,
    step: Step,
    mode: int,
    vectors: Vectors,
) -> None:
    """One task from its rim rows down and back: the unit of parallel work."""
    pusher = 1 - player
    region, many = part.region, part.many
    level = game.level[region.root // 2]
    flow = vectors.flow[region.vector[pusher, region.root] * many :]
    take_rows(rim.flow, game.size[pusher, level], rim.rows, rim.first, flow, many)
    push_region(game, part, pusher, entries, step, vectors)
    pull_region(game, part, player, entries, step, mode, vectors)
    value = vectors.value[region.vector[player, region.root] * many :]
    give_rows(value, game.size[player, level], many, rim.value, rim.rows, rim.first)
