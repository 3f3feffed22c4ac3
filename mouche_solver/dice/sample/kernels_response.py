"""Kernels of the local best response: exact ranges, one step of looking ahead."""

import numpy as np

from mouche_solver.core.jit import kernel
from mouche_solver.core.random import State, uniform
from mouche_solver.dice.sample.arrays import Floats, IntArray, SampleGame, Side
from mouche_solver.dice.sample.kernels_deal import (
    draw,
    is_correct,
    pick,
    place,
    positive_sum,
    raises_of,
    roll,
)
from mouche_solver.dice.sample.kernels_tournament import play_on, step_all

# Continuations of each action in the first round of the comparison; the better half gets twice as
# many in the next.
_FIRST = 4


@kernel
def respond_deals(game: SampleGame, side: Side, lost: Floats, random: State) -> None:
    """Deals on which each seat in turn responds to a table of one strategy.

    ``lost`` has shape (deals,) and receives the share of the seats in which the responder lost.
    """
    players = game.group.shape[0]
    hands, total = np.zeros(players, np.int64), np.zeros(game.shown.shape[2], np.int64)
    for deal in range(len(lost)):
        roll(game, hands, total, random)
        lost[deal] = 0.0
        for me in range(players):
            if _respond(game, side, me, hands, total, random) == me:
                lost[deal] += 1.0 / players


@kernel
def _respond(
    game: SampleGame, side: Side, me: int, hands: IntArray, total: IntArray, random: State
) -> int:
    """One round in which seat ``me`` looks ahead; the seat that loses."""
    players = len(hands)
    states = np.zeros(players, np.int64)
    reach = np.zeros(game.chance.shape)
    reach[:, 0] = game.chance[:, 0]
    reach[:, 1:] = game.chance[:, 1:] - game.chance[:, :-1]
    turn = 0
    while True:
        seat, state = turn % players, states[0]  # all are in the same state
        claim = side.machine.last[state]
        raises = raises_of(game, claim)
        actions = raises + (claim > 0)
        chosen = -1
        if raises > 0 and seat == me:
            chosen = _look_ahead(game, side, me, state, turn, hands[me], reach, random)
        elif raises > 0:
            begin = place(game, side.machine, state, actions, seat, hands[seat])
            weight = positive_sum(side.entries, begin, actions)
            action = draw(side.entries, begin, actions, weight, random)
            _condition(game, side, state, seat, actions, action, reach[seat])
            chosen = action - (claim > 0)
        if chosen < 0:
            loser = turn if is_correct(game, claim, total) else turn - 1
            return int(loser % players)
        step_all(side, states, chosen)
        turn += 1


@kernel
def _condition(
    game: SampleGame, side: Side, state: int, seat: int, actions: int, action: int, reach: Floats
) -> None:
    """Bayes: what an action says about the hands of the seat that took it."""
    for hand in range(len(reach)):
        if reach[hand] > 0:
            begin = place(game, side.machine, state, actions, seat, hand)
            weight = positive_sum(side.entries, begin, actions)
            if weight > 0:
                reach[hand] *= max(side.entries[begin + action], 0.0) / weight
            else:
                reach[hand] /= actions


@kernel
def _look_ahead(
    game: SampleGame,
    side: Side,
    me: int,
    state: int,
    turn: int,
    hand: int,
    reach: Floats,
    random: State,
) -> int:
    """The raise that loses least often when all, the responder included, go on by the strategy.

    Returns its number, -1 for a doubt. All actions meet the same hands of the others.
    """
    claim = side.machine.last[state]
    first = 0 if claim == 0 else -1
    raises = raises_of(game, claim)
    alive = np.arange(first, raises)
    mean, many = np.zeros(raises - first), 0
    cumulative = np.zeros(reach.shape)
    for player in range(len(reach)):
        cumulative[player] = np.cumsum(reach[player])
    more = _FIRST
    while len(alive) > 1:
        found = _compare(game, side, me, state, turn, hand, alive, more, cumulative, random)
        for x in range(len(alive)):
            mean[alive[x] - first] = (mean[alive[x] - first] * many + found[x]) / (many + more)
        many += more
        order = np.argsort(mean[alive - first], kind="mergesort")
        alive = alive[order[: (len(alive) + 1) // 2]]
        more *= 2
    return int(alive[0])


@kernel
def _compare(
    game: SampleGame,
    side: Side,
    me: int,
    state: int,
    turn: int,
    hand: int,
    alive: IntArray,
    many: int,
    cumulative: Floats,
    random: State,
) -> Floats:
    """How often each raise (-1: the doubt) loses in so many continuations."""
    players = len(cumulative)
    claim = side.machine.last[state]
    hands, states = np.zeros(players, np.int64), np.zeros(players, np.int64)
    total = np.zeros(game.shown.shape[2], np.int64)
    lost = np.zeros(len(alive))
    for _ in range(many):
        total[:] = 0
        for player in range(players):
            if player == me:
                hands[player] = hand
            else:
                point = uniform(random) * cumulative[player, -1]
                hands[player] = pick(cumulative[player], point)
            for face in range(len(total)):
                total[face] += game.shown[player, hands[player], face]
        for x in range(len(alive)):
            if alive[x] < 0:
                lost[x] += 1.0 if is_correct(game, claim, total) else 0.0
            else:
                states[:] = state
                step_all(side, states, alive[x])
                loser = play_on(game, side, states, turn + 1, hands, total, random)
                lost[x] += 1.0 if loser == me else 0.0
    return lost
