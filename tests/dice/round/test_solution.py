"""What a solution tells, against a slow recursion through the referee and against itself."""

from fractions import Fraction

import numpy as np
import pytest

from mouche_solver.core.run import Limits
from mouche_solver.dice.round import solution, solve
from mouche_solver.dice.round.solution import RoundSolution
from mouche_solver.dice.round.solve import RoundSolver, solve_round
from mouche_solver.dice.rules.hands import all_hands
from mouche_solver.dice.rules.referee import Round
from mouche_solver.dice.rules.rules import Claim, DiceRules
from mouche_solver.dice.sweep.layout import Layout, plan_layout
from mouche_solver.dice.sweep.tree import RoundTree
from mouche_solver.errors import IllegalMoveError, NotationError, RulesError, TooLargeError

RULES = [
    DiceRules(dice=(1, 1), faces=3, wild=1),
    DiceRules(dice=(2, 1), faces=2, truth="exactly"),
    DiceRules(dice=(1, 2), faces=2, raise_rule="quantity-first", wild=2),
    DiceRules(dice=(1, 1), faces=3, raise_rule="face-first", minimum_opening=2),
]


def small_pieces(tree: RoundTree, rim: int = 20) -> Layout:
    """A layout with a trunk and many tasks even for a tiny round."""
    return plan_layout(tree, rim, batch=60)


def cut_small(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(solution, "plan_layout", small_pieces)
    monkeypatch.setattr(solution, "VALUE_RIM", 40)
    monkeypatch.setattr(solve, "plan_layout", small_pieces)


@pytest.fixture(params=[False, True], ids=["one task", "trunk and tasks"])
def pieces(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> bool:
    if request.param:
        cut_small(monkeypatch)
    return bool(request.param)


def solved(rules: DiceRules, threads: int = 1) -> RoundSolution:
    return solve_round(rules, limits=Limits(1e-3, iterations=60), threads=threads)


def slow_value(
    found: RoundSolution, round_: Round, player: int, tables: dict[tuple[Claim, ...], object]
) -> float:
    """Expected payoff of a player from here on, by the stored strategy on both sides."""
    if round_.reveal is not None:
        return -1.0 if round_.reveal.loser == player else 1.0
    table = tables.setdefault(round_.history, found.table(round_.history))
    row = table.hands.index(round_.cups[table.player])  # type: ignore[attr-defined]
    total = 0.0
    for action, chance in zip(round_.legal_actions(), table.probabilities[row], strict=True):  # type: ignore[attr-defined]
        if chance > 0:
            total += chance * slow_value(found, round_.play(action), player, tables)
    return total


@pytest.mark.parametrize("rules", RULES, ids=str)
def test_action_values_are_those_of_the_referee(rules: DiceRules, pieces: bool) -> None:
    found = solved(rules)
    tables: dict[tuple[Claim, ...], object] = {}
    checked = 0
    for history in lines_of_play(found, depth=2):
        table = found.table(history)
        other = 1 - table.player
        for row, hand in enumerate(table.hands):
            for column, action in enumerate(table.actions):
                expected = 0.0
                for theirs, chance in zip(
                    all_hands(rules.dice[other], rules.faces)[0], table.ranges[other], strict=True
                ):
                    cups = (hand, theirs) if table.player == 0 else (theirs, hand)
                    done = action == "doubt"
                    after = Round(rules, cups, history).play(
                        "doubt" if done else RoundSolution.read_claim(action)
                    )
                    expected += chance * slow_value(found, after, table.player, tables)
                assert table.values[row, column] == pytest.approx(expected, abs=2e-6)
                checked += 1
    assert checked > 20


def lines_of_play(found: RoundSolution, depth: int) -> list[tuple[Claim, ...]]:
    lines: list[tuple[Claim, ...]] = [()]
    for line in lines:
        if len(line) < depth:
            actions = found.table(line).actions
            lines += [(*line, found.read_claim(a)) for a in actions if a != "doubt"]
    return lines


@pytest.mark.parametrize("rules", RULES, ids=str)
def test_rows_sum_to_one_and_values_are_payoffs(rules: DiceRules, pieces: bool) -> None:
    found = solved(rules)
    for line in lines_of_play(found, depth=3):
        table = found.table(line)
        np.testing.assert_allclose(table.probabilities.sum(axis=1), 1.0, atol=1e-12)
        assert np.isfinite(table.values).all()
        assert (np.abs(table.values) <= 1 + 1e-6).all()
        for weights in table.ranges:
            assert weights.sum() == pytest.approx(1.0)


def test_the_root_value_is_the_solution_s_value(pieces: bool) -> None:
    found = solved(DiceRules(dice=(2, 2), faces=3))
    table = found.table()
    mixed = (table.probabilities * table.values).sum(axis=1)
    assert table.ranges[0] @ mixed == pytest.approx(found.value, abs=1e-6)


def test_rounding_costs_next_to_nothing() -> None:
    found = solve_round(DiceRules(dice=(2, 2), faces=3), limits=Limits(1e-5), threads=1)
    lost = found.exploitability - found.header.unrounded.exploitability
    assert abs(lost) < 1e-5
    assert found.measure().exploitability == pytest.approx(found.exploitability, abs=1e-9)


def test_threads_and_pieces_do_not_change_the_solution(monkeypatch: pytest.MonkeyPatch) -> None:
    rules = DiceRules(dice=(2, 2), faces=3, wild=1)
    whole = solved(rules)
    cut_small(monkeypatch)
    one, two = solved(rules), solved(rules, threads=2)
    np.testing.assert_array_equal(one.probabilities, two.probabilities)
    assert one.header.quality == two.header.quality
    assert one.value == pytest.approx(whole.value, abs=1e-9)


def test_a_line_nobody_speaks_has_probability_zero_and_still_values() -> None:
    found = solve_round(DiceRules(dice=(1, 1), faces=4), limits=Limits(1e-4), threads=1)
    lines = [line for line in lines_of_play(found, depth=1) if found.table(line).reach == 0]
    assert lines, "this round is expected to have openings that are never made"
    for line in lines:
        assert np.isfinite(found.table(line).values).all()


def test_certain_claims_of_both_players_are_worth_a_point() -> None:
    # 2x2 claims that both dice show twos: with 1 in hand it is never true, so a doubt wins.
    found = solved(DiceRules(dice=(1, 1), faces=2))
    advice = found.policy("1", "2x2")
    assert [(a.action, a.value) for a in advice.actions] == [("doubt", 1.0)]


def test_true_probability_counts_the_own_hand() -> None:
    found = solved(DiceRules(dice=(2, 2), faces=3))
    advice = found.policy("2,2")
    chances = {a.action: a.true_probability for a in advice.actions}
    assert chances["2x2"] == 1.0
    assert chances["3x2"] == pytest.approx(float(Fraction(5, 9)))
    assert chances["4x2"] == pytest.approx(float(Fraction(1, 9)))


def test_a_played_line_follows_the_rules_and_the_seed() -> None:
    found = solved(DiceRules(dice=(2, 2), faces=3))
    lines = [found.play_line(seed=seed) for seed in range(20)]
    assert str(found.play_line(seed=3)) == str(lines[3])
    for line in lines:
        assert line.loser in (0, 1)
        assert all(0 < chance <= 1 for chance in line.probabilities)
        assert len(line.probabilities) == len(line.history) + 1
    given = found.play_line(cups=["1,1", "2,2"], seed=1)
    assert given.cups == ((1, 1), (2, 2))


def test_a_locked_player_keeps_the_strategy_and_the_other_answers_it() -> None:
    rules = DiceRules(dice=(1, 1), faces=3)
    habit = solve_round(rules, limits=Limits(1e-9, iterations=3), threads=1)
    solver = RoundSolver(rules, threads=1)
    solver.lock(1, habit)
    answer = solve.finish(solver, Limits(1e-4)).solution
    assert answer.header.locked == 1
    assert answer.value == pytest.approx(habit.header.quality.high, abs=2e-4)
    for line in lines_of_play(habit, depth=1)[1:]:
        theirs, locked = habit.table(line).probabilities, answer.table(line).probabilities
        np.testing.assert_allclose(theirs, locked, atol=3e-5)


def test_a_lock_for_other_rules_is_refused() -> None:
    habit = solved(DiceRules(dice=(1, 1), faces=2))
    with pytest.raises(RulesError, match="other rules"):
        RoundSolver(DiceRules(dice=(1, 1), faces=3), threads=1).lock(0, habit)


def test_more_than_two_players_and_giants_are_refused_before_allocation() -> None:
    with pytest.raises(RulesError, match="two players"):
        RoundSolver(DiceRules(dice=(1, 1, 1)))
    with pytest.raises(TooLargeError, match=r"GB|TB|PB"):
        RoundSolver(DiceRules(raise_rule="quantity-first"))
    with pytest.raises(TooLargeError, match="hands under one cup"):
        RoundSolver(DiceRules(dice=(10, 10), faces=12))


def test_estimates_are_the_published_sizes() -> None:
    plain = solve.estimate(DiceRules())
    assert (plain.histories, plain.entries) == (8_579_072, 315_794_952)
    assert plain.entries_with_forced == 341_532_168
    assert plain.memory_bytes < 8 * 2**30
    wild = solve.estimate(DiceRules(wild=1))
    assert (wild.entries, wild.entries_with_forced) == (537_132_552, 562_869_768)
    assert wild.memory_bytes < 13 * 2**30
    small = solve.estimate(DiceRules(dice=(1, 1)))
    assert small.histories == 448


@pytest.mark.parametrize(
    "hand, history, error",
    [
        ("1", "", NotationError),
        ("1,4", "", NotationError),
        ("1,1", "5x1", IllegalMoveError),
        ("1,1", "2x2 2x1", IllegalMoveError),
        ("1,1", "doubt", IllegalMoveError),
    ],
)
def test_questions_outside_the_rules_are_refused(
    hand: str, history: str, error: type[Exception]
) -> None:
    found = solved(DiceRules(dice=(2, 2), faces=3))
    with pytest.raises(error):
        found.policy(hand, history)
