"""Improve a strategy with a bounded memory by sampling, in fixed memory, the same for any threads.

With three and more players nothing guarantees that strategies settle, and a bounded memory forgets
what a better one would use. How good the result is, matches and responses have to say.
"""

import time
from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np

from mouche_solver.core.checks import check_seed, real, whole
from mouche_solver.core.chunks import Workers
from mouche_solver.core.interrupts import Interrupt, interruptible
from mouche_solver.core.memory import available_memory, human
from mouche_solver.core.streams import Purpose, stream
from mouche_solver.dice.rules.rules import DiceRules
from mouche_solver.dice.sample.arrays import Machine, Rule, SampleGame, Side, Stack, Sums
from mouche_solver.dice.sample.game import sample_game
from mouche_solver.dice.sample.kernels_train import add_sums, sample_chunk
from mouche_solver.dice.sample.strategy import SampledStrategy, Training
from mouche_solver.dice.sample.view import View, build_machine
from mouche_solver.dice.sweep.estimate import countable_tree
from mouche_solver.errors import RulesError, TooLargeError

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
    """One event of a training: what was done so far, and whether it is about to stop early."""

    batches: int
    visits: int
    seconds: float
    stopping: bool = False


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
    threads : int, optional
        They do not change the result; all processors by default.
    purpose : Purpose
        Names the random numbers.

    Attributes
    ----------
    regret, average : float32 array, shape (own.entries,)
        Weighted regrets, and weighted flow of every action.
    batches, visits : int
        Batches done, and information sets seen.

    References
    ----------
    External sampling [1]_ with the weights of linear CFR [2]_: batch t counts t for regrets, and
    t ** 2 for the average.

    .. [1] Lanctot, Waugh, Zinkevich and Bowling, Monte Carlo sampling for regret minimization in
       extensive games, 2009.
    .. [2] Brown and Sandholm, Solving imperfect-information games via discounted regret
       minimization, 2019.
    """

    def __init__(
        self,
        rules: DiceRules,
        own: Machine,
        other: Side | None,
        seed: int,
        threads: int | None,
        purpose: Purpose = Purpose.DICE_TRAIN,
    ) -> None:
        self.game = sample_game(countable_tree(rules))
        self.seed, self.purpose = check_seed(seed), purpose
        self._workers = Workers(threads, "mouche-sample")
        self.regret = np.zeros(own.entries, dtype=np.float32)
        self.average = np.zeros(own.entries, dtype=np.float32)
        self.rule = Rule(other is None, _ASTRAY, _KEEP)
        self.own = Side(own, self.regret)
        self.other = other or self.own
        self.budget = min(max(own.entries // _SHARE, _LEAST), _BUDGET)
        self.chunks = [(new_sums(own), new_stack(self.game)) for _ in range(CHUNKS)]
        # States in about equal shares of the entries.
        shares = np.linspace(0, own.entries, self._workers.threads + 1)[1:-1]
        self.cuts = [0, *np.searchsorted(own.begin, shares).tolist(), len(own.last)]
        self.batches = self.visits = 0

    def batch(self) -> None:
        """One batch, and what it has learned added to the tables."""
        self.batches += 1
        self.visits += sum(self._workers.map(self._chunk, range(CHUNKS)))
        self._workers.map(self._add, self.cuts[:-1], self.cuts[1:])

    def _chunk(self, number: int) -> int:
        sums, stack = self.chunks[number]
        random = stream(self.purpose, self.seed, self.batches, number)
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
        object.__setattr__(self, "visits", whole("visits", self.visits))
        if self.visits < 1:
            raise RulesError(f"visits {self.visits}: at least 1 is needed")
        if self.seconds is not None and not real("time limit", self.seconds) > 0:
            raise RulesError(f"time limit {self.seconds}: seconds above 0 are needed")


def run_batches(
    sampler: Sampler,
    limits: SampleLimits,
    report: Callable[[SampleProgress], None] | None = None,
    interrupt: Interrupt | None = None,
) -> None:
    """Run batches to a limit, or until somebody asks to stop.

    Parameters
    ----------
    sampler : Sampler
    limits : SampleLimits
    report : callable, optional
        Receives :class:`SampleProgress` events, about once a second.
    interrupt : Interrupt, optional
        Asked after every batch. Without it Ctrl-C raises KeyboardInterrupt, as anywhere.
    """
    start = told = time.perf_counter()
    while sampler.visits < limits.visits:
        sampler.batch()
        now = time.perf_counter()
        if report is not None and now - told >= 1:
            told = now
            report(SampleProgress(sampler.batches, sampler.visits, now - start))
        if limits.seconds is not None and now - start >= limits.seconds:
            return
        if interrupt is not None and interrupt.asked:
            return


def new_stack(game: SampleGame) -> Stack:
    """Room for any traversal of a round; a line has no more claims than there are."""
    players, most = game.group.shape[0], len(game.quantity)
    depth, hands = -(-most // players) + 1, game.prior.shape[1]
    block = (depth, hands * most)
    return Stack(
        np.zeros((depth, 7), np.int64),
        np.zeros(block, np.float32),
        np.zeros(block, np.float32),
        np.zeros((depth, hands), np.float32),
        np.zeros((depth, most), np.float32),
        np.zeros(3, np.int64),
    )


def new_sums(machine: Machine) -> Sums:
    """Nothing learned yet."""
    entries = machine.entries
    return Sums(
        np.zeros(entries, np.float32),
        np.zeros(entries, np.float32),
        np.zeros(len(machine.last), np.bool_),
        np.zeros(len(machine.last), np.bool_),
    )


def train_sampled(
    rules: DiceRules,
    view: View | None = None,
    *,
    limits: SampleLimits | None = None,
    seed: int = 0,
    threads: int | None = None,
    report: Callable[[SampleProgress], None] | None = None,
) -> SampledStrategy:
    """Train a strategy for a table of any number of players; Ctrl-C ends it early.

    Parameters
    ----------
    rules : DiceRules
    view : View, optional
        What the strategy remembers of the claims.
    limits : SampleLimits, optional
    seed : int
    threads : int, optional
        All processors by default; the result does not depend on it.
    report : callable, optional
        Receives :class:`SampleProgress` events, about once a second, and one when asked to stop.

    Returns
    -------
    SampledStrategy
        Its ``training`` says how long it learned; how good it is has to be measured.

    Raises
    ------
    TooLargeError
        When the tables do not fit into memory, before they are allocated.

    Notes
    -----
    The algorithm is external-sampling MCCFR, see :class:`Sampler`.

    Examples
    --------
    >>> strategy = train_sampled(
    ...     DiceRules(dice=(1, 1, 1), faces=2), limits=SampleLimits(200_000), threads=1
    ... )
    >>> strategy.training.visits >= 200_000
    True
    """
    limits, view = limits or SampleLimits(), view or View()
    machine = build_machine(countable_tree(rules), view)
    _refuse_if_too_large(machine, rules)
    sampler = Sampler(rules, machine, None, seed, threads)
    start = time.perf_counter()

    def stopping() -> None:
        if report is not None:
            seconds = time.perf_counter() - start
            report(SampleProgress(sampler.batches, sampler.visits, seconds, stopping=True))

    with interruptible(stopping) as interrupt:
        run_batches(sampler, limits, report, interrupt)
    training = Training(sampler.seed, sampler.batches, sampler.visits)
    strategy = SampledStrategy.from_average(
        rules, view, sampler.average, training, float(sampler.batches) ** MEAN_POWER
    )
    return replace(strategy, training=replace(training, seconds=time.perf_counter() - start))


def _refuse_if_too_large(machine: Machine, rules: DiceRules) -> None:
    need, room = 8 * machine.entries * (1 + CHUNKS), available_memory()
    if room is not None and need > room:
        raise TooLargeError(
            f"dice={rules.dice}: the tables need {human(need)} of memory, {human(room)} are free; "
            "take a view that remembers less"
        )
