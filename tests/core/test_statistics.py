"""Intervals: the textbook's formulas, and their coverage."""

from statistics import fmean, stdev

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mouche_solver.core.statistics import NORMAL_95, mean_interval, mean_margin

NUMBERS = st.lists(st.floats(-100, 100), min_size=2, max_size=30)


@given(NUMBERS)
def test_both_agree_with_the_standard_library(values: list[float]) -> None:
    mean, (low, high) = mean_interval(np.array(values))
    half = NORMAL_95 * stdev(values) / len(values) ** 0.5
    assert (mean, low, high) == pytest.approx((fmean(values), mean - half, mean + half), abs=1e-9)
    again, margin = mean_margin(sum(values), sum(v * v for v in values), len(values))
    part = ((len(values) - 1) / len(values)) ** 0.5  # sums give the spread of a population
    assert (again, margin) == pytest.approx((mean, part * half), abs=1e-4)


def test_about_19_of_20_intervals_hold_the_mean() -> None:
    rows = np.random.default_rng(1).normal(3.0, 2.0, (2000, 50))
    hits = [low <= 3.0 <= high for low, high in (mean_interval(row)[1] for row in rows)]
    assert 0.92 < np.mean(hits) < 0.97
