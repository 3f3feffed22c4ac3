"""Rules as data: what is refused, what survives JSON, what the two hashes guard."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mouche_solver.dice import DiceRules
from mouche_solver.errors import RulesError

CHOICES = {
    "raise_rule": ["face-locked", "quantity-first", "face-first"],
    "truth": ["at-least", "exactly"],
    "next_starter": ["next-seat", "loser", "winner", "after-loser", "doubter", "after-doubter"],
}


@st.composite
def all_rules(draw: st.DrawFn) -> DiceRules:
    dice = tuple(draw(st.lists(st.integers(1, 10), min_size=2, max_size=5)))
    faces = draw(st.integers(2, 12))
    return DiceRules(
        dice=dice,
        faces=faces,
        wild=draw(st.none() | st.integers(1, faces)),
        minimum_opening=draw(st.integers(1, sum(dice))),
        points=draw(st.integers(1, 10) | st.tuples(*[st.integers(1, 10)] * len(dice))),
        **{name: draw(st.sampled_from(values)) for name, values in CHOICES.items()},
    )


@given(all_rules())
@settings(max_examples=50)
def test_json_round_trip(rules: DiceRules) -> None:
    again = DiceRules.from_json(rules.to_json())
    assert again == rules
    assert (again.round_hash, again.match_hash) == (rules.round_hash, rules.match_hash)


@pytest.mark.parametrize(
    "field, change",
    [
        ("dice", (5, 4)),
        ("faces", 5),
        ("wild", 1),
        ("raise_rule", "face-first"),
        ("truth", "exactly"),
        ("minimum_opening", 2),
    ],
)
def test_what_decides_a_round_changes_both_hashes(field: str, change: object) -> None:
    base, other = DiceRules(), DiceRules(**{field: change})
    assert base.round_hash != other.round_hash
    assert base.match_hash != other.match_hash


@pytest.mark.parametrize("field, change", [("points", 2), ("next_starter", "loser")])
def test_what_decides_a_match_alone_leaves_the_round_hash(field: str, change: object) -> None:
    base, other = DiceRules(), DiceRules(**{field: change})
    assert base.round_hash == other.round_hash
    assert base.match_hash != other.match_hash


def test_hashes_stay_as_they_are_because_files_carry_them() -> None:
    assert DiceRules().round_hash == "0b8153789ccaf99a"
    assert DiceRules().match_hash == "292343079068dc22"
    assert DiceRules(points=3).match_hash == DiceRules(points=(3, 3)).match_hash


@pytest.mark.parametrize(
    "fields, words",
    [
        ({"dice": (5,)}, "at least two players"),
        ({"dice": (5, 11)}, "1 to 10"),
        ({"dice": (5, 0)}, "1 to 10"),
        ({"dice": 5}, "per player"),
        ({"faces": 1}, "2 to 12"),
        ({"faces": True}, "2 to 12"),
        ({"wild": 7}, "1 to 6"),
        ({"raise_rule": "any"}, "face-locked"),
        ({"truth": "no"}, "at-least"),
        ({"minimum_opening": 11}, "1 to 10"),
        ({"points": 0}, "1 to 10"),
        ({"points": (1, 2, 3)}, "2 players"),
        ({"next_starter": "me"}, "after-loser"),
    ],
)
def test_impossible_rules_are_refused_in_one_line(fields: dict[str, object], words: str) -> None:
    with pytest.raises(RulesError, match=words) as caught:
        DiceRules(**fields)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("text", ["", "[1]", '{"dise": [5, 5]}', '{"dice": "5"}', "{"])
def test_foreign_json_is_refused(text: str) -> None:
    with pytest.raises(RulesError):
        DiceRules.from_json(text)
