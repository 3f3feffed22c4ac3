"""One round: turns, legality, reveals."""

import json
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mouche_solver.dice import Claim, DiceRules, Round, roll
from mouche_solver.dice.rules.notation import DOUBT, format_cups
from mouche_solver.errors import IllegalMoveError, NotationError

CASES = json.loads((Path(__file__).parents[2] / "data" / "dice.json").read_text())


@pytest.mark.parametrize("case", CASES["reveals"], ids=str)
def test_reveals(case: dict) -> None:
    rules = DiceRules(dice=(5, 5, 5), wild=1 if case["wild"] else None, truth=case["truth"])
    state = Round(rules, tuple(tuple(cup) for cup in case["cups"]))
    reveal = state.play(Claim(*case["claim"])).play(DOUBT).reveal
    assert reveal is not None
    assert (reveal.claimant, reveal.doubter) == (0, 1)
    assert reveal.loser == {"claimant": 0, "doubter": 1}[case["loser"]]
    assert reveal.winner == 1 - reveal.loser


def test_the_texts_own_example() -> None:
    state = Round.replay(DiceRules(), "5,5,2,1,6 / 5,3,3,4,1", "3x5 4x5 doubt")
    reveal = state.reveal
    assert reveal is not None
    assert (reveal.count, reveal.correct, reveal.loser) == (3, False, 1)
    assert "Game Play 6" in reveal.explain()


@given(st.data(), st.lists(st.integers(1, 2), min_size=2, max_size=4), st.integers(0, 2**32))
def test_any_line_of_play(data: st.DataObject, dice: list[int], seed: int) -> None:
    """Turns go round, the reveal agrees with a count by hand, and the text replays it."""
    rules = DiceRules(
        dice=tuple(dice),
        faces=4,
        wild=data.draw(st.none() | st.integers(1, 4)),
        truth=data.draw(st.sampled_from(["at-least", "exactly"])),
    )
    state = Round(rules, roll(rules, np.random.default_rng(seed)))
    spoken = []
    while state.to_act is not None:
        assert state.to_act == len(spoken) % len(dice)
        assert (DOUBT in state.legal_actions()) == bool(spoken)
        spoken.append(data.draw(st.sampled_from(state.legal_actions())))
        state = state.play(spoken[-1])
    quantity, face = spoken[-2]
    table = [die for cup in state.cups for die in cup]
    count = table.count(face)
    if rules.wild not in (None, face):
        count += table.count(rules.wild)
    correct = count == quantity if rules.truth == "exactly" else count >= quantity
    doubter = (len(spoken) - 1) % len(dice)
    reveal = state.reveal
    assert reveal is not None
    assert (reveal.count, reveal.correct) == (count, correct)
    assert reveal.loser == (doubter if correct else (doubter - 1) % len(dice))
    cups, _, line = str(state).partition(":")
    assert Round.replay(rules, cups, line) == state
    assert [moment.to_act for moment in state.moments()] == [
        step % len(dice) for step in range(len(spoken))
    ]


def test_after_the_largest_claim_only_a_doubt_is_left() -> None:
    state = Round.replay(DiceRules(dice=(1, 1)), "1/1", "2x6")
    assert state.legal_actions() == (DOUBT,)


def test_illegal_actions_are_refused() -> None:
    start = Round(DiceRules(dice=(1, 1)), ((1,), (2,)))
    with pytest.raises(IllegalMoveError, match="Game Play 4"):
        start.play(DOUBT)
    with pytest.raises(IllegalMoveError, match="does not outbid 1x5"):
        start.play(Claim(1, 5)).play(Claim(1, 4))
    over = start.play(Claim(1, 5)).play(DOUBT)
    assert over.legal_actions() == ()
    with pytest.raises(IllegalMoveError, match="Game Play 7"):
        over.play(Claim(2, 5))


def test_there_is_no_reveal_before_a_doubt() -> None:
    assert Round.replay(DiceRules(dice=(1, 1)), "1/2", "1x5").reveal is None


def test_cups_must_be_the_players() -> None:
    with pytest.raises(NotationError, match="the players have"):
        Round(DiceRules(dice=(2, 1)), ((1,), (2, 3)))


def test_dice_repeat_with_their_seed_and_are_fair() -> None:
    rules = DiceRules(dice=(10,) * 10, faces=3)
    first, again, other = (roll(rules, np.random.default_rng(seed)) for seed in (1, 1, 2))
    assert first == again != other
    many = [
        die for seed in range(30) for cup in roll(rules, np.random.default_rng(seed)) for die in cup
    ]
    assert len(many) == 3000
    assert set(many) == {1, 2, 3}
    # Five standard deviations, sqrt(3000 * 2/9) = 26 each.
    assert all(abs(many.count(face) - 1000) < 130 for face in (1, 2, 3))
    assert format_cups(first).count("/") == 9
