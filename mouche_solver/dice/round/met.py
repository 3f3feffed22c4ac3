"""How good advice is at the positions that human-like players lead to.

Rounds are simulated between a strategy, which is drawn from as it advises, and a human-like player
who takes either seat in turn. At every decision of the strategy the *loss* is the value of its best
listed action less the mean value of its mix. Values are the strategy's own listed ones, against the
range that it assumes: a strategy that lists wrong values can look good here, so the points won are
counted too.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import sqrt

import numpy as np
from numpy.typing import NDArray

from mouche_solver.dice.people.fitted import Opponent
from mouche_solver.dice.people.sight import look
from mouche_solver.dice.round.strategy import RoundStrategy
from mouche_solver.dice.rules.referee import Round, roll
from mouche_solver.dice.rules.rules import Claim


@dataclass(frozen=True)
class Met:
    """What was met against one player.

    Attributes
    ----------
    opponent : str
    rounds, decisions : int
        Rounds played, and decisions of the strategy in them.
    loss, loss_error : float
        Mean loss of a decision, payoffs of +1 and -1, and its standard error; decisions of one
        round count as one observation.
    worst : float
        The largest loss of a decision.
    above : float
        Share of the decisions that lose more than 0.1.
    won, won_error : float
        Payoff of the strategy a round, and its standard error.
    """

    opponent: str
    rounds: int
    decisions: int
    loss: float
    loss_error: float
    worst: float
    above: float
    won: float
    won_error: float


def met_against(
    strategy: RoundStrategy,
    opponent: Opponent,
    rounds: int,
    seed: int = 0,
    told: Callable[[int], None] = lambda done: None,
) -> Met:
    """Play rounds against a player and measure the strategy's decisions in them.

    Parameters
    ----------
    strategy : RoundStrategy
    opponent : Opponent
    rounds : int
        At least 2.
    seed : int
        The same seed rolls and draws the same.
    told : callable
        Receives the rounds done.

    Returns
    -------
    Met
    """
    random = np.random.default_rng(seed)
    losses: list[list[float]] = []
    won = np.zeros(rounds)
    for number in range(rounds):
        found, won[number] = _play(strategy, opponent, number % 2, random)
        losses.append(found)
        told(number + 1)
    return summed(opponent.name, losses, won)


def summed(opponent: str, losses: Sequence[Sequence[float]], won: NDArray[np.float64]) -> Met:
    """What the losses of every decision, round by round, and the payoffs of rounds come to."""
    every = np.array([loss for one in losses for loss in one])
    mean = float(every.mean()) if every.size else 0.0
    # A ratio of sums over rounds: its error by the residuals of the rounds.
    residual = np.array([sum(one) - mean * len(one) for one in losses])
    error = float(np.sqrt((residual**2).sum())) / max(len(every), 1)
    return Met(
        opponent,
        len(won),
        len(every),
        mean,
        error,
        float(every.max()) if every.size else 0.0,
        float((every > 0.1).mean()) if every.size else 0.0,
        float(won.mean()),
        float(won.std(ddof=1)) / sqrt(len(won)),
    )


def _play(
    strategy: RoundStrategy, opponent: Opponent, place: int, random: np.random.Generator
) -> tuple[list[float], float]:
    """One round with the strategy at a place: the losses of its decisions, and its payoff."""
    rules = strategy.rules
    cups = roll(rules, random)
    history: tuple[Claim, ...] = ()
    found = []
    while True:
        player = len(history) % 2
        sight = look(rules, history)
        row = sight.hands.index(cups[player])
        if player == place:
            table = strategy.table(history)
            mix = table.probabilities[row]
            found.append(float(table.values[row].max() - mix @ table.values[row]))
        else:
            mix = opponent.mix(rules, history)[row]
        chosen = int(random.choice(len(mix), p=mix / mix.sum())) - bool(history)
        if chosen < 0:
            break
        history = (*history, sight.raises[chosen])
    reveal = Round(rules, cups, history, doubted=True).reveal
    assert reveal is not None
    return found, -1.0 if reveal.loser == place else 1.0
