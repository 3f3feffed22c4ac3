"""External sampling: one player tries every action, everybody else's are drawn [1]_.

Strategies are read, never written: what a chunk of traversals learns goes to its log
(``sample_log.py``).

References
----------
.. [1] Lanctot, Waugh, Zinkevich and Bowling, Monte Carlo sampling for regret minimization in
   extensive games, 2009.
"""

from typing import NamedTuple

import numpy as np

from mouche_solver.core.jit import kernel
from mouche_solver.dice.kernel_arrays import NOTHING, Floats, IntArray
from mouche_solver.dice.sample_arrays import SampleGame
from mouche_solver.dice.sample_deal import (
    Side,
    draw,
    is_correct,
    place,
    positive_sum,
    raises_of,
    roll,
)
from mouche_solver.dice.sample_log import Log, log_mean, log_regrets
from mouche_solver.dice.sample_random import Stream, uniform

# An action counts as left behind when its regret is below minus this share of the positive ones.
_BEHIND = 0.5
# Where a traversal goes astray: the chance of each move to be the blind claim.
_BLIND = 0.25


class Rule(NamedTuple):
    """How a chunk samples.

    ``averaging`` logs the strategies of the others. A share ``astray`` of the traversals starts
    behind a claim that was drawn blindly. Actions that are left behind are tried in a share
    ``keep`` of cases, and count so much more then.
    """

    averaging: bool
    astray: float
    keep: float


class Deal(NamedTuple):
    """The traversing player, all hands, the dice that count as each face, and claims before."""

    me: int
    hands: IntArray
    total: IntArray
    path: IntArray


class Stack(NamedTuple):
    """The player's open information sets, and where the traversal is.

    ``frame`` holds for each depth: first entry, actions, next action, state of the player, state
    of the others, turn. ``at`` holds the last three of the present place. ``tried`` is how often an
    action counts, 0 when it is left out.
    """

    frame: IntArray
    sigma: Floats
    value: Floats
    tried: Floats
    at: IntArray


@kernel
def sample_chunk(
    game: SampleGame, own: Side, other: Side, seats: IntArray, rule: Rule, budget: int, log: Log,
    random: Stream,
) -> int:  # fmt: skip
    """Traversals for each of ``seats`` on one deal after another, until ``budget`` is used up.

    The player's strategy is matched from the entries of ``own``, everybody else's from those of
    ``other``. Returns the number of information sets seen.
    """
    most = len(game.quantity)  # claims, so the longest line as well
    hands, total = np.zeros(game.group.shape[0], np.int64), np.zeros(game.shown.shape[2], np.int64)
    path = np.zeros(most, np.int64)
    stack = Stack(
        np.zeros((most, 6), np.int64),
        np.zeros((most, most)),
        np.zeros((most, most)),
        np.zeros((most, most)),
        np.zeros(3, np.int64),
    )
    log.used[:] = 0
    visits = 0
    while visits < budget:
        roll(game, hands, total, random)
        for me in seats:
            deal = Deal(me, hands, total, path)
            done = _astray(game, other, deal, random) if uniform(random) < rule.astray else 0
            visits += _traverse(game, own, other, deal, done, rule, log, random, stack)
    return visits


@kernel
def _astray(game: SampleGame, side: Side, deal: Deal, random: Stream) -> int:
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
            seat = done % players
            actions = raises + (claim > 0)
            begin = place(game, side.machine, state, actions, seat, deal.hands[seat])
            total = positive_sum(side.entries, begin, actions)
            chosen = draw(side.entries, begin, actions, total, random) - (claim > 0)
            if chosen < 0:
                return 0
        deal.path[done] = chosen
        done += 1
        state = side.machine.after[side.machine.step[state] + chosen]
        if blind:
            return done


@kernel
def _traverse(
    game: SampleGame, own: Side, other: Side, deal: Deal, done: int, rule: Rule, log: Log,
    random: Stream, stack: Stack,
) -> int:  # fmt: skip
    """One traversal below ``done`` raises; returns the information sets seen."""
    stack.at[:] = 0
    for number in range(done):
        _move(own, other, stack, deal.path[number])
    depth, visits = -1, 0
    while True:
        ended, worth, seen = _descend(game, own, other, deal, rule, log, random, stack)
        visits += seen
        if not ended:
            visits += 1
            depth += 1
            _open(game, own, deal, rule, random, stack, depth)
        elif depth < 0:
            return visits
        else:
            stack.value[depth, stack.frame[depth, 2]] = worth
            stack.frame[depth, 2] += 1
        depth = _close(log, stack, depth)
        if depth < 0:
            return visits
        frame = stack.frame[depth]
        stack.at[:] = frame[3:]
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
    game: SampleGame, own: Side, other: Side, deal: Deal, rule: Rule, log: Log, random: Stream,
    stack: Stack,
) -> tuple[bool, float, int]:  # fmt: skip
    """Draw the others' moves down to the player's next choice, or to a doubt.

    Returns whether the round ended, what it then is worth, and the information sets seen.
    """
    players, visits = len(deal.hands), 0
    while True:
        state, turn = stack.at[1], stack.at[2]
        claim = other.machine.last[state]
        seat = turn % players
        raises = raises_of(game, claim)
        chosen = -1
        if raises > 0:
            if seat == deal.me:
                return False, 0.0, visits
            visits += 1
            actions = raises + (claim > 0)
            begin = place(game, other.machine, state, actions, seat, deal.hands[seat])
            total = positive_sum(other.entries, begin, actions)
            chosen = draw(other.entries, begin, actions, total, random) - (claim > 0)
            if rule.averaging:
                log_mean(log, other.entries, begin, actions, total)
        if chosen < 0:
            return True, _doubt(game, claim, turn, deal), visits
        _move(own, other, stack, chosen)


@kernel
def _doubt(game: SampleGame, claim: int, turn: int, deal: Deal) -> float:
    """What a doubt at a turn is worth: -1 for losing the round."""
    loser = turn if is_correct(game, claim, deal.total) else turn - 1
    return -1.0 if loser % len(deal.hands) == deal.me else 0.0


@kernel
def _open(
    game: SampleGame, own: Side, deal: Deal, rule: Rule, random: Stream, stack: Stack, depth: int
) -> None:
    """Enter the player's information set at the present place; a doubt is valued at once."""
    state, turn = stack.at[0], stack.at[2]
    claim = own.machine.last[state]
    actions = raises_of(game, claim) + (claim > 0)
    begin = place(game, own.machine, state, actions, deal.me, deal.hands[deal.me])
    total = positive_sum(own.entries, begin, actions)
    behind = 1.0 / rule.keep if uniform(random) < rule.keep else 0.0
    for action in range(actions):
        regret = own.entries[begin + action]
        stack.sigma[depth, action] = max(regret, 0.0) / total if total > NOTHING else 1.0 / actions
        stack.value[depth, action] = 0.0
        stack.tried[depth, action] = behind if regret < -_BEHIND * total else 1.0
    frame = stack.frame[depth]
    frame[0], frame[1], frame[2] = begin, actions, 0
    frame[3:] = stack.at
    if claim > 0:
        stack.value[depth, 0] = _doubt(game, claim, turn, deal)
        stack.tried[depth, 0] = 1.0
        frame[2] = 1


@kernel
def _close(log: Log, stack: Stack, depth: int) -> int:
    """Go to the next action that is tried, up through information sets that have none left.

    Returns the depth where it is, -1 when the traversal is over.
    """
    while depth >= 0:
        frame = stack.frame[depth]
        actions = frame[1]
        while frame[2] < actions and stack.tried[depth, frame[2]] == 0:
            frame[2] += 1
        if frame[2] < actions:
            return depth
        mean = 0.0
        for action in range(actions):
            mean += stack.sigma[depth, action] * stack.value[depth, action]
        log_regrets(log, frame[0], actions, stack.value[depth], stack.tried[depth], mean)
        depth -= 1
        if depth >= 0:
            stack.value[depth, stack.frame[depth, 2]] = mean
            stack.frame[depth, 2] += 1
    return depth
