"""The sequence-form program, and when a value counts as proved."""

from fractions import Fraction

import numpy as np
import pytest

from mouche_solver.core.trees.best_response import best_response, evaluate
from mouche_solver.core.trees.exact_bounds import exact_best_response, exact_value
from mouche_solver.core.trees.extensive import sequence_form
from mouche_solver.core.trees.lp import solve_zero_sum
from mouche_solver.dice import DiceRules
from mouche_solver.dice.exact import DiceRound
from mouche_solver.errors import RulesError


def test_kuhn_is_worth_minus_one_eighteenth(kuhn):
    form = sequence_form(kuhn)
    result = solve_zero_sum(form)
    assert result.exact == Fraction(-1, 18)
    assert result.low <= result.value + 1e-12
    assert result.value <= result.high + 1e-12
    assert result.exploitability < 1e-12
    assert evaluate(form, result.strategy).nash_conv < 1e-12
    # What every equilibrium does: call with the King, pass the Jack to a bet.
    assert form.behaviour(result.strategy, 1, (2, "b"))["b"] == pytest.approx(1)
    assert form.behaviour(result.strategy, 1, (0, "b"))["b"] == pytest.approx(0)
    assert form.behaviour(result.strategy, 1, (1, "b"))["b"] == pytest.approx(1 / 3)


def test_only_an_equilibrium_proves_a_value(kuhn):
    form = sequence_form(kuhn)
    strategy = solve_zero_sum(form).strategy
    assert exact_value(form, strategy) == Fraction(-1, 18)
    assert exact_value(form, form.uniform()) is None
    wrong = strategy.copy()
    call = form.start[form.index[1, (1, "b")]]
    wrong[call : call + 2] = (0.7, 0.3)
    assert exact_value(form, wrong) is None


def test_numbers_that_grow_too_long_prove_nothing(kuhn, monkeypatch):
    form = sequence_form(kuhn)
    monkeypatch.setattr("mouche_solver.core.trees.exact_bounds.MAX_BITS", 2)
    assert exact_value(form, solve_zero_sum(form).strategy) is None


def test_best_responses_in_fractions_equal_those_in_floats(kuhn):
    form = sequence_form(kuhn)
    rng = np.random.default_rng(2)
    first = rng.integers(0, 5, len(form.owner))
    exact = [Fraction(1)] * 2 + [Fraction(int(n), 4) for k in first for n in (k, 4 - k)]
    strategy = np.array([float(p) for p in exact])
    for player in (0, 1):
        value = exact_best_response(form, exact, player)
        assert float(value) == pytest.approx(best_response(form, strategy, player)[0], abs=1e-12)


def test_three_players_or_general_sums_have_no_program(kuhn):
    with pytest.raises(RulesError, match="two players"):
        solve_zero_sum(sequence_form(DiceRound(DiceRules(dice=(1, 1, 1), faces=2))))
    kuhn.utilities = lambda state: (1, 0)
    with pytest.raises(RulesError, match="add up to zero"):
        solve_zero_sum(sequence_form(kuhn))
