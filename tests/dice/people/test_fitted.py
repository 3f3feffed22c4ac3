"""Models of a player from his written rounds."""

import numpy as np
import pytest

from mouche_solver.dice.people.fitted import fitted, opponent_range
from mouche_solver.dice.people.players import PEOPLE
from mouche_solver.dice.rules.notation import DOUBT, format_claims, format_hand
from mouche_solver.dice.rules.referee import roll
from mouche_solver.dice.rules.rules import Claim, DiceRules
from mouche_solver.errors import UsageError

RULES = DiceRules(dice=(3, 3))


def written(rules: DiceRules, name: str, rounds: int) -> str:
    """Rounds of a player in the second seat against a casual one."""
    random = np.random.default_rng(7)
    lines = []
    for _ in range(rounds):
        cups, history = roll(rules, random), list[Claim]()
        while True:
            player = len(history) % 2
            who = PEOPLE[name if player else "casual"]
            action = who.act(rules, cups[player], history, random)
            if action == DOUBT:
                break
            history.append(Claim(*action))  # type: ignore[arg-type]
        line = format_claims(history, doubted=True)
        lines.append(f"{format_hand(cups[0])} / *{format_hand(cups[1])} : {line}")
    return "\n".join(lines)


@pytest.mark.parametrize("name", ["honest", "ladder", "bluffer", "doubter"])
def test_the_nearest_is_who_played(name: str) -> None:
    rules = DiceRules()  # with fewer dice the honest and the doubter hardly differ
    model = fitted(rules, "# his rounds\n\n" + written(rules, name, 60), "rounds")
    assert (model.nearest.name, model.rounds) == (name, 60)
    mix = model.mix(rules, [Claim(2, 3)])
    np.testing.assert_allclose(mix.sum(axis=1), 1.0, atol=1e-12)
    assert (mix > 0).all()


def test_counts_move_the_model() -> None:
    """Who doubts what the honest player lets stand is believed to doubt more after more rounds."""
    line = "1,2,4 / *3,3,5 : 2x3 doubt"
    few = fitted(RULES, line, "rounds").mix(RULES, [Claim(2, 3)])
    many = fitted(RULES, "\n".join([line] * 40), "rounds").mix(RULES, [Claim(2, 3)])
    assert many[:, 0].mean() > few[:, 0].mean()


def test_a_range_follows_the_claims() -> None:
    found = opponent_range(PEOPLE["honest"], RULES, 0, [Claim(2, 6)])
    sixes = np.array([hand.count(6) for hand in _hands()])
    assert found[sixes >= 1].sum() > 0.9
    assert found.sum() == pytest.approx(1)


def _hands() -> list[tuple[int, ...]]:
    from mouche_solver.dice.rules.hands import all_hands

    return list(all_hands(3, 6)[0])


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "holds no round"),
        ("1,2,3 / 4,5,6 : 1x1 doubt", "mark his cup"),
        ("1,2,3 / *4,5,6 : 1x1", "no reveal"),
        ("1,2 / *4,5,6 : 1x1 doubt", "line 1: hand"),
        ("1,2,3 / *4,5,6 : 2x3 1x3 doubt", "line 1: claim"),
    ],
)
def test_bad_rounds_are_refused(text: str, message: str) -> None:
    with pytest.raises(UsageError, match=message):
        fitted(RULES, text, "rounds")
