"""Safe re-solving: a new strategy below one history that keeps what the old one promised.

The protected player's new strategy must not let any hand of the other player get more than the
value it had against the old strategy, or it could be led into this subgame on purpose. So the
other player may, for each hand, take that value instead of playing on (the gadget of [1]_).
A part of its weight plays on regardless with the range that the old strategy expects, so that the
new strategy is good against the expected hands too; the less likely that range is, the less it
counts.

References
----------
.. [1] Burch, Johanson and Bowling, Solving imperfect information games using decomposition, 2014.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from mouche_solver.core.minimisers import Schedule, schedule
from mouche_solver.dice.round.subgame import RegionGame
from mouche_solver.dice.sweep.layout import subgame_region
from mouche_solver.dice.sweep.tree import RoundTree

Floats = NDArray[np.float64]
# A line that the other player's hands speak with this probability is half trusted.
_DOUBTFUL = 1e-3
# Entries times iterations that take a second or two.
_PATIENCE = 400_000_000


@dataclass(frozen=True)
class Resolved:
    """A re-solved subgame.

    Attributes
    ----------
    game : RegionGame
        Its averages hold both players' strategies.
    loss : float
        What the other player's best response gains over the promised values, in expected payoff,
        over hands as they are rolled.
    iterations : int
    """

    game: RegionGame
    loss: float
    iterations: int


def resolve(
    tree: RoundTree,
    cell: int,
    ranges: tuple[Floats, Floats],
    promised: Floats,
    protect: int,
    reach: float,
    target: float = 5e-5,
) -> Resolved:
    """Solve the subgame below one history of a cell again.

    Parameters
    ----------
    tree : RoundTree
    cell : int
        Last claim and player to act, as a cell.
    ranges : tuple of float64 array, shape (classes,)
        Each player's range there; any scale.
    promised : float64 array, shape (classes,)
        Expected payoff that each hand class of the other player may have at most.
    protect : int
        The player whose new strategy is wanted.
    reach : float
        Probability that the other player's hands speak so, 0 when its range is a guess.
    target : float
        Loss at which to stop; large subgames stop earlier, after as many iterations as a person
        waits for.

    Returns
    -------
    Resolved
    """
    trust = 0.5 * reach / (reach + _DOUBTFUL)
    gadget = _Gadget(tree, cell, ranges, promised, protect, trust)
    rule = schedule("dcfr")
    most = int(np.clip(_PATIENCE // max(gadget.game.region.entries, 1), 200, 2000))
    loss = np.inf
    done = 0
    while done < most and loss > target:
        for _ in range(min(50, most - done)):
            done += 1
            gadget.iterate(rule, done)
        loss = gadget.loss()
    return Resolved(gadget.game, float(loss), done)


class _Gadget:
    def __init__(
        self,
        tree: RoundTree,
        cell: int,
        ranges: tuple[Floats, Floats],
        promised: Floats,
        protect: int,
        trust: float,
    ) -> None:
        self.game = RegionGame(tree, subgame_region(tree, cell))
        self.protect, self.other = protect, 1 - protect
        self.promised = promised
        self.own = ranges[protect] / ranges[protect].sum()
        self.expected = ranges[self.other] / ranges[self.other].sum()
        self.trust = trust
        classes = tree.classes[self.other]
        level = tree.level[cell // 2]
        self.prior = np.bincount(classes.of_hand[level], classes.prior)
        self.regret = np.zeros((2, len(promised)))  # take the promise, play on

    def iterate(self, rule: Schedule, iteration: int) -> None:
        positive = np.maximum(self.regret, 0.0)
        total = positive.sum(axis=0)
        play_on = np.where(total > 0, positive[1] / np.maximum(total, 1e-30), 0.5)
        flow = self.trust * self.expected + (1.0 - self.trust) * self.prior * play_on
        self.game.update(self.protect, flow, rule, iteration)
        values = self.game.update(self.other, self.own, rule, iteration).astype(np.float64)
        mixed = play_on * values + (1.0 - play_on) * self.promised
        keep, forget = rule.factors(iteration)
        self.regret *= np.where(self.regret > 0, keep, forget)
        self.regret += np.stack([self.promised, values]) - mixed

    def loss(self) -> float:
        best = self.game.best_response(self.other, self.own)
        return float(self.prior @ np.maximum(best - self.promised, 0.0))
