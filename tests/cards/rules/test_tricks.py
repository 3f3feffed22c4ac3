"""Legal cards and trick winners: the published cases, and every switch."""

import json
from pathlib import Path
from typing import Any

import pytest

from mouche_solver.cards import CardRules
from mouche_solver.cards.rules.tricks import legal_cards, trick_winner

CASES = json.loads((Path(__file__).parents[2] / "data" / "cards.json").read_text())
PAMPHILE = CardRules(players=6, pamphile=True)
MUSHKA = CardRules.mushka(6)


def legal(rules: CardRules, trump: str, trick: str, hand: str) -> set[str]:
    pack = rules.pack
    mask = legal_cards(rules, pack.suit_number(trump), pack.cards(trick), pack.hand(hand))
    return set(pack.mask_names(mask))


def winner(rules: CardRules, trump: str, trick: str) -> int:
    return trick_winner(rules, rules.pack.suit_number(trump), rules.pack.cards(trick))


@pytest.mark.parametrize("case", CASES["legal_cards"])
def test_legal_cards(case: dict[str, Any]) -> None:
    trick, hand = " ".join(case["trick"]), " ".join(case["hand"])
    assert legal(CardRules(players=6), case["trump"], trick, hand) == set(case["legal"])


@pytest.mark.parametrize("case", CASES["trick_winner"])
def test_trick_winner(case: dict[str, Any]) -> None:
    assert winner(CardRules(players=6), case["trump"], " ".join(case["trick"])) == case["winner"]


@pytest.mark.parametrize("case", CASES["pamphile"])
def test_pamphile(case: dict[str, Any]) -> None:
    trick = " ".join(case["trick"])
    if "winner" in case:
        assert winner(PAMPHILE, case["trump"], trick) == case["winner"]
    else:
        hand = " ".join(case["hand"])
        assert legal(PAMPHILE, case["trump"], trick, hand) == set(case["legal"])


@pytest.mark.parametrize(
    ("switches", "trick", "hand", "expected"),
    [
        ({"must_head": False}, "10H", "KH 9H 2S", "KH 9H"),
        ({"must_head": False}, "10C", "KC 9C 2S", "KC 9C"),
        ({"must_follow": False}, "10H", "KH 9H 2S", "KH 9H 2S"),
        ({"must_trump": False}, "10H", "7C QC KS", "7C QC KS"),
        ({"must_overtrump": False}, "10H 9C", "7C QC KS", "7C QC"),
        ({"must_overtrump": False}, "10H 9C", "7C 8C KS", "7C 8C KS"),
        ({"must_undertrump": True}, "10H 9C", "7C 8C KS", "7C 8C"),
        ({"must_undertrump": True}, "10H 9C", "7C QC KS", "QC"),
        ({"head_when_trumped": True}, "10H 7C", "KH 9H KC", "KH"),
        ({"head_when_trumped": True}, "10H 7C", "9H 8H KC", "9H 8H"),
        ({}, "10H", "KS 2D", "KS 2D"),
        ({}, "", "KS 2C", "KS 2C"),
    ],
)
def test_each_switch(switches: dict[str, bool], trick: str, hand: str, expected: str) -> None:
    rules = CardRules(players=6, **switches)  # type: ignore[arg-type]
    assert legal(rules, "C", trick, hand) == set(expected.split())


def test_a_led_pamphile_asks_for_trumps_which_cannot_beat_it() -> None:
    assert legal(PAMPHILE, "H", "JC", "KH 2H KC") == {"KH", "2H"}
    assert winner(PAMPHILE, "H", "JC KH KC") == 0
    assert winner(PAMPHILE, "C", "KC JC") == 1


def test_mushka_follows_and_trumps_without_heading() -> None:
    assert legal(MUSHKA, "H", "10C", "KC 2C AH") == {"KC", "2C"}
    assert legal(MUSHKA, "H", "10C KH", "AH 2H QS") == {"AH", "2H"}
    assert legal(MUSHKA, "H", "10C AH", "2H QS") == {"2H"}
    assert winner(MUSHKA, "H", "KC AC") == 1


def test_the_ace_of_spades_beats_only_a_led_ace_of_trumps() -> None:
    assert winner(MUSHKA, "H", "AH AS KH") == 1
    assert winner(MUSHKA, "H", "KH AS") == 0
    assert winner(MUSHKA, "H", "2S AH AS") == 1
    assert winner(MUSHKA, "H", "AD AS") == 0
    assert winner(MUSHKA, "S", "AS KS") == 0


def test_when_the_ace_of_spades_may_be_played() -> None:
    assert legal(MUSHKA, "H", "AH", "AS 2H 3C") == {"2H"}
    assert legal(MUSHKA, "H", "AH", "AS 3C") == {"AS", "3C"}
    instead = CardRules.mushka(6, ace_instead_of_following=True)
    assert legal(instead, "H", "AH", "AS 2H 3C") == {"2H", "AS"}
    assert legal(instead, "H", "KH", "AS 2H 3C") == {"2H"}
    assert legal(instead, "S", "KS", "AS 2S 3C") == {"AS", "2S"}
