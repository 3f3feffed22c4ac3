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

from mouche_solver.core.jit import kernel
from mouche_solver.dice.sample.arrays import SampleGame
from mouche_solver.dice.sample.deal import Side, draw, place, positive_sum, raises_of, roll
from mouche_solver.dice.sample.random import Stream, uniform
from mouche_solver.dice.sample.states import (
    Deal,
    Rule,
    Stack,
    close_state,
    open_state,
    value_doubt,
)
from mouche_solver.dice.sample.sums import Sums
from mouche_solver.dice.sweep.arrays import NOTHING

# Where a traversal goes astray: the chance of each move to be the blind claim.
_BLIND = 0.25


@kernel
def sample_chunk(
    game: SampleGame, own: Side, other: Side, rule: Rule, budget: int, sums: Sums, stack: Stack,
    random: Stream,
) -> int:  # fmt: skip
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
    game: SampleGame, side: Side, state: int, seat: int, deal: Deal, random: Stream
) -> int:
    """The raise that a seat draws, -1 for a doubt."""
    claim = side.machine.last[state]
    actions = raises_of(game, claim) + (claim > 0)
    begin = place(game, side.machine, state, actions, seat, deal.hands[seat])
    total = positive_sum(side.entries, begin, actions)
    return int(draw(side.entries, begin, actions, total, random) - (claim > 0))


@kernel
def _traverse(
    game: SampleGame, own: Side, other: Side, deal: Deal, done: int, rule: Rule, sums: Sums,
    random: Stream, stack: Stack,
) -> int:  # fmt: skip
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
    game: SampleGame, own: Side, other: Side, deal: Deal, rule: Rule, sums: Sums, random: Stream,
    stack: Stack,
) -> tuple[bool, int]:  # fmt: skip
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
