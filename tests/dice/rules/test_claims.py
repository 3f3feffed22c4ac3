"""The order of claims, against the rules text's words, known counts and other formulations."""

import json
from functools import cache
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mouche_solver.dice import Claim, DiceRules, all_claims, can_raise, legal_claims

CASES = json.loads((Path(__file__).parents[2] / "data" / "dice.json").read_text())
RULES = ["face-locked", "quantity-first", "face-first"]


def spread(total: int) -> tuple[int, ...]:
    """Some players who together hold so many dice."""
    return (
        tuple(min(10, total - start) for start in range(0, total, 10))
        if total > 10
        else (
            total - 1,
            1,
        )
    )


@pytest.mark.parametrize("case", CASES["legal_raises"], ids=str)
def test_number_of_legal_raises(case: dict) -> None:
    rules = DiceRules(dice=spread(case["dice"]), faces=case["faces"], raise_rule=case["rule"])
    assert rules.total_dice == case["dice"]
    assert len(legal_claims(rules, Claim(*case["after"]))) == case["count"]


@pytest.mark.parametrize("case", CASES["legality"], ids=str)
def test_legality_of_one_claim(case: dict) -> None:
    after, claim = Claim(*case["after"]), Claim(*case["claim"])
    assert can_raise(DiceRules(), after, claim) is case["legal"]
    assert (claim in legal_claims(DiceRules(), after)) is case["legal"]


@given(st.data(), st.integers(2, 12), st.integers(2, 12))
def test_default_rule_counts_raises_by_formula(data: st.DataObject, n: int, faces: int) -> None:
    rules = DiceRules(dice=spread(n), faces=faces)
    q, f = data.draw(st.integers(1, n)), data.draw(st.integers(1, faces))
    assert len(legal_claims(rules, Claim(q, f))) == (faces - f + 1) * (n - q + 1) - 1


@pytest.mark.parametrize("rule", RULES)
def test_order_of_claims(rule: str) -> None:
    """Every raise comes later in ``all_claims``; quantity-first and face-first are total orders."""
    rules = DiceRules(dice=(2, 2), faces=4, raise_rule=rule)
    claims = all_claims(rules)
    assert len(set(claims)) == len(claims) == 16
    for i, before in enumerate(claims):
        for j, after in enumerate(claims):
            allowed = can_raise(rules, before, after)
            if i >= j:
                assert not allowed
            elif rule != "face-locked":
                assert allowed
            else:
                assert allowed == (after.face >= before.face and after.quantity >= before.quantity)


def test_minimum_opening_binds_the_opening_only() -> None:
    rules = DiceRules(dice=(2, 2), minimum_opening=3, raise_rule="face-first")
    assert {claim.quantity for claim in legal_claims(rules, None)} == {3, 4}
    assert Claim(1, 2) in legal_claims(rules, Claim(3, 1))


def count_lines(rules: DiceRules) -> int:
    """Non-empty lines of claims, by what may follow each claim."""

    @cache
    def from_here(claim: Claim) -> int:
        return 1 + sum(map(from_here, legal_claims(rules, claim)))

    return sum(map(from_here, legal_claims(rules, None)))


def test_one_die_each_has_447_lines_of_claims() -> None:
    assert count_lines(DiceRules(dice=(1, 1))) == 447


def test_five_dice_each_has_8579072_histories() -> None:
    assert 1 + count_lines(DiceRules()) == 8_579_072


def test_usual_order_has_two_to_the_number_of_claims_histories() -> None:
    assert 1 + count_lines(DiceRules(raise_rule="quantity-first")) == 2**60


@pytest.mark.parametrize("n, faces", [(2, 6), (10, 6), (5, 3)])
def test_longest_line_of_claims(n: int, faces: int) -> None:
    rules = DiceRules(dice=spread(n), faces=faces)

    @cache
    def longest(last: Claim | None) -> int:
        return max((1 + longest(claim) for claim in legal_claims(rules, last)), default=0)

    assert longest(None) == n + faces - 1
