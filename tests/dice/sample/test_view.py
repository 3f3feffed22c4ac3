"""What a view merges: exactly what its description says, compared with lines written out."""

from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mouche_solver.dice import Claim, DiceRules
from mouche_solver.dice.rules.claims import legal_claims
from mouche_solver.dice.sample.arrays import Machine
from mouche_solver.dice.sample.view import View, build_machine, seat_period, state_of
from mouche_solver.dice.sweep.tree import RoundTree
from mouche_solver.errors import RulesError

TWO_OF_THREE = DiceRules(dice=(1, 1, 1), faces=3)


def lines(rules: DiceRules) -> list[tuple[Claim, ...]]:
    """Every line of claims."""
    found: list[tuple[Claim, ...]] = [()]
    for line in found:  # grows while it is walked
        last = line[-1] if line else None
        found += [(*line, claim) for claim in legal_claims(rules, last)]
    return found


def remembered(rules: DiceRules, view: View, line: tuple[Claim, ...]) -> tuple[object, ...]:
    """The view of a line, by its description."""
    older = list(reversed(line[:-1]))
    near = [
        (claim.face, min(max(line[-1].quantity - claim.quantity, 0), view.gap))
        for claim in older[: view.claims - 1]
    ]
    far = [claim.face for claim in older[view.claims - 1 : view.older]]
    return (line[-1:], tuple(near), tuple(far), len(line) % seat_period(rules.dice))


@pytest.mark.parametrize(
    ("rules", "view"),
    [
        *product([TWO_OF_THREE], [View(1, 0, 0), View(1, 0, 2), View(2, 1, 0), View(3, 2, 1)]),
        (DiceRules(dice=(2, 1), faces=2), View(2, 2, 1)),
        (DiceRules(dice=(2, 1, 2, 1), faces=2, raise_rule="quantity-first"), View(2, 9, 0)),
    ],
    ids=str,
)
def test_lines_share_a_state_exactly_when_their_views_are_equal(
    rules: DiceRules, view: View
) -> None:
    tree = RoundTree(rules)
    machine = build_machine(tree, view)
    state_of_view: dict[object, int] = {}
    for line in lines(rules):
        state = state_of(machine, tree, [tree.index[claim] for claim in line])
        assert state_of_view.setdefault(remembered(rules, view, line), state) == state
    assert sorted(state_of_view.values()) == list(range(len(machine.last)))


def test_a_view_without_limits_merges_nothing() -> None:
    rules = DiceRules(dice=(1, 1, 1), faces=1 + 1)
    machine = build_machine(RoundTree(rules), View(4, 60, 4))
    assert len(machine.last) == len(lines(rules))


def room(machine: Machine, tree: RoundTree, seat: int) -> list[int]:
    """Entries that each state should have for a seat."""
    return [
        int(tree.classes[seat].size[tree.level[claim]]) * (len(tree.raises[claim]) + (claim > 0))
        if tree.raises[claim]
        else 0
        for claim in machine.last.tolist()
    ]


def test_every_state_has_room_for_its_hands_and_actions() -> None:
    tree = RoundTree(DiceRules(dice=(2, 2, 2), faces=3))
    machine = build_machine(tree, View(2, 1, 1))
    assert np.diff(machine.begin).tolist() == room(machine, tree, 0)


@settings(max_examples=30, deadline=None)
@given(st.lists(st.integers(1, 3), min_size=2, max_size=4))
def test_seats_are_alike_exactly_a_period_apart(dice: list[int]) -> None:
    period = seat_period(dice)
    turned = [tuple(dice[p:] + dice[:p]) == tuple(dice) for p in range(1, len(dice) + 1)]
    assert turned.index(True) + 1 == period


@pytest.mark.parametrize("fields", [{"claims": 0}, {"gap": -1}, {"faces": 5}, {"claims": True}])
def test_impossible_views_are_refused(fields: dict[str, int]) -> None:
    with pytest.raises(RulesError, match="allowed are"):
        View(**fields)
