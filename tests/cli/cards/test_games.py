"""The commands ``mouche cards deal``, ``replay`` and ``legal``."""

import json
from pathlib import Path

import pytest

from mouche_solver.cards import CardRules
from mouche_solver.cli import main

FOLDER = Path(__file__).parents[2] / "cards" / "referee" / "transcripts"


def document(capsys, *words):
    assert main(["cards", *words, "--format", "json"]) == 0
    return json.loads(capsys.readouterr().out)


def test_legal(capsys):
    words = ["legal", "--players", "6", "--trump", "C", "--hand", "KH,9H,KC"]
    assert document(capsys, *words, "--trick", "10H,7C") == {"legal": ["KH", "9H"]}
    assert document(capsys, *words) == {"legal": ["KH", "9H", "KC"]}


def test_replay_shows_money_and_winners(capsys):
    shown = document(capsys, "replay", str(FOLDER / "1718.txt"))
    assert shown["stacks"] == {"Anna": 40, "Ben": 53, "Carla": 50, "Dan": 52}
    (deal,) = shown["deals"]
    assert deal["tricks"] == {"Ben": 3, "Dan": 2, "Anna": 0}
    assert (deal["pot"], deal["carried"], deal["next_pot"]) == (5, 5, 10)
    assert (deal["how"], deal["winner"], deal["mouches"]) == ("tricks", None, ["Anna"])


def test_replay_of_mushka_shows_points(capsys):
    shown = document(capsys, "replay", str(FOLDER / "mushka-3.txt"))
    assert shown["points"] == {"P1": 13, "P2": 23, "P3": 0}
    assert (shown["over"], shown["winners"]) == (True, ["P3"])


def test_a_dealt_transcript_replays(capsys, tmp_path):
    shown = document(capsys, "deal", "--players", "4", "--seed", "7")
    assert shown == document(capsys, "deal", "--players", "4", "--seed", "7")
    named = [card for hand in shown["hands"].values() for card in hand]
    named += [shown["turned"], *shown["stock"]]
    assert sorted(named) == sorted(CardRules().pack.all_names)
    path = tmp_path / "deal.txt"
    path.write_text(shown["transcript"])
    assert document(capsys, "replay", str(path))["deals"] == [shown["play"]]
    assert main(["cards", "deal", "--seed", "7"]) == 0
    assert capsys.readouterr().out == shown["transcript"]


def test_rules_from_a_file_and_flags(capsys, tmp_path):
    path = tmp_path / "rules.json"
    path.write_text(CardRules.mushka(3).to_json())
    assert document(capsys, "deal", "--rules", str(path))["cards"] == 32
    shown = document(capsys, "deal", "--rules", str(path), "--players", "7")
    assert (shown["cards"], len(shown["hands"])) == (52, 7)
    assert document(capsys, "deal", "--players", "5", "--deck", "jeux-de-cartes")["cards"] == 40


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["legal", "--trump", "C", "--hand", "KH,KH"], "KH is named twice"),
        (["legal", "--trump", "C", "--hand", "2H"], "'2H' is not in the pack"),
        (["legal", "--trump", "X", "--hand", "KH"], "suits of this pack are C D H S"),
        (["legal", "--trump", "C", "--hand", ""], "allowed are 1 to 5"),
        (["legal", "--trump", "C", "--hand", "KH", "--trick", "KH"], "hand and in the trick"),
        (["legal", "--trump", "C", "--hand", "KH", "--trick", "KC,QC,JC,AC"], "at most 3"),
        (["deal", "--players", "7"], "2 to 6 players"),
        (["deal", "--players", "many"], "players"),
        (["deal", "--rules", "absent.json"], "cannot read absent.json"),
        (["replay", str(FOLDER / "1718.txt"), "--players", "5"], "other rules"),
    ],
)
def test_bad_input_is_one_line_and_code_2(capsys, words, message):
    assert main(["cards", *words]) == 2
    shown = capsys.readouterr()
    assert shown.out == ""
    assert message in shown.err
    assert shown.err.count("\n") == 1


def test_replay_names_the_first_illegal_step(capsys, tmp_path):
    path = tmp_path / "game.txt"
    path.write_text((FOLDER / "1718.txt").read_text().replace("Dan plays QC", "Dan plays KD"))
    assert main(["cards", "replay", str(path)]) == 2
    shown = capsys.readouterr()
    assert "line 18 (Dan plays KD): KD may not be played: follow suit" in shown.err
