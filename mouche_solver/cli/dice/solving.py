"""What ``mouche dice solve`` does: checks, the run with its files, and the summary."""

import shlex
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from mouche_solver.cli.dice.group import DEFAULT_RULES, RuleFlags
from mouche_solver.cli.progress import Reporter
from mouche_solver.core.memory import available_disk, human, peak_memory
from mouche_solver.core.minimisers import default_algorithm, default_tremble
from mouche_solver.core.quality import Quality
from mouche_solver.core.run import Limits, Outcome, run
from mouche_solver.dice.round.solution import RoundSolution
from mouche_solver.dice.round.solve import DEFAULT_ALGORITHM, RoundSolver, pack
from mouche_solver.dice.rules.rules import DiceRules
from mouche_solver.dice.sweep.estimate import Estimate, estimate
from mouche_solver.dice.table.solve import DEFAULT_ALGORITHM as TABLE_ALGORITHM
from mouche_solver.dice.table.solve import DEFAULT_LIMITS, solve_table
from mouche_solver.errors import StorageError, TooLargeError, UsageError
from mouche_solver.storage.atomic import check_writable
from mouche_solver.storage.dice.checkpoints import load_checkpoint, resume, save_checkpoint
from mouche_solver.storage.dice.fields import check_rules
from mouche_solver.storage.dice.solutions import load_solution, save_solution


@dataclass(frozen=True)
class Request:
    """The command line's flags."""

    game: RuleFlags
    target: float
    seconds: float | None
    iterations: int | None
    algorithm: str | None
    threads: int | None
    out: Path | None
    resume: Path | None
    lock: Path | None
    locked_player: int | None
    tremble: float | None = None
    compact: bool = False

    @property
    def limits(self) -> Limits:
        """When to stop."""
        return Limits(self.target, self.iterations, self.seconds)

    @property
    def checkpoint(self) -> Path | None:
        """Where the state of the run goes."""
        if self.out is not None:
            return Path(f"{self.out}.checkpoint")
        return self.resume


@dataclass(frozen=True)
class Keeping:
    """How the state of a run is kept and removed, and what asks the entries is done."""

    save: Callable[[Path], None]
    drop: Callable[[Path], None]
    surely: Callable[[Callable[[], RoundSolution]], RoundSolution]


def _in_one_file(solver: RoundSolver) -> Keeping:
    def drop(path: Path) -> None:
        path.unlink(missing_ok=True)

    return Keeping(partial(save_checkpoint, solver), drop, lambda act: act())


class Job:
    """A solver with the files that its state and its solution go to."""

    def __init__(
        self,
        request: Request,
        solver: RoundSolver,
        report: Reporter,
        keeping: Keeping | None = None,
    ) -> None:
        self.request, self.solver, self.report = request, solver, report
        self.keeping = keeping or _in_one_file(solver)
        self.path = request.checkpoint
        self.failure: StorageError | None = None
        # Whether the file holds a state of this run, and not of an earlier one.
        self.kept = self.path is not None and self.path == request.resume
        if self.path is not None and self.path != request.resume and self.path.exists():
            report.say(f"mouche: {self.path} is from an earlier run and will be replaced")

    def run(self, limits: Limits) -> Outcome:
        """Run to a limit; Ctrl-C ends as an interrupt once the checkpoint is written."""
        checkpoint = None if self.path is None else self._try_checkpoint
        outcome = run(self.solver, limits, self.report, checkpoint)
        if outcome.reason == "interrupted":
            if self.failure is not None:
                raise self.failure
            raise KeyboardInterrupt
        return outcome

    def keep(self, outcome: Outcome) -> None:
        """Write the solution; the checkpoint stays while there is something left to do."""
        reached = outcome.reason == "target"
        if not (reached and self.request.out):
            self._save_state()
        if self.request.out is None:
            return
        try:
            self._save(self.request.out, outcome)
        except StorageError:
            with suppress(StorageError):  # the first failure is the one to tell
                self._save_state()
            raise
        if reached and self.path is not None:
            self.keeping.drop(self.path)

    def _save(self, out: Path, outcome: Outcome) -> None:
        def written() -> RoundSolution:
            solution = pack(self.solver, outcome)
            save_solution(solution, out)
            return solution

        solution = self.keeping.surely(written)
        bits = 8 * solution.probabilities.dtype.itemsize
        self.report.say(
            f"mouche: wrote {out} ({human(out.stat().st_size)}); exploitability "
            f"{solution.exploitability:.3g} as stored, in {bits} bits"
        )

    def _save_state(self) -> None:
        if self.path is not None:
            self.keeping.save(self.path)
            self.kept = True

    def _try_checkpoint(self) -> None:
        """Write a checkpoint; a disk that is full for a while does not end hours of work."""
        try:
            self._save_state()
            self.failure = None
        except StorageError as error:
            self.failure = error
            self.report.say(f"mouche: no checkpoint at iteration {self.solver.iteration}: {error}")

    def farewell(self, place: str | None = None) -> str:
        """What an interrupt leaves behind, and how to go on from there, on a cluster or not."""
        done = f"interrupted after iteration {self.solver.iteration}"
        if self.path is None:
            return f"{done}; nothing was kept: --out keeps the solution and checkpoints"
        if not self.kept:
            return f"{done}; no checkpoint had been written"
        words = ["mouche", "dice", "solve", "--resume", str(self.path)]
        words += [] if self.request.out is None else ["--out", str(self.request.out)]
        words += ["--target", f"{self.request.target:g}"]
        words += [] if place is None else ["--cluster", place]
        return f"{done}; go on with: {shlex.join(words)}"


def need_of(request: Request) -> dict[str, Any]:
    """The estimate alone."""
    return estimate(request.game.read(), _algorithm(request), request.compact).to_dict()


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
    if request.resume is not None and request.resume.is_dir():
        raise UsageError(f"{request.resume} is a folder of shards: it goes on with --cluster")
    if request.checkpoint is not None:
        check_writable(request.checkpoint)
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


def solve_on_cluster(request: Request, place: str) -> dict[str, Any]:
    """Solve with the entries in other processes, of this machine or of many."""
    from mouche_solver.cluster.solver import ClusterSolver
    from mouche_solver.cluster.start import Cluster
    from mouche_solver.storage.dice.shards import drop_shards, latest_shards

    limits = request.limits
    _check_folder(request)
    with Cluster(place, request.threads) as cluster, Reporter(request.target) as report:
        if request.resume is None:
            tremble = (
                default_tremble(request.target) if request.tremble is None else request.tremble
            )
            rules, algorithm = request.game.read(), _algorithm(request)
        else:
            state = latest_shards(request.resume)
            _check_resumed(request, state.rules, state.algorithm, state.tremble)
            rules, algorithm, tremble = state.rules, state.algorithm, state.tremble
        _check_disk(request, estimate(rules, algorithm))
        solver = ClusterSolver(rules, cluster.hold, algorithm, tremble, report.say)
        if request.resume is not None:
            solver.resume(request.resume)
        job = Job(request, solver, report, Keeping(solver.save, drop_shards, solver.surely))
        try:
            outcome = job.run(limits)
            job.keep(outcome)
        except KeyboardInterrupt:
            raise KeyboardInterrupt(job.farewell(place)) from None
    return summary(solver.rules, solver.estimate, outcome, solver.schedule.algorithm, limits)


def _check_folder(request: Request) -> None:
    """Refuse a checkpoint of one machine where a folder of shards is needed."""
    path = request.checkpoint
    if path is None:
        return
    if path.is_file():
        raise UsageError(
            f"{path} is a file: the checkpoints of --cluster are folders; solves of one process "
            f"go on without --cluster"
        )
    if not path.exists():
        check_writable(path)


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


def _algorithm(request: Request) -> str:
    """The algorithm asked for, else that of the target; 16 bits hold no prediction."""
    usual = DEFAULT_ALGORITHM if request.compact else default_algorithm(request.target)
    return request.algorithm or usual


def _solver(request: Request) -> RoundSolver:
    if request.resume is None:
        rules = request.game.read()
        solver = RoundSolver(
            rules,
            _algorithm(request),
            request.threads,
            default_tremble(request.target) if request.tremble is None else request.tremble,
            compact=request.compact,
        )
        if request.lock is not None and request.locked_player is not None:
            solver.lock(request.locked_player, load_solution(request.lock, 1, rules))
        return solver
    state = load_checkpoint(request.resume)
    _check_resumed(request, state.rules, state.algorithm, state.tremble)
    if request.compact and not state.compact:
        raise UsageError(f"{request.resume} was made without --compact: it cannot go on with it")
    return resume(state, request.threads)


def _check_resumed(request: Request, rules: DiceRules, algorithm: str, tremble: float) -> None:
    """Refuse flags that contradict the checkpoint that a run goes on from."""
    assert request.resume is not None  # only then is there something to compare
    if request.game != DEFAULT_RULES:
        check_rules(request.resume, rules, request.game.read())
    if request.algorithm not in (None, algorithm):
        raise UsageError(
            f"{request.resume} was made by {algorithm}: it cannot go on by {request.algorithm}"
        )
    if request.tremble not in (None, tremble):
        raise UsageError(
            f"{request.resume} was made with --tremble {tremble:g}: it cannot go on with "
            f"{request.tremble:g}"
        )


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


def solve_by_table_sweeps(request: Request, rules: DiceRules) -> dict[str, Any]:
    """Improve a whole table's strategies and report everybody's exact gain from deviating."""
    files = {"--out": request.out, "--resume": request.resume, "--lock": request.lock}
    for flag, value in files.items():
        if value is not None:
            raise UsageError(f"{flag} is for two players: the round of a whole table is not kept")
    if request.tremble is not None:
        raise UsageError("--tremble is for two players")
    limits = request.limits
    if limits.iterations is None and limits.seconds is None:
        limits = Limits(limits.target, DEFAULT_LIMITS.iterations)
    algorithm = request.algorithm or TABLE_ALGORITHM
    start = time.perf_counter()
    with Reporter(limits.target) as report:
        solution = solve_table(
            rules, limits=limits, algorithm=algorithm, threads=request.threads, report=report
        )
    if solution.reason == "interrupted":
        raise KeyboardInterrupt
    size = estimate(rules, algorithm)
    return {
        "values": solution.gap.values.tolist(),
        "gains": solution.gap.gains.tolist(),
        "nash_conv": solution.gap.nash_conv,
        "brackets": [list(pair) for pair in solution.brackets],
        "iterations": solution.iterations,
        "seconds": time.perf_counter() - start,
        "histories": size.histories,
        "entries": size.entries,
        "entries_with_forced": size.entries_with_forced,
        "peak_bytes": peak_memory(),
        "target_reached": solution.reason == "target",
        "algorithm": algorithm,
        "rules": rules.to_dict(),
    }
