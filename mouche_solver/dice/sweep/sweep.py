"""The learning sweep: regrets and average strategies of a two-player round in memory."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from mouche_solver.core.minimisers import Schedule
from mouche_solver.dice.sweep.arrays import BEST_RESPONSE, EVALUATE, UPDATE, Entries
from mouche_solver.dice.sweep.layout import Layout
from mouche_solver.dice.sweep.passes import Floats, RoundPasses
from mouche_solver.dice.sweep.tree import RoundTree


class Sweep:
    """Regrets and average strategies of a two-player round, and the passes over them.

    Parameters
    ----------
    tree : RoundTree
    layout : Layout
    dtype : numpy dtype
        Precision of entries and vectors.
    threads : int, optional
        All processors by default.
        Threads that sweep tasks; they do not change the result.
    predictive : bool
        Whether strategies need an array of their own beside the regrets.

    Attributes
    ----------
    regret, source, average : array, shape (entries,)
        Cumulative regrets, what the strategies are matched from (the regrets themselves unless
        predictive), and the weighted flow of every action.
    locked : int or None
        A player whose strategy stands in ``average`` and never changes.

    References
    ----------
    Alternating updates of counterfactual regret minimisation [1]_; what an iteration multiplies and
    weighs is the :class:`mouche_solver.core.minimisers.Schedule`'s.

    .. [1] Zinkevich, Johanson, Bowling and Piccione, Regret minimization in games with incomplete
       information, 2007.
    """

    def __init__(
        self,
        tree: RoundTree,
        layout: Layout,
        dtype: Any,
        threads: int | None,
        predictive: bool = False,
    ) -> None:
        self.tree, self.layout = tree, layout
        self.passes = RoundPasses(tree, layout, dtype, threads)
        self.regret = np.zeros(layout.entries, dtype=dtype)
        self.average = np.zeros(layout.entries, dtype=dtype)
        self.source = np.zeros(layout.entries, dtype=dtype) if predictive else self.regret
        self.locked: int | None = None

    def iterate(self, schedule: Schedule, iteration: int, tremble: float = 0.0) -> None:
        """One iteration, counted from 1: each player's update in turn.

        Parameters
        ----------
        schedule : Schedule
        iteration : int
            ``regret``, ``source`` and ``average`` are modified in place.
        tremble : float
            What every action of both players keeps while they learn; a locked player's too.
        """
        positive, negative = schedule.factors(iteration)
        for player in (0, 1):
            weight = 0.0 if self.locked == 1 - player else schedule.weight(iteration)
            step = self.passes.step(positive, negative, weight, schedule.ahead, (tremble, tremble))
            mode = EVALUATE if self.locked == player else UPDATE
            playing = [self.average if self.locked == p else self.source for p in (0, 1)]
            self._run(player, step, mode, playing)

    def best_response(self, player: int, tremble: float = 0.0) -> float:
        """What the player's best response gets against the other's average strategy.

        Parameters
        ----------
        player : int
        tremble : float
            Measure in the perturbed game, where both players' actions all keep this.

        Returns
        -------
        float
            Expected payoff, +1 for winning the round and -1 for losing it.
        """
        return self._expected(player, BEST_RESPONSE, tremble)

    def evaluate(self, player: int, tremble: float = 0.0) -> float:
        """What the player gets when both play their average strategies.

        Parameters
        ----------
        player : int
        tremble : float
            Measure in the perturbed game, where both players' actions all keep this.

        Returns
        -------
        float
            Expected payoff, +1 for winning the round and -1 for losing it.
        """
        return self._expected(player, EVALUATE, tremble)

    def _expected(self, player: int, mode: int, tremble: float) -> float:
        step = self.passes.step(1.0, 1.0, 0.0, 0.0, (tremble, tremble))
        values = self._run(player, step, mode, [self.average, self.average])
        return float(values @ self.tree.classes[player].prior)

    def _run(self, player: int, step: Any, mode: int, playing: list[Floats]) -> NDArray[np.float64]:
        def take(where: slice) -> Entries:
            arrays = playing[1 - player], playing[player], self.regret, self.average
            return Entries(*(array[where] for array in arrays))

        return self.passes.run(player, step, mode, take)
