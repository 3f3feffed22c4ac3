"""What ``mouche dice solve`` does: checks, the solver, and the summary of a run."""

import time
from typing import Any

from mouche_solver.cli.dice.group import DEFAULT_RULES
from mouche_solver.cli.dice.job import Job, Request
from mouche_solver.cli.progress import Reporter
from mouche_solver.core.memory import available_disk, human, peak_memory
from mouche_solver.core.quality import Quality
from mouche_solver.core.run import Limits, Outcome
from mouche_solver.dice.round.solve import DEFAULT_ALGORITHM, RoundSolver
from mouche_solver.dice.rules.rules import DiceRules
from mouche_solver.dice.sweep.estimate import Estimate, estimate
from mouche_solver.errors import TooLargeError, UsageError
from mouche_solver.storage.atomic import check_writable
from mouche_solver.storage.dice.checkpoints import load_checkpoint, resume
from mouche_solver.storage.dice.fields import check_rules
from mouche_solver.storage.dice.solutions import load_solution


def need_of(request: Request) -> dict[str, Any]:
    """The estimate alone."""
    return estimate(request.game.read(), request.algorithm or DEFAULT_ALGORITHM).to_dict()


def solve_by_lp(request: Request) -> dict[str, Any]:
    """The exact value of a small round."""
    from mouche_solver.dice.exact import solve_lp

    limits, rules = request.limits, request.game.read()
    start = time.perf_counter()
    result = solve_lp(rules).result
    seconds = time.perf_counter() - start
    quality = Quality(result.value, result.low, result.high)
    outcome = Outcome(quality, 0, seconds, "target")
    answer = summary(rules, estimate(rules), outcome, "lp", limits)
    return answer | {"exact": None if result.exact is None else str(result.exact)}


def solve_by_sweeps(request: Request) -> dict[str, Any]:
    """Solve by regret minimisation, and write what was asked for."""
    limits = request.limits
    for path in (request.out, request.checkpoint):
        if path is not None:
            check_writable(path)
    solver = _solver(request)
    _check_disk(request, solver.estimate)
    with Reporter(request.target) as report:
        job = Job(request, solver, report)
        try:
            outcome = job.run(limits)
            job.keep(outcome)
        except KeyboardInterrupt:
            raise KeyboardInterrupt(job.farewell()) from None
    return summary(solver.rules, solver.estimate, outcome, solver.schedule.algorithm, limits)


def summary(
    rules: DiceRules, size: Estimate, outcome: Outcome, algorithm: str, limits: Limits
) -> dict[str, Any]:
    """The object that scripts rely on."""
    quality = outcome.quality
    return {
        "value": quality.value,
        "value_low": quality.low,
        "value_high": quality.high,
        "exploitability": quality.exploitability,
        "nash_conv": quality.nash_conv,
        "iterations": outcome.iterations,
        "seconds": outcome.seconds,
        "histories": size.histories,
        "entries": size.entries,
        "entries_with_forced": size.entries_with_forced,
        "peak_bytes": peak_memory(),
        "target_reached": quality.exploitability <= limits.target,
        "algorithm": algorithm,
        "rules": rules.to_dict(),
    }


def _solver(request: Request) -> RoundSolver:
    if request.resume is None:
        rules = request.game.read()
        solver = RoundSolver(rules, request.algorithm or DEFAULT_ALGORITHM, request.threads)
        if request.lock is not None and request.locked_player is not None:
            solver.lock(request.locked_player, load_solution(request.lock, 1, rules))
        return solver
    state = load_checkpoint(request.resume)
    if request.game != DEFAULT_RULES:
        check_rules(request.resume, state.rules, request.game.read())
    if request.algorithm not in (None, state.algorithm):
        raise UsageError(
            f"{request.resume} was made by {state.algorithm}: it cannot go on by "
            f"{request.algorithm}"
        )
    return resume(state, request.threads)


def _check_disk(request: Request, need: Estimate) -> None:
    """Refuse before the first iteration what could not be written after the last."""
    if request.checkpoint is None:
        return
    solution = need.solution_bytes if request.out is not None else 0
    # An old checkpoint stays until the new one is complete.
    size = need.checkpoint_bytes + max(need.checkpoint_bytes, solution)
    free = available_disk(request.checkpoint.resolve().parent)
    if free is not None and free < size:
        raise TooLargeError(
            f"{request.checkpoint.resolve().parent} needs room for {human(size)}: a solution of "
            f"{human(solution)} and checkpoints of {human(need.checkpoint_bytes)}; "
            f"{human(free)} are free"
        )
