"""Kernels of a sampled round: roll, look up, draw an action, judge a claim."""

from typing import Any

import numpy as np

from mouche_solver.core.jit import fast_kernel, kernel
from mouche_solver.core.random import State, uniform
from mouche_solver.dice.sample.arrays import Floats, IntArray, Machine, SampleGame
from mouche_solver.dice.sweep.arrays import NOTHING


@kernel
def roll(game: SampleGame, hands: IntArray, total: IntArray, random: State) -> None:
    """Draw everybody's hand, and count all dice by face."""
    total[:] = 0
    for player in range(len(hands)):
        hands[player] = pick(game.chance[player], uniform(random))
        for face in range(len(total)):
            total[face] += game.shown[player, hands[player], face]


@kernel
def pick(cumulative: Floats, point: float) -> int:
    """The first number whose cumulative probability exceeds ``point``, at most the last."""
    low, high = 0, len(cumulative) - 1
    while low < high:
        middle = (low + high) // 2
        if point < cumulative[middle]:
            high = middle
        else:
            low = middle + 1
    return low


@kernel
def raises_of(game: SampleGame, claim: int) -> int:
    """How many raises may follow a claim."""
    return int(game.raises_start[claim + 1] - game.raises_start[claim])


@kernel
def is_correct(game: SampleGame, claim: int, total: IntArray) -> bool:
    """Whether a claim is correct."""
    return holds(game, claim, total[game.face[claim]])


@kernel
def holds(game: SampleGame, claim: int, count: int) -> bool:
    """Whether a claim is correct when so many dice count."""
    if game.exact:
        return bool(count == game.quantity[claim])
    return bool(count >= game.quantity[claim])


@kernel
def place(
    game: SampleGame, machine: Machine, state: int, actions: int, seat: int, hand: int
) -> int:
    """Where the entries of a hand in a state begin."""
    return int(machine.begin[state] + actions * game.group[seat, machine.last[state], hand])


@fast_kernel
def positive_sum(entries: Floats, begin: int, actions: int) -> Any:
    """Sum of the positive entries of an information set."""
    total = np.float32(0.0)
    for x in range(begin, begin + actions):
        total += max(entries[x], np.float32(0.0))
    return total


@kernel
def draw(entries: Floats, begin: int, actions: int, total: float, random: State) -> int:
    """Draw an action in proportion to the positive entries, of which ``total`` is the sum."""
    point = uniform(random)
    if total <= NOTHING:
        return int(point * actions)
    left = point * total
    chosen = 0
    for action in range(actions):
        value = entries[begin + action]
        if value > 0:
            chosen = action
            left -= value
            if left < 0:
                break
    return chosen
