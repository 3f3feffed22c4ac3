"""Means of sampled values with their 95% intervals."""

from math import sqrt

import numpy as np
from numpy.typing import NDArray

# Two-sided 95% of the normal distribution, in standard errors.
NORMAL_95 = 1.959964

Interval = tuple[float, float]


def mean_margin(total: float, squares: float, number: int) -> tuple[float, float]:
    """A mean and half its 95% interval, from sums.

    Parameters
    ----------
    total, squares : float
        Sums of the values and of their squares.
    number : int
        Independent values.

    Examples
    --------
    >>> mean, margin = mean_margin(2.0, 4.0, 4)  # of 0, 0, 0, 2
    >>> mean, round(margin, 3)
    (0.5, 0.849)
    """
    mean = total / number
    error = sqrt(max(0.0, squares / number - mean**2) / number)
    return mean, NORMAL_95 * error


def mean_interval(values: NDArray[np.float64]) -> tuple[float, Interval]:
    """The mean of independent values and its 95% interval.

    Parameters
    ----------
    values : float64 array, shape (number,)
        At least two; the variance is that of a sample.

    Examples
    --------
    >>> mean_interval(np.array([1.0, 1.0, 1.0]))
    (1.0, (1.0, 1.0))
    """
    mean = float(values.mean())
    half = NORMAL_95 * float(values.std(ddof=1)) / sqrt(len(values))
    return mean, (mean - half, mean + half)
