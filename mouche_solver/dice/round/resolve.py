"""Safe re-solving: a new strategy below one history that keeps what the old one promised.

The protected player's new strategy must not let any hand of the other player get more than the
value it had against the old strategy, or it could be led into this subgame on purpose. So the
other player may, for each hand, take that value instead of playing on (the gadget of [1]_).
A part of its weight plays on regardless with the range that the old strategy expects, so that the
new strategy is good against the expected hands too; the less likely that range is, the less it
counts.

Where the other player is known, a share of him holds the hands that he then has and moves as he
does to the end of the round, and the rest is free as above (a restricted Nash response, [2]_).

References
----------
.. [1] Burch, Johanson and Bowling, Solving imperfect information games using decomposition, 2014.
.. [2] Johanson, Zinkevich and Bowling, Computing robust counter-strategies, 2007.
"""

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from mouche_solver.core.minimisers import DEFAULT_TREMBLE, Schedule, schedule
from mouche_solver.dice.round.subgame import RegionGame
from mouche_solver.dice.sweep.layout import subgame_region
from mouche_solver.dice.sweep.tree import RoundTree

Floats = NDArray[np.float64]
# A line that the other player's hands speak with this probability is half trusted.
_DOUBTFUL = 1e-3
# Entries times iterations that take a second or so, and iterations that are done at least.
PATIENCE, LEAST = 60_000_000, 60


@dataclass(frozen=True)
class Described:
    """A part of the other player that is known.

    Attributes
    ----------
    share : float
        Of the player, 0 to 1.
    range : float64 array, shape (classes,)
        His hands; any scale.
    entries : float32 array, shape (entries,)
        What he does in the subgame, in the order of its region.
    """

    share: float
    range: Floats
    entries: NDArray[np.float32]


@dataclass(frozen=True)
class Subproblem:
    """One history whose strategy is wanted again, and what is believed there.

    Attributes
    ----------
    tree : RoundTree
        Perhaps one of which claims are left out.
    cell : int
        Last claim and player to act, as a cell.
    ranges : tuple of float64 array, shape (classes,)
        Each player's range there; any scale.
    promised : float64 array, shape (classes,), or None
        Expected payoff that each hand class of the other player may have at most. None where
        nothing is known: the range is then trusted altogether.
    protect : int
        The player whose new strategy is wanted.
    trust : float
        Share of the other player that holds the range and plays on whatever he was promised.
    described : Described, optional
        The part of him that is known; ``trust`` then is a share of the rest.
    """

    tree: RoundTree
    cell: int
    ranges: tuple[Floats, Floats]
    promised: Floats | None
    protect: int
    trust: float
    described: Described | None = None

    @property
    def other(self) -> int:
        """The player who is not protected."""
        return 1 - self.protect


@dataclass(frozen=True)
class Resolved:
    """A re-solved subgame.

    Attributes
    ----------
    game : RegionGame
        Its averages hold both players' strategies.
    loss : float
        What the other player's best response gains over the promised values, in expected payoff,
        over hands as they are rolled; 0 where nothing was promised.
    iterations : int
    flow : float64 array, shape (classes,)
        The other player's range against which the strategy was found: believed hands, those
        that choose to come here, and those of the known part. Sums to one.
    free : float64 array, shape (classes,)
        The same without the known part, which :attr:`game` adds by itself.
    """

    game: RegionGame
    loss: float
    iterations: int
    flow: Floats
    free: Floats


def trust_in(reach: float) -> float:
    """How far a range is trusted that is spoken with a probability."""
    return 0.5 * reach / (reach + _DOUBTFUL)


def resolve(
    problem: Subproblem, target: float = 5e-5, least: int = LEAST, patience: int = PATIENCE
) -> Resolved:
    """Solve the subgame below one history again.

    Parameters
    ----------
    problem : Subproblem
    target : float
        Loss at which to stop; large subgames stop earlier, after as many iterations as a person
        waits for.
    least : int
        Iterations that are done however large the subgame is.
    patience : int
        Entries times iterations at which to stop.

    Returns
    -------
    Resolved
    """
    gadget = _Gadget(problem)
    rule = schedule("dcfr")
    most = int(np.clip(patience // max(gadget.game.region.entries, 1), least, 2000))
    loss = np.inf
    done = 0
    while done < most and loss > target:
        for _ in range(min(50, most - done)):
            done += 1
            gadget.iterate(rule, done)
        loss = gadget.loss()
    flow, free = gadget.met()
    loss = 0.0 if problem.promised is None else float(loss)
    return Resolved(gadget.game, loss, done, flow, free)


def against_described(problem: Subproblem, resolved: Resolved) -> Resolved:
    """The same with the known part of the other player alone.

    Parameters
    ----------
    problem : Subproblem
        With a known part.
    resolved : Resolved
        Its game is changed.

    Returns
    -------
    Resolved
    """
    known = problem.described
    assert known is not None
    flow = known.range / known.range.sum()
    resolved.game.describe(problem.other, flow.astype(np.float32), known.entries)
    return replace(resolved, flow=flow, free=np.zeros(len(flow)))


class _Gadget:
    def __init__(self, problem: Subproblem) -> None:
        tree, other = problem.tree, problem.other
        self.game = RegionGame(tree, subgame_region(tree, problem.cell), tremble=DEFAULT_TREMBLE)
        self.protect, self.other = problem.protect, other
        self.own = problem.ranges[self.protect] / problem.ranges[self.protect].sum()
        self.expected = problem.ranges[other] / problem.ranges[other].sum()
        self.promised, self.trust = problem.promised, problem.trust
        if problem.promised is None:
            self.trust = 1.0
        classes = tree.classes[other]
        level = tree.level[problem.cell // 2]
        self.prior = np.bincount(classes.of_hand[level], classes.prior)
        self.regret = np.zeros((2, len(self.prior)))  # take the promise, play on
        self.flow, self.weight = np.zeros(len(self.prior)), 0.0
        self.known, self.share = np.zeros(len(self.prior)), 0.0
        if problem.described is not None:
            self.share = problem.described.share
            self.known = self.share * problem.described.range / problem.described.range.sum()
            self.entries = problem.described.entries
            self.game.describe(other, self.known.astype(np.float32), self.entries)

    def iterate(self, rule: Schedule, iteration: int) -> None:
        positive = np.maximum(self.regret, 0.0)
        total = positive.sum(axis=0)
        play_on = np.where(total > 0, positive[1] / np.maximum(total, 1e-30), 0.5)
        flow = self.trust * self.expected + (1.0 - self.trust) * self.prior * play_on
        flow *= 1.0 - self.share
        self.game.update(self.protect, flow, rule, iteration)
        values = self.game.update(self.other, self.own, rule, iteration).astype(np.float64)
        self.flow += rule.weight(iteration) * flow
        self.weight += rule.weight(iteration)
        if self.promised is None:
            return
        mixed = play_on * values + (1.0 - play_on) * self.promised
        keep, forget = rule.factors(iteration)
        self.regret *= np.where(self.regret > 0, keep, forget)
        self.regret += np.stack([self.promised, values]) - mixed

    def met(self) -> tuple[Floats, Floats]:
        """Whom the strategy met, with the known part and without; the game then adds as much."""
        free = self.flow / self.weight
        size = free.sum() + self.known.sum()
        if self.share > 0:
            known = (self.known / size).astype(np.float32)
            self.game.describe(self.other, known, self.entries)
        return (free + self.known) / size, free / size

    def loss(self) -> float:
        if self.promised is None:
            return np.inf
        best = self.game.best_response(self.other, self.own)
        return float(self.prior @ np.maximum(best - self.promised, 0.0))
