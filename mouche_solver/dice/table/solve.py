"""Improve the strategies of a whole table, and say exactly how far they can be exploited.

With three and more players nothing guarantees that the strategies settle, so what is reported is
what was measured: each player's value and gain from deviating, and the sum of the gains.
"""

from typing import Any, cast

import numpy as np
from numpy.typing import ArrayLike

from mouche_solver.core.minimisers import schedule
from mouche_solver.core.run import Limits, Report, run
from mouche_solver.core.trees.best_response import NashGap
from mouche_solver.dice.rules.rules import DiceRules
from mouche_solver.dice.sweep.estimate import (
    DOUBLE_BELOW,
    countable_tree,
    estimate,
    refuse_if_too_large,
)
from mouche_solver.dice.sweep.layout import plan_layout
from mouche_solver.dice.sweep.n_player import TableSweep
from mouche_solver.dice.sweep.payoffs import as_payoff, loser_pays
from mouche_solver.dice.table.solution import TableSolution

DEFAULT_ALGORITHM = "pcfr+"
# Per-player target and a limit, since no target is sure to be reached.
DEFAULT_LIMITS = Limits(target=1e-3, iterations=2000)


class TableSolver:
    """The state of a solve; :func:`mouche_solver.core.run.run` drives it.

    Parameters
    ----------
    rules : DiceRules
        Two players or more.
    payoff : array_like, optional
        ``payoff[loser, player]`` or ``payoff[correct, loser, player]`` in playing order; by
        default :func:`mouche_solver.dice.sweep.payoffs.loser_pays`.
    algorithm : {"pcfr+", "sapcfr+", "dcfr", "cfr+", "cfr"}
    threads : int, optional
        All processors by default; the result does not depend on it.

    Raises
    ------
    RulesError
        When the payoffs do not fit, or for an unknown algorithm.
    TooLargeError
        When it does not fit into memory, before anything is allocated.

    Examples
    --------
    >>> solver = TableSolver(DiceRules(dice=(1, 1, 1), faces=2), threads=1)
    >>> solver.entries
    92
    """

    def __init__(
        self,
        rules: DiceRules,
        payoff: ArrayLike | None = None,
        algorithm: str = DEFAULT_ALGORITHM,
        threads: int | None = None,
    ) -> None:
        self.rules = rules
        self.schedule = schedule(algorithm)
        self.payoff = as_payoff(
            loser_pays(rules.players) if payoff is None else payoff, rules.players
        )
        need = estimate(rules, algorithm)
        refuse_if_too_large(rules, need)
        tree = countable_tree(rules)
        dtype = np.float64 if need.entries < DOUBLE_BELOW else np.float32
        self.sweep = TableSweep(
            tree,
            plan_layout(tree),
            self.payoff,
            dtype,
            threads,
            self.schedule.predictive,
        )
        self.iteration = 0

    @property
    def entries(self) -> int:
        """Information-set actions of information sets with a choice."""
        return self.sweep.layout.entries

    def iterate(self) -> None:
        """One iteration: every player's update."""
        self.iteration += 1
        self.sweep.iterate(self.schedule, self.iteration)

    def measure(self) -> NashGap:
        """Each player's value and best response against the average strategies, exactly."""
        seats = range(self.rules.players)
        values = np.array([self.sweep.evaluate(seat) for seat in seats])
        return NashGap(values, np.array([self.sweep.best_response(seat) for seat in seats]))


def solve_table(
    rules: DiceRules,
    *,
    payoff: ArrayLike | None = None,
    limits: Limits | None = None,
    algorithm: str = DEFAULT_ALGORITHM,
    threads: int | None = None,
    report: Report | None = None,
) -> TableSolution:
    """Improve the strategies of a whole table until a limit is reached.

    Parameters
    ----------
    rules : DiceRules
        Two players or more.
    payoff : array_like, optional
        As for :class:`TableSolver`.
    limits : Limits, optional
        The target is NashConv divided by the number of players. By default 1e-3, or 2000
        iterations when that is not reached.
    algorithm : {"pcfr+", "sapcfr+", "dcfr", "cfr+", "cfr"}
    threads : int, optional
    report : callable, optional
        Receives :class:`mouche_solver.core.run.Progress` events.

    Returns
    -------
    TableSolution

    Examples
    --------
    >>> solution = solve_table(DiceRules(dice=(1, 1, 1), faces=2), threads=1)
    >>> solution.reason, bool(solution.gap.nash_conv <= 3e-3)
    ('target', True)
    """
    solver = TableSolver(rules, payoff, algorithm, threads)
    # The loop asks a measurement for its exploitability alone, which a NashGap has.
    outcome = run(cast(Any, solver), limits or DEFAULT_LIMITS, report)
    return TableSolution(
        rules=rules,
        payoff=solver.payoff,
        gap=cast(NashGap, outcome.quality),
        iterations=outcome.iterations,
        reason=outcome.reason,
        average=solver.sweep.average,
        layout=solver.sweep.layout,
    )
