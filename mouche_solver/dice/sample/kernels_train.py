"""External sampling, for all hands of one player at once.

The others' hands and moves are drawn, one player tries every action [1]_. What the others do
depends on what they hold and hear, not on the player's hand: so one traversal serves all hands of
the player, as in public chance sampling [2]_, and everything is a vector over their classes.

Strategies are read, never written: what is learned goes to the chunk's sums.

References
----------
.. [1] Lanctot, Waugh, Zinkevich and Bowling, Monte Carlo sampling for regret minimization in
   extensive games, 2009.
.. [2] Johanson, Bard, Lanctot, Gibson and Bowling, Efficient Nash equilibrium approximation through
   Monte Carlo counterfactual regret minimization, 2012.
"""

import numpy as np

from mouche_solver.core.jit import fast_kernel, kernel
from mouche_solver.core.random import State, uniform
from mouche_solver.dice.sample.arrays import (
    Deal,
    Floats,
    IntArray,
    Rule,
    SampleGame,
    Side,
    Stack,
    Sums,
)
from mouche_solver.dice.sample.kernels_deal import (
    draw,
    holds,
    place,
    positive_sum,
    raises_of,
    roll,
)
from mouche_solver.dice.sweep.arrays import NOTHING

# Where a traversal goes astray: the chance of each move to be the blind claim.
_BLIND = 0.25
# A class has left an action behind when its regret is below minus this share of the positive ones.
_BEHIND = 0.5


@kernel
def sample_chunk(
    game: SampleGame,
    own: Side,
    other: Side,
    rule: Rule,
    budget: int,
    sums: Sums,
    stack: Stack,
    random: State,
) -> int:
    """Traversals for each seat on one deal after another, until ``budget`` is used up.

    The player's strategy is matched from the entries of ``own``, everybody else's from those of
    ``other``. Returns the number of information sets seen.
    """
    players = game.group.shape[0]
    hands, total = np.zeros(players, np.int64), np.zeros(game.shown.shape[2], np.int64)
    rest, path = np.zeros_like(total), np.zeros(len(game.quantity), np.int64)
    visits = 0
    while visits < budget:
        roll(game, hands, total, random)
        for me in range(players):
            rest[:] = total - game.shown[me, hands[me]]
            deal = Deal(me, hands, rest, path)
            done = _astray(game, other, deal, random) if uniform(random) < rule.astray else 0
            visits += _traverse(game, own, other, deal, done, rule, sums, random, stack)
    return visits


@kernel
def _astray(game: SampleGame, side: Side, deal: Deal, random: State) -> int:
    """Play on for a while, then claim blindly.

    The raises go to ``deal.path``. Returns their number, 0 where the round ended before.
    """
    players = len(deal.hands)
    state, done = 0, 0
    while True:
        claim = side.machine.last[state]
        raises = raises_of(game, claim)
        if raises == 0:
            return 0
        blind = uniform(random) < _BLIND
        if blind:
            chosen = int(uniform(random) * raises)
        else:
            chosen = _draw_move(game, side, state, done % players, deal, random)
            if chosen < 0:
                return 0
        deal.path[done] = chosen
        done += 1
        state = side.machine.after[side.machine.step[state] + chosen]
        if blind:
            return done


@kernel
def _draw_move(
    game: SampleGame, side: Side, state: int, seat: int, deal: Deal, random: State
) -> int:
    """The raise that a seat draws, -1 for a doubt."""
    claim = side.machine.last[state]
    actions = raises_of(game, claim) + (claim > 0)
    begin = place(game, side.machine, state, actions, seat, deal.hands[seat])
    total = positive_sum(side.entries, begin, actions)
    return int(draw(side.entries, begin, actions, total, random) - (claim > 0))


@kernel
def _traverse(
    game: SampleGame,
    own: Side,
    other: Side,
    deal: Deal,
    done: int,
    rule: Rule,
    sums: Sums,
    random: State,
    stack: Stack,
) -> int:
    """One traversal below ``done`` raises; returns the information sets seen."""
    stack.at[:] = 0
    for number in range(done):
        _move(own, other, stack, deal.path[number])
    depth, visits = -1, 0
    while True:
        ended, seen = _descend(game, own, other, deal, rule, sums, random, stack)
        visits += seen
        if not ended:
            depth += 1
            visits += open_state(game, own, deal, rule, random, stack, depth)
        elif depth < 0:
            return visits
        else:
            claim = other.machine.last[stack.at[1]]
            value_doubt(game, claim, deal, stack, depth, stack.frame[depth, 2])
            stack.frame[depth, 2] += 1
        depth = close_state(game, sums, deal, stack, depth)
        if depth < 0:
            return visits
        frame = stack.frame[depth]
        stack.at[:] = frame[3:6]
        _move(own, other, stack, frame[2] - (own.machine.last[frame[3]] > 0))


@kernel
def _move(own: Side, other: Side, stack: Stack, chosen: int) -> None:
    """A raise, seen by both sides."""
    at = stack.at
    at[0] = own.machine.after[own.machine.step[at[0]] + chosen]
    at[1] = other.machine.after[other.machine.step[at[1]] + chosen]
    at[2] += 1


@kernel
def _descend(
    game: SampleGame,
    own: Side,
    other: Side,
    deal: Deal,
    rule: Rule,
    sums: Sums,
    random: State,
    stack: Stack,
) -> tuple[bool, int]:
    """Draw the others' moves down to the player's next choice, or to a doubt.

    Returns whether the round ended, and the information sets seen.
    """
    players, visits = len(deal.hands), 0
    while True:
        state, seat = stack.at[1], stack.at[2] % players
        if raises_of(game, other.machine.last[state]) == 0:
            return True, visits
        if seat == deal.me:
            return False, visits
        visits += 1
        if rule.averaging:
            _average(game, other, state, seat, deal, sums)
        chosen = _draw_move(game, other, state, seat, deal, random)
        if chosen < 0:
            return True, visits
        _move(own, other, stack, chosen)


@kernel
def _average(game: SampleGame, side: Side, state: int, seat: int, deal: Deal, sums: Sums) -> None:
    """Add a seat's present strategy to the average."""
    claim = side.machine.last[state]
    actions = raises_of(game, claim) + (claim > 0)
    begin = place(game, side.machine, state, actions, seat, deal.hands[seat])
    total = positive_sum(side.entries, begin, actions)
    for x in range(begin, begin + actions):
        sums.flow[x] += max(side.entries[x], 0.0) / total if total > NOTHING else 1.0 / actions
    sums.flowed[state] = True


@kernel
def value_doubt(
    game: SampleGame, claim: int, deal: Deal, stack: Stack, depth: int, action: int
) -> None:
    """What a doubt of a claim at the present turn is worth to each class of a frame.

    Losing the round counts -1.
    """
    frame, value = stack.frame[depth], stack.value[depth]
    turn, players = stack.at[2], len(deal.hands)
    # Lost if the claim is correct and the player has doubted, or incorrect and was the player's.
    doubted, claimed = turn % players == deal.me, (turn - 1) % players == deal.me
    merge = game.merge[deal.me, frame[6], game.level[claim]]
    rest, actions = deal.rest[game.face[claim]], frame[1]
    for group in range(game.size[deal.me, frame[6]]):
        count = rest + game.held[deal.me, claim, merge[group]]
        lost = doubted if holds(game, claim, count) else claimed
        value[group * actions + action] = -1.0 if lost else 0.0


@kernel
def open_state(
    game: SampleGame, own: Side, deal: Deal, rule: Rule, random: State, stack: Stack, depth: int
) -> int:
    """Enter the player's state at the present place with all hands; returns their classes.

    A doubt is valued at once.
    """
    state, me = stack.at[0], deal.me
    claim = own.machine.last[state]
    actions, level = raises_of(game, claim) + (claim > 0), game.level[claim]
    frame, classes = stack.frame[depth], game.size[me, level]
    frame[0], frame[1], frame[2], frame[6] = own.machine.begin[state], actions, 0, level
    frame[3:6] = stack.at
    counts = stack.counts[depth]
    counts[:actions] = 0.0
    _match(own.entries, frame[0], classes, actions, stack.sigma[depth], counts)
    stack.value[depth, : classes * actions] = 0.0
    for action in range(actions):
        if counts[action] == 0.0 and uniform(random) < rule.keep:
            counts[action] = 1.0 / rule.keep
    if claim > 0:
        value_doubt(game, claim, deal, stack, depth, 0)
        counts[0] = 1.0
        frame[2] = 1
    return int(classes)


@fast_kernel
def _match(
    entries: Floats, begin: int, classes: int, actions: int, sigma: Floats, counts: Floats
) -> None:
    """Regret matching for every class; an action that one has not left behind counts."""
    for group in range(classes):
        x, y = begin + group * actions, group * actions
        total = np.float32(0.0)
        for action in range(actions):
            total += max(entries[x + action], np.float32(0.0))
        if total > NOTHING:
            scale, floor = np.float32(1.0) / total, np.float32(-_BEHIND) * total
            for action in range(actions):
                regret = entries[x + action]
                sigma[y + action] = max(regret, np.float32(0.0)) * scale
                if regret >= floor:
                    counts[action] = np.float32(1.0)
        else:
            for action in range(actions):
                sigma[y + action] = np.float32(1.0 / actions)
                counts[action] = np.float32(1.0)


@kernel
def close_state(game: SampleGame, sums: Sums, deal: Deal, stack: Stack, depth: int) -> int:
    """Go to the next action that counts, up through states that have none left.

    Returns the depth where it is, -1 when the traversal is over.
    """
    while depth >= 0:
        frame = stack.frame[depth]
        while frame[2] < frame[1] and stack.counts[depth, frame[2]] == 0:
            frame[2] += 1
        if frame[2] < frame[1]:
            return depth
        classes = game.size[deal.me, frame[6]]
        mean = stack.mean[depth]
        _learn(
            sums,
            frame[0],
            classes,
            frame[1],
            stack.sigma[depth],
            stack.value[depth],
            stack.counts[depth],
            mean,
        )
        sums.touched[frame[3]] = True
        depth -= 1
        if depth >= 0:
            above = stack.frame[depth]
            merge = game.merge[deal.me, above[6], frame[6]]
            for group in range(game.size[deal.me, above[6]]):
                stack.value[depth, group * above[1] + above[2]] = mean[merge[group]]
            above[2] += 1
    return depth


@fast_kernel
def _learn(
    sums: Sums,
    begin: int,
    classes: int,
    actions: int,
    sigma: Floats,
    value: Floats,
    counts: Floats,
    mean: Floats,
) -> None:
    """Add the regrets of a state; ``mean`` receives the value of every class."""
    for group in range(classes):
        x, y = begin + group * actions, group * actions
        total = np.float32(0.0)
        for action in range(actions):
            total += sigma[y + action] * value[y + action]
        for action in range(actions):
            sums.regret[x + action] += counts[action] * (value[y + action] - total)
        mean[group] = total


@fast_kernel
def add_sums(
    sums: Sums,
    begin: IntArray,
    first: int,
    end: int,
    weight: Floats,
    regret: Floats,
    average: Floats,
) -> None:
    """Add what was learned of states ``first`` to ``end``, and forget it.

    ``weight`` holds the weights of regrets and strategies.
    """
    for state in range(first, end):
        if sums.touched[state]:
            sums.touched[state] = False
            for x in range(begin[state], begin[state + 1]):
                regret[x] += weight[0] * sums.regret[x]
                sums.regret[x] = 0.0
        if sums.flowed[state]:
            sums.flowed[state] = False
            for x in range(begin[state], begin[state + 1]):
                average[x] += weight[1] * sums.flow[x]
                sums.flow[x] = 0.0
