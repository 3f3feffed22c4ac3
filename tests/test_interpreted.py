"""Every family of kernels on cases so small that they also run interpreted.

With the JIT on they are quick tests. With ``NUMBA_DISABLE_JIT=1`` (``.ci/run`` does that) the same
lines run as Python, so that coverage sees them and an out-of-range index raises.
"""

from fractions import Fraction
from math import comb

import numpy as np
import pytest

from mouche_solver.cards import (
    Abstraction,
    CardRules,
    CardTrainer,
    HandClasses,
    OpenHands,
    challenge,
    take_census,
)
from mouche_solver.cards.train.trainer import Batch
from mouche_solver.core.run import Limits
from mouche_solver.dice import (
    DiceRules,
    SampleLimits,
    solve_lp,
    solve_table,
    train_sampled,
)
from mouche_solver.dice.round.solve import RoundSolver

# Interpreted, the random streams wrap around in numpy's integers, which say so.
pytestmark = [
    pytest.mark.interpreted,
    pytest.mark.filterwarnings("ignore:overflow encountered:RuntimeWarning"),
]

ROUNDS = [
    DiceRules(dice=(1, 1), faces=3),
    DiceRules(dice=(2, 1), faces=2, wild=1),
    DiceRules(dice=(1, 1), faces=3, raise_rule="quantity-first", truth="exactly"),
]


@pytest.mark.parametrize("rules", ROUNDS, ids=str)
def test_the_sweep_finds_the_value_of_the_linear_program(rules: DiceRules) -> None:
    solver = RoundSolver(rules, threads=1)
    for _ in range(40):
        solver.iterate()
    quality = solver.measure()
    exact = float(solve_lp(rules).result.value)
    assert quality.low - 1e-9 <= exact <= quality.high + 1e-9
    assert quality.exploitability < 0.05


def test_three_players_are_swept_and_measured() -> None:
    found = solve_table(
        DiceRules(dice=(1, 1, 1), faces=2), limits=Limits(1e-9, 20, None), threads=1
    )
    assert found.gap.values.sum() == pytest.approx(0, abs=1e-6)
    assert found.gap.gains.min() > -1e-9
    assert found.gap.nash_conv < 0.5


def test_a_big_table_is_sampled() -> None:
    rules = DiceRules(dice=(1, 1, 1), faces=2)
    strategy = train_sampled(rules, limits=SampleLimits(2_000), threads=1)
    assert np.isfinite(strategy.entries).all()


PAIRS = {"players": 2, "ranks": "K Q J", "suits": "C D H", "hand_size": 2}
VARIANTS = {
    "three": CardRules(players=3, ranks="K Q J A", suits="C D", hand_size=1),
    "swap": CardRules(
        players=2, ranks="K Q J", suits="C D H", hand_size=2, dealer_takes_trump=True
    ),
    "pamphile": CardRules(players=2, ranks="K Q J", suits="C D H", hand_size=2, pamphile=True),
}


@pytest.mark.parametrize("rules", VARIANTS.values(), ids=VARIANTS)
def test_cards_are_trained_counted_and_challenged(rules: CardRules) -> None:
    pot = 10 if rules.pamphile else None
    trainer = CardTrainer(Abstraction(rules), batch=Batch(16, 16, 2, 1 << 8), pot=pot)
    trainer.train_round()
    strategy = trainer.strategy()
    trainer.close()
    census = take_census(strategy, 60, seed=1)
    assert census.dealt.sum() > 0
    assert census.said.shape[0] == census.held.shape[0]
    if not rules.pamphile:
        assert len(challenge(strategy, deals=60, seed=1)) >= 2


def test_hand_classes_are_numbered_without_a_gap() -> None:
    rules = CardRules(players=2, ranks="K Q J A", suits="C D H", hand_size=2)
    classes = HandClasses(rules.pack, rules.hand_size, turned=0)
    weights = classes.weights()
    assert len(weights) == classes.n_classes
    assert weights.min() > 0
    assert weights.sum() == comb(11, 2)


def test_open_hands_take_every_trick_once() -> None:
    rules = CardRules(players=2, ranks="K Q J", suits="C D", hand_size=2)
    tricks = OpenHands(rules, 2, table_cards=1).tricks([[0b11, 0b1100]], 0)
    assert tricks.sum() == 2
    assert Fraction(int(tricks[0][0]), 2) in {Fraction(0), Fraction(1, 2), Fraction(1)}
