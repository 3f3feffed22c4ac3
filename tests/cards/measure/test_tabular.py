"""The tabular response: it beats what is weak, by as much as an exact count says, and no more."""

import numpy as np
import pytest

from mouche_solver.cards import CardRules
from mouche_solver.cards.measure.tabular import TabularResponse
from mouche_solver.cards.strategy.levels import Abstraction
from mouche_solver.cards.strategy.strategy import CardStrategy
from mouche_solver.cards.train.loop import run_training
from mouche_solver.cards.train.trainer import Batch, CardTrainer

RULES = CardRules(players=2, ranks="K Q J", suits="C D", hand_size=2, reshuffle=False)


def strategy(rounds: int) -> CardStrategy:
    book = Abstraction(RULES, "exact", "lossless", "every")
    trainer = CardTrainer(book, "1/2,1/2", 1, batch=Batch(256, 256, 2, 1 << 10))
    run_training(trainer, deals=rounds * 1024)
    trainer.close()
    return trainer.strategy()


@pytest.fixture(scope="module")
def solved() -> CardStrategy:
    return strategy(128)


def test_an_equilibrium_is_hardly_beaten_and_a_weak_strategy_is(solved: CardStrategy) -> None:
    weak = TabularResponse(strategy(1))
    weak.sample(60_000)
    gain = weak.measure(60_000).gain
    assert gain.low > 0.01
    good = TabularResponse(solved)
    good.sample(60_000)
    assert good.measure(60_000).gain.low < 0.003


def test_results_depend_on_the_seed_alone(solved: CardStrategy) -> None:
    found = []
    for threads in (1, 3):
        response = TabularResponse(solved, 5, threads)
        response.sample(20_000)
        found.append(response.measure(8192).gain)
    assert found[0] == found[1]


def test_estimates_are_shrunk_means_of_advantages(solved: CardStrategy) -> None:
    """By hand: two levels that know one cell."""
    response = TabularResponse(solved)
    response._total = [np.zeros_like(t) for t in response._total]
    nodes = np.array([[0, 0, 3]])
    for level, (number, total) in enumerate(((100.0, 10.0), (300.0, 90.0))):
        cell = int(response._cells_of(response.levels[level], nodes)[0])
        response._number[level][cell], response._total[level][cell, 1] = number, total
    # 100/400 of 0.1, then half of the way from there to 0.3; the other levels know nothing.
    coarse = 0.25 * 0.1
    expected = coarse + 0.5 * (0.3 - coarse)
    assert response.estimates(nodes, 300.0)[0, 1] == pytest.approx(expected)
