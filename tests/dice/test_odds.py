"""Odds against known figures, enumeration of every roll, and a recursion in Fractions."""

from collections import Counter
from fractions import Fraction
from itertools import product
from math import comb, prod

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mouche_solver.dice import Claim, DiceRules, claim_probability, claim_table, count_table
from mouche_solver.dice.odds import count_distribution, count_numerators, quantity_probability
from mouche_solver.dice.rules.hands import all_hands, rolls
from mouche_solver.errors import NotationError


@pytest.mark.parametrize(
    "dice, claim, hand, wild, expected",
    [
        ((5, 5), (3, 5), None, None, 0.224773),
        ((5, 5), (3, 5), None, 1, 0.700859),
        ((5,) * 5, (9, 5), None, 1, 0.462421),
        ((5,) * 4, (5, 5), (5, 5, 2, 3, 6), None, 0.467775),
        ((5,) * 4, (5, 5), (5, 5, 2, 3, 6), 1, 0.920643),
        ((5,) * 4, (5, 5), (5, 1, 2, 3, 6), 1, 0.920643),
    ],
)
def test_known_figures(dice, claim, hand, wild, expected: float) -> None:
    rules = DiceRules(dice=dice, wild=wild)
    assert claim_probability(rules, claim, hand) == pytest.approx(expected, abs=5e-7)


def enumerate_rolls(rules: DiceRules, hand: tuple[int, ...]) -> Counter[tuple[int, ...]]:
    """How many rolls of the unknown dice lead to which matching counts of the faces, one by one."""
    found: Counter[tuple[int, ...]] = Counter()
    for rolled in product(range(1, rules.faces + 1), repeat=rules.total_dice - len(hand)):
        table = [*hand, *rolled]
        found[
            tuple(
                sum(die == face or (die == rules.wild and face != rules.wild) for die in table)
                for face in range(1, rules.faces + 1)
            )
        ] += 1
    return found


@st.composite
def small_tables(draw: st.DrawFn) -> tuple[DiceRules, tuple[int, ...] | None]:
    dice = tuple(draw(st.lists(st.integers(1, 2), min_size=2, max_size=2)))
    faces = draw(st.integers(2, 4))
    rules = DiceRules(
        dice=dice,
        faces=faces,
        wild=draw(st.none() | st.integers(1, faces)),
        truth=draw(st.sampled_from(["at-least", "exactly"])),
    )
    owner = draw(st.none() | st.integers(0, 1))
    if owner is None:
        return rules, None
    return rules, tuple(draw(st.tuples(*[st.integers(1, faces)] * dice[owner])))


@given(small_tables())
@settings(max_examples=60, deadline=None)
def test_every_roll_counted_one_by_one(case: tuple[DiceRules, tuple[int, ...] | None]) -> None:
    rules, hand = case
    found = enumerate_rolls(rules, hand or ())
    whole = found.total()
    claims, counts = claim_table(rules, hand), count_table(rules, hand)
    assert claims.shape == (rules.total_dice, rules.faces)
    assert counts.shape == (rules.total_dice + 1, rules.faces)
    for face in range(1, rules.faces + 1):
        for quantity in range(rules.total_dice + 2):
            equal = sum(n for count, n in found.items() if count[face - 1] == quantity)
            more = sum(n for count, n in found.items() if count[face - 1] >= quantity)
            true = equal if rules.truth == "exactly" else more
            if quantity <= rules.total_dice:
                assert counts[quantity, face - 1] == equal / whole
            if quantity >= 1:
                exact = claim_probability(rules, (quantity, face), hand, exact=True)
                assert exact == Fraction(true, whole)
            if 1 <= quantity <= rules.total_dice:
                assert claims[quantity - 1, face - 1] == true / whole


def die_by_die(dice: int, chance: Fraction) -> list[Fraction]:
    """Distribution of the matching dice, adding one die at a time."""
    dist = [Fraction(1)]
    for _ in range(dice):
        dist = [
            (dist[k] * (1 - chance) if k < len(dist) else 0) + (dist[k - 1] * chance if k else 0)
            for k in range(len(dist) + 1)
        ]
    return dist


@pytest.mark.parametrize("faces, wild", [(6, None), (6, 1), (12, 12), (2, 1)])
@pytest.mark.parametrize("with_hand", [False, True])
def test_hundred_dice_lose_no_digits(faces: int, wild: int | None, with_hand: bool) -> None:
    rules = DiceRules(dice=(10,) * 10, faces=faces, wild=wild)
    hand = (1, 1, 1, *[2] * 7) if with_hand else ()
    table = claim_table(rules, hand if with_hand else None)
    for face in range(1, faces + 1):
        helped = wild is not None and face != wild
        known = hand.count(face) + (hand.count(wild) if helped else 0)
        dist = die_by_die(100 - len(hand), Fraction(1 + helped, faces))
        tail = Fraction(0)
        for quantity in range(100, 0, -1):
            if 0 <= quantity - known < len(dist):
                tail += dist[quantity - known]
            exact = tail if quantity > known else Fraction(1)
            got = Fraction(float(table[quantity - 1, face - 1]))
            assert abs(got - exact) <= exact * Fraction(1, 10**15)


def test_plain_numbers_go_beyond_what_rules_allow() -> None:
    exact = sum(die_by_die(150, Fraction(1, 6))[30:])
    assert quantity_probability(30, unknown=150, faces=6) == exact
    assert count_distribution(150, 6, at_least=True)[30] == float(exact)


@given(st.integers(0, 30), st.integers(2, 12), st.integers(1, 2))
def test_rolls_add_up(dice: int, faces: int, good: int) -> None:
    assert sum(count_numerators(dice, faces, good)) == faces**dice


@given(st.integers(0, 5), st.integers(2, 6))
def test_multiset_weights_count_the_rolls(dice: int, faces: int) -> None:
    hands, weights = all_hands(dice, faces)
    counted = Counter(tuple(sorted(rolled)) for rolled in product(range(1, faces + 1), repeat=dice))
    assert dict(zip(hands, weights, strict=True)) == counted


def test_weight_of_a_hundred_dice_is_exact() -> None:
    hand = tuple(face for face in range(1, 11) for _ in range(10))
    # Choose the places of each face in turn.
    assert rolls(hand) == prod(comb(left, 10) for left in range(100, 0, -10))


def test_at_least_falls_and_exactly_adds_up() -> None:
    rules = DiceRules(dice=(5, 4, 3), wild=1)
    assert (np.diff(claim_table(rules), axis=0) < 0).all()
    np.testing.assert_allclose(count_table(rules, (1, 2, 3)).sum(axis=0), 1, rtol=1e-14)


def test_hand_decides_all_when_nothing_is_unknown_to_it() -> None:
    rules = DiceRules(dice=(2, 1), truth="exactly")
    assert claim_probability(rules, Claim(1, 5), (5, 5)) == 0.0
    assert claim_probability(rules, Claim(3, 5), (5, 5), exact=True) == Fraction(1, 6)


def test_quantity_above_the_dice_in_play_is_never_true() -> None:
    assert claim_probability(DiceRules(), (11, 5)) == 0.0


@pytest.mark.parametrize(
    "claim, hand, words",
    [
        ((1, 7), None, "faces 1 to 6"),
        ((0, 1), None, "1 or more"),
        ((1, 1), (5, 5), "has 2 dice; a player has 5"),
        ((1, 1), (5, 5, 5, 5, 7), "7 is not a die"),
    ],
)
def test_bad_questions(claim: tuple[int, int], hand, words: str) -> None:
    with pytest.raises(NotationError, match=words):
        claim_probability(DiceRules(), claim, hand)
