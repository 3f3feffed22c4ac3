"""Advice wherever people stand: the positions that good play never reaches."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mouche_solver.core.run import Limits
from mouche_solver.dice.people.players import PEOPLE
from mouche_solver.dice.people.sight import look
from mouche_solver.dice.people.worth import worth_to_people
from mouche_solver.dice.round.advisor import (
    ERROR,
    NEAR,
    Advisor,
    leaning_to_people,
    losses,
    without_errors,
)
from mouche_solver.dice.round.solve import solve_round
from mouche_solver.dice.round.thin import ENTRIES, left_out, thinned
from mouche_solver.dice.rules.notation import parse_history
from mouche_solver.dice.rules.rules import Claim, DiceRules
from mouche_solver.dice.sweep.layout import entries_below
from mouche_solver.storage.dice.books import embedded_book

SMALL = DiceRules(dice=(1, 1), faces=3)
HAND = (1, 2, 5, 5, 6)


@pytest.fixture(scope="module")
def plain() -> Advisor:
    book = embedded_book(DiceRules())
    assert book is not None
    return Advisor(book)


def mix_of(advisor: Advisor, history: str) -> dict[str, float]:
    table = advisor.table(history)
    row = table.probabilities[table.hands.index(HAND)]
    return dict(zip(table.actions, row.tolist(), strict=True))


@pytest.mark.parametrize("history", ["1x1", "1x1 2x1 3x1", "1x1 6x6", "2x1", "3x6", "10x6"])
def test_off_the_path_the_advice_loses_little_listed(plain: Advisor, history: str) -> None:
    table = plain.table(history)
    assert table.assumed
    assert float(table.ranges[table.player] @ losses(table)) <= 0.015
    assert losses(table).max() <= ERROR
    np.testing.assert_allclose(table.probabilities.sum(axis=1), 1.0, atol=1e-9)


def test_the_examples_become_sensible(plain: Advisor) -> None:
    first = mix_of(plain, "1x1")
    assert first["doubt"] == 0.0  # the own one makes 1x1 true
    table = plain.table("1x1")
    best = table.values[table.hands.index(HAND)].max()
    assert abs(best) < 0.5  # nobody gives a hand a certain win or loss at the second claim
    hands = table.ranges[0]
    assert hands.max() < 0.05  # 1x1 is no proof of 1,1,1,5,5
    assert mix_of(plain, "1x1 6x6")["doubt"] > 0.99
    assert mix_of(plain, "3x6")["doubt"] > 0.8  # one 6 of one's own is not enough


@pytest.mark.parametrize(
    ("history", "sensible", "bluff"), [("1x1", "2x5", "3x3"), ("2x1", "3x5", "3x4")]
)
def test_near_the_best_people_decide(
    plain: Advisor, history: str, sensible: str, bluff: str
) -> None:
    # Most people doubt a bluff on a face that the hand has none of; its value is as good.
    mix = mix_of(plain, history)
    assert mix[sensible] > 4 * mix[bluff]
    worth = worth_to_people(plain.rules, parse_history(plain.rules, history))
    assert worth is not None
    table = plain.table(history)
    stored = without_errors(plain.strategy.table(history))
    won = [
        float(t.ranges[t.player] @ (t.probabilities * worth).sum(axis=1)) for t in (table, stored)
    ]
    assert won[0] > won[1] + 0.02


@given(seed=st.integers(0, 2**32 - 1))
def test_half_of_the_mix_leans_to_people_and_stays_near_the_best(seed: int) -> None:
    random = np.random.default_rng(seed)
    advisor = Advisor(solve_round(SMALL, limits=Limits(1e-2)))
    table = advisor.strategy.table("1x1")
    shape = table.values.shape
    mixed = random.dirichlet(np.full(shape[1], 0.3), size=shape[0])
    values = np.clip(random.normal(0, random.choice([0.01, 0.1]), shape), -1, 1)
    worth = random.uniform(-1, 1, shape)
    given_table = replace(table, probabilities=mixed, values=values)
    sound, leaning = without_errors(given_table), leaning_to_people(given_table, worth)
    for each in (sound, leaning):
        np.testing.assert_allclose(each.probabilities.sum(axis=1), 1.0, atol=1e-12)
        assert losses(each).max() <= ERROR
    near = values > values.max(axis=1, keepdims=True) - NEAR
    before = np.where(near, sound.probabilities + 1e-3, 0.0)
    before /= before.sum(axis=1, keepdims=True)
    leant = 2 * leaning.probabilities - sound.probabilities  # the half that leans
    assert (leant >= -1e-12).all()
    assert not leant[~near].any()
    assert (((leant - before) * worth).sum(axis=1) >= -1e-12).all()


def test_a_reply_to_a_described_player_never_wins_less_than_the_usual_advice() -> None:
    rules = DiceRules(dice=(2, 2), faces=3)
    solution = solve_round(rules, limits=Limits(1e-3))
    usual = Advisor(solution)
    kept = 0
    for person in PEOPLE.values():
        advisor = Advisor(solution, opponent=person)
        for history in ["1x1", "2x1", "1x2"]:
            gain = advisor.reply(history).gain
            assert gain.min() >= 0.0
            same = advisor.table(history).probabilities == usual.table(history).probabilities
            kept += int((same.all(axis=1) & (gain == 0)).sum())
    assert kept


@pytest.mark.parametrize("history", ["", "3x1", "3x2", "3x1 3x2"])
def test_on_the_path_the_book_speaks(plain: Advisor, history: str) -> None:
    table, stored = plain.table(history), plain.strategy.table(history)
    assert (table.assumed, table.reach) == ("", stored.reach)
    on_path = stored.ranges[stored.player] > 1e-4
    np.testing.assert_allclose(
        table.probabilities[on_path], stored.probabilities[on_path], atol=1e-9
    )


def test_own_dice_refute_actions_everywhere() -> None:
    rules = DiceRules(dice=(2, 2), faces=3)
    advisor = Advisor(solve_round(rules, limits=Limits(1e-3)))
    for history in ["1x1", "2x2", "1x3", "3x1 4x1", "2x1 2x2", "4x2", "3x3"]:
        claims = parse_history(rules, history)
        table, sight = advisor.table(history), look(rules, claims)
        assert not table.probabilities[sight.standing >= 1.0, 0].any()
        if sight.raises:
            surely = (sight.standing <= 0.0)[:, None] & (sight.likely <= 0.0)
            assert not table.probabilities[:, 1:][surely].any()


def test_a_thinned_round_keeps_the_raises_of_its_root_and_fits() -> None:
    rules = DiceRules()
    tree = thinned(rules, Claim(1, 1), 1)
    number = tree.index[Claim(1, 1)]
    assert len(tree.raises[number]) == 59
    assert left_out(tree)
    assert entries_below(tree, 2 * number + 1) <= ENTRIES
    assert not left_out(thinned(rules, Claim(4, 5), 0))


def test_a_described_opponent_is_answered(plain: Advisor) -> None:
    for trust in (0.0, 1.0):
        advisor = Advisor(plain.strategy, PEOPLE["honest"], trust)
        reply = advisor.reply("3x5")
        row = advisor.table("3x5").hands.index(HAND)
        if trust == 0.0:
            assert reply.gain[row] == 0.0
            assert reply.risk == 0.0
        else:
            # An honest 3x5 has two fives or more: with two of one's own 4x5 is nearly sure.
            assert mix_of(advisor, "3x5")["4x5"] > 0.9
            assert reply.gain[row] > 0.3
            assert reply.risk >= 0.0
