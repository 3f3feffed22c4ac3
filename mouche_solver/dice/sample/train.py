"""Improve a strategy with a bounded memory by sampling, in fixed memory, the same for any threads.

With three and more players nothing guarantees that strategies settle, and a bounded memory forgets
what a better one would use. How good the result is, matches and responses have to say.
"""

import time
from collections.abc import Callable
from dataclasses import replace

from mouche_solver.core.memory import available_memory, human
from mouche_solver.dice.round.solve import default_threads
from mouche_solver.dice.rules.rules import DiceRules
from mouche_solver.dice.sample.advice import Training
from mouche_solver.dice.sample.batches import (
    CHUNKS,
    MEAN_POWER,
    SampleLimits,
    SampleProgress,
    Sampler,
    run_batches,
)
from mouche_solver.dice.sample.strategy import SampledStrategy
from mouche_solver.dice.sample.view import Machine, View, build_machine
from mouche_solver.dice.sweep.estimate import countable_tree
from mouche_solver.errors import RulesError, TooLargeError


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
        Receives :class:`SampleProgress` events, about once a second.

    Returns
    -------
    SampledStrategy
        Its ``training`` says how long it learned; how good it is has to be measured.

    Raises
    ------
    TooLargeError
        When the tables do not fit into memory, before they are allocated.

    Examples
    --------
    >>> strategy = train_sampled(
    ...     DiceRules(dice=(1, 1, 1), faces=2), limits=SampleLimits(200_000), threads=1
    ... )
    >>> strategy.training.visits >= 200_000
    True
    """
    limits, view = limits or SampleLimits(), view or View()
    threads = default_threads() if threads is None else threads
    if threads < 1 or seed < 0:
        raise RulesError(f"threads {threads}, seed {seed}: at least 1 and 0 are needed")
    machine = build_machine(countable_tree(rules), view)
    _refuse_if_too_large(machine, rules)
    sampler = Sampler(rules, machine, None, seed, threads)
    start = run_batches(sampler, limits, report)
    training = Training(seed, sampler.batches, sampler.visits)
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
