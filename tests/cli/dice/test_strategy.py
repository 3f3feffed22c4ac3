"""The contract of ``mouche dice advise``, ``table`` and ``ranges``."""

import csv
import io
import json
from pathlib import Path

import pyarrow.parquet as pq
import pytest

from mouche_solver.cli.app import main
from mouche_solver.cli.dice.strategy import rule_words
from mouche_solver.dice import DiceRules
from mouche_solver.dice.odds import claim_probability
from mouche_solver.dice.people.players import PEOPLE
from mouche_solver.dice.rules.rules import Claim
from mouche_solver.storage import load_solution

SMALL = ["--dice", "2,1", "--faces", "3"]
RULES = DiceRules(dice=(2, 1), faces=3)


def run(capsys: pytest.CaptureFixture[str], *words: str) -> tuple[int, str, str]:
    code = main(words)
    out, err = capsys.readouterr()
    return code, out, err


def refused(capsys: pytest.CaptureFixture[str], *words: str) -> str:
    """The one line of a refusal: exit code 2, nothing on standard output."""
    code, out, err = run(capsys, *words)
    assert (code, out) == (2, "")
    assert err.startswith("mouche: ")
    assert err.count("\n") == 1
    return err


@pytest.fixture(scope="module")
def solution(tmp_path_factory: pytest.TempPathFactory) -> str:
    file = str(tmp_path_factory.mktemp("solved") / "solution")
    assert main(["dice", "solve", *SMALL, "--threads", "1", "--out", file]) == 0
    return file


def test_advice(capsys, solution: str) -> None:
    words = ["dice", "advise", "3", "--history", "1x2", "--solution", solution]
    code, out, err = run(capsys, *words, "--format", "json")
    answer = json.loads(out)
    assert (code, err) == (0, "")
    assert list(answer) == ["hand", "history", "player", "reach", "value", "actions", "quality"]
    assert (answer["hand"], answer["history"], answer["player"]) == ("3", "1x2", 1)
    expected = load_solution(solution, 1).policy("3", "1x2")
    assert answer["value"] == expected.value
    assert [a["action"] for a in answer["actions"]] == [
        *["doubt", "2x2", "3x2", "1x3", "2x3", "3x3"]
    ]
    assert sum(a["probability"] for a in answer["actions"]) == pytest.approx(1)
    for row in answer["actions"]:
        assert list(row) == ["action", "probability", "value", "true_probability"]
        true = None
        if row["action"] != "doubt":
            quantity, face = map(int, row["action"].split("x"))
            true = claim_probability(RULES, Claim(quantity, face), (3,))
        assert row["true_probability"] == true
    mixed = sum(a["probability"] * a["value"] for a in answer["actions"])
    assert answer["value"] == pytest.approx(mixed)
    text = run(capsys, *words)[1].splitlines()
    doubt = answer["actions"][0]["value"]
    assert doubt < answer["value"] - 0.3
    assert text[0].startswith("Say 1x3. Why: by the hands that he may hold 1x2 is true with a ")
    assert f"; a doubt is worth {doubt:+.2f}, this " in text[0]
    assert text[1].startswith("the second player, with 3 after 1x2: value ")
    assert text[-1] == answer["quality"]
    rows = list(csv.DictReader(io.StringIO(run(capsys, *words, "--format", "csv")[1])))
    assert [float(row["value"]) for row in rows] == [a["value"] for a in answer["actions"]]
    assert rows[0]["true_probability"] == ""


def test_advice_on_the_spot(capsys) -> None:
    words = ["dice", "advise", "2,1", *SMALL, "--format", "json"]
    code, out, err = run(capsys, *words)
    assert (code, err) == (0, "")
    answer = json.loads(out)
    assert answer["hand"] == "1,2"
    assert "exploitability" in answer["quality"]


def test_the_table(capsys, solution: str, tmp_path: Path) -> None:
    words = ["dice", "table", "--solution", solution, "--history", "1x2"]
    rows = list(csv.DictReader(io.StringIO(run(capsys, *words, "--format", "csv")[1])))
    expected = load_solution(solution, 1).table("1x2")
    assert [row.pop("hand") for row in rows] == ["1", "2", "3"]
    assert tuple(rows[0]) == expected.actions
    assert [[float(v) for v in row.values()] for row in rows] == expected.probabilities.tolist()
    file = tmp_path / "table.parquet"
    assert run(capsys, *words, "--format", "parquet", "--out", str(file)) == (0, "", "")
    assert pq.read_table(file).column_names == ["hand", *expected.actions]
    opening = json.loads(run(capsys, *words[:4], "--format", "json")[1])
    assert [row["hand"] for row in opening] == ["1,1", "1,2", "1,3", "2,2", "2,3", "3,3"]
    assert "doubt" not in opening[0]
    top = json.loads(run(capsys, *words[:4], "--history", "3x3", "--format", "json")[1])
    assert top == [{"hand": hand, "doubt": 1.0} for hand in "123"]


def test_ranges(capsys, solution: str) -> None:
    words = ["dice", "ranges", "--solution", solution, "--history"]
    answer = json.loads(run(capsys, *words, "1x2", "--format", "json")[1])
    assert list(answer) == ["history", "reach", "ranges", "quality"]
    assert 0 < answer["reach"] < 1
    for player, hands in ((0, 6), (1, 3)):
        chances = [r["probability"] for r in answer["ranges"] if r["player"] == player]
        assert len(chances) == hands
        assert sum(chances) == pytest.approx(1)
        assert chances == sorted(chances, reverse=True)
    table = load_solution(solution, 1).table("1x2")
    found = {r["hand"]: r["probability"] for r in answer["ranges"] if r["player"] == 0}
    assert sorted(found.values()) == sorted(table.ranges[0].tolist())
    assert "1/3" not in run(capsys, *words, "1x2")[1]
    assert run(capsys, *words, "1x2")[1].splitlines()[-1].startswith("these claims are made with")


@pytest.mark.parametrize(
    "words, complaint",
    [
        (["advise", "1"], "has 1 dice; player 0 has 2"),
        (["advise", "1,7"], "1 to 3"),
        (["advise", "1,x"], "x"),
        (["advise", "1,2", "--history", "1x2"], "has 2 dice; player 1 has 1"),
        (["advise", "1,2", "--history", "doubt"], "doubt"),
        (["advise", "1", "--history", "4x2"], "claim 1, 4x2, is not allowed: 3 dice are in play"),
        (["advise", "1", "--history", "2x2 1x2 1x3"], "claim 2, 1x2, is not allowed"),
        (["table", "--history", "1x4"], "dice have faces 1 to 3"),
        (["ranges", "--history", "1x2 doubt"], "doubt"),
        (["table", "--history", "x"], "is not a claim"),
    ],
)
@pytest.mark.parametrize("source", ["file", "rules"])
def test_bad_input(capsys, solution: str, words: list[str], complaint: str, source: str) -> None:
    where = ["--solution", solution] if source == "file" else SMALL
    assert complaint in refused(capsys, "dice", *words, *where)


def test_large_rounds_name_the_command_that_solves_them(capsys) -> None:
    rules = ["--dice", "4,4", "--faces", "5", "--wild", "2", "--raise-rule", "face-locked"]
    line = refused(capsys, "dice", "advise", "1,1,1,1", *rules)
    command = "run mouche dice solve --dice 4,4 --faces 5 --wild 2 --out FILE and then add"
    assert command in line
    for kind in ("table", "ranges"):
        assert command in refused(capsys, "dice", kind, *rules)


def test_three_players_need_a_sampled_strategy(capsys) -> None:
    assert "no strategy is shipped for these rules; run mouche dice sample" in refused(
        capsys, "dice", "advise", "1", "--dice", "1,1,1"
    )


def test_files_of_other_rules(capsys, solution: str) -> None:
    words = ["dice", "advise", "1,1", "--solution", solution]
    assert run(capsys, *words, *SMALL)[0] == 0
    line = refused(capsys, *words, *SMALL, "--wild", "1")
    assert line.endswith("is for other rules: wild=None, not wild=1\n")
    assert "No such file" in refused(capsys, *words[:4], "/none/file")


def test_rule_words_are_read_back(capsys) -> None:
    rules = DiceRules((1, 2), 3, 3, "quantity-first", "exactly", 2)
    words = ["dice", "odds", "1x1", *rule_words(rules)]
    assert rule_words(DiceRules()) == []
    assert run(capsys, *words)[0] == 0
    assert words[3:] == [
        *["--dice", "1,2", "--faces", "3", "--wild", "3", "--raise-rule", "quantity-first"],
        *["--truth", "exactly", "--minimum-opening", "2"],
    ]


def test_the_advice_is_measured_where_people_lead(capsys) -> None:
    words = ["dice", "evaluate", "--rounds", "20", *SMALL, "--format", "json"]
    code, out, _ = run(capsys, *words)
    answer = json.loads(out)
    assert code == 0
    assert [row["opponent"] for row in answer["people"]] == list(PEOPLE)
    assert all(row["loss"] <= 0.005 and row["decisions"] > 0 for row in answer["people"])
    assert answer["exploitability"] < 1e-3


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--against", "shark"], "--against shark: allowed are honest, ladder"),
        (["--against", "honest", "--trust", "1.5"], "--trust 1.5: allowed are 0 to 1"),
        (["--against", "honest", "--trust", "-0.1"], "--trust -0.1: allowed are 0 to 1"),
        (["--against", "honest", "--trust", "nan"], "--trust nan: allowed are 0 to 1"),
        (["--against", "honest", "--trust", "x"], "is not a number"),
        (["--trust", "0.5"], "--trust needs --against"),
    ],
)
def test_opponents_that_cannot_be(capsys, words: list[str], message: str) -> None:
    for command in (["advise", "2,1"], ["table"], ["evaluate", "--rounds", "5"], ["play"]):
        code, out, err = run(capsys, "dice", *command, *SMALL, *words)
        assert (code, out) == (2, "")
        assert message in err
        assert err.count("\n") == 1


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("2,1 / *3 : 1x1 2x1\n", "line 1: the round has no reveal; it must end with 'doubt'"),
        ("# his\n2,1,3 / *3 : 1x1 doubt\n", "line 2: hand '2,1,3' has 3 dice; player 0 has 2"),
        ("2,6 / *3 : 1x1 doubt\n", "line 1: '6' is not a die"),
        ("2,1 / *3 : 2x1 1x1 doubt\n", "line 1: claim 2, 1x1, is not allowed"),
        ("2,1 / 3 : 1x1 doubt\n", "line 1: write 'cups : claims doubt' and mark his cup"),
        ("*2,1 / *3 : 1x1 doubt\n", "line 1: write 'cups : claims doubt' and mark his cup"),
        ("\n# nothing\n", "holds no round"),
        ("nonsense", "line 1: write 'cups : claims doubt'"),
        ("\udcff", "it is not UTF-8 text"),
    ],
)
def test_files_of_opponents_that_cannot_be(capsys, tmp_path: Path, text: str, message: str) -> None:
    file = tmp_path / "his"
    file.write_bytes(text.encode("utf-8", "surrogateescape"))
    for command in (["advise", "2,1"], ["table"], ["evaluate", "--rounds", "5"], ["play"]):
        code, out, err = run(capsys, "dice", *command, *SMALL, "--against", str(file))
        assert (code, out) == (2, "")
        assert err.startswith("mouche: ")
        assert str(file) in err
        assert message in err
        assert err.count("\n") == 1


@pytest.mark.parametrize("tremble", ["0.1", "-1e-9", "nan", "inf", "1", "x"])
def test_trembles_that_cannot_be(capsys, tmp_path: Path, tremble: str) -> None:
    words = ["dice", "solve", *SMALL, "--tremble", tremble, "--out", str(tmp_path / "out")]
    code, out, err = run(capsys, *words)
    assert (code, out) == (2, "")
    assert "tremble" in err
    assert err.count("\n") == 1
    assert not list(tmp_path.iterdir())


def test_a_reply_says_what_it_gains_and_risks(capsys) -> None:
    words = ["dice", "advise", "1", *SMALL, "--history", "1x2", "--against", "honest"]
    code, out, _ = run(capsys, *words, "--trust", "1", "--format", "json")
    answer = json.loads(out)
    assert code == 0
    assert (answer["against"], answer["trust"]) == ("honest", 1.0)
    assert answer["risk"] >= 0
    assert answer["gain"] > -0.01
