"""The traversing player's states during a traversal: entered and left with all hands at once."""

from typing import NamedTuple

import numpy as np

from mouche_solver.core.jit import fast_kernel, kernel
from mouche_solver.dice.sample.arrays import SampleGame
from mouche_solver.dice.sample.deal import Side, holds, raises_of
from mouche_solver.dice.sample.random import Stream, uniform
from mouche_solver.dice.sample.sums import Sums
from mouche_solver.dice.sweep.arrays import NOTHING, Floats, IntArray

# A class has left an action behind when its regret is below minus this share of the positive ones.
_BEHIND = 0.5


class Rule(NamedTuple):
    """How a chunk samples.

    ``averaging`` adds the others' strategies to the average: they come by with the probability of
    their own moves, as an average needs it, where the player who tries everything does not. A
    share ``astray`` of the traversals starts behind a claim that was drawn blindly. Actions that
    all classes have left behind are tried in a share ``keep`` of cases, and count so much more
    then.
    """

    averaging: bool
    astray: float
    keep: float


class Deal(NamedTuple):
    """The traversing player, all hands, the others' dice that count as each face, claims before."""

    me: int
    hands: IntArray
    rest: IntArray
    path: IntArray


class Stack(NamedTuple):
    """The player's open states, and where the traversal is.

    ``frame`` holds for each depth: first entry, actions, next action, the player's state, the
    others', the turn, the level of the hands. ``at`` holds state, state and turn of the present
    place. ``sigma`` and ``value`` are in the order [class][action], ``mean`` is the value of each
    class; ``counts`` is how often an action counts, 0 when it is left out.
    """

    frame: IntArray
    sigma: Floats
    value: Floats
    mean: Floats
    counts: Floats
    at: IntArray


def new_stack(game: SampleGame) -> Stack:
    """Room for any traversal of a round; a line has no more claims than there are."""
    players, most = game.group.shape[0], len(game.quantity)
    depth, hands = -(-most // players) + 1, game.prior.shape[1]
    block = (depth, hands * most)
    return Stack(
        np.zeros((depth, 7), np.int64),
        np.zeros(block, np.float32),
        np.zeros(block, np.float32),
        np.zeros((depth, hands), np.float32),
        np.zeros((depth, most), np.float32),
        np.zeros(3, np.int64),
    )


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
    game: SampleGame, own: Side, deal: Deal, rule: Rule, random: Stream, stack: Stack, depth: int
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
            sums, frame[0], classes, frame[1], stack.sigma[depth], stack.value[depth],
            stack.counts[depth], mean,
        )  # fmt: skip
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
    sums: Sums, begin: int, classes: int, actions: int, sigma: Floats, value: Floats,
    counts: Floats, mean: Floats,
) -> None:  # fmt: skip
    """Add the regrets of a state; ``mean`` receives the value of every class."""
    for group in range(classes):
        x, y = begin + group * actions, group * actions
        total = np.float32(0.0)
        for action in range(actions):
            total += sigma[y + action] * value[y + action]
        for action in range(actions):
            sums.regret[x + action] += counts[action] * (value[y + action] - total)
        mean[group] = total
