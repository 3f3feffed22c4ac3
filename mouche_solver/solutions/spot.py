"""Rounds that are solved while somebody waits, each only once on a machine.

What was solved is kept in the user's cache folder, see :mod:`mouche_solver.storage.dice.kept`.
"""

from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from mouche_solver.core.run import Limits, Report
from mouche_solver.core.trees.best_response import NashGap
from mouche_solver.dice.round.solution import RoundSolution
from mouche_solver.dice.rules.rules import DiceRules
from mouche_solver.dice.sweep.estimate import DOUBLE_BELOW, checked_tree, estimate
from mouche_solver.dice.table.match import solve_payoffs
from mouche_solver.storage.dice.kept import Kept

# Rounds of up to about two million entries (three dice against three) are solved on the spot, to
# this exploitability or with this much work.
ENTRIES, TARGET = DOUBLE_BELOW, 1e-4
# Entries times iterations that take some five seconds; a limit in seconds would make the answer
# depend on what else the machine does.
_WORK, _LEAST = 800_000_000, 100


def solved_on_the_spot(
    rules: DiceRules,
    reporting: Callable[[], AbstractContextManager[Report | None]] = nullcontext,
) -> RoundSolution:
    """A round of two with at most :data:`ENTRIES` entries, kept from before or solved now.

    Parameters
    ----------
    rules : DiceRules
    reporting : callable
        Gives a context in which a solve is reported; not called for a round that was kept.

    Returns
    -------
    RoundSolution
        The same bit for bit whether it was kept or not.

    Raises
    ------
    KeyboardInterrupt
        When the solve was interrupted: what it left is not good enough for advice.
    """
    from mouche_solver.dice.round.solve import DEFAULT_ALGORITHM, RoundSolver, finish

    checked_tree(rules)
    work = max(_LEAST, _WORK // estimate(rules).entries)
    limits = Limits(TARGET, iterations=work)
    kept = Kept("round", rules, f"{DEFAULT_ALGORITHM} {limits}".encode())
    found = kept.solution()
    if found is None:
        with reporting() as report:
            solved = finish(RoundSolver(rules), limits, report)
        if solved.outcome.reason == "interrupted":
            raise KeyboardInterrupt
        found = solved.solution
        kept.keep_solution(found)
    return found


@dataclass(frozen=True)
class KeptTable:
    """Values and gains of a table that was solved for some payoffs; its strategies are not kept."""

    gap: NashGap


def table_on_the_spot(
    rules: DiceRules, payoff: NDArray[np.float64], before: Callable[[], None] = lambda: None
) -> KeptTable:
    """What :func:`mouche_solver.dice.table.match.solve_payoffs` finds, kept from before or now.

    Parameters
    ----------
    rules : DiceRules
    payoff : float64 array, shape (2, players, players)
    before : callable
        Called before a solve; not for a table that was kept.

    Returns
    -------
    KeptTable
    """
    kept = Kept("table", rules, np.ascontiguousarray(payoff, dtype="<f8").tobytes())
    gap = kept.gap()
    if gap is None:
        before()
        gap = solve_payoffs(rules, payoff).gap
        kept.keep_gap(gap)
    return KeptTable(gap)
