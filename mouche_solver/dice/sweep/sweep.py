"""The learning sweep: regrets and average strategies of a two-player round in memory."""

from collections.abc import Sequence
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mouche_solver.core.minimisers import Schedule
from mouche_solver.dice.sweep.arrays import BEST_RESPONSE, EVALUATE, UPDATE, Entries
from mouche_solver.dice.sweep.holders import Holder, Holders, Order, Plays, Share
from mouche_solver.dice.sweep.layout import Layout
from mouche_solver.dice.sweep.passes import Floats, RoundPasses, TakeEntries
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
    share : Share, optional
        Hold and sweep these tasks alone; a driver elsewhere has the trunk.
    holders : sequence of Holder
        Hold the trunk alone; these hold and sweep all tasks.

    Attributes
    ----------
    held : slice
        Which entries of the round the arrays hold.
    regret, source, average : array, shape (entries held,)
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
        *,
        share: Share | None = None,
        holders: Sequence[Holder] = (),
    ) -> None:
        self.tree, self.layout = tree, layout
        self.holders = Holders(tree, layout, holders) if holders else None
        tasks, self.held = None, slice(0, layout.entries)
        if share is not None:
            tasks, self.held = share
        elif holders:
            assert layout.trunk is not None  # there are shares of such rounds alone
            tasks, self.held = range(0), slice(0, layout.trunk.entries)
        self.passes = RoundPasses(tree, layout, dtype, threads, tasks)
        entries = self.held.stop - self.held.start
        self.regret = np.zeros(entries, dtype=dtype)
        self.average = np.zeros(entries, dtype=dtype)
        self.source = np.zeros(entries, dtype=dtype) if predictive else self.regret
        self.locked: int | None = None

    def state(self) -> dict[str, Floats]:
        """What later iterations need, as arrays; not copied."""
        arrays = {"regret": self.regret, "average": self.average}
        return arrays if self.source is self.regret else arrays | {"source": self.source}

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
            plays: list[Plays] = ["average" if self.locked == p else "source" for p in (0, 1)]
            self._run(Order(player, step, mode, (plays[0], plays[1]), iteration))

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
        values = self._run(Order(player, step, mode, ("average", "average")))
        return float(values @ self.tree.classes[player].prior)

    def _run(self, order: Order) -> NDArray[np.float64]:
        below = None if self.holders is None else partial(self.holders.sweep, order)
        return self.passes.run(order.player, order.step, order.mode, self.take(order), below)

    def take(self, order: Order) -> TakeEntries:
        """What hands out the entries that a pass reads and writes, of those held here.

        Parameters
        ----------
        order : Order
            Players play by ``"source"`` or ``"average"``.
        """
        playing = {"source": self.source, "average": self.average}
        pusher, player = (playing[order.plays[p]] for p in (1 - order.player, order.player))
        arrays: tuple[Floats, ...] = (pusher, player, self.regret, self.average)
        first = self.held.start

        def take(where: slice) -> Entries:
            here = slice(where.start - first, where.stop - first)
            return Entries(*(array[here] for array in arrays))

        return take
