"""The human-like players do what their descriptions say."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mouche_solver.dice.odds import claim_probability
from mouche_solver.dice.people.players import PEOPLE, person
from mouche_solver.dice.people.sight import look
from mouche_solver.dice.rules.claims import legal_claims
from mouche_solver.dice.rules.notation import parse_history
from mouche_solver.dice.rules.rules import Claim, DiceRules
from mouche_solver.errors import UsageError


def said(name: str, hand: str, history: str) -> dict[str, float]:
    """The actions of a hand that have any probability."""
    rules = DiceRules()
    claims = parse_history(rules, history)
    sight = look(rules, claims)
    row = sight.hands.index(tuple(sorted(map(int, hand))))
    names = (["doubt"] if claims else []) + [str(claim) for claim in sight.raises]
    mix = PEOPLE[name].mix(rules, claims)[row]
    return {each: float(chance) for each, chance in zip(names, mix, strict=True) if chance > 0}


def test_what_they_say_in_worked_cases() -> None:
    # Two fives: 3x5 needs one more of five dice, 0.598; 4x5 needs two, 0.196.
    assert said("honest", "55216", "") == {"3x5": 1.0}
    assert said("honest", "55216", "3x1") == {"doubt": 1.0}  # two more ones of five, 0.196
    assert said("honest", "55216", "1x6") == {"2x6": 1.0}  # only sixes are left
    assert said("ladder", "55216", "") == {"1x1": 1.0}
    assert said("ladder", "55216", "1x1") == {"1x2": 1.0}  # a sure step before an unsure one
    assert said("doubter", "55216", "2x6") == {"doubt": 1.0}  # 0.598 is below four in five
    assert said("honest", "55216", "2x6") == {"3x6": 1.0}
    # The believer gives the claimant two of three fives and has two himself: 4x5 is certain.
    assert said("believer", "55216", "3x5") == {"4x5": 1.0}
    assert said("bluffer", "55216", "")["3x5"] == pytest.approx(0.5)
    casual = said("casual", "55216", "3x1")
    assert casual["doubt"] == pytest.approx(1 / (1 + np.exp((0.19624 - 0.5) / 0.1)), abs=1e-4)


RULES = st.builds(
    DiceRules,
    dice=st.lists(st.integers(1, 3), min_size=2, max_size=4).map(tuple),
    faces=st.integers(2, 6),
    wild=st.sampled_from([None, 1, 2]),
    raise_rule=st.sampled_from(["face-locked", "quantity-first", "face-first"]),
    truth=st.sampled_from(["at-least", "exactly"]),
)


@settings(deadline=None)  # the first hands of a rule are counted once
@given(rules=RULES, name=st.sampled_from(sorted(PEOPLE)), data=st.data())
def test_each_is_a_strategy_for_any_table(rules: DiceRules, name: str, data: st.DataObject) -> None:
    history: list[Claim] = []
    for _ in range(data.draw(st.integers(0, 4))):
        legal = legal_claims(rules, history[-1] if history else None)
        if not legal:
            break
        history.append(data.draw(st.sampled_from(legal)))
    sight = look(rules, history)
    mix = PEOPLE[name].mix(rules, history)
    assert mix.shape == (len(sight.hands), len(sight.raises) + bool(history))
    assert (mix >= 0).all()
    np.testing.assert_allclose(mix.sum(axis=1), 1.0, atol=1e-12)
    row = data.draw(st.integers(0, len(sight.hands) - 1))
    for column, claim in enumerate(sight.raises):
        exact = claim_probability(rules, claim, sight.hands[row])
        assert sight.likely[row, column] == pytest.approx(exact, abs=1e-12)
    if history and name == "honest" and sight.raises:
        assert (mix[row, 0] == 1.0) == (sight.standing[row] < 0.5)


def test_an_unknown_player_is_refused() -> None:
    with pytest.raises(UsageError, match="allowed are honest, ladder"):
        person("shark")
