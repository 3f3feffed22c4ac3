"""Strategies across the border: both sides measure the same, under every raise rule."""

from itertools import product

import numpy as np
import pyspiel
import pytest
from open_spiel.python.algorithms import expected_game_score, exploitability
from open_spiel.python.policy import TabularPolicy, UniformRandomPolicy

from mouche_solver.adapters.openspiel import load_cards_game, load_dice_game
from mouche_solver.adapters.policies import (
    from_openspiel_policy,
    measure_openspiel_policy,
    to_openspiel_policy,
)
from mouche_solver.cards import CardRules
from mouche_solver.core.run import Limits
from mouche_solver.dice import DiceRules
from mouche_solver.dice.round.solve import solve_round
from mouche_solver.errors import RulesError, TooLargeError

RAISES = ("face-locked", "quantity-first", "face-first")
GAMES = [
    DiceRules(dice=dice, faces=2, raise_rule=rule, wild=wild)
    for rule, wild, dice in product(RAISES, (None, 1), ((1, 1), (2, 1)))
] + [
    DiceRules(dice=(1, 1), faces=3, wild=3, raise_rule="quantity-first"),
    DiceRules(dice=(1, 2), faces=3, truth="exactly"),
    DiceRules(dice=(2, 2), faces=2, minimum_opening=2, wild=2),
]


def random_policy(game: pyspiel.Game, seed: int) -> TabularPolicy:
    """Random probabilities, some of them zero, so that parts of the game are never reached."""
    policy, rng = TabularPolicy(game), np.random.default_rng(seed)
    weights = rng.random(policy.action_probability_array.shape) ** 3
    weights *= policy.legal_actions_mask * (rng.random(weights.shape) < 0.8)
    weights = np.where(weights.sum(1, keepdims=True) > 0, weights, policy.legal_actions_mask)
    policy.action_probability_array = weights / weights.sum(axis=1, keepdims=True)
    return policy


@pytest.mark.parametrize("rules", GAMES, ids=str)
def test_their_policies_in_our_measure(rules) -> None:
    game = load_dice_game(rules)
    policy = random_policy(game, seed=1)
    ours = measure_openspiel_policy(policy, rules)
    assert ours.nash_conv == pytest.approx(exploitability.nash_conv(game, policy), abs=1e-9)
    score = expected_game_score.policy_value(game.new_initial_state(), [policy] * 2)
    assert ours.value == pytest.approx(score[0], abs=1e-9)
    assert ours.low < ours.value < ours.high


@pytest.mark.parametrize("rules", GAMES, ids=str)
def test_our_solutions_in_their_measure(rules) -> None:
    game = load_dice_game(rules)
    solution = solve_round(rules, limits=Limits(0.02), threads=1)
    policy = to_openspiel_policy(solution, game)
    assert policy.action_probability_array.sum(axis=1) == pytest.approx(1, abs=1e-12)
    nash_conv = exploitability.nash_conv(game, policy)
    assert nash_conv == pytest.approx(2 * solution.exploitability, abs=1e-6)
    score = expected_game_score.policy_value(game.new_initial_state(), [policy] * 2)
    assert score[0] == pytest.approx(solution.value, abs=1e-6)
    back = measure_openspiel_policy(policy, rules)
    assert back.nash_conv == pytest.approx(nash_conv, abs=1e-9)


def test_a_policy_of_the_c_plus_plus_kind() -> None:
    rules = DiceRules(dice=(1, 1), faces=3)
    game = load_dice_game(rules)
    solver = pyspiel.CFRPlusSolver(game)
    for _ in range(5):
        solver.evaluate_and_update_policy()
    policy = solver.average_policy()
    found = measure_openspiel_policy(policy, rules)
    assert found.nash_conv == pytest.approx(pyspiel.nash_conv(game, policy, True), abs=1e-9)


def test_hands_of_one_class_share_a_strategy_without_changing_anything() -> None:
    """After a claim on the top face ones and twos of three faces are alike."""
    rules = DiceRules(dice=(2, 1), faces=3)
    game = load_dice_game(rules)
    sweep = from_openspiel_policy(random_policy(game, seed=2), rules)
    assert sweep.layout.entries < int(TabularPolicy(game).legal_actions_mask.sum())
    assert sweep.average.min() >= 0


def test_what_is_refused() -> None:
    rules = DiceRules(dice=(1, 1), faces=2)
    solution = solve_round(rules, limits=Limits(0.1), threads=1)
    for game in (
        load_dice_game(rules.replace(wild=1)),
        load_dice_game(rules, match=True),
        load_cards_game(CardRules()),
        pyspiel.load_game("kuhn_poker"),
    ):
        with pytest.raises(RulesError, match="not one round under the solution's rules"):
            to_openspiel_policy(solution, game)
    with pytest.raises(TooLargeError, match="up to 1,000,000"):
        measure_openspiel_policy(None, DiceRules())
    with pytest.raises(RulesError, match="two players"):
        measure_openspiel_policy(None, DiceRules(dice=(1, 1, 1)))
    policy = UniformRandomPolicy(load_dice_game(rules))
    policy.action_probabilities = lambda state: dict.fromkeys(state.legal_actions(), 0.3)
    with pytest.raises(RulesError, match="sum to 1"):
        measure_openspiel_policy(policy, rules)


def test_other_points_are_the_same_round() -> None:
    rules = DiceRules(dice=(1, 1), faces=2)
    solution = solve_round(rules, limits=Limits(0.1), threads=1)
    to_openspiel_policy(solution, load_dice_game(rules.replace(points=5)))
