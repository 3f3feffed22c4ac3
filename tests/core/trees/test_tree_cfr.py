"""Every regret minimiser finds what is known; three players are measured."""

import numpy as np
import pytest

from mouche_solver.core.minimisers import schedule
from mouche_solver.core.trees.best_response import evaluate
from mouche_solver.core.trees.extensive import sequence_form
from mouche_solver.core.trees.tree_cfr import TreeCFR
from mouche_solver.dice import DiceRules
from mouche_solver.dice.exact import DiceRound


@pytest.mark.parametrize(
    "algorithm, iterations, reached",
    [
        ("cfr", 2000, 3e-3),
        ("cfr+", 1000, 1e-3),
        ("dcfr", 1000, 1e-3),
        ("pcfr+", 1000, 1e-4),
        ("sapcfr+", 1000, 1e-4),
    ],
)
def test_kuhn(kuhn, algorithm, iterations, reached):
    form = sequence_form(kuhn)
    cfr = TreeCFR(form, schedule(algorithm))
    cfr.run(iterations)
    gap = evaluate(form, cfr.average_strategy())
    assert gap.exploitability < reached
    assert gap.values[0] == pytest.approx(-1 / 18, abs=2 * reached)


def test_two_runs_in_pieces_equal_one(kuhn):
    form = sequence_form(kuhn)
    whole, pieces = TreeCFR(form, schedule("dcfr")), TreeCFR(form, schedule("dcfr"))
    whole.run(10)
    for _ in range(5):
        pieces.run(2)
    assert pieces.iteration == 10
    assert np.array_equal(whole.average_strategy(), pieces.average_strategy())


def test_one_iteration_by_hand(kuhn):
    """After one iteration of CFR+ player 1 has answered player 0's first update."""
    form = sequence_form(kuhn)
    cfr = TreeCFR(form, schedule("cfr+"))
    cfr.run(1)
    # Against uniform play the Jack's bet gets (1 - 2) / 2, its pass (-1 - (1 + 2) / 2) / 2.
    assert form.behaviour(cfr.strategy, 0, (0, "")) == {"p": 0.0, "b": 1.0}
    # The Jack never calls, the King always does.
    assert form.behaviour(cfr.strategy, 1, (0, "b")) == {"p": 1.0, "b": 0.0}
    assert form.behaviour(cfr.strategy, 1, (2, "b")) == {"p": 0.0, "b": 1.0}


def test_three_players_are_measured():
    form = sequence_form(DiceRound(DiceRules(dice=(1, 1, 1), faces=2)))
    cfr = TreeCFR(form, schedule("pcfr+"))
    before = evaluate(form, form.uniform()).nash_conv
    cfr.run(500)
    after = evaluate(form, cfr.average_strategy())
    assert after.nash_conv < 1e-3 < before
    assert after.values.sum() == pytest.approx(0, abs=1e-12)
