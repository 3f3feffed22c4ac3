"""What ``mouche cards solve`` does: the trainer, its files and the summary."""

import os
import shlex
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from mouche_solver.cards.measure.tournament import measure_level
from mouche_solver.cards.rules.rules import CardRules
from mouche_solver.cards.strategy.levels import CHAINS, Abstraction, usual_abstraction
from mouche_solver.cards.strategy.strategy import CardStrategy
from mouche_solver.cards.train.loop import Ended, Step, run_training
from mouche_solver.cards.train.pots import PotTrainer
from mouche_solver.cards.train.trainer import CardTrainer, explore, memory_need
from mouche_solver.cli.cards.group import DEFAULT_RULES, RuleFlags
from mouche_solver.cli.progress import Reporter, acknowledge
from mouche_solver.core.memory import available_disk, human
from mouche_solver.errors import StorageError, TooLargeError, UsageError
from mouche_solver.storage.atomic import check_writable
from mouche_solver.storage.cards.checkpoints import resume_training, save_training
from mouche_solver.storage.cards.pots import save_pots
from mouche_solver.storage.cards.strategies import save_strategy

# Deals that measure shares and mouches of the finished strategy.
MEASURED = 1 << 17
# Seconds between lines of a log.
QUIET = 10.0

PHASES = {"compiling": "compiling", "checkpoint": "writing a checkpoint", "stopping": "stopping"}


@dataclass(frozen=True)
class Learning:
    """What a training tells apart, and how the others explore."""

    levels: str | None = None
    declarations: float = 0.0
    cards: float = 0.0
    weighted: bool = False

    def abstraction(self, rules: CardRules) -> Abstraction:
        """The levels that were asked for, or the usual ones."""
        if self.levels is None:
            return usual_abstraction(rules)
        if self.levels not in CHAINS:
            raise UsageError(f"--levels {self.levels}: allowed are {', '.join(CHAINS)}")
        return Abstraction(rules, self.levels)


@dataclass(frozen=True)
class Request:
    """The command line's flags."""

    game: RuleFlags
    continuation: str
    seconds: float | None
    deals: int | None
    seed: int
    threads: int | None
    out: Path | None
    resume: Path | None
    pots: tuple[int, ...] = ()
    learning: Learning = Learning()

    @property
    def checkpoint(self) -> Path | None:
        """Where the state of the run goes."""
        if self.out is not None:
            return Path(f"{self.out}.checkpoint")
        return self.resume

    @property
    def workers(self) -> int:
        """Threads to use."""
        return self.threads or os.cpu_count() or 1


def train(request: Request) -> dict[str, Any]:
    """Train, write what was asked for, and sum up."""
    if len(request.pots) > 1:
        return _train_pots(request)
    if request.checkpoint is not None:
        check_writable(request.checkpoint)
    trainer = _trainer(request)
    try:
        _check_disk(request.checkpoint, [trainer], True)
        with Reporter(0.0) as report:
            ended, failure = _run(request, trainer, report)
            strategy = trainer.strategy(ended.seconds)
            interrupted = ended.reason == "interrupted"
            if not interrupted:
                failure = _keep_state(request, trainer, report)
            # Where only the checkpoint finds no room, what was learned is kept all the same.
            if request.out is not None and (failure is not None or not interrupted):
                save_strategy(strategy, request.out)
                report.say(f"mouche: wrote {request.out} ({human(request.out.stat().st_size)})")
            elif failure is not None:
                raise failure
        if interrupted:
            raise KeyboardInterrupt(_farewell(request, trainer, failure))
        return summary(trainer, strategy, ended, request.workers)
    finally:
        trainer.close()


def read_pots(text: str | None) -> tuple[int, ...]:
    """Chips by commas.

    Examples
    --------
    >>> read_pots("5, 10,20")
    (5, 10, 20)
    """
    words = [] if text is None else [word.strip() for word in text.split(",")]
    if not all(_is_count(word) for word in words):
        raise UsageError(f"--pot {text}: give chips by commas, such as 5,10,20")
    return tuple(int(word) for word in words)


def _is_count(word: str) -> bool:
    return word.isascii() and word.isdecimal() and len(word) <= 10 and int(word) > 0


def _train_pots(request: Request) -> dict[str, Any]:
    """Train for several pots; such a run is not resumed."""
    if request.resume is not None:
        raise UsageError("--resume: a run for several pots cannot be carried on; leave it out")
    if replace(request.learning, levels=None) != Learning():
        raise UsageError("--tremble: not with several pots; solve for one of them, --pot N")
    trainer = PotTrainer(
        request.learning.abstraction(request.game.read()),
        request.pots,
        request.continuation,
        request.seed,
        request.workers,
    )
    try:
        _check_disk(request.out, trainer.trainers, False)
        with Reporter(0.0) as report:
            ended = run_training(trainer, request.seconds, request.deals, _Steps(report))
            found = trainer.strategies(ended.seconds)
            if request.out is not None:
                save_pots(found, request.out)
                report.say(f"mouche: wrote {request.out} ({human(request.out.stat().st_size)})")
        if ended.reason == "interrupted":
            kept = "nothing was kept" if request.out is None else "what was learned is kept"
            raise KeyboardInterrupt(f"interrupted after {trainer.deals:,} deals; {kept}")
        levels = [
            measure_level(s.game, s.policy, MEASURED, request.seed, request.workers)
            for s in found.strategies
        ]
        return {
            "continuation": found.strategies[0].training.continuation,
            "pots": list(found.pots),
            "pot_values": None if found.values is None else found.values.T.tolist(),
            "seat_shares": [list(s.training.seat_shares) for s in found.strategies],
            "mouches_per_deal": [level.mouches for level in levels],
            "in_distribution": [list(level.in_distribution) for level in levels],
            "deals": trainer.deals,
            "deals_per_second": ended.deals_per_second,
            "information_sets": sum(t.information_sets for t in trainer.trainers),
            "seconds": ended.seconds,
            "rules": trainer.rules.to_dict(),
        }
    finally:
        trainer.close()


def summary(
    trainer: CardTrainer, strategy: CardStrategy, ended: Ended, threads: int
) -> dict[str, Any]:
    """The object that scripts rely on."""
    level = measure_level(strategy.game, strategy.policy, MEASURED, trainer.seed, threads)
    worth: dict[str, Any] = {
        "seat_shares": list(strategy.training.seat_shares),
        "mouches_per_deal": level.mouches,
    }
    if strategy.rules.scoring == "countdown":
        worth = {"seat_points": level.shares.tolist()}
    return {
        "continuation": strategy.training.continuation,
        **worth,
        "in_distribution": list(level.in_distribution),
        "deals": trainer.deals,
        "deals_per_second": ended.deals_per_second,
        "information_sets": trainer.information_sets,
        "seconds": ended.seconds,
        "rules": trainer.abstraction.rules.to_dict(),
    }


def _trainer(request: Request) -> CardTrainer:
    if request.resume is None:
        how = request.learning
        return CardTrainer(
            how.abstraction(request.game.read()),
            request.continuation,
            request.seed,
            threads=request.workers,
            pot=request.pots[0] if request.pots else None,
            tremble=explore(how.declarations, how.cards, how.weighted),
        )
    if request.learning != Learning():
        raise UsageError("--levels and --tremble: a checkpoint knows them; leave the flags out")
    if request.pots:
        raise UsageError("--pot: a checkpoint knows its pot; leave the flag out")
    trainer = resume_training(request.resume, request.workers)
    rules = trainer.abstraction.rules
    if request.game != DEFAULT_RULES and request.game.read().deal_hash != rules.deal_hash:
        trainer.close()
        raise UsageError(f"{request.resume} is for other rules: leave the rules flags out")
    return trainer


def _check_disk(path: Path | None, trainers: Sequence[CardTrainer], checkpoints: bool) -> None:
    """Refuse before the first round what could not be written after the last.

    A strategy is taken to need half of its tables: it is in 16 bits and without the regrets.
    """
    if path is None:
        return
    folder = path.resolve().parent
    state = sum(memory_need(trainer.abstraction, trainer.batch) for trainer in trainers)
    size = strategy = state // 2
    if checkpoints:
        # An old checkpoint stays until the new one is complete.
        old = path.stat().st_size if path.exists() else 0
        size = state + strategy - min(old, strategy)
    free = available_disk(folder)
    if free is not None and free < size:
        kept = f"checkpoints of {human(state)} and " if checkpoints else ""
        raise TooLargeError(
            f"{folder} needs room for about {human(size)}: {kept}strategies of up to "
            f"{human(strategy)}; {human(free)} are free"
        )


def _keep_state(request: Request, trainer: CardTrainer, report: Reporter) -> StorageError | None:
    """Write a checkpoint; a disk that is full for a while does not end the training."""
    if request.checkpoint is None:
        return None
    try:
        save_training(trainer, request.checkpoint)
    except StorageError as error:
        report.say(f"mouche: no checkpoint after {trainer.deals:,} deals: {error}")
        return error
    return None


def _run(
    request: Request, trainer: CardTrainer, report: Reporter
) -> tuple[Ended, StorageError | None]:
    """Train to the limit; why the last checkpoint was not written, if so."""
    failure: StorageError | None = None

    def checkpoint() -> None:
        nonlocal failure
        failure = _keep_state(request, trainer, report)

    ended = run_training(trainer, request.seconds, request.deals, _Steps(report), checkpoint)
    return ended, failure


def _farewell(request: Request, trainer: CardTrainer, failure: StorageError | None) -> str:
    done = f"interrupted after {trainer.deals:,} deals"
    if failure is not None:
        return f"{done}; what was learned is kept, without a checkpoint"
    if request.checkpoint is None:
        return f"{done}; nothing was kept: --out keeps the strategy and checkpoints"
    words = ["mouche", "cards", "solve", "--resume", str(request.checkpoint)]
    words += [] if request.out is None else ["--out", str(request.out)]
    return f"{done}; go on with: {shlex.join(words)}"


class _Steps:
    """Writes the steps of a training for people."""

    def __init__(self, report: Reporter) -> None:
        self.report, self.last = report, -QUIET

    def __call__(self, step: Step) -> None:
        if step.phase == "stopping":
            acknowledge()
            return
        text = PHASES.get(step.phase, f"{step.deals:,} deals")
        if step.deals_per_second is not None:
            text += f", {step.deals_per_second:,.0f} a second"
        if self.report.status is not None:
            self.report.status.update(text)
        elif step.phase != "training" or step.seconds - self.last >= QUIET:
            self.report.say(text)
            self.last = step.seconds
