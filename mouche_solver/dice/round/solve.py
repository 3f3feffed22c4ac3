"""Solve a two-player round: the sweep behind the run loop's interface."""

from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np

from mouche_solver.core.memory import human
from mouche_solver.core.minimisers import (
    DEFAULT_TREMBLE,
    Schedule,
    checked_tremble,
    default_algorithm,
    default_tremble,
    schedule,
    sized,
    tremble_at,
)
from mouche_solver.core.quality import Quality
from mouche_solver.core.run import Limits, Outcome, Report, run
from mouche_solver.dice.round.shard import CompactShard, HeldStrategy, packed_entries
from mouche_solver.dice.round.solution import Header, RoundSolution, Store
from mouche_solver.dice.rules.rules import DiceRules
from mouche_solver.dice.sweep.estimate import (
    DOUBLE_BELOW,
    Estimate,
    checked_tree,
    estimate,
    refuse_if_too_large,
)
from mouche_solver.dice.sweep.holders import Holder, Plan, shares
from mouche_solver.dice.sweep.layout import plan_layout
from mouche_solver.dice.sweep.sweep import Sweep
from mouche_solver.errors import RulesError

DEFAULT_ALGORITHM = "dcfr"
# Solutions of a smaller exploitability keep 32 bits: 16 cost up to some 1e-6.
FINE = 1e-5


class RoundSolver:
    """The state of a solve; implements :class:`mouche_solver.core.run.Solver`.

    Parameters
    ----------
    rules : DiceRules
        Two players.
    algorithm : {"cfr", "cfr+", "dcfr", "pcfr+", "sapcfr+"}
    threads : int, optional
        All processors by default; the result does not depend on it.
    tremble : float
        Every action keeps this probability while learning, and more in early iterations; 0 turns
        trembles off.
    hold : callable, optional
        Refuses what does not fit, and gives the holders of everything below the trunk; by default
        this process holds the whole round.
    compact : bool
        Keep regrets and averages below the trunk in 16 bits: half of the memory, about twice the
        time. Without ``hold``; not for predictive algorithms or rounds without a trunk.

    Raises
    ------
    RulesError
        For other than two players, an unknown algorithm, a tremble outside 0 and (0, 0.1), or a
        compact solve that is not possible.
    TooLargeError
        When it does not fit into memory, before anything is allocated.

    References
    ----------
    The schedules are those of :class:`mouche_solver.core.minimisers.Schedule`: discounted CFR [1]_
    by default, CFR+ [2]_, predictive CFR+ [3]_.

    .. [1] Brown and Sandholm, Solving imperfect-information games via discounted regret
       minimization, 2019.
    .. [2] Tammelin, Solving large imperfect information games using CFR+, 2014.
    .. [3] Farina, Kroer and Sandholm, Faster game solving via predictive Blackwell approachability,
       2021.

    Trembles: regret minimisation over perturbed simplexes [4]_.

    .. [4] Farina, Kroer and Sandholm, Regret minimization in behaviorally-constrained zero-sum
       games, 2017.

    Examples
    --------
    >>> solver = RoundSolver(DiceRules(dice=(1, 1), faces=2), threads=1)
    >>> solver.entries
    32
    """

    def __init__(
        self,
        rules: DiceRules,
        algorithm: str = DEFAULT_ALGORITHM,
        threads: int | None = None,
        tremble: float = DEFAULT_TREMBLE,
        hold: Callable[[Plan], Sequence[Holder]] | None = None,
        compact: bool = False,
    ) -> None:
        self.rules = rules
        self.tremble = checked_tremble(tremble)
        checked_tree(rules)
        self.estimate: Estimate = estimate(rules, algorithm, compact)
        self.schedule: Schedule = sized(schedule(algorithm), self.estimate.entries)
        if hold is None:
            refuse_if_too_large(rules, self.estimate, partial(_otherwise, rules, algorithm))
        plan = plan_solve(rules, algorithm)
        self.compact: CompactShard | None = None
        holders = [] if hold is None else hold(plan)
        if compact:
            plan = plan._replace(dtype=np.dtype(np.float32))
            self.compact = CompactShard(plan, shares(plan.layout, 1)[0], threads)
            holders = [self.compact]
        self.sweep = Sweep(
            plan.tree, plan.layout, plan.dtype, threads, plan.predictive, holders=holders
        )
        self.done = 0

    @property
    def iteration(self) -> int:
        """Iterations done."""
        return self.done

    @property
    def entries(self) -> int:
        """Information-set actions of information sets with a choice."""
        return self.sweep.layout.entries

    def iterate(self) -> None:
        """One iteration: both players' updates."""
        self.sweep.iterate(self.schedule, self.done + 1, tremble_at(self.tremble, self.done + 1))
        self.done += 1

    def measure(self) -> Quality:
        """Exact quality of the average strategies.

        With a locked player only the other one can be improved: ``nash_conv`` then is what that
        player still gains by a best reply.
        """
        value = self.sweep.evaluate(0)
        locked = self.sweep.locked
        low = value if locked == 1 else -self.sweep.best_response(1)
        high = value if locked == 0 else self.sweep.best_response(0)
        return Quality(value, low, high)

    def state(self) -> dict[str, Any]:
        """Everything that a resumed run needs beside ``done``, as arrays; not copied.

        With holders elsewhere, the trunk's share of it.
        """
        return self.sweep.state() | ({} if self.compact is None else self.compact.state())

    def lock(self, player: int, solution: RoundSolution) -> None:
        """Fix one player's strategy to the one of a solution for the same round.

        Parameters
        ----------
        player : int
        solution : RoundSolution

        Raises
        ------
        RulesError
            When the player or the solution's rules do not fit.
        """
        if player not in (0, 1):
            raise RulesError(f"locked player {player}: allowed are 0 and 1")
        if self.compact is not None:
            raise RulesError("a compact solve has no locked player: a reply needs the usual one")
        if solution.rules.round_hash != self.rules.round_hash:
            raise RulesError("the locked strategy was made for other rules")
        solution.fill(self.sweep.average, player)
        self.sweep.locked = player


def _otherwise(rules: DiceRules, algorithm: str, room: int) -> str:
    """What else a solve could do that does not fit into so many bytes."""
    found = ""
    with suppress(RulesError):
        less = estimate(rules, algorithm, compact=True).memory_bytes
        found = f"--compact needs {human(less)}; " if less <= room else ""
    return f"{found}--cluster takes the memory of several machines; "


def plan_solve(rules: DiceRules, algorithm: str = DEFAULT_ALGORITHM) -> Plan:
    """What a solve will hold, and where; nothing is allocated.

    Parameters
    ----------
    rules : DiceRules
        Two players.
    algorithm : {"cfr", "cfr+", "dcfr", "pcfr+", "sapcfr+"}

    Returns
    -------
    Plan
    """
    tree = checked_tree(rules)
    layout = plan_layout(tree)
    dtype = np.dtype(np.float64 if layout.entries < DOUBLE_BELOW else np.float32)
    return Plan(tree, layout, dtype, algorithm, schedule(algorithm).predictive)


@dataclass(frozen=True)
class Solved:
    """A finished solve: the solution and how the run ended."""

    solution: RoundSolution
    outcome: Outcome
    estimate: Estimate


def solve_round(
    rules: DiceRules,
    *,
    limits: Limits | None = None,
    algorithm: str | None = None,
    threads: int | None = None,
    tremble: float | None = None,
    report: Report | None = None,
) -> RoundSolution:
    """Solve a two-player round.

    Parameters
    ----------
    rules : DiceRules
    limits : Limits, optional
        By default until the exploitability is 1e-3 (payoffs +1 and -1).
    algorithm : {"dcfr", "sapcfr+", "cfr+", "pcfr+", "cfr"}, optional
        By default ``"dcfr"``, and ``"sapcfr+"`` for targets below 1e-4.
    threads : int, optional
    tremble : float, optional
        What every action keeps while learning; 0 turns trembles off. By default 1e-6, and a
        fiftieth of a target below 5e-5.
    report : callable, optional
        Receives :class:`mouche_solver.core.run.Progress` events.

    Returns
    -------
    RoundSolution

    Examples
    --------
    >>> solution = solve_round(DiceRules(dice=(1, 1), faces=3), limits=Limits(1e-4))
    >>> round(solution.value, 2), solution.exploitability <= 1e-4
    (-0.11, True)
    """
    limits = limits or Limits()
    if tremble is None:
        tremble = default_tremble(limits.target)
    algorithm = algorithm or default_algorithm(limits.target)
    return finish(RoundSolver(rules, algorithm, threads, tremble), limits, report).solution


def finish(
    solver: RoundSolver,
    limits: Limits,
    report: Report | None = None,
    checkpoint: Callable[[], None] | None = None,
) -> Solved:
    """Run a solver to its limits and pack what it found.

    Parameters
    ----------
    solver : RoundSolver
    limits : Limits
    report : callable, optional
        Receives :class:`mouche_solver.core.run.Progress` events.
    checkpoint : callable, optional
        Keeps the solver's state; the run says when.

    Returns
    -------
    Solved
    """
    outcome = run(solver, limits, report, checkpoint)
    return Solved(pack(solver, outcome), outcome, solver.estimate)


def pack(solver: RoundSolver, outcome: Outcome) -> RoundSolution:
    """Round the average strategies to 16 bits, fine ones to 32, and measure what that costs.

    Parameters
    ----------
    solver : RoundSolver
    outcome : Outcome
        How the run ended; its quality is that of the strategies before rounding.

    Returns
    -------
    RoundSolution
        With its quality measured again after rounding, without trembles.
    """
    sweep = solver.sweep
    here = packed_entries(sweep, sweep.holders is None and outcome.quality.exploitability < FINE)
    packed: Store = here
    if sweep.holders is not None:
        for holder in sweep.holders.all:
            holder.pack()
        packed = HeldStrategy(here, sweep.holders.all)
    header = Header(
        solver.rules,
        solver.schedule.algorithm,
        outcome.iterations,
        outcome.quality,
        outcome.quality,
        sweep.locked,
        tremble_at(solver.tremble, max(1, outcome.iterations)),
    )
    return RoundSolution(
        header, packed, threads=sweep.passes.threads, holders=sweep.holders
    ).remeasured()
