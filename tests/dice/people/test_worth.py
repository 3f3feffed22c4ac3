"""What actions win from people, against hands that are played out one by one."""

from collections.abc import Sequence

import numpy as np
import pytest

from mouche_solver.dice.people import worth as worth_module
from mouche_solver.dice.people.fitted import opponent_range
from mouche_solver.dice.people.players import PEOPLE, Person
from mouche_solver.dice.people.sight import look
from mouche_solver.dice.people.worth import worth_to_people
from mouche_solver.dice.rules.hands import Hand
from mouche_solver.dice.rules.referee import Round
from mouche_solver.dice.rules.rules import Claim, DiceRules


def played(rules: DiceRules, cups: Sequence[Hand], history: list[Claim], person: Person) -> float:
    """What the player who made the last claim gets, by the referee, when both play on."""
    claimer, player = (len(history) - 1) % 2, len(history) % 2
    return -onward(rules, cups, history, {player: person, claimer: PEOPLE["honest"]})


def onward(
    rules: DiceRules, cups: Sequence[Hand], history: list[Claim], who: dict[int, Person]
) -> float:
    """What the player to act gets."""
    player = len(history) % 2
    sight = look(rules, history)
    mix = who[player].mix(rules, history)[sight.hands.index(cups[player])]
    reveal = Round(rules, tuple(cups), tuple(history), doubted=True).reveal
    assert reveal is not None
    total = float(mix[0]) * (-1.0 if reveal.loser == player else 1.0)
    for claim, chance in zip(sight.raises, mix[1:], strict=True):
        if chance:
            total -= float(chance) * onward(rules, cups, [*history, claim], who)
    return total


@pytest.mark.parametrize(
    "rules",
    [
        DiceRules(dice=(1, 1), faces=3),
        DiceRules(dice=(2, 1), faces=3, wild=1),
        DiceRules(dice=(1, 2), faces=2, truth="exactly"),
    ],
    ids=["1 v 1", "wild", "exactly"],
)
def test_worth_is_what_hands_get_that_are_played_out(rules: DiceRules) -> None:
    for history in ([Claim(1, 1)], [Claim(1, 1), Claim(1, 2)]):
        player, sight = len(history) % 2, look(rules, history)
        found = worth_to_people(rules, history)
        assert found is not None
        others = look(rules, history[:-1]).hands
        for row, hand in enumerate(sight.hands):
            expected = np.zeros(len(sight.raises) + 1)
            for person in PEOPLE.values():
                chances = opponent_range(person, rules, 1 - player, history)
                for other, chance in zip(others, chances, strict=True):
                    cups = (hand, other) if player == 0 else (other, hand)
                    reveal = Round(rules, cups, tuple(history), doubted=True).reveal
                    assert reveal is not None
                    expected[0] += chance * (-1.0 if reveal.loser == player else 1.0)
                    for column, claim in enumerate(sight.raises, start=1):
                        expected[column] += chance * played(rules, cups, [*history, claim], person)
            np.testing.assert_allclose(found[row], expected / len(PEOPLE), atol=2e-3)


def test_rounds_of_too_many_hands_have_no_worth(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(worth_module, "PAIRS", 8)
    assert worth_to_people(DiceRules(dice=(1, 1), faces=3), [Claim(1, 1)]) is None
    assert worth_to_people(DiceRules(dice=(1, 1), faces=2), [Claim(1, 1)]) is not None
