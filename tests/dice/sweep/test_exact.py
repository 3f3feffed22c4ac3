"""The sweep against the linear program and the unmerged game, for every rule option."""

from itertools import product

import numpy as np
import pytest

from mouche_solver.core.minimisers import schedule
from mouche_solver.core.trees.best_response import evaluate
from mouche_solver.core.trees.extensive import sequence_form
from mouche_solver.core.trees.tree_cfr import TreeCFR
from mouche_solver.dice import DiceRound, DiceRules, solve_lp
from mouche_solver.dice.round.line import locate
from mouche_solver.dice.sweep.layout import plan_layout
from mouche_solver.dice.sweep.sweep import Sweep
from mouche_solver.dice.sweep.tree import RoundTree


def sweep_until(rules, target, layout=None, threads=1, algorithm="pcfr+"):
    """Sweep until the bracket is narrow; the sweep and its bracket."""
    tree = RoundTree(rules)
    plan = schedule(algorithm)
    sweep = Sweep(tree, layout or plan_layout(tree), np.float64, threads, plan.predictive)
    for iteration in range(1, 4001):
        sweep.iterate(plan, iteration)
        if iteration % 100 == 0:
            low, high = -sweep.best_response(1), sweep.best_response(0)
            if high - low < target:
                break
    return sweep, low, high


WILDS = {
    "none": lambda faces: None,
    "one": lambda faces: 1,
    "top": lambda faces: faces,
    "middle": lambda faces: (faces + 1) // 2,
}
RAISES = ("face-locked", "quantity-first", "face-first")
TRUTHS = ("at-least", "exactly")


@pytest.mark.parametrize("dice, faces", [((1, 1), 3), ((1, 2), 3), ((2, 1), 3), ((2, 2), 2)])
@pytest.mark.parametrize("wild", WILDS)
@pytest.mark.parametrize("raise_rule", RAISES)
def test_program_and_sweep_agree(dice, faces, wild, raise_rule):
    face = WILDS[wild](faces)
    for truth, opening in product(TRUTHS, (1, 2)):
        rules = DiceRules(dice, faces, face, raise_rule, truth, opening)
        result = solve_lp(rules).result
        _, low, high = sweep_until(rules, 1e-6)
        assert low <= result.value + 1e-9, rules
        assert result.value <= high + 1e-9, rules
        assert high - low < 1e-6, rules


def as_strategy(sweep, form):
    """The sweep's average strategy at every information set of the unmerged game."""
    tree, strategy = sweep.tree, form.uniform()
    for (player, (hand, history)), infoset in form.index.items():
        claims = tuple(tree.index[claim] for claim in history)
        last = claims[-1] if claims else 0
        if not tree.raises[last]:
            continue
        place = locate(sweep.layout, claims)
        classes = tree.classes[player]
        level = tree.level[last]
        mine = classes.of_hand[level, classes.hands.index(hand)]
        actions = np.arange(form.action_counts[infoset])
        at = place.start + (actions * classes.size[level] + mine) * place.rows + place.row
        flow = sweep.average[at]
        if flow.sum() > 0:
            strategy[form.start[infoset] : form.start[infoset + 1]] = flow / flow.sum()
    return strategy


CUT_UP = {"rim": 50, "batch": 200}
SHAPES = [
    DiceRules(dice=(2, 1), faces=3, wild=1),
    DiceRules(dice=(1, 2), faces=3, raise_rule="quantity-first", truth="exactly"),
    DiceRules(dice=(1, 1), faces=4, wild=3, raise_rule="face-first", minimum_opening=2),
    DiceRules(dice=(2, 2), faces=2, wild=2),
]


@pytest.mark.parametrize("rules", SHAPES, ids=str)
@pytest.mark.parametrize("cut", [{}, CUT_UP], ids=["one task", "trunk and tasks"])
def test_best_responses_equal_those_without_merging(rules, cut):
    tree = RoundTree(rules)
    layout = plan_layout(tree, **cut)
    assert (layout.trunk is None) == (not cut)
    sweep = Sweep(tree, layout, np.float64, threads=1)
    for iteration in range(1, 4):
        sweep.iterate(schedule("dcfr"), iteration)
    form = sequence_form(DiceRound(rules))
    gap = evaluate(form, as_strategy(sweep, form))
    assert gap.exploitability > 1e-3
    for player in (0, 1):
        assert sweep.best_response(player) == pytest.approx(gap.best_responses[player], abs=1e-12)
        assert sweep.evaluate(player) == pytest.approx(gap.values[player], abs=1e-12)


@pytest.mark.parametrize("rules", SHAPES, ids=str)
@pytest.mark.parametrize("algorithm", ["cfr", "cfr+", "dcfr", "pcfr+", "sapcfr+"])
def test_the_cut_and_the_threads_do_not_matter(rules, algorithm):
    plan, tree = schedule(algorithm), RoundTree(rules)
    layout = plan_layout(tree, **CUT_UP)
    assert len(layout.tasks) > 2
    one, two = (Sweep(tree, layout, np.float64, n, plan.predictive) for n in (1, 2))
    whole = Sweep(tree, plan_layout(tree), np.float64, 1, plan.predictive)
    for iteration in range(1, 21):
        for sweep in (one, two, whole):
            sweep.iterate(plan, iteration)
    for name in ("regret", "average", "source"):
        assert np.array_equal(getattr(one, name), getattr(two, name))
    for player in (0, 1):
        assert one.best_response(player) == pytest.approx(whole.best_response(player), abs=1e-9)


@pytest.mark.parametrize("algorithm", ["cfr", "cfr+", "dcfr", "pcfr+", "sapcfr+"])
@pytest.mark.parametrize("cut", [{}, CUT_UP], ids=["one task", "trunk and tasks"])
def test_every_algorithm_brackets_the_value(algorithm, cut):
    rules = DiceRules(dice=(2, 1), faces=3, wild=1)
    value = solve_lp(rules).result.value
    layout = plan_layout(RoundTree(rules), **cut)
    _, low, high = sweep_until(rules, 1e-2, layout, threads=2, algorithm=algorithm)
    assert low <= value + 1e-12
    assert value <= high + 1e-12
    assert high - low < 1e-2


def test_sweep_and_generic_regrets_find_the_same_value():
    """Two implementations that share nothing but the schedule."""
    rules = DiceRules(dice=(1, 1), faces=4)
    form = sequence_form(DiceRound(rules))
    cfr = TreeCFR(form, schedule("pcfr+"))
    cfr.run(1500)
    gap = evaluate(form, cfr.average_strategy())
    _, low, high = sweep_until(rules, 1e-6)
    assert gap.exploitability < 1e-4
    assert gap.values[0] == pytest.approx((low + high) / 2, abs=gap.nash_conv + 1e-6)
