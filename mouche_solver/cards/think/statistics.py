"""What played-through guesses say: values with standard errors, and when to leave the table.

The guesses are split in halves. The first proposes the best choice, the second tests it, so that
the luck of being the largest of several means is not taken for a difference. A choice of the table
loses its probability to the proposed one when the paired difference of the second half is above
``CLEAR`` standard errors.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]

CLEAR = 2.0  # standard errors of a paired difference from which the table is left
HOPELESS = 5.0  # and from which a choice is tried no further
WORTH = 0.001  # pots that are not worth more guesses


@dataclass(frozen=True)
class Samples:
    """Guesses of hidden cards, each with every choice played through.

    Attributes
    ----------
    values : float64 array, shape (guesses, choices)
        In pots; NaN where a choice was not tried.
    weights : float64 array, shape (guesses,)
    tests : bool array, shape (guesses,)
        Whether a guess belongs to the half that tests.
    shared : float
        What all guesses share, in shares of a value's variance: they come from pools of hands that
        were drawn once, one over the effective number of each.
    """

    values: Floats
    weights: Floats
    tests: NDArray[np.bool_]
    shared: float = 0.0

    @property
    def effective(self) -> float:
        """Effective sample size: guesses of equal weight that would be as good."""
        total = float(self.weights.sum())
        number = total * total / max(float((self.weights**2).sum()), 1e-300)
        return number / (1.0 + self.shared * number)


@dataclass(frozen=True)
class Estimate:
    """A mean with its standard error, and the effective number of guesses behind it."""

    mean: float
    error: float
    samples: float


def weighted_mean(values: Floats, weights: Floats, shared: float = 0.0) -> Estimate:
    """A weighted mean; its error is infinite below two guesses.

    Examples
    --------
    >>> weighted_mean(np.array([1.0, 2.0, 3.0]), np.ones(3))
    Estimate(mean=2.0, error=0.5773502691896257, samples=3.0)
    """
    total = float(weights.sum())
    squares = float((weights**2).sum())
    if len(values) < 2 or total <= 0.0:
        return Estimate(float(values.mean()) if len(values) else np.nan, np.inf, len(values))
    mean = float((weights * values).sum()) / total
    number = total * total / squares
    spread = float((weights**2 * (values - mean) ** 2).sum()) / total**2
    spread *= number / max(number - 1.0, 1e-9) * (1.0 + shared * number)
    return Estimate(mean, float(np.sqrt(spread)), number / (1.0 + shared * number))


def value_of(samples: Samples, choice: int) -> Estimate:
    """What a choice is worth."""
    tried = ~np.isnan(samples.values[:, choice])
    return weighted_mean(samples.values[tried, choice], samples.weights[tried], samples.shared)


def difference(samples: Samples, one: int, two: int, half: bool | None = None) -> Estimate:
    """What choice one is worth more than two, over the guesses in which both were tried."""
    gaps = samples.values[:, one] - samples.values[:, two]
    used = ~np.isnan(gaps)
    if half is not None:
        used &= samples.tests == half
    return weighted_mean(gaps[used], samples.weights[used], samples.shared)


def still_tried(samples: Samples, alive: int) -> int:
    """The choices, as a mask, that are not clearly worse than the best one."""
    choices = [a for a in range(samples.values.shape[1]) if alive >> a & 1]
    best = max(choices, key=lambda a: value_of(samples, a).mean)
    kept = 1 << best
    for a in choices:
        gap = difference(samples, best, a)
        if a != best and not (gap.mean > HOPELESS * gap.error and gap.mean > WORTH):
            kept |= 1 << a
    return kept


def settled(samples: Samples, alive: int, table: Floats) -> bool:
    """Whether more guesses can hardly change the answer, or not by anything worth while."""
    if alive.bit_count() == 1:
        return True
    choices = [a for a in range(samples.values.shape[1]) if alive >> a & 1]
    for a in choices:
        for b in choices:
            if a != b and table[b] > 0.0:
                gap = difference(samples, a, b)
                if table[b] * (gap.mean + 2.0 * gap.error) > WORTH:
                    return False
    return True


@dataclass(frozen=True)
class Answer:
    """Probabilities of the choices after thinking.

    Attributes
    ----------
    probability : float64 array, shape (choices,)
    proposed : int
        The best choice of the half that proposes.
    gain : Estimate
        What the answer is worth more than the table's, in the half that tests.
    """

    probability: Floats
    proposed: int
    gain: Estimate


def leave_table(samples: Samples, table: Floats, clear: float = CLEAR) -> Answer:
    """Move probability to the proposed choice from those that the tests find worse.

    Parameters
    ----------
    samples : Samples
    table : float64 array, shape (choices,)
        The table's probabilities, 0 for what is not allowed.
    clear : float
        Standard errors of evidence that are asked for.
    """
    first = Samples(
        samples.values[~samples.tests],
        samples.weights[~samples.tests],
        np.zeros((~samples.tests).sum(), np.bool_),
        samples.shared,
    )
    means = [value_of(first, a).mean for a in range(len(table))]
    if np.all(np.isnan(means)):
        return Answer(table.copy(), int(np.argmax(table)), Estimate(0.0, 0.0, 0.0))
    proposed = int(np.nanargmax(means))
    chances = table.copy()
    for a in np.flatnonzero(table).tolist():
        gap = difference(samples, proposed, a, half=True)
        if a != proposed and gap.mean > clear * gap.error and gap.samples >= 30:
            chances[proposed] += chances[a]
            chances[a] = 0.0
    moved = np.flatnonzero(chances - table)
    if len(moved) == 0:
        return Answer(chances, proposed, Estimate(0.0, 0.0, 0.0))
    gains = samples.values[:, moved] @ (chances - table)[moved]
    used = samples.tests & ~np.isnan(gains)
    return Answer(
        chances, proposed, weighted_mean(gains[used], samples.weights[used], samples.shared)
    )
