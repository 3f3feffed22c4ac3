"""Expected values and best responses against plain recursion and enumeration."""

from itertools import product

import numpy as np
import pytest

from mouche_solver.core.trees.best_response import best_response, evaluate, expected_values
from mouche_solver.core.trees.extensive import sequence_form
from mouche_solver.dice import DiceRules
from mouche_solver.dice.exact import DiceRound


def recursive_values(game, form, strategy, state=None):
    """Expected payoffs by walking the game itself."""
    state = game.initial() if state is None else state
    if game.is_terminal(state):
        return np.array(game.utilities(state), dtype=float)
    if game.is_chance(state):
        chances = {action: float(p) for action, p in game.chance_outcomes(state)}
    else:
        chances = form.behaviour(strategy, game.player(state), game.infoset_key(state))
    return sum(
        p * recursive_values(game, form, strategy, game.child(state, action))
        for action, p in chances.items()
    )


def random_strategy(form, seed):
    rng = np.random.default_rng(seed)
    rows = [rng.dirichlet(np.ones(count)) for count in form.action_counts]
    return np.concatenate([np.ones(form.players), *rows])


def test_values_equal_the_recursion(kuhn):
    form = sequence_form(kuhn)
    for seed in range(3):
        strategy = random_strategy(form, seed)
        assert expected_values(form, strategy) == pytest.approx(
            recursive_values(kuhn, form, strategy)
        )


@pytest.mark.parametrize("player", [0, 1])
def test_a_best_response_is_the_best_pure_strategy(kuhn, player):
    form = sequence_form(kuhn)
    strategy = random_strategy(form, 7)
    own = np.flatnonzero(form.owner == player)
    values = []
    for choice in product((0, 1), repeat=len(own)):
        pure = strategy.copy()
        for infoset, action in zip(own, choice, strict=True):
            pure[form.start[infoset] : form.start[infoset] + 2] = (1 - action, action)
        values.append(expected_values(form, pure)[player])
    value, response = best_response(form, strategy, player)
    assert value == pytest.approx(max(values), abs=1e-12)
    assert expected_values(form, response)[player] == pytest.approx(value, abs=1e-12)


def test_three_players_gain_what_their_responses_get():
    game = DiceRound(DiceRules(dice=(1, 1, 1), faces=2))
    form = sequence_form(game)
    strategy = random_strategy(form, 3)
    gap = evaluate(form, strategy)
    assert gap.values == pytest.approx(recursive_values(game, form, strategy))
    for player in range(3):
        _, response = best_response(form, strategy, player)
        assert recursive_values(game, form, response)[player] == pytest.approx(
            gap.best_responses[player]
        )
    assert gap.nash_conv == pytest.approx(gap.gains.sum()) == pytest.approx(3 * gap.exploitability)
    assert (gap.gains > 0).all()
