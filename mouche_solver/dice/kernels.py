"""The sweep over one region: flow forward, values back, regret where it belongs.

In a sweep one player is *updated* (or answered, or evaluated) and the other *pushes*: the
pusher's flow, prior times own reach, goes down the region; the updated player's counterfactual
values come back up. Vectors per hand class are laid out ``[class][row]``, entries
``[action][class][row]`` with the doubt as action 0 where there is one, so that every inner loop
runs over contiguous rows.
"""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from mouche_solver.core.jit import fast_kernel

IntArray = NDArray[np.int64]
Floats = NDArray[Any]
Scratch = tuple[Floats, ...]

# What the updated player does at own nodes.
UPDATE, EVALUATE, BEST_RESPONSE = 0, 1, 2

# Sums of regrets or flow below this count as none: the inverse of a smaller single-precision
# number would be infinite.
NOTHING = 1e-30


class GameArrays(NamedTuple):
    """A round's claims and classes as flat arrays; see ``tree.py``."""

    raises_start: IntArray
    raises: IntArray
    level: IntArray
    size: IntArray
    merge: NDArray[np.int32]
    own_count: NDArray[np.int32]
    counts: IntArray
    quantity: IntArray
    exact: bool


class RegionArrays(NamedTuple):
    """A region's template; see ``layout.py``."""

    expand: IntArray
    rows: IntArray
    entry: IntArray
    vector: IntArray
    child_row: IntArray
    root: int


class Step(NamedTuple):
    """The numbers of one iteration, in the precision of the entries.

    Regrets are multiplied by ``positive`` or ``negative`` by their sign before the new regret is
    added; the pusher's strategy enters the average with ``weight``. ``predictive`` keeps
    regrets above zero and plays on the last regret seen twice.
    """

    positive: Any
    negative: float
    weight: float
    predictive: bool


@fast_kernel
def _reach_norms(
    source: Floats, start: int, actions: int, width: int, scale: Floats, fallback: Floats
) -> None:
    """Regret matching's denominators: strategy = max(source, 0) * scale + fallback."""
    zero = source.dtype.type(0)
    one = source.dtype.type(1)
    nothing = source.dtype.type(NOTHING)
    uniform = one / source.dtype.type(actions)
    scale = scale[:width]
    fallback = fallback[:width]
    scale[:] = zero
    for action in range(actions):
        entry = source[start + action * width : start + (action + 1) * width]
        for x in range(width):
            scale[x] += max(entry[x], zero)
    for x in range(width):
        empty = scale[x] <= nothing
        fallback[x] = uniform if empty else zero
        scale[x] = zero if empty else one / scale[x]


@fast_kernel
def _doubt_table(
    game: GameArrays,
    claim: int,
    player: int,
    flow: Floats,
    rows: int,
    own_doubt: bool,
    grouped: Floats,
    table: Floats,
) -> None:
    """What a doubt pays ``player`` for each own count, given the other's doubted flow.

    Only the other's flow summed by its count of the claimed face matters.
    """
    other = 1 - player
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
def _spread_table(
    game: GameArrays, claim: int, player: int, table: Floats, rows: int, value: Floats
) -> None:
    """Give each class of ``player`` the table's row for its own count."""
    for k in range(game.size[player, game.level[claim]]):
        count = game.own_count[player, claim, k]
        part = table[count * rows : (count + 1) * rows]
        target = value[k * rows : (k + 1) * rows]
        for r in range(rows):
            target[r] = part[r]


@fast_kernel
def _push_acting(
    game: GameArrays,
    region: RegionArrays,
    cell: int,
    many: int,
    base: int,
    source: Floats,
    average: Floats,
    step: Step,
    flow: Floats,
    value: Floats,
    work: Scratch,
) -> None:
    """The pusher acts: split its flow over the actions, merge it into the children."""
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
        _doubt_table(game, claim, player, own, rows, False, work[3], work[4])
        _spread_table(game, claim, player, work[4], rows, answer)
        return
    zero = flow.dtype.type(0)
    start = base + region.entry[cell] * many
    scale, fallback, doubted = work[0], work[1], work[2]
    _reach_norms(source, start, last - first + doubts, width, scale, fallback)
    if doubts:
        entry = source[start : start + width]
        for x in range(width):
            doubted[x] = own[x] * (max(entry[x], zero) * scale[x] + fallback[x])
        if step.weight > zero:
            total = average[start : start + width]
            for x in range(width):
                total[x] += step.weight * doubted[x]
        _doubt_table(game, claim, player, doubted, rows, False, work[3], work[4])
        _spread_table(game, claim, player, work[4], rows, answer)
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
            part, s, f = own[x : x + rows], scale[x : x + rows], fallback[x : x + rows]
            if step.weight > zero:
                total = average[action + x : action + x + rows]
                for r in range(rows):
                    played = part[r] * (max(entry[r], zero) * s[r] + f[r])
                    target[r] += played
                    total[r] += step.weight * played
            else:
                for r in range(rows):
                    target[r] += part[r] * (max(entry[r], zero) * s[r] + f[r])


@fast_kernel
def _push_waiting(
    game: GameArrays, region: RegionArrays, cell: int, many: int, flow: Floats
) -> None:
    """The pusher waits: its whole flow reaches every child."""
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
            part = flow[at + k * rows : at + (k + 1) * rows]
            for r in range(rows):
                target[r] += part[r]


@fast_kernel
def _pull_waiting(
    game: GameArrays, region: RegionArrays, cell: int, many: int, value: Floats
) -> None:
    """The pusher acted here: values of its actions add up (its flow is already in them)."""
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
            part = value[start : start + rows]
            target = value[at + k * rows : at + (k + 1) * rows]
            for r in range(rows):
                target[r] += part[r]


@fast_kernel
def _mix(entry: Floats, part: Floats, total: Floats, mixed: Floats, plain: Floats) -> None:
    """Add one action to the sums from which regret matching takes the expected value."""
    zero = entry.dtype.type(0)
    for r in range(len(entry)):
        weight = max(entry[r], zero)
        total[r] += weight
        mixed[r] += weight * part[r]
        plain[r] += part[r]


@fast_kernel
def _keep_best(part: Floats, best: Floats) -> None:
    for r in range(len(part)):
        best[r] = max(best[r], part[r])


@fast_kernel
def _add_regret(regret: Floats, source: Floats, part: Floats, expected: Floats, step: Step) -> None:
    """One action's regret, discounted by its sign; predictive: floor it and look ahead."""
    zero = regret.dtype.type(0)
    if step.predictive:
        for r in range(len(part)):
            gain = part[r] - expected[r]
            total = max(regret[r] + gain, zero)
            regret[r] = total
            source[r] = total + gain
    else:
        for r in range(len(part)):
            old = regret[r]
            old *= step.positive if old > zero else step.negative
            regret[r] = old + (part[r] - expected[r])


@fast_kernel
def _pull_acting(
    game: GameArrays,
    region: RegionArrays,
    cell: int,
    many: int,
    base: int,
    regret: Floats,
    source: Floats,
    step: Step,
    mode: int,
    flow: Floats,
    value: Floats,
    work: Scratch,
) -> None:
    """The updated player acts: the value of each class, and its regrets."""
    claim, player = cell // 2, cell % 2
    pusher = 1 - player
    level = game.level[claim]
    rows = region.rows[cell] * many
    classes = game.size[player, level]
    width = classes * rows
    at = region.vector[player, cell] * many
    first, last = game.raises_start[claim], game.raises_start[claim + 1]
    doubts = 1 if claim > 0 else 0
    table = work[4]
    if doubts:
        pushed = region.vector[pusher, cell] * many
        reached = flow[pushed : pushed + game.size[pusher, level] * rows]
        _doubt_table(game, claim, player, reached, rows, True, work[3], table)
    if last == first:
        _spread_table(game, claim, player, table, rows, value[at : at + width])
        return
    zero = flow.dtype.type(0)
    one = flow.dtype.type(1)
    nothing = flow.dtype.type(NOTHING)
    uniform = one / flow.dtype.type(last - first + doubts)
    start = base + region.entry[cell] * many
    total, plain = work[0][:rows], work[1][:rows]
    for k in range(classes):
        x = k * rows
        expected = value[at + x : at + x + rows]
        count = game.own_count[player, claim, k]
        doubt = table[count * rows : (count + 1) * rows]
        if mode == BEST_RESPONSE:
            expected[:] = -np.inf
            if doubts:
                _keep_best(doubt, expected)
        else:
            expected[:] = zero
            total[:] = zero
            plain[:] = zero
            if doubts:
                _mix(source[start + x : start + x + rows], doubt, total, expected, plain)
        for number in range(last - first):
            child_claim = game.raises[first + number]
            child = 2 * child_claim + pusher
            to = region.vector[player, child] + region.child_row[cell, child_claim]
            to += game.merge[player, level, game.level[child_claim], k] * region.rows[child]
            part = value[to * many : to * many + rows]
            if mode == BEST_RESPONSE:
                _keep_best(part, expected)
            else:
                y = start + (number + doubts) * width + x
                _mix(source[y : y + rows], part, total, expected, plain)
        if mode == BEST_RESPONSE:
            continue
        for r in range(rows):
            known = total[r] > nothing
            expected[r] = expected[r] / total[r] if known else plain[r] * uniform
        if mode == EVALUATE:
            continue
        if doubts:
            y = start + x
            _add_regret(regret[y : y + rows], source[y : y + rows], doubt, expected, step)
        for number in range(last - first):
            child_claim = game.raises[first + number]
            child = 2 * child_claim + pusher
            to = region.vector[player, child] + region.child_row[cell, child_claim]
            to += game.merge[player, level, game.level[child_claim], k] * region.rows[child]
            part = value[to * many : to * many + rows]
            y = start + (number + doubts) * width + x
            _add_regret(regret[y : y + rows], source[y : y + rows], part, expected, step)


@fast_kernel
def push_region(
    game: GameArrays,
    region: RegionArrays,
    many: int,
    base: int,
    pusher: int,
    source: Floats,
    average: Floats,
    step: Step,
    flow: Floats,
    value: Floats,
    work: Scratch,
) -> None:
    """Send the pusher's flow from the root cell to the ends of the region.

    ``flow`` holds the flow at the root; all other cells are overwritten. ``value`` receives what
    the pusher's doubts pay the other player.
    """
    zero = flow.dtype.type(0)
    for n in range(len(region.rows)):
        if region.rows[n] > 0 and n != region.root:
            size = game.size[pusher, game.level[n // 2]] * region.rows[n] * many
            at = region.vector[pusher, n] * many
            flow[at : at + size] = zero
    for cell in region.expand:
        if cell % 2 == pusher:
            _push_acting(game, region, cell, many, base, source, average, step, flow, value, work)
        else:
            _push_waiting(game, region, cell, many, flow)


@fast_kernel
def pull_region(
    game: GameArrays,
    region: RegionArrays,
    many: int,
    base: int,
    player: int,
    regret: Floats,
    source: Floats,
    step: Step,
    mode: int,
    flow: Floats,
    value: Floats,
    work: Scratch,
) -> None:
    """Bring the updated player's counterfactual values from the ends back to the root cell."""
    for n in range(len(region.expand) - 1, -1, -1):
        cell = region.expand[n]
        if cell % 2 == player:
            _pull_acting(
                game, region, cell, many, base, regret, source, step, mode, flow, value, work
            )
        else:
            _pull_waiting(game, region, cell, many, value)


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
