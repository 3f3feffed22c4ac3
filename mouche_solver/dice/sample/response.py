"""How much a single player can gain against a table of one strategy: lower bounds.

Both responders are real players: what they gain is found by playing, so that no responder's error
makes the strategy look better than it is by more than the interval. Somebody else may gain more.
"""

from dataclasses import asdict, dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mouche_solver.core.checks import check_int
from mouche_solver.core.chunks import Workers
from mouche_solver.core.statistics import Interval, mean_interval
from mouche_solver.core.streams import Purpose, stream
from mouche_solver.dice.sample.arrays import Machine, Side
from mouche_solver.dice.sample.game import sample_game
from mouche_solver.dice.sample.kernels_response import respond_deals
from mouche_solver.dice.sample.strategy import SampledStrategy
from mouche_solver.dice.sample.tournament import (
    MOST_DEALS,
    Contestant,
    play_tournament,
    sampled_player,
)
from mouche_solver.dice.sample.train import SampleLimits, Sampler, run_batches
from mouche_solver.dice.sample.view import View, build_machine
from mouche_solver.dice.sweep.tree import RoundTree
from mouche_solver.errors import RulesError

# Deals of a local response that share a stream of random numbers.
_CHUNK = 16
# The response starts out from the strategy, as if it had been confirmed for so many batches.
_PRIOR = 1.0


@dataclass(frozen=True)
class Gain:
    """What a responder gained over everybody playing alike.

    Attributes
    ----------
    gain : float
        Points a round, averaged over the seats.
    interval : (float, float)
        95 %, over deals.
    deals : int
    """

    gain: float
    interval: Interval
    deals: int

    def to_dict(self) -> dict[str, Any]:
        """All fields."""
        return asdict(self)


def local_response(
    strategy: SampledStrategy, deals: int = 2000, seed: int = 1, threads: int | None = None
) -> Gain:
    """What a local best response gains [1]_.

    The responder knows the strategy, so it knows everybody's range exactly. At each of its turns it
    plays the action that loses least often, in sampled continuations, if all go on by the
    strategy; so it improves on the strategy by a step at every turn.

    Parameters
    ----------
    strategy : SampledStrategy
    deals : int
        2 to 10**8; each takes 8 bytes.
    seed : int
    threads : int, optional
        All processors by default; the result does not depend on it.

    Returns
    -------
    Gain
        A lower bound: another responder may gain more.

    Raises
    ------
    RulesError
        For another number of deals.

    References
    ----------
    .. [1] After Lisy and Bowling, Equilibrium approximation quality of current no-limit poker
       bots, 2017, where continuations are checks and calls.
    """
    deals = check_int("deals", deals, 2, MOST_DEALS)
    game = sample_game(strategy.tree)
    side = Side(strategy.machine, strategy.entries)
    lost = np.zeros(deals)

    def respond(chunk: int) -> None:
        part = lost[chunk * _CHUNK : (chunk + 1) * _CHUNK]
        respond_deals(game, side, part, stream(Purpose.DICE_LOOK, seed, chunk))

    with Workers(threads) as workers:
        workers.map(respond, range(-(-deals // _CHUNK)))
    gain, interval = mean_interval(1.0 / strategy.rules.players - lost)
    return Gain(gain, interval, deals)


def learned_response(
    strategy: SampledStrategy,
    view: View,
    limits: SampleLimits,
    deals: int = 200_000,
    seed: int = 1,
    threads: int | None = None,
) -> Gain:
    """What a responder gains that was trained against the strategy with a finer view.

    Parameters
    ----------
    strategy : SampledStrategy
    view : View
        What the responder remembers.
    limits : SampleLimits
        How long it learns.
    deals : int
        On which its gain is measured, after learning.
    seed : int
    threads : int, optional

    Returns
    -------
    Gain
        A lower bound: another responder may gain more.

    Raises
    ------
    RulesError
        When the view forgets something that the strategy's remembers.
    """
    trained = train_response(strategy, view, limits, seed, threads)
    others = [sampled_player(strategy)] * (strategy.rules.players - 1)
    played = play_tournament(strategy.rules, [trained, *others], deals, seed + 1, threads)
    gain, interval = mean_interval(1.0 / strategy.rules.players - played.lost[:, 0])
    return Gain(gain, interval, deals)


def train_response(
    strategy: SampledStrategy, view: View, limits: SampleLimits, seed: int, threads: int | None
) -> Contestant:
    """Train a responder with a view against a table of the strategy.

    Parameters
    ----------
    strategy : SampledStrategy
    view : View
    limits : SampleLimits
    seed : int
    threads : int or None

    Returns
    -------
    Contestant
        Called ``response``; it takes the action with the largest regret everywhere.

    Raises
    ------
    RulesError
        When the view forgets something that the strategy's remembers.
    """
    machine = build_machine(strategy.tree, view)
    start = refine(strategy, machine)
    side = Side(strategy.machine, strategy.entries)
    sampler = Sampler(strategy.rules, machine, side, seed, threads, Purpose.DICE_RESPONSE_TRAIN)
    sampler.regret += _PRIOR * start
    run_batches(sampler, limits)
    return Contestant("response", Side(machine, _best(machine, strategy.tree, sampler.regret)))


def refine(strategy: SampledStrategy, machine: Machine) -> NDArray[np.float32]:
    """The strategy's probabilities as entries of a machine that remembers more.

    Parameters
    ----------
    strategy : SampledStrategy
    machine : Machine
        It must remember all that the strategy's does.

    Returns
    -------
    float32 array, shape (machine.entries,)

    Raises
    ------
    RulesError
        When the machine forgets something that the strategy's remembers.
    """
    coarse, tree = strategy.machine, strategy.tree
    inside = np.full(len(machine.last), -1)
    inside[0] = 0
    found = np.zeros(machine.entries, dtype=np.float32)
    for state, claim in enumerate(map(int, machine.last)):
        there, raises = int(inside[state]), len(tree.raises[claim])
        after = machine.after[machine.step[state] : machine.step[state] + raises]
        expected = coarse.after[coarse.step[there] : coarse.step[there] + raises]
        if ((inside[after] >= 0) & (inside[after] != expected)).any():
            raise RulesError("the response's view must remember all that the strategy's does")
        inside[after] = expected
        block = strategy.entries[coarse.begin[there] : coarse.begin[there + 1]]
        if raises:
            rows = block.reshape(-1, raises + (claim > 0))
            part = rows / rows.sum(axis=1, keepdims=True)
            found[machine.begin[state] : machine.begin[state + 1]] = part.ravel()
    return found


def _best(machine: Machine, tree: RoundTree, regret: NDArray[np.float32]) -> NDArray[np.float32]:
    """The action with the largest regret of every information set, as entries."""
    found = np.zeros_like(regret)
    for state, claim in enumerate(map(int, machine.last)):
        actions = len(tree.raises[claim]) + (claim > 0)
        block = slice(int(machine.begin[state]), int(machine.begin[state + 1]))
        rows = regret[block].reshape(-1, actions)
        chosen = np.zeros_like(rows)
        chosen[np.arange(len(rows)), rows.argmax(axis=1)] = 1.0
        found[block] = chosen.ravel()
    return found
