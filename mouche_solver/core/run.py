"""The run loop of an iterative solver: limits, true exploitability, interrupts, checkpoints.

The loop knows nothing of what it runs; a solver gives it :class:`Solver`'s methods.
"""

import math
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal, Protocol

from mouche_solver.core.checks import real, whole
from mouche_solver.core.interrupts import Interrupt, interruptible
from mouche_solver.core.quality import Quality, Trend
from mouche_solver.errors import RulesError

# Measuring costs about an iteration: measure when the count has grown by this much.
_GROWTH = 1.12
# Writing checkpoints may take at most this share of the time, and is not worth it more often.
_CHECKPOINT_SHARE = 0.05
_CHECKPOINT_EVERY = 60.0


class Solver(Protocol):
    """What the run loop needs of a solver."""

    @property
    def iteration(self) -> int:
        """Iterations done so far."""
        ...

    @property
    def entries(self) -> int:
        """Information-set actions that one iteration visits."""
        ...

    def iterate(self) -> None:
        """One more iteration."""
        ...

    def measure(self) -> Quality:
        """The true quality of the average strategies, by exact best responses."""
        ...


@dataclass(frozen=True)
class Limits:
    """When to stop: the first of these that is reached.

    Parameters
    ----------
    target : float
        Exploitability, in the game's payoff units; above 0.
    iterations : int or None
        Iterations, those of a resumed run included.
    seconds : float or None
        Wall time of this run.
    """

    target: float = 1e-3
    iterations: int | None = None
    seconds: float | None = None

    def __post_init__(self) -> None:
        if not 0 < real("target", self.target) < math.inf:
            raise RulesError(
                f"target {self.target}: an exploitability above 0 is needed, a finite one"
            )
        if self.iterations is not None:
            object.__setattr__(self, "iterations", whole("iterations", self.iterations))
        if self.iterations is not None and self.iterations < 1:
            raise RulesError(f"iterations {self.iterations}: at least 1 is needed")
        if self.seconds is not None and not real("time limit", self.seconds) > 0:
            raise RulesError(f"time limit {self.seconds}: seconds above 0 are needed")


Reason = Literal["target", "iterations", "seconds", "interrupted"]


@dataclass(frozen=True)
class Progress:
    """One event of a run.

    ``phase`` says what begins or, for "measured", what has just been found. ``remaining`` is the
    estimated time to the target in seconds, None while there is no trend.
    """

    phase: Literal["compiling", "iterating", "measured", "checkpoint", "stopping"]
    iteration: int
    seconds: float
    exploitability: float | None = None
    slope: float | None = None
    remaining: float | None = None
    entries_per_second: float | None = None


@dataclass(frozen=True)
class Outcome:
    """How a run ended."""

    quality: Quality
    iterations: int
    seconds: float
    reason: Reason


Report = Callable[[Progress], None]


def run(
    solver: Solver,
    limits: Limits,
    report: Report | None = None,
    checkpoint: Callable[[], None] | None = None,
) -> Outcome:
    """Iterate until a limit is reached or Ctrl-C, SIGTERM or SIGHUP asks to stop.

    Parameters
    ----------
    solver : Solver
    limits : Limits
    report : callable, optional
        Receives :class:`Progress` events.
    checkpoint : callable, optional
        Writes the solver's state. Called now and then, so that it takes at most a twentieth of
        the time, and after an interrupt.

    Returns
    -------
    Outcome
        With the exact quality of the strategies as they are at the end.
    """
    loop = _Loop(solver, limits, report or (lambda event: None), checkpoint)
    with interruptible(lambda: loop.tell("stopping")) as interrupt:
        return loop.run(interrupt)


class _Loop:
    def __init__(
        self,
        solver: Solver,
        limits: Limits,
        report: Report,
        checkpoint: Callable[[], None] | None,
    ) -> None:
        self.solver, self.limits, self.report = solver, limits, report
        self.checkpoint = checkpoint
        self.start = self.last_checkpoint = time.perf_counter()
        self.checkpoint_cost = 0.0
        self.busy = 0.0  # seconds spent in iterations after the first, which may compile
        self.counted = 0
        self.longest = 0.0
        self.trend = Trend()

    @property
    def elapsed(self) -> float:
        return time.perf_counter() - self.start

    def tell(self, phase: Literal["compiling", "iterating", "checkpoint", "stopping"]) -> None:
        self.report(Progress(phase, self.solver.iteration, self.elapsed))

    def run(self, interrupt: Interrupt) -> Outcome:
        first = self.solver.iteration
        self.tell("compiling")
        next_measure = _measure_after(first)
        quality = None
        reason: Reason | None = self._limit(first)
        while reason is None:
            self._iterate(first)
            if interrupt.asked:
                reason = "interrupted"
                break
            done = self.solver.iteration
            if done >= next_measure:
                quality = self._measure()
                next_measure = _measure_after(done)
                if quality.exploitability <= self.limits.target:
                    return Outcome(quality, done, self.elapsed, "target")
            reason = self._limit(first)
            if reason is None:
                self._checkpoint_if_due()
        if reason == "interrupted" and self.checkpoint is not None:
            self._write_checkpoint()
        if quality is None or self.trend.last_iteration != self.solver.iteration:
            quality = self._measure()
        if quality.exploitability <= self.limits.target:
            reason = "target"
        return Outcome(quality, self.solver.iteration, self.elapsed, reason)

    def _iterate(self, first: int) -> None:
        before = time.perf_counter()
        self.solver.iterate()
        seconds = time.perf_counter() - before
        if self.solver.iteration == first + 1:
            self.tell("iterating")
        else:
            self.busy += seconds
            self.counted += 1
            self.longest = max(self.longest, seconds)

    def _limit(self, first: int) -> Literal["iterations", "seconds"] | None:
        limits = self.limits
        if limits.iterations is not None and self.solver.iteration >= limits.iterations:
            return "iterations"
        started = self.solver.iteration > first
        # The final measurement takes about as long as an iteration.
        if (
            limits.seconds is not None
            and started
            and self.elapsed + 2 * self.longest >= limits.seconds
        ):
            return "seconds"
        return None

    def _measure(self) -> Quality:
        quality = self.solver.measure()
        done = self.solver.iteration
        self.trend.add(done, quality.exploitability)
        rate = self.busy / self.counted if self.counted else None
        goal = self.trend.iterations_to(self.limits.target)
        self.report(
            Progress(
                "measured",
                done,
                self.elapsed,
                quality.exploitability,
                self.trend.slope,
                None if goal is None or rate is None else max(0.0, (goal - done) * rate),
                None if not rate else self.solver.entries / rate,
            )
        )
        return quality

    def _checkpoint_if_due(self) -> None:
        if self.checkpoint is None:
            return
        wait = max(_CHECKPOINT_EVERY, self.checkpoint_cost / _CHECKPOINT_SHARE)
        if time.perf_counter() - self.last_checkpoint >= wait:
            self._write_checkpoint()

    def _write_checkpoint(self) -> None:
        assert self.checkpoint is not None
        self.tell("checkpoint")
        before = time.perf_counter()
        self.checkpoint()
        self.last_checkpoint = time.perf_counter()
        self.checkpoint_cost = self.last_checkpoint - before


def _measure_after(done: int) -> int:
    """The next iteration to measure; where a run was resumed makes no difference."""
    number = 1
    while number <= done:
        number = max(number + 1, int(number * _GROWTH))
    return number
