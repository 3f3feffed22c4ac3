"""Sampling: the same for any threads, right where the answer is known, honest where it is not."""

import numpy as np
import pytest

from mouche_solver.core.streams import Purpose, stream
from mouche_solver.dice import DiceRules
from mouche_solver.dice.odds import claim_probability
from mouche_solver.dice.round.line import locate, mixed_at
from mouche_solver.dice.rules.referee import Round
from mouche_solver.dice.sample.exact import exact_gap, fill_average
from mouche_solver.dice.sample.game import sample_game
from mouche_solver.dice.sample.kernels_deal import is_correct, roll
from mouche_solver.dice.sample.strategy import SampledStrategy, Training
from mouche_solver.dice.sample.train import SampleLimits, Sampler, train_sampled
from mouche_solver.dice.sample.view import View, build_machine
from mouche_solver.dice.sweep.layout import plan_layout
from mouche_solver.dice.sweep.tree import round_tree
from mouche_solver.errors import IllegalMoveError, NotationError, RulesError

THREE = DiceRules(dice=(1, 1, 1), faces=2)
EVERYTHING = View(4, 60, 4)


def test_the_result_does_not_depend_on_threads_but_on_the_seed() -> None:
    def averages(seed: int, threads: int) -> np.ndarray:
        machine = build_machine(round_tree(THREE), View())
        sampler = Sampler(THREE, machine, None, seed, threads)
        for _ in range(3):
            sampler.batch()
        return sampler.average

    one = averages(5, 1)
    assert np.array_equal(one, averages(5, 3))
    assert not np.array_equal(one, averages(6, 1))


@pytest.mark.parametrize(
    ("rules", "value"),
    [
        (DiceRules(dice=(1, 1), faces=3), -1 / 9),
        (DiceRules(dice=(1, 1), faces=3, wild=1), 1 / 3),
        (DiceRules(dice=(1, 1), faces=6), -1 / 9),
    ],
)
def test_two_players_who_remember_everything_find_the_value(rules: DiceRules, value: float) -> None:
    strategy = train_sampled(rules, EVERYTHING, limits=SampleLimits(800_000))
    gap = exact_gap(rules, strategy.machine, strategy.entries, threads=1)
    assert gap.exploitability < 0.03
    assert gap.values[0] == pytest.approx(value, abs=0.03)


def test_three_players_who_remember_everything_gain_little_by_deviating() -> None:
    strategy = train_sampled(THREE, EVERYTHING, limits=SampleLimits(800_000))
    assert exact_gap(THREE, strategy.machine, strategy.entries, threads=1).gains.max() < 0.02


def test_a_bounded_memory_is_measured_against_one_that_is_not() -> None:
    """Without a memory of who claimed what, the exact best response gains more."""
    rules = DiceRules(dice=(2, 2), faces=3)
    gains = []
    for view in (View(1, 0, 0), EVERYTHING):
        strategy = train_sampled(rules, view, limits=SampleLimits(800_000))
        gains.append(exact_gap(rules, strategy.machine, strategy.entries, 1).exploitability)
    assert 2 * gains[1] < gains[0]


@pytest.mark.parametrize("dice", [(2, 1), (1, 1, 1), (2, 1, 1)])
def test_every_history_is_given_the_strategy_of_its_state(dice: tuple[int, ...]) -> None:
    rules = DiceRules(dice=dice, faces=3)
    tree, view = round_tree(rules), View(2, 1, 0)
    machine = build_machine(tree, view)
    levels = np.random.default_rng(1).integers(1, 200, machine.entries).astype(np.uint8)
    strategy = SampledStrategy(rules, view, levels, Training(0, 0, 0))
    layout = plan_layout(tree, rim=20, batch=100)
    average = np.zeros(layout.entries)
    fill_average(tree, layout, machine, strategy.entries, average)
    for line in ["", "1x1", "1x1,1x2", "1x1,2x1,2x2", "1x1,2x2,2x3,3x3"]:
        table = strategy.table(line)
        numbers = tuple(tree.index[claim] for claim in table.history)
        classes = tree.classes[table.player].of_hand[tree.level[numbers[-1] if numbers else 0]]
        mixed = mixed_at(tree, locate(layout, numbers), average)
        assert table.probabilities == pytest.approx(mixed.T[classes])


def test_rolled_dice_and_doubts_agree_with_the_referee() -> None:
    rules = DiceRules(dice=(2, 3), faces=3, wild=1, truth="exactly")
    tree = round_tree(rules)
    game, random = sample_game(tree), stream(Purpose.DICE_LOOK, 1, 0)
    hands, total = np.zeros(2, np.int64), np.zeros(3, np.int64)
    seen = np.zeros(2)
    for _ in range(300):
        roll(game, hands, total, random)
        cups = tuple(tree.classes[seat].hands[hand] for seat, hand in enumerate(hands))
        seen += [np.mean(np.array(cup) == 3) for cup in cups]
        for number, claim in enumerate(tree.claims[1:], start=1):
            assert claim is not None
            reveal = Round(rules, cups, (claim,), doubted=True).reveal
            assert reveal is not None
            assert is_correct(game, number, total) == reveal.correct
    assert seen / 300 == pytest.approx([1 / 3, 1 / 3], abs=0.06)


def untrained() -> SampledStrategy:
    machine = build_machine(round_tree(THREE), View())
    return SampledStrategy(
        THREE, View(), np.zeros(machine.entries, dtype=np.uint8), Training(0, 0, 0)
    )


def test_where_training_never_was_the_odds_speak_and_the_advice_says_so() -> None:
    advice = untrained().policy("2", "1x1")
    assert not advice.trained
    best = max(advice.actions, key=lambda each: each.probability)
    # The likeliest claim is 1x2, which the own die makes certain.
    assert (best.action, best.probability, best.true_probability) == ("1x2", 1.0, 1.0)
    assert advice.value is None
    assert "not measured" in untrained().quality_text


def test_true_probabilities_are_those_of_the_odds() -> None:
    for action in untrained().policy("2", "1x1").actions[1:]:
        quantity, face = map(int, action.action.split("x"))
        assert action.true_probability == claim_probability(THREE, (quantity, face), (2,))


def test_the_last_doubt_is_forced() -> None:
    assert [a.action for a in untrained().policy("1", "3x2").actions] == ["doubt"]


def test_questions_that_make_no_sense_are_refused() -> None:
    with pytest.raises(NotationError):
        untrained().policy("1,1", "1x1")
    with pytest.raises(IllegalMoveError):
        untrained().policy("1", "2x2,1x2")
    with pytest.raises(RulesError):
        train_sampled(THREE, threads=0)
    with pytest.raises(RulesError):
        SampleLimits(0)
