"""Running a search: guesses in chunks, until the time or the number of guesses is used up."""

import time
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from mouche_solver.cards.kernels.records import PLACES, Game, Policy, Record, Table
from mouche_solver.cards.strategy.compile import new_table
from mouche_solver.cards.think.kernels_belief import Seen
from mouche_solver.cards.think.kernels_search import fill_pools, largest_weight, try_choices
from mouche_solver.cards.think.statistics import Floats, Samples, settled, still_tried
from mouche_solver.core.checks import real, whole
from mouche_solver.core.chunks import Workers
from mouche_solver.core.streams import Purpose, stream
from mouche_solver.errors import RulesError

CHUNK = 64  # guesses that share one random stream
ROUND = 8  # chunks between two looks at the clock and at the choices
PILOTS = 1024  # guesses that tell how large weights are
RARE = 0.05  # mean weight, in shares of the largest, below which pools are made
POOL = 150_000  # hands that are looked at for a pool: all of 36 cards
FAIR = 0.3  # share of the largest weight from which a guess is always kept
TRIES = 400  # guesses that may be thrown away for each that is kept
SLIPS = (0.0, 0.02, 0.1)  # how often others may err: taken is what explains them best
SOON = 2  # rounds after which choices may be given up


@dataclass(frozen=True)
class Budget:
    """How long to think.

    Parameters
    ----------
    seconds : float
        For one decision; 0 is the table alone.
    samples : int, optional
        Guesses instead of seconds, rounded up to whole rounds of 512: the answer then depends on
        them and the seed, not on the machine.
    seed, threads : int
        Results do not depend on the threads, except through the clock.
    settle : bool
        Stop as soon as more guesses can hardly change the answer.
    trusting : bool
        The others are known to play the strategy; errors only where nothing else explains them.

    Raises
    ------
    RulesError
        For negative numbers.
    """

    seconds: float = 1.0
    samples: int | None = None
    seed: int = 0
    threads: int = 1
    settle: bool = False
    trusting: bool = False

    def __post_init__(self) -> None:
        if self.samples is not None:
            object.__setattr__(self, "samples", whole("samples", self.samples))
        if not real("seconds", self.seconds) >= 0.0 or (
            self.samples is not None and self.samples < 1
        ):
            raise RulesError(
                f"seconds={self.seconds}, samples={self.samples}: seconds from 0 on and at least "
                "1 sample are needed"
            )

    @property
    def idle(self) -> bool:
        """Whether nothing is to be thought."""
        return self.samples is None and self.seconds == 0.0


@dataclass(frozen=True)
class Found:
    """Samples, and the slip that was needed to explain what others did."""

    samples: Samples
    slip: float


def search(
    task: Record, table: Floats, game: Game, policy: Policy, known: Table, budget: Budget
) -> Found | None:
    """Guess and play every choice through; None when no guess explains what was seen.

    Parameters
    ----------
    task : TASK record
        Which decision; what is written here is the search's own.
    table : float64 array, shape (choices,)
        The table's probabilities.
    game, policy : GAME record, Policy
    known : TABLE record
        What the seat knows.
    budget : Budget
    """
    end = time.monotonic() + budget.seconds
    seen = _weigh(task, game, policy, known, budget)
    if seen is None:
        return None
    choices = int(task["number"])
    most = None if budget.samples is None else -(-budget.samples // (CHUNK * ROUND))
    places = [(new_table(), _own_scratch(seen)) for _ in range(ROUND)]
    task["tries"] = CHUNK * TRIES

    def job(number: int) -> tuple[Floats, Floats]:
        values, weights = np.full((CHUNK, choices), np.nan), np.zeros(CHUNK)
        dream, mine = places[number % ROUND]
        luck = stream(Purpose.CARD_THINK_GUESSES, budget.seed, number)
        kept = try_choices(task, game, policy, known, dream, mine, luck, values, weights)
        return values[:kept], weights[:kept]

    parts: list[tuple[Floats, Floats]] = []
    with Workers(budget.threads) as workers:
        done = 0
        while most is None or done < most:
            began = time.monotonic()
            parts += workers.map(job, range(done * ROUND, (done + 1) * ROUND))
            done += 1
            samples = _joined(parts, float((1.0 / seen.limit).sum()))
            if len(samples.weights) < CHUNK // 2 * done:  # hardly a guess fits
                break
            task["usual"] = max(float(task["usual"]), FAIR * float(samples.weights.max()))
            if done >= SOON:
                task["alive"] = still_tried(samples, int(task["alive"]))
                if budget.settle and settled(samples, int(task["alive"]), table):
                    break
            now = time.monotonic()
            if most is None and now + (now - began) > end:
                break
    return Found(samples, float(task["slip"])) if len(samples.weights) >= CHUNK else None


def _weigh(task: Record, game: Game, policy: Policy, known: Table, budget: Budget) -> Seen | None:
    """How well the others keep to the strategy, and how large weights are; None when nothing fits.

    Where hardly a guess fits, hands that explain what was declared are collected in pools.
    """
    best, chosen = 0.0, None
    for slip in SLIPS:
        if budget.trusting and chosen is not None:
            break
        task["slip"] = slip
        seen, most, likely = _explain(task, game, policy, known, budget.seed)
        if likely > best:
            best, chosen = likely, (slip, most, seen)
    if chosen is None:
        return None
    task["slip"], most, seen = chosen
    task["usual"] = FAIR * most
    return seen


def _explain(
    task: Record, game: Game, policy: Policy, known: Table, seed: int
) -> tuple[Seen, float, float]:
    """Pools if they are needed, the largest weight, and how likely what others did is."""
    place, seen, likely = new_table(), no_pools(), 1.0
    for number, pooled in enumerate((False, True)):
        if pooled:
            seen = no_pools(POOL)
            luck = stream(Purpose.CARD_THINK_POOLS, seed, 0)
            fill_pools(task, game, policy, known, place, seen, luck)
            likely = float(np.prod(seen.likely[seen.size > 0]))
        luck = stream(Purpose.CARD_THINK_PILOT, seed, number)
        most, mean = largest_weight(task, PILOTS, game, policy, known, place, seen, luck)
        if mean > RARE * most:
            break
    return seen, most, likely * mean


def no_pools(size: int = 0) -> Seen:
    """Pools for so many hands of each seat, all empty."""
    masks = np.zeros((2, PLACES, size), np.int64)
    upto = np.zeros((PLACES, size))
    likely, limit = np.zeros(PLACES), np.full(PLACES, np.inf)
    return Seen(_zeros(), masks[0], masks[1], upto, _zeros(), likely, limit, _zeros())


def _own_scratch(seen: Seen) -> Seen:
    """The same pools, with what a chunk writes into for itself."""
    return seen._replace(shown=_zeros(), chosen=_zeros())


def _zeros() -> NDArray[np.int64]:
    return np.zeros(PLACES, np.int64)


def _joined(parts: list[tuple[Floats, Floats]], shared: float) -> Samples:
    values = np.concatenate([v for v, _ in parts])
    weights = np.concatenate([w for _, w in parts])
    tests = np.concatenate([np.full(len(w), n % 2 == 1) for n, (_, w) in enumerate(parts)])
    return Samples(values, weights, tests, shared)
