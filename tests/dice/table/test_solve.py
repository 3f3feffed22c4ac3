"""The whole table against the generic, unmerged game, against hand solutions and against itself."""

import doctest
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mouche_solver.core.minimisers import schedule
from mouche_solver.core.run import Limits
from mouche_solver.core.trees.best_response import evaluate
from mouche_solver.core.trees.extensive import sequence_form
from mouche_solver.dice import DiceRules, SampleLimits, train_sampled
from mouche_solver.dice.exact import DiceRound
from mouche_solver.dice.round.solve import solve_round
from mouche_solver.dice.rules.hands import matches
from mouche_solver.dice.sweep.layout import plan_layout
from mouche_solver.dice.sweep.n_player import TableSweep
from mouche_solver.dice.sweep.payoffs import as_payoff, loser_pays
from mouche_solver.dice.sweep.sweep import Sweep
from mouche_solver.dice.sweep.tree import round_tree
from mouche_solver.dice.table.solution import TableSolution
from mouche_solver.dice.table.solve import TableSolver, solve_table
from mouche_solver.errors import RulesError, TooLargeError


class PaidRound(DiceRound):
    """The generic round with payoffs that depend on whether the claim was correct."""

    def __init__(self, rules, payoff):
        super().__init__(rules)
        self.payoff = [[tuple(map(Fraction, row)) for row in half] for half in payoff.tolist()]

    def utilities(self, state):
        claim = state.history[-1]
        count = sum(matches(hand, claim.face, self.rules.wild) for hand in state.hands)
        correct = self.rules.is_true(claim.quantity, count)
        speaker = len(state.history) - (not correct)
        return self.payoff[correct][speaker % self.players]


def unmerged(form, solution):
    """The solution's strategy on the sequences of the generic game."""
    strategy = form.uniform()
    for (player, (hand, history)), number in form.index.items():
        assert player == len(history) % form.players
        shown = " ".join(map(str, hand))
        policy = solution.policy(shown, history)
        assert [str(action) for action in form.actions[number]] == list(policy)
        strategy[form.start[number] : form.start[number + 1]] = list(policy.values())
    return strategy


def as_solution(solver, layout):
    gap = solver.measure()
    return TableSolution(
        solver.rules,
        solver.payoff,
        gap,
        solver.iteration,
        "iterations",
        solver.sweep.average,
        layout,
    )


ROUNDS = [
    {"dice": (1, 1, 1), "faces": 2},
    {"dice": (1, 2, 1), "faces": 2, "wild": 1},
    {"dice": (1, 1, 1), "faces": 3, "raise_rule": "quantity-first"},
    {"dice": (1, 1, 1), "faces": 2, "truth": "exactly", "raise_rule": "face-first"},
    {"dice": (2, 1, 1), "faces": 2, "truth": "exactly", "minimum_opening": 2},
    {"dice": (1, 1, 1, 1), "faces": 2},
]


@pytest.mark.parametrize("kwargs", ROUNDS, ids=str)
@pytest.mark.parametrize("iterations", [0, 7])
def test_values_and_gains_are_those_of_the_unmerged_game(kwargs, iterations):
    rules = DiceRules(**kwargs)
    rng = np.random.default_rng(5)
    payoff = rng.integers(-4, 5, size=(2, rules.players, rules.players)).astype(float)
    solver = TableSolver(rules, payoff, threads=1)
    for _ in range(iterations):
        solver.iterate()
    solution = as_solution(solver, solver.sweep.layout)
    form = sequence_form(PaidRound(rules, payoff))
    exact = evaluate(form, unmerged(form, solution))
    np.testing.assert_allclose(solution.gap.values, exact.values, atol=1e-12)
    np.testing.assert_allclose(solution.gap.gains, exact.gains, atol=1e-12)


def test_trunk_and_tasks_are_the_same_round():
    rules = DiceRules(dice=(1, 2, 1), faces=3)
    tree = round_tree(rules)
    small = plan_layout(tree, rim=60, batch=100)
    assert small.trunk is not None
    assert len(small.tasks) > 10
    sweeps = [
        TableSweep(tree, layout, loser_pays(3), np.float64, 1)
        for layout in (plan_layout(tree), small)
    ]
    for iteration in range(1, 6):
        for sweep in sweeps:
            sweep.iterate(schedule("cfr"), iteration)
    whole, cut = ([s.evaluate(p) for p in range(3)] for s in sweeps)
    np.testing.assert_allclose(whole, cut, atol=1e-12)
    whole, cut = ([s.best_response(p) for p in range(3)] for s in sweeps)
    np.testing.assert_allclose(whole, cut, atol=1e-12)


def test_strategies_are_found_in_trunk_and_tasks():
    rules = DiceRules(dice=(1, 2, 1), faces=2)
    tree = round_tree(rules)
    cut = plan_layout(tree, rim=20, batch=60)
    assert cut.trunk is not None
    solver = TableSolver(rules, threads=1)
    solver.sweep = TableSweep(tree, cut, solver.payoff, np.float64, 1, predictive=True)
    for _ in range(6):
        solver.iterate()
    solution = as_solution(solver, cut)
    form = sequence_form(DiceRound(rules))
    exact = evaluate(form, unmerged(form, solution))
    np.testing.assert_allclose(solution.gap.values, exact.values, atol=1e-12)
    np.testing.assert_allclose(solution.gap.gains, exact.gains, atol=1e-12)


@pytest.mark.parametrize("algorithm", ["dcfr", "pcfr+"])
def test_two_players_are_the_two_player_sweep(algorithm):
    tree = round_tree(DiceRules(dice=(2, 1), faces=3))
    layout, chosen = plan_layout(tree, rim=200, batch=500), schedule(algorithm)
    pair = Sweep(tree, layout, np.float64, 1, chosen.predictive)
    table = TableSweep(tree, layout, loser_pays(2), np.float64, 1, chosen.predictive)
    for iteration in range(1, 11):
        pair.iterate(chosen, iteration)
        table.iterate(chosen, iteration)
    np.testing.assert_allclose(table.regret, pair.regret, atol=1e-10)
    np.testing.assert_allclose(table.average, pair.average, rtol=1e-9, atol=1e-10)
    for player in (0, 1):
        assert table.evaluate(player) == pytest.approx(pair.evaluate(player), abs=1e-12)
        assert table.best_response(player) == pytest.approx(pair.best_response(player), abs=1e-12)


def test_threads_do_not_change_a_bit():
    tree = round_tree(DiceRules(dice=(1, 2, 2), faces=3))
    layout = plan_layout(tree, rim=500, batch=2000)
    assert len(layout.tasks) > 10
    one, two = (TableSweep(tree, layout, loser_pays(3), np.float32, n) for n in (1, 2))
    for iteration in range(1, 8):
        one.iterate(schedule("dcfr"), iteration)
        two.iterate(schedule("dcfr"), iteration)
    assert np.array_equal(one.regret, two.regret)
    assert np.array_equal(one.average, two.average)
    assert [one.best_response(p) for p in range(3)] == [two.best_response(p) for p in range(3)]


def test_three_players_one_die_two_faces_open_with_three():
    """Solved by dominance; claims of three dice only, so the claims are 3x1 and 3x2.

    3x2 is the highest claim and must be doubted. Whoever holds a 1 knows that 3x2 is false, and
    whoever holds a 2 that 3x1 is false.

    The second player after 3x1. With a 2, doubting wins for sure. With a 1, raising loses for
    sure, as 3x2 is false. So the second player always doubts.

    The opener with a 1: 3x2 loses for sure, 3x1 is true if both others hold 1, one time in four.
    With a 2: 3x1 loses for sure, 3x2 is true one time in four. So the opener claims what it holds
    and gets -3/4 + 1/4 * 1/2 = -5/8; the second player gets -1/4 + 3/4 * 1/2 = 1/8, the third,
    who never speaks, 1/2.
    """
    rules = DiceRules(dice=(1, 1, 1), faces=2, minimum_opening=3)
    solution = solve_table(rules, limits=Limits(1e-6, iterations=500), threads=1)
    assert solution.reason == "target"
    np.testing.assert_allclose(solution.gap.values, [-5 / 8, 1 / 8, 1 / 2], atol=1e-5)
    assert solution.policy("1")["3x1"] > 1 - 1e-4
    assert solution.policy("2")["3x2"] > 1 - 1e-4
    assert all(solution.policy(hand, "3x1")["doubt"] > 1 - 1e-4 for hand in "12")


def test_an_opener_who_decides_between_the_others():
    """With ones wild and two faces every claim on 2 is true.

    Whoever must doubt 3x2 loses. The opener gets 1/2 by claiming 3x2 (the second player loses)
    and by claiming 2x2 (the second player claims 3x2 and the third loses): the most there is. The
    others share -1/2 as the opener likes, so their values are not determined.
    """
    rules = DiceRules(dice=(1, 1, 1), faces=2, wild=1)
    values = solve_table(rules, limits=Limits(1e-6, iterations=500), threads=1).gap.values
    assert values[0] == pytest.approx(0.5, abs=1e-5)
    assert values[1] + values[2] == pytest.approx(-0.5, abs=1e-5)


def test_two_players_reach_the_known_value():
    solution = solve_table(DiceRules(dice=(1, 1)), limits=Limits(1e-5), threads=1)
    assert solution.gap.values[0] == pytest.approx(-1 / 9, abs=2e-5)


@settings(max_examples=10, deadline=None)
@given(
    scale=st.sampled_from([0.25, 2.0, 8.0]),
    shift=st.lists(st.integers(-3, 3), min_size=3, max_size=3),
    iterations=st.integers(0, 4),
)
def test_payoffs_may_be_scaled_and_shifted(scale, shift, iterations):
    rules = DiceRules(dice=(1, 1, 1), faces=2)
    plain = TableSolver(rules, threads=1)
    scaled = TableSolver(rules, scale * loser_pays(3), threads=1)
    for solver in (plain, scaled):
        for _ in range(iterations):
            solver.iterate()
    # A power of two scales without rounding, so even ties are broken alike.
    assert np.array_equal(scaled.measure().values, scale * plain.measure().values)
    assert np.array_equal(scaled.measure().gains, scale * plain.measure().gains)
    shifted = TableSolver(rules, loser_pays(3) + np.array(shift), threads=1)
    shifted.sweep.average[:] = plain.sweep.average
    np.testing.assert_allclose(shifted.measure().values, plain.measure().values + shift, atol=1e-12)
    np.testing.assert_allclose(shifted.measure().gains, plain.measure().gains, atol=1e-12)


def test_the_report_says_what_was_measured_and_promises_nothing():
    rules = DiceRules(dice=(1, 1, 1), faces=3)
    short = solve_table(rules, limits=Limits(1e-9, iterations=3), threads=1)
    assert short.reason == "iterations"
    assert "the target was not reached" in short.describe()
    assert f"NashConv {short.gap.nash_conv:.2e}" in short.describe()
    data = short.to_dict()
    assert sum(data["gains"]) == pytest.approx(data["nash_conv"])
    for (low, high), gain in zip(data["brackets"], data["gains"], strict=True):
        assert high - low == pytest.approx(gain)
        assert gain >= -1e-12
    assert "equilibrium" not in (short.describe() + str(data)).lower()


def test_refusals_name_what_is_allowed():
    rules = DiceRules(dice=(1, 1, 1), faces=2)
    with pytest.raises(RulesError, match=r"need \(3, 3\) or \(2, 3, 3\)"):
        as_payoff(np.zeros((2, 2)), 3)
    with pytest.raises(RulesError, match="finite"):
        as_payoff(np.full((3, 3), np.nan), 3)
    with pytest.raises(RulesError, match="at least 1"):
        TableSolver(rules, threads=0)
    with pytest.raises(TooLargeError, match="would fit"):
        TableSolver(DiceRules(dice=(5,) * 6))


def test_the_documentation_runs():
    page = Path(__file__).parents[3] / "docs" / "dice-table.md"
    assert doctest.testfile(str(page), module_relative=False).failed == 0


def test_solved_tables_rounds_and_sampled_strategies_answer_alike() -> None:
    rules = DiceRules(dice=(1, 1), faces=3)
    answers = (
        solve_round(rules, limits=Limits(1e-2), threads=1).policy("3", "1x2"),
        solve_table(rules, limits=Limits(1e-2), threads=1).policy("3", "1x2"),
        train_sampled(rules, limits=SampleLimits(1000), threads=1).policy("3", "1x2"),
    )
    for advice in answers:
        assert list(advice) == ["doubt", "2x2", "1x3", "2x3"]
        assert sum(advice.values()) == pytest.approx(1)
        assert [each.true_probability for each in advice.actions] == [None, 0, 1, 1 / 3]
    assert answers[0].value == pytest.approx(
        sum(a.probability * a.value for a in answers[0].actions)
    )
    assert [answers[1].value, answers[2].value] == [None, None]
