"""The sweep over one region: flow forward, values back, regret where it belongs.

In a sweep one player is *updated* (or answered, or evaluated) and the other *pushes*: the
pusher's flow, prior times own reach, goes down the region; the updated player's counterfactual
values come back up. Vectors per hand class are laid out ``[class][row]``, entries
``[action][class][row]`` with the doubt as action 0 where there is one, so that every inner loop
runs over contiguous rows.
"""

from mouche_solver.core.jit import fast_kernel
from mouche_solver.dice.sweep.arrays import Floats, GameArrays, RegionArrays, Scratch, Step
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
    region: RegionArrays,
    many: int,
    base: int,
    player: int,
    pusher_source: Floats,
    regret: Floats,
    player_source: Floats,
    average: Floats,
    step: Step,
    mode: int,
    rim_flow: Floats,
    rim_value: Floats,
    rim_rows: int,
    first: int,
    flow: Floats,
    value: Floats,
    work: Scratch,
) -> None:
    """One task from its rim rows down and back: the unit of parallel work."""
    pusher = 1 - player
    level = game.level[region.root // 2]
    at = region.vector[pusher, region.root] * many
    take_rows(rim_flow, game.size[pusher, level], rim_rows, first, flow[at:], many)
    push_region(game, region, many, base, pusher, pusher_source, average, step, flow, value, work)
    pull_region(
        game, region, many, base, player, regret, player_source, step, mode, flow, value, work
    )
    at = region.vector[player, region.root] * many
    give_rows(value[at:], game.size[player, level], many, rim_value, rim_rows, first)
