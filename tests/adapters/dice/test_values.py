"""OpenSpiel's solvers on the game itself find the known values, under every raise rule."""

from fractions import Fraction

import pyspiel
import pytest
from open_spiel.python.algorithms import expected_game_score, exploitability
from open_spiel.python.policy import TabularPolicy

from mouche_solver.adapters.openspiel import load_dice_game
from mouche_solver.dice import DiceRules

ONE = DiceRules(dice=(1, 1), faces=3)
# Exact values of the opener. Those of the top face wild are those of OpenSpiel's liars_dice.
VALUES = [
    (ONE.replace(faces=2), Fraction(0)),
    (ONE, Fraction(-1, 9)),
    (ONE.replace(faces=2, wild=1), Fraction(1)),
    (ONE.replace(wild=1), Fraction(1, 3)),
    (ONE.replace(raise_rule="quantity-first"), Fraction(-1, 9)),
    (ONE.replace(raise_rule="face-first"), Fraction(-1, 9)),
    (ONE.replace(faces=2, wild=2, raise_rule="quantity-first"), Fraction(1, 2)),
    (ONE.replace(wild=3, raise_rule="quantity-first"), Fraction(1, 9)),
]


@pytest.mark.parametrize("rules, value", VALUES)
def test_cfr_plus_finds_the_value(rules, value) -> None:
    game = load_dice_game(rules)
    solver = pyspiel.CFRPlusSolver(game)
    for _ in range(40):
        solver.evaluate_and_update_policy()
    policy = solver.average_policy()
    gap = pyspiel.nash_conv(game, policy, True)
    found = pyspiel.expected_returns(game.new_initial_state(), policy, -1, True)
    assert gap < 0.1
    assert abs(found[0] - value) <= gap + 1e-12
    assert found[0] == pytest.approx(-found[1])


def test_python_and_c_plus_plus_measure_the_same() -> None:
    game = load_dice_game(ONE.replace(wild=2, raise_rule="face-first", truth="exactly"))
    uniform = TabularPolicy(game)
    ours = exploitability.nash_conv(game, uniform)
    assert ours == pytest.approx(pyspiel.nash_conv(game, pyspiel.UniformRandomPolicy(game), True))
    scores = expected_game_score.policy_value(game.new_initial_state(), [uniform] * 2)
    returns = pyspiel.expected_returns(
        game.new_initial_state(), pyspiel.UniformRandomPolicy(game), -1, True
    )
    assert list(scores) == pytest.approx(returns)


def test_three_players_share_what_one_loses() -> None:
    game = load_dice_game(DiceRules(dice=(1, 1, 1), faces=2))
    policy = pyspiel.UniformRandomPolicy(game)
    values = pyspiel.expected_returns(game.new_initial_state(), policy, -1, True)
    assert sum(values) == pytest.approx(0)
    assert pyspiel.nash_conv(game, policy, True) > 0
