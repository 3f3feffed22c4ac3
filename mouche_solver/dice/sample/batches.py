"""Batches of traversals: in fixed memory, the same for any number of threads."""

import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from mouche_solver.core.run import interruptible
from mouche_solver.dice.rules.rules import DiceRules
from mouche_solver.dice.sample.arrays import sample_game
from mouche_solver.dice.sample.deal import Side
from mouche_solver.dice.sample.kernels import sample_chunk
from mouche_solver.dice.sample.random import stream
from mouche_solver.dice.sample.states import Rule, new_stack
from mouche_solver.dice.sample.sums import add_sums, new_sums
from mouche_solver.dice.sample.view import Machine
from mouche_solver.dice.sweep.estimate import countable_tree
from mouche_solver.errors import RulesError

# A batch: strategies stand still while so many chunks see so many information sets each, fewer
# where the tables are small, as it is the number of batches that counts there.
CHUNKS, _BUDGET, _LEAST, _SHARE = 4, 4000, 100, 100
# Which part of the traversals starts behind a blind claim, and how often actions are tried that all
# hands have left behind.
_ASTRAY, _KEEP = 0.25, 0.2
# Weights of batch t: t for regrets, t ** 2 for the average (linear CFR, Brown and Sandholm 2019).
MEAN_POWER = 2.0


@dataclass(frozen=True)
class SampleProgress:
    """One event of a training: what was done so far."""

    batches: int
    visits: int
    seconds: float


class Sampler:
    """Batches of traversals for one side of the table.

    Parameters
    ----------
    rules : DiceRules
    own : Machine
        What the traversing player remembers.
    other : Side, optional
        The fixed strategy of everybody else; without it all learn together.
    seed : int
    threads : int
        They do not change the result.

    Attributes
    ----------
    regret, average : float32 array, shape (own.entries,)
        Weighted regrets, and weighted flow of every action.
    batches, visits : int
        Batches done, and information sets seen.
    """

    def __init__(
        self, rules: DiceRules, own: Machine, other: Side | None, seed: int, threads: int
    ) -> None:
        self.game = sample_game(countable_tree(rules))
        self.seed, self.threads = seed, threads
        self.regret = np.zeros(own.entries, dtype=np.float32)
        self.average = np.zeros(own.entries, dtype=np.float32)
        self.rule = Rule(other is None, _ASTRAY, _KEEP)
        self.own = Side(own, self.regret)
        self.other = other or self.own
        self.budget = min(max(own.entries // _SHARE, _LEAST), _BUDGET)
        self.chunks = [(new_sums(own), new_stack(self.game)) for _ in range(CHUNKS)]
        # States in about equal shares of the entries.
        shares = np.linspace(0, own.entries, threads + 1)[1:-1]
        self.cuts = [0, *np.searchsorted(own.begin, shares).tolist(), len(own.last)]
        self.batches = self.visits = 0

    @cached_property
    def _pool(self) -> ThreadPoolExecutor:
        return ThreadPoolExecutor(self.threads, thread_name_prefix="mouche-sample")

    def batch(self) -> None:
        """One batch, and what it has learned added to the tables."""
        self.batches += 1
        self.visits += sum(self._pool.map(self._chunk, range(CHUNKS)))
        list(self._pool.map(self._add, self.cuts[:-1], self.cuts[1:]))

    def _chunk(self, number: int) -> int:
        sums, stack = self.chunks[number]
        random = stream(self.seed, self.batches, number)
        return sample_chunk(
            self.game, self.own, self.other, self.rule, self.budget, sums, stack, random
        )

    def _add(self, first: int, end: int) -> None:
        weight = np.array([self.batches, self.batches**MEAN_POWER], dtype=np.float32)
        for sums, _ in self.chunks:
            add_sums(sums, self.own.machine.begin, first, end, weight, self.regret, self.average)


@dataclass(frozen=True)
class SampleLimits:
    """When to stop: the first of these that is reached.

    Parameters
    ----------
    visits : int
        Sampled information sets; the result of a training that this ends depends on the seed alone.
    seconds : float or None
        Wall time.
    """

    visits: int = 50_000_000
    seconds: float | None = None

    def __post_init__(self) -> None:
        if self.visits < 1:
            raise RulesError(f"visits {self.visits}: at least 1 is needed")
        if self.seconds is not None and not self.seconds > 0:
            raise RulesError(f"time limit {self.seconds}: seconds above 0 are needed")


def run_batches(
    sampler: Sampler, limits: SampleLimits, report: Callable[[SampleProgress], None] | None = None
) -> float:
    """Run batches to a limit or Ctrl-C; when it started."""
    start = told = time.perf_counter()
    with interruptible(lambda: None) as interrupt:
        while sampler.visits < limits.visits and not interrupt.asked:
            sampler.batch()
            now = time.perf_counter()
            if report is not None and now - told >= 1:
                told = now
                report(SampleProgress(sampler.batches, sampler.visits, now - start))
            if limits.seconds is not None and now - start >= limits.seconds:
                break
    return start
