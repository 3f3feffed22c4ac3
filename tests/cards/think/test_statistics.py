"""Means with errors, and leaving the table on evidence alone."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mouche_solver.cards.think.statistics import (
    Samples,
    difference,
    leave_table,
    settled,
    still_tried,
    value_of,
    weighted_mean,
)


def samples_of(values: np.ndarray) -> Samples:
    return Samples(values, np.ones(len(values)), np.arange(len(values)) % 2 == 1)


def noisy(means: list[float], number: int, seed: int, noise: float = 0.5) -> Samples:
    rng = np.random.default_rng(seed)
    luck = rng.normal(0, 1.0, (number, 1))  # the same luck for all choices
    return samples_of(np.array(means) + luck + rng.normal(0, noise, (number, len(means))))


def test_weights_count_like_repetitions() -> None:
    rng = np.random.default_rng(1)
    values = rng.normal(size=5000)
    doubled = weighted_mean(values, np.where(np.arange(5000) < 2500, 2.0, 1.0))
    by_hand = (2 * values[:2500].sum() + values[2500:].sum()) / 7500
    assert doubled.mean == pytest.approx(by_hand)
    assert doubled.samples == pytest.approx(7500**2 / (2500 * 4 + 2500))
    assert doubled.error == pytest.approx(1 / np.sqrt(doubled.samples), rel=0.05)


def test_differences_use_what_both_choices_have_seen() -> None:
    values = np.array([[1.0, 0.5], [2.0, np.nan], [3.0, 2.0], [1.0, 0.0]])
    found = difference(samples_of(values), 0, 1)
    assert (found.mean, found.samples) == (pytest.approx(2.5 / 3), 3.0)
    assert value_of(samples_of(values), 0).mean == 1.75


def test_the_table_is_left_for_what_is_clearly_better() -> None:
    answer = leave_table(noisy([0.0, 0.3, 0.29], 4000, 2), np.array([0.7, 0.0, 0.3]))
    assert answer.probability.tolist()[0] == 0.0
    assert answer.probability.sum() == pytest.approx(1.0)
    assert answer.gain.mean > 5 * answer.gain.error


def test_equal_choices_keep_the_mix_of_the_table() -> None:
    """The halves keep the largest of six equal means from looking better than it is."""
    table, left, worth = np.array([0.4, 0.2, 0.2, 0.1, 0.1, 0.0]), 0, 0.0
    for seed in range(300):
        answer = leave_table(noisy([0.0] * 6, 256, seed), table)
        left += bool((answer.probability != table).any())
        worth += answer.gain.mean
    assert left < 0.15 * 300  # five tests at 2 standard errors, each 2.3%


@given(st.integers(0, 10_000))
def test_what_is_hardly_worse_costs_hardly_anything(seed: int) -> None:
    """Choices 0.02 pots worse than the table's: what leaving costs, times how often, is small."""
    samples = noisy([0.0, -0.02], 2000, seed, noise=0.3)
    answer = leave_table(samples, np.array([1.0, 0.0]))
    assert answer.probability[1] in (0.0, 1.0)
    assert answer.probability[1] == 0.0 or answer.gain.mean > 0.0


def test_hopeless_choices_are_tried_no_further() -> None:
    samples = noisy([0.0, 0.5, 0.49], 2000, 3)
    assert still_tried(samples, 0b111) == 0b110
    assert settled(samples, 0b010, np.array([0.0, 1.0, 0.0]))
    assert not settled(noisy([0.0, 0.02], 500, 3), 0b11, np.array([0.5, 0.5]))
