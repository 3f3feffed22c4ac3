"""Matches on the same dice, and responders: right where exact best responses are known."""

import numpy as np
import pytest

from mouche_solver.dice import DiceRules
from mouche_solver.dice.odds import claim_probability
from mouche_solver.dice.round.kernels_solution import fill_region
from mouche_solver.dice.sample.arrays import Side
from mouche_solver.dice.sample.exact import exact_gap, fill_average
from mouche_solver.dice.sample.odds_player import ODDS_VIEW, odds_entries, spread
from mouche_solver.dice.sample.quality import measure
from mouche_solver.dice.sample.response import learned_response, local_response, refine
from mouche_solver.dice.sample.strategy import SampledStrategy
from mouche_solver.dice.sample.tournament import (
    Contestant,
    odds_player,
    play_tournament,
    random_player,
    sampled_player,
)
from mouche_solver.dice.sample.train import SampleLimits, train_sampled
from mouche_solver.dice.sample.view import View, build_machine, state_of
from mouche_solver.dice.sweep.layout import plan_layout
from mouche_solver.dice.sweep.sweep import Sweep
from mouche_solver.dice.sweep.tree import round_tree
from mouche_solver.errors import RulesError

RULES = DiceRules(dice=(2, 2, 2), faces=2)


@pytest.fixture(scope="module")
def weak() -> SampledStrategy:
    """A strategy that remembers the last claim alone and has learned a little."""
    return train_sampled(RULES, View(1, 0, 0), limits=SampleLimits(5_000), threads=1)


def exact_gain(strategy: SampledStrategy) -> float:
    """Mean over the seats of what a best response gains, in points a round."""
    gap = exact_gap(strategy.rules, strategy.machine, strategy.entries, threads=1)
    players = strategy.rules.players
    return float(gap.gains.mean()) * (players - 1) / players


def test_a_learned_response_finds_what_the_exact_one_gains(weak: SampledStrategy) -> None:
    found = learned_response(weak, View(4, 60, 2), SampleLimits(1_500_000), deals=50_000)
    exact = exact_gain(weak)
    assert found.interval[0] - 0.001 < exact
    assert found.gain == pytest.approx(exact, abs=0.01)
    assert exact > 0.02


def test_a_local_response_gains_no_more_than_the_exact_one(weak: SampledStrategy) -> None:
    found = local_response(weak, deals=1500, threads=2)
    assert 0 < found.interval[0] < exact_gain(weak)


def test_neither_depends_on_threads(weak: SampledStrategy) -> None:
    assert local_response(weak, 40, threads=1) == local_response(weak, 40, threads=3)
    limits = SampleLimits(2000)
    one, three = (learned_response(weak, View(2, 5, 0), limits, 500, 3, n) for n in (1, 3))
    assert one == three


def test_a_response_must_remember_what_the_strategy_does() -> None:
    strategy = train_sampled(RULES, View(2, 1, 0), limits=SampleLimits(2000), threads=1)
    with pytest.raises(RulesError, match="remember all"):
        refine(strategy, build_machine(strategy.tree, View(1, 0, 0)))


def test_everybody_alike_loses_the_fair_share_exactly(weak: SampledStrategy) -> None:
    me = sampled_player(weak)
    points, interval = play_tournament(RULES, [me, me, me], deals=100).points_lost("sampled")
    assert points == pytest.approx(1 / 3, abs=1e-12)
    assert interval == pytest.approx((1 / 3, 1 / 3))


def test_contestants_are_told_apart_in_every_rotation(weak: SampledStrategy) -> None:
    """Nobody's share depends on who is named first."""
    table = [sampled_player(weak), odds_player(RULES, 0.5), random_player(RULES)]
    turned = [table[1], table[2], table[0]]
    first, second = (play_tournament(RULES, each, 20_000, threads=1) for each in (table, turned))
    for name in first.names:
        (a, (low, _)), (b, _) = first.points_lost(name), second.points_lost(name)
        assert abs(a - b) < 4 * (a - low)
    assert sum(first.points_lost(name)[0] for name in first.names) == pytest.approx(1)


def exact_share(rules: DiceRules, first: Side, second: Side) -> float:
    """How often the opener loses when two strategies meet, by an exact sweep."""
    tree = round_tree(rules)
    layout = plan_layout(tree)
    sweep = Sweep(tree, layout, np.float64, 1)
    for player, side in enumerate((first, second)):
        everywhere = np.zeros(layout.entries)
        fill_average(tree, layout, side.machine, side.entries, everywhere)
        for part, where in sweep.passes.parts():
            fill_region(sweep.passes.game, part, player, everywhere[where], sweep.average[where])
    return (1 - sweep.evaluate(0)) / 2


def test_a_tournament_agrees_with_the_exact_value_of_two_strategies() -> None:
    rules = DiceRules(dice=(2, 2), faces=2)
    strategy = train_sampled(rules, View(2, 2, 0), limits=SampleLimits(3000), threads=1)
    players = sampled_player(strategy), random_player(rules)
    first, second = (player.side for player in players)
    exact = (exact_share(rules, first, second) + 1 - exact_share(rules, second, first)) / 2
    points, (low, high) = play_tournament(rules, players, 50_000).points_lost("sampled")
    assert abs(points - exact) < 2 * (high - low)
    assert abs(exact - 0.5) > 4 * (high - low)


def test_the_odds_player_makes_the_likeliest_claim_or_doubts() -> None:
    rules = DiceRules(dice=(2, 1), faces=3, wild=1)
    tree = round_tree(rules)
    machine = build_machine(tree, ODDS_VIEW)
    entries = odds_entries(rules, tree, 0.6)
    for line in [(), ("1x1",), ("1x1", "1x2"), ("2x2",)]:
        numbers = [tree.index[claim] for claim in tree.claims if claim and str(claim) in line]
        state, seat = state_of(machine, tree, numbers), len(line) % 2
        raises = tree.raises[int(machine.last[state])]
        actions = len(raises) + (len(line) > 0)
        block = entries[machine.begin[state] : machine.begin[state + 1]].reshape(-1, actions)
        for hand, group in zip(
            tree.classes[seat].hands,
            tree.classes[seat].of_hand[tree.level[numbers[-1] if numbers else 0]],
            strict=True,
        ):
            chances = [claim_probability(rules, tree.claims[after], hand) for after in raises]
            best = int(np.argmax(chances))
            doubts = bool(line) and chances[best] < 0.6
            expected = 0 if doubts else best + (len(line) > 0)
            assert block[group].argmax() == expected
            assert block[group].sum() == 1


def test_a_coarse_strategy_spread_out_is_the_same_strategy() -> None:
    tree = round_tree(RULES)
    coarse, fine = build_machine(tree, ODDS_VIEW), build_machine(tree, View(2, 2, 1))
    entries = odds_entries(RULES, tree, 0.4)
    wide = Contestant("wide", Side(fine, spread(coarse, entries, fine, tree)))
    narrow = odds_player(RULES, 0.4)
    others = [random_player(RULES)] * 2
    lost = [play_tournament(RULES, [me, *others], 500).lost for me in (wide, narrow)]
    assert np.array_equal(*lost)


def test_measures_are_kept_with_the_strategy_and_said_in_words(weak: SampledStrategy) -> None:
    measured = measure(
        weak, deals=500, local_deals=50, view=View(2, 5, 0), limits=SampleLimits(2000)
    )
    assert set(measured.measured) == {"odds", "local_response", "learned_response"}
    text = measured.quality_text
    assert "95 %" in text
    assert "others may gain more" in text
    assert "equilibrium" not in text


def test_impossible_tables_are_refused() -> None:
    with pytest.raises(RulesError, match="3 seats need 3"):
        play_tournament(RULES, [random_player(RULES)])
    with pytest.raises(RulesError, match="threshold"):
        odds_player(RULES, 1.5)
    with pytest.raises(RulesError, match="no contestant"):
        play_tournament(RULES, [random_player(RULES)] * 3, 2).points_lost("nobody")
