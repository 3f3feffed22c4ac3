"""One solve of ``mouche dice solve``: what was asked for, its run and its files."""

import shlex
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from mouche_solver.cli.dice.group import RuleFlags
from mouche_solver.cli.progress import Reporter
from mouche_solver.core.memory import human
from mouche_solver.core.run import Limits, Outcome, run
from mouche_solver.dice.round.solve import RoundSolver, pack
from mouche_solver.errors import StorageError
from mouche_solver.storage.dice.checkpoints import save_checkpoint
from mouche_solver.storage.dice.solutions import save_solution


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


class Job:
    """A solver with the files that its state and its solution go to."""

    def __init__(self, request: Request, solver: RoundSolver, report: Reporter) -> None:
        self.request, self.solver, self.report = request, solver, report
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
            self.path.unlink(missing_ok=True)

    def _save(self, out: Path, outcome: Outcome) -> None:
        solver = self.solver
        solution = pack(solver.sweep, solver.rules, solver.schedule.algorithm, outcome)
        save_solution(solution, out)
        self.report.say(
            f"mouche: wrote {out} ({human(out.stat().st_size)}); exploitability "
            f"{solution.exploitability:.3g} as stored, in 16 bits"
        )

    def _save_state(self) -> None:
        if self.path is not None:
            save_checkpoint(self.solver, self.path)
            self.kept = True

    def _try_checkpoint(self) -> None:
        """Write a checkpoint; a disk that is full for a while does not end hours of work."""
        try:
            self._save_state()
            self.failure = None
        except StorageError as error:
            self.failure = error
            self.report.say(f"mouche: no checkpoint at iteration {self.solver.iteration}: {error}")

    def farewell(self) -> str:
        """What an interrupt leaves behind, and how to go on from there."""
        done = f"interrupted after iteration {self.solver.iteration}"
        if self.path is None:
            return f"{done}; nothing was kept: --out keeps the solution and checkpoints"
        if not self.kept:
            return f"{done}; no checkpoint had been written"
        words = ["mouche", "dice", "solve", "--resume", str(self.path)]
        words += [] if self.request.out is None else ["--out", str(self.request.out)]
        words += ["--target", f"{self.request.target:g}"]
        return f"{done}; go on with: {shlex.join(words)}"
