"""Deviations measured against a strategy's own play of the same deals."""

import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from math import sqrt
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mouche_solver.cards.measure.tournament import NORMAL_95, Gain


@dataclass(frozen=True)
class Change:
    """What a response declares in place of the strategy, and what comes of it.

    Attributes
    ----------
    seat : int
    own, answer : int
        -1 pass, 0 stand, else the number of cards exchanged.
    share : float
        How often it happens in the seat's deals.
    gain, margin : float
        Pots a deal that the seat gains by it, and half its 95% interval.
    """

    seat: int
    own: int
    answer: int
    share: float
    gain: float
    margin: float


@dataclass(frozen=True)
class Measured:
    """A deviation's gain over the strategy's own play of the same deals.

    Attributes
    ----------
    gain : Gain
        With shares that add up to one also the gain over an equal share.
    gain_by_seat : tuple of float
        Pots a deal.
    changes : tuple of Change
        Where it comes from, the largest gains first; empty for the play.
    """

    gain: Gain
    gain_by_seat: tuple[float, ...]
    changes: tuple[Change, ...] = ()


def stream(seed: int, kind: int, number: int) -> NDArray[np.uint64]:
    """The random numbers of one chunk."""
    word = np.random.SeedSequence(seed, spawn_key=(kind, number))
    return word.generate_state(1, np.uint64).astype(np.uint64)


def in_rounds(
    job: Callable[[int], tuple[Any, Any]],
    deals: int,
    chunk: int,
    together: int,
    seconds: float,
    threads: int,
) -> tuple[Any, Any, int]:
    """Run chunks of deals, ``together`` of them a round, until deals or seconds are used up.

    Returns the sums of both results of ``job(number)``, added in order, and the deals.
    """
    end = time.monotonic() + seconds
    rounds = -(-deals // (chunk * together))
    one: Any = 0.0
    two: Any = 0.0
    done = 0
    with ThreadPoolExecutor(threads) as workers:
        while done < rounds and (done == 0 or time.monotonic() < end):
            numbers = range(done * together, (done + 1) * together)
            for first, second in workers.map(job, numbers):
                one, two = one + first, two + second
            done += 1
    return one, two, done * chunk * together


def measured(
    sums: NDArray[np.float64], deals: int, players: int, changes: tuple[Change, ...] = ()
) -> Measured:
    """Sums of paired differences as a gain with its interval."""
    mean = float(sums[0]) / deals
    spread = sqrt(max(0.0, float(sums[1]) / deals - mean**2) / deals)
    by_seat = tuple((sums[2 : 2 + players] / deals).tolist())
    gains = tuple((sums[2 + players : 2 + 2 * players] / deals).tolist())
    return Measured(Gain(mean, NORMAL_95 * spread, deals, by_seat), gains, changes)
