"""Claims, hands and cups as text."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mouche_solver.dice import Claim, DiceRules, parse_hand, parse_history
from mouche_solver.dice.rules.claims import legal_claims
from mouche_solver.dice.rules.notation import (
    format_claims,
    format_cups,
    parse_claim,
    parse_cups,
    parse_transcript,
)
from mouche_solver.errors import IllegalMoveError, MoucheError, NotationError


@given(st.data(), st.sampled_from([" ", ",", ", ", "  "]))
def test_legal_lines_round_trip(data: st.DataObject, gap: str) -> None:
    rules = DiceRules(dice=(2, 1), faces=4)
    history: list[Claim] = []
    while (choices := legal_claims(rules, history[-1] if history else None)) and data.draw(
        st.booleans()
    ):
        history.append(data.draw(st.sampled_from(choices)))
    doubted = bool(history) and data.draw(st.booleans())
    line = format_claims(history, doubted).replace(" ", gap)
    assert parse_transcript(rules, line) == (tuple(history), doubted)


@given(st.text(max_size=20))
def test_any_text_is_read_or_refused_in_one_line(text: str) -> None:
    for read in (parse_history, lambda rules, t: parse_hand(rules, t, 0), parse_cups):
        message = ""
        try:
            read(DiceRules(), text)
        except MoucheError as error:
            message = str(error)
        assert len(message.splitlines()) <= 1


@pytest.mark.parametrize("word", ["", "3", "x5", "3x", "-3x5", "3x5x", "threex5", "³x5", "3.0x5"])
def test_what_is_not_a_claim(word: str) -> None:
    with pytest.raises(NotationError, match="QxF"):
        parse_claim(word)


def test_upper_case_is_read() -> None:
    assert parse_claim("3X5") == Claim(3, 5)
    assert parse_transcript(DiceRules(), "3x5 Doubt")[1]


@pytest.mark.parametrize(
    "line, words",
    [
        ("3x5 4x4", ["claim 2, 4x4", "does not outbid 3x5", "Game Play 3", "15 claims"]),
        ("3x5 3x5", ["claim 2, 3x5", "doubt"]),
        ("10x6 10x6", ["legal are doubt"]),
        ("11x5", ["claim 1, 11x5", "10 dice are in play"]),
        ("0x5", ["claim 1, 0x5", "10 dice are in play"]),
        ("1x7", ["claim 1, 1x7", "faces 1 to 6"]),
        ("1x0", ["faces 1 to 6"]),
        ("doubt", ["needs a claim before it", "60 claims"]),
    ],
)
def test_illegal_lines_name_the_claim_and_the_legal_ones(line: str, words: list[str]) -> None:
    with pytest.raises(IllegalMoveError) as caught:
        parse_transcript(DiceRules(), line)
    assert all(word in str(caught.value) for word in words)
    assert "legal are" in str(caught.value)


def test_few_legal_claims_are_all_listed() -> None:
    with pytest.raises(IllegalMoveError, match=r"legal are doubt, 10x2, 10x3, 10x4, 10x5, 10x6$"):
        parse_history(DiceRules(), "10x1 9x2")


def test_opening_below_the_minimum() -> None:
    with pytest.raises(IllegalMoveError, match="at least 2 dice; legal are 2x1"):
        parse_history(DiceRules(dice=(1, 1), faces=2, minimum_opening=2), "1x1")


def test_history_holds_no_doubt() -> None:
    with pytest.raises(NotationError, match="claims only"):
        parse_history(DiceRules(), "3x5 doubt")


def test_nothing_follows_a_doubt() -> None:
    with pytest.raises(NotationError, match="'4x5' follows"):
        parse_transcript(DiceRules(), "3x5 doubt 4x5")


@pytest.mark.parametrize(
    "text, words",
    [
        ("5,5,2,1", "4 dice; player 0 has 5"),
        ("5,5,2,1,7", "'7' is not a die"),
        ("5,5,2,1,0", "'0' is not a die"),
        ("5,5,2,1,a", "'a' is not a die"),
        ("", "0 dice"),
    ],
)
def test_bad_hands(text: str, words: str) -> None:
    with pytest.raises(NotationError, match=words):
        parse_hand(DiceRules(), text, 0)


def test_hand_belongs_to_its_player() -> None:
    rules = DiceRules(dice=(2, 1))
    assert parse_hand(rules, "6 1", 0) == (1, 6)
    assert parse_hand(rules, "6", 1) == (6,)
    with pytest.raises(NotationError, match="player 1 has 1"):
        parse_hand(rules, "6 1", 1)


def test_cups_round_trip_and_count() -> None:
    rules = DiceRules(dice=(2, 1, 1))
    cups = ((1, 6), (3,), (2,))
    assert parse_cups(rules, format_cups(cups)) == cups
    with pytest.raises(NotationError, match="3 players need 3"):
        parse_cups(rules, "1,6 / 3")
