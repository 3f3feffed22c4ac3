"""How fast big tables are sampled, and how good a minute of it makes a strategy.

Run this file for a report; ``pytest benchmarks/bench_sample.py`` holds the claims.
"""

import time
from functools import cache

import pytest

from mouche_solver.dice import DiceRules, SampledStrategy, SampleLimits, View, train_sampled
from mouche_solver.dice.sample.exact import exact_gap
from mouche_solver.dice.sample.quality import odds_margins
from mouche_solver.dice.sample.response import local_response
from mouche_solver.dice.sample.train import Sampler
from mouche_solver.dice.sample.view import build_machine
from mouche_solver.dice.sweep.tree import round_tree

BIG = DiceRules(dice=(5, 5, 5))
VIEW = View(2, 60, 1)
PACE, GAIN = 400_000, 0.03


@cache
def trained(rules: DiceRules, visits: int = 80_000_000) -> SampledStrategy:
    """A strategy after a minute or so; for three with five dice, the one that is shipped."""
    return train_sampled(rules, VIEW, limits=SampleLimits(visits))


def pace(seconds: float = 10.0) -> float:
    """Sampled information sets a second on all processors, compiled and warmed up."""
    sampler = Sampler(BIG, build_machine(round_tree(BIG), VIEW), None, 0, None)
    sampler.batch()
    first, start = sampler.visits, time.perf_counter()
    while time.perf_counter() - start < seconds:
        sampler.batch()
    return (sampler.visits - first) / (time.perf_counter() - start)


def exact_gain(dice: tuple[int, ...]) -> float:
    """The mean gain of exact best responses in points a round, over all seats."""
    strategy = trained(DiceRules(dice=dice), 60_000_000)
    gap = exact_gap(strategy.rules, strategy.machine, strategy.entries)
    return gap.exploitability * (len(dice) - 1) / len(dice)


def test_a_big_table_is_sampled_fast() -> None:
    assert pace() >= PACE


def test_the_strategy_beats_every_odds_only_player() -> None:
    for row in odds_margins(trained(BIG)):
        assert row["interval"][0] > 0, row


def test_a_local_best_response_gains_little() -> None:
    assert local_response(trained(BIG), deals=1200).interval[1] < GAIN


@pytest.mark.parametrize("dice", [(3, 3, 3), (5, 5)], ids=str)
def test_exact_best_responses_gain_little(dice: tuple[int, ...]) -> None:
    assert exact_gain(dice) < 0.06


if __name__ == "__main__":
    print(f"3 x 5 dice: {pace():,.0f} information sets a second")
    for table in ((3, 3, 3), (5, 5)):
        print(f"{table}: exact best responses gain {exact_gain(table):.4f} points a round")
    for row in odds_margins(trained(BIG)):
        print(row)
    print(local_response(trained(BIG), deals=1200))
