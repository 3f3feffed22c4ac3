"""The command ``mouche cards odds``."""

import json
from fractions import Fraction
from math import comb

import pytest

from mouche_solver.cards import CardRules
from mouche_solver.cli import main


def events(capsys, *words):
    assert main(["cards", "odds", *words, "--format", "json"]) == 0
    rows = json.loads(capsys.readouterr().out)
    for row in rows:
        assert set(row) == {"event", "probability", "exact"}
        assert row["probability"] == float(Fraction(row["exact"]))
    return {row["event"]: Fraction(row["exact"]) for row in rows}


def test_before_the_deal(capsys):
    found = events(capsys, "--players", "4")
    assert found["mouche-dealt"] == Fraction(1, 748)
    trumps = [found[f"trumps-{t}"] for t in range(6)]
    assert trumps == [Fraction(comb(8, t) * comb(27, 5 - t), comb(35, 5)) for t in range(6)]
    assert 0 < found["mouche-at-table"] < 4 * found["mouche-dealt"]


def test_another_deck(capsys):
    found = events(capsys, "--players", "5", "--deck", "jeux-de-cartes")
    assert found["mouche-dealt"] == Fraction(14, 9139)


def test_knowing_a_hand(capsys):
    words = ["--players", "4", "--hand", "KH,QH,9H,8H,6H", "--turned", "7S"]
    found = events(capsys, *words, "--exchange", "8H,6H")
    flushes = 2 * comb(9, 5) + comb(8, 5)  # four hearts are left
    assert found["mouche-other"] == Fraction(flushes, comb(30, 5))
    assert found["mouche-at-table"] == 1  # the hand is one
    assert found["mouche-other"] < found["mouche-elsewhere"] < 3 * found["mouche-other"]
    after = [found[f"trumps-{t}|exchange-2"] for t in range(6)]
    assert after[:3] == [Fraction(comb(8, t) * comb(22, 2 - t), comb(30, 2)) for t in range(3)]
    assert after[3:] == [0, 0, 0]


def test_rules_without_a_mouche_or_with_a_pamphile(capsys, tmp_path):
    path = tmp_path / "rules.json"
    path.write_text(CardRules.mushka(4).to_json())
    assert "mouche-dealt" not in events(capsys, "--rules", str(path))
    path.write_text(CardRules(players=4, pamphile=True).to_json())
    found = events(capsys, "--rules", str(path), "--turned", "JC")
    assert "mouche-dealt" in found
    assert "trumps-0" not in found  # the dealer names them


@pytest.mark.parametrize(
    "words, complaint",
    [
        ("--hand KH,QH,9H,8H,7S --turned 7S", "turned up"),
        ("--hand KH,QH,9H,8H --turned 7S", "a hand is 5 cards"),
        ("--hand KH,KH,9H,8H,6H --turned 7S", "twice"),
        ("--hand KH,QH,9H,8H,2H --turned 7S", "not in the pack"),
        ("--hand KH,QH,9H,8H,6H", "--turned"),
        ("--turned 7S --exchange 7H", "--hand"),
        ("--hand KH,QH,9H,8H,6H --turned 7S --exchange 7H", "not in the hand"),
        ("--hand KH,QH,9H,8H,6H --turned 7S --exchange 6H,6H", "twice"),
        ("--players 9", "players"),
    ],
)
def test_bad_input_is_one_line(capsys, words, complaint):
    assert main(["cards", "odds", *words.split()]) == 2
    shown = capsys.readouterr()
    assert shown.out == ""
    assert complaint in shown.err
    assert shown.err.count("\n") == 1
