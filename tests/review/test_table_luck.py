"""The luck of dice at tables of three and more: mean zero exactly, less variance."""

from functools import cache
from itertools import product
from math import prod

import numpy as np
import pytest

from mouche_solver.dice.people.players import PEOPLE
from mouche_solver.dice.round.strategy import RoundStrategy
from mouche_solver.dice.rules.hands import all_hands
from mouche_solver.dice.rules.notation import DOUBT
from mouche_solver.dice.rules.referee import Round, roll
from mouche_solver.dice.rules.rules import DiceRules
from mouche_solver.dice.sample.strategy import SampledStrategy
from mouche_solver.dice.sample.train import SampleLimits, train_sampled
from mouche_solver.dice.sweep.payoffs import loser_pays
from mouche_solver.review.table_luck import Floats, share, table_luck

TINY = DiceRules(dice=(1, 2, 1), faces=3)


@cache
def trained(rules: DiceRules) -> SampledStrategy:
    return train_sampled(rules, limits=SampleLimits(300_000), threads=1)


def test_the_luck_of_rolls_has_mean_zero_over_every_roll() -> None:
    """Exactly, with the chances of the rolls: no line of claims is needed for it."""
    hands = [list(zip(*all_hands(dice, TINY.faces), strict=True)) for dice in TINY.dice]
    mean, size = np.zeros(3), 0.0
    for cups in product(*hands):
        chance = prod(ways for _, ways in cups) / TINY.faces ** sum(TINY.dice)
        luck = table_luck(trained(TINY), Round(TINY, tuple(hand for hand, _ in cups)))
        mean += chance * luck
        size += chance * float(np.abs(luck).sum())
    assert np.abs(mean).max() < 1e-12
    assert size > 0.1


def test_the_luck_of_a_draw_has_mean_zero_over_the_mix() -> None:
    """Exactly: each action of a known opener is drawn as often as his strategy says."""
    strategy = trained(TINY)
    for hand, _ in zip(*all_hands(1, 3), strict=True):
        cups = (hand, (1, 3), (2,))
        rolled = table_luck(strategy, Round(TINY, cups)) / share(3, 0)
        lucks, mix = [], []
        for option in strategy.policy(hand, ()).actions:
            state = Round(TINY, cups).play(RoundStrategy.read_claim(option.action))
            lucks.append(table_luck(strategy, state, (0,)) / share(3, 1) - rolled)
            mix.append(option.probability)
        assert np.abs(np.array(mix) @ np.array(lucks)).max() < 1e-12


def play(
    strategy: SampledStrategy, names: tuple[str, ...], seed: int, many: int
) -> tuple[Floats, Floats]:
    """Everybody's result and luck in many rounds; those of the strategy are known."""
    rules, random = strategy.rules, np.random.default_rng(seed)
    known = [place for place, name in enumerate(names) if name == "strategy"]
    results, lucks = [], []
    for _ in range(many):
        state = Round(rules, roll(rules, random))
        while (player := state.to_act) is not None:
            if names[player] == "strategy":
                options = strategy.policy(state.cups[player], state.history).actions
                chances = np.array([o.probability for o in options])
                drawn = random.choice(len(options), p=chances / chances.sum())
                word = options[int(drawn)].action
            else:
                said = PEOPLE[names[player]].act(rules, state.cups[player], state.history, random)
                word = str(said)
            state = state.play(DOUBT if word == DOUBT else RoundStrategy.read_claim(word))
        assert state.reveal is not None
        results.append(loser_pays(rules.players)[0][state.reveal.loser])
        lucks.append(table_luck(strategy, state, known))
    return np.array(results), np.array(lucks)


@pytest.mark.parametrize(
    ("names", "left"),
    [
        (("strategy", "strategy", "strategy"), 0.2),
        (("strategy", "bluffer", "strategy"), 1.0),
        (("ladder", "honest", "casual"), 1.02),
    ],
)
def test_the_split_is_unbiased_and_takes_variance_away(names: tuple[str, ...], left: float) -> None:
    results, lucks = play(trained(TINY), names, 5, 300)
    error = lucks.std(axis=0, ddof=1) / np.sqrt(len(lucks))
    assert np.all(np.abs(lucks.mean(axis=0)) < 4 * error + 1e-12)
    assert np.abs(lucks.sum(axis=1)).max() < 1e-9
    assert (results - lucks).var(axis=0).sum() < left * results.var(axis=0).sum()
