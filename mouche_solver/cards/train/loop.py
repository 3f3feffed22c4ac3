"""The run loop of a training: time limit, progress, Ctrl-C, checkpoints."""

import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal, Protocol

from mouche_solver.core.checks import whole
from mouche_solver.core.interrupts import interruptible
from mouche_solver.errors import RulesError

# A checkpoint takes at most this share of the time and is not worth it more often.
_CHECKPOINT_SHARE = 0.05
_CHECKPOINT_EVERY = 60.0

Reason = Literal["seconds", "deals", "interrupted"]


class Trainer(Protocol):
    """What the loop needs of a trainer, of one pot or of several."""

    @property
    def deals(self) -> int:
        """Deals that trained anything, those before a resumed run included."""
        ...

    def train_round(self) -> None:
        """Train up to the next safe point."""
        ...


@dataclass(frozen=True)
class Step:
    """Where a training stands.

    Attributes
    ----------
    phase : {"compiling", "training", "checkpoint", "stopping"}
    deals : int
        Deals that trained declarations or play.
    seconds : float
        Since this run began.
    deals_per_second : float or None
        Since the first round, which may compile, was done.
    """

    phase: Literal["compiling", "training", "checkpoint", "stopping"]
    deals: int
    seconds: float
    deals_per_second: float | None = None


@dataclass(frozen=True)
class Ended:
    """How a training ended.

    ``deals_per_second`` is about this run's deals, without the first round where others followed.
    """

    reason: Reason
    seconds: float
    deals_per_second: float


def run_training(
    trainer: Trainer,
    seconds: float | None = None,
    deals: int | None = None,
    report: Callable[[Step], None] | None = None,
    checkpoint: Callable[[], None] | None = None,
) -> Ended:
    """Train until a limit is reached or Ctrl-C asks to stop.

    Parameters
    ----------
    trainer : CardTrainer or PotTrainer
        Changed in place.
    seconds : float, optional
        Wall time of this run; at least one round is trained, unless all deals are done.
    deals : int, optional
        Deals, those of a resumed run included; nothing is trained when they are done.
    report : callable, optional
        Receives :class:`Step` events.
    checkpoint : callable, optional
        Writes the trainer's state, now and then and after an interrupt.

    Returns
    -------
    Ended

    Raises
    ------
    RulesError
        Without a limit, or for one that is not above 0.
    """
    if seconds is None and deals is None:
        raise RulesError("training needs a limit: seconds or deals")
    deals = None if deals is None else whole("deals", deals)
    for name, limit in (("seconds", seconds), ("deals", deals)):
        if limit is not None and not limit > 0:
            raise RulesError(f"{name}={limit}: a limit above 0 is needed")
    loop = _Loop(trainer, seconds, deals, report or (lambda step: None), checkpoint)
    with interruptible(lambda: loop.tell("stopping")) as interrupt:
        if loop.done:
            return loop.ended("deals")
        loop.tell("compiling")
        while True:
            loop.round()
            if interrupt.asked:
                loop.write()
                return loop.ended("interrupted")
            reason = loop.limit()
            if reason is not None:
                return loop.ended(reason)
            loop.write_if_due()


class _Loop:
    def __init__(
        self,
        trainer: Trainer,
        seconds: float | None,
        deals: int | None,
        report: Callable[[Step], None],
        checkpoint: Callable[[], None] | None,
    ) -> None:
        self.trainer, self.seconds, self.deals = trainer, seconds, deals
        self.report, self.checkpoint = report, checkpoint
        self.before = trainer.deals
        self.start = self.written = time.perf_counter()
        self.warm: tuple[float, int] | None = None
        self.cost = self.longest = 0.0

    @property
    def elapsed(self) -> float:
        return time.perf_counter() - self.start

    @property
    def rate(self) -> float | None:
        """Deals a second after the first round."""
        if self.warm is None or self.trainer.deals == self.warm[1]:
            return None
        return (self.trainer.deals - self.warm[1]) / (self.elapsed - self.warm[0])

    def tell(self, phase: Literal["compiling", "training", "checkpoint", "stopping"]) -> None:
        self.report(Step(phase, self.trainer.deals, self.elapsed, self.rate))

    def round(self) -> None:
        before = self.elapsed
        self.trainer.train_round()
        if self.warm is None:
            self.warm = (self.elapsed, self.trainer.deals)
        else:
            self.longest = max(self.longest, self.elapsed - before)
        self.tell("training")

    @property
    def done(self) -> bool:
        """Whether all deals that were asked for are trained."""
        return self.deals is not None and self.trainer.deals >= self.deals

    def limit(self) -> Reason | None:
        if self.done:
            return "deals"
        if self.seconds is not None and self.elapsed + self.longest >= self.seconds:
            return "seconds"
        return None

    def write_if_due(self) -> None:
        wait = max(_CHECKPOINT_EVERY, self.cost / _CHECKPOINT_SHARE)
        if time.perf_counter() - self.written >= wait:
            self.write()

    def write(self) -> None:
        if self.checkpoint is None:
            return
        self.tell("checkpoint")
        before = time.perf_counter()
        self.checkpoint()
        self.written = time.perf_counter()
        self.cost = self.written - before

    def ended(self, reason: Reason) -> Ended:
        mean = (self.trainer.deals - self.before) / max(self.elapsed, 1e-9)
        return Ended(reason, self.elapsed, self.rate or mean)
