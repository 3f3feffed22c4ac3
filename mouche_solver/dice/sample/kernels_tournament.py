"""Kernels that play rounds between strategies with bounded memories."""

import numpy as np

from mouche_solver.core.jit import kernel
from mouche_solver.core.random import State
from mouche_solver.dice.sample.arrays import Floats, IntArray, SampleGame, Side
from mouche_solver.dice.sample.kernels_deal import (
    draw,
    is_correct,
    place,
    positive_sum,
    raises_of,
    roll,
)


@kernel
def play_deals(game: SampleGame, side: Side, roots: IntArray, lost: Floats, random: State) -> None:
    """Play each deal once for every rotation of the seats.

    Parameters
    ----------
    roots : int64 array, shape (players,)
        Where each contestant starts; in rotation r contestant c sits in seat (c + r) mod players.
    lost : float array, shape (deals, players)
        Receives the share of the rotations that each contestant lost.
    """
    players = len(roots)
    hands, total = np.zeros(players, np.int64), np.zeros(game.shown.shape[2], np.int64)
    states = np.zeros(players, np.int64)
    lost[:] = 0
    for deal in range(len(lost)):
        roll(game, hands, total, random)
        for turned in range(players):
            for contestant in range(players):
                states[(contestant + turned) % players] = roots[contestant]
            loser = play_on(game, side, states, 0, hands, total, random)
            lost[deal, (loser - turned) % players] += 1.0 / players


@kernel
def play_on(
    game: SampleGame,
    side: Side,
    states: IntArray,
    turn: int,
    hands: IntArray,
    total: IntArray,
    random: State,
) -> int:
    """Play a round to its end, from seats' states that are changed; the seat that loses."""
    players = len(hands)
    while True:
        seat = turn % players
        state = states[seat]
        claim = side.machine.last[state]
        raises = raises_of(game, claim)
        chosen = -1
        if raises > 0:
            actions = raises + (claim > 0)
            begin = place(game, side.machine, state, actions, seat, hands[seat])
            weight = positive_sum(side.entries, begin, actions)
            chosen = draw(side.entries, begin, actions, weight, random) - (claim > 0)
        if chosen < 0:
            loser = turn if is_correct(game, claim, total) else turn - 1
            return int(loser % players)
        step_all(side, states, chosen)
        turn += 1


@kernel
def step_all(side: Side, states: IntArray, chosen: int) -> None:
    """Everybody hears a raise."""
    for player in range(len(states)):
        states[player] = side.machine.after[side.machine.step[states[player]] + chosen]
