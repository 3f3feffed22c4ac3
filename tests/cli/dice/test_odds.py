"""The contract of ``mouche dice odds`` and ``replay`` that scripts rely on."""

import csv
import io
import json
import os
import resource
import signal
import subprocess
import sys
import time
from fractions import Fraction
from pathlib import Path

import pyarrow.parquet as pq
import pytest

from mouche_solver.cli.app import main
from mouche_solver.dice import DiceRules, claim_probability, claim_table

RUN = [sys.executable, "-c", "from mouche_solver.cli import main; raise SystemExit(main())"]


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
    assert err.endswith("\n")
    return err


def test_odds_of_a_claim(capsys) -> None:
    words = ["dice", "odds", "5x5", "--dice", "5,5,5,5", "--hand", "5,5,2,1,6", "--format", "json"]
    code, out, err = run(capsys, *words)
    answer = json.loads(out)
    assert (code, err) == (0, "")
    assert answer["probability"] == pytest.approx(0.467775, abs=5e-7)
    exact = claim_probability(DiceRules(dice=(5,) * 4), (5, 5), (5, 5, 2, 1, 6), exact=True)
    assert Fraction(answer["exact"]) == exact
    assert answer["exact"].count("/") == 1


@pytest.mark.parametrize(
    "claim, hand, exact", [("21x5", "5,5,2,1,6", "0/1"), ("1x5", "5,5,2,1,6", "1/1")]
)
def test_certain_odds_are_written_as_ratios(capsys, claim, hand, exact) -> None:
    words = ["dice", "odds", claim, "--dice", "5,5,5,5", "--hand", hand, "--format", "json"]
    code, out, _ = run(capsys, *words)
    assert (code, json.loads(out)["exact"]) == (0, exact)


def test_odds_of_all_claims(capsys) -> None:
    code, out, _ = run(capsys, "dice", "odds", "--dice", "2,1", "--wild", "1", "--format", "json")
    rows = json.loads(out)
    table = claim_table(DiceRules(dice=(2, 1), wild=1))
    assert code == 0
    assert [set(row) for row in rows] == [{"quantity", "face", "probability"}] * 18
    for row in rows:
        assert row["probability"] == table[row["quantity"] - 1, row["face"] - 1]


def test_formats_agree(capsys, tmp_path: Path) -> None:
    words = ["dice", "odds", "--dice", "1,1", "--faces", "3", "--truth", "exactly"]
    rows = json.loads(run(capsys, *words, "--format", "json")[1])
    text = run(capsys, *words, "--format", "csv")[1]
    as_csv = [
        {
            "quantity": int(r["quantity"]),
            "face": int(r["face"]),
            "probability": float(r["probability"]),
        }
        for r in csv.DictReader(io.StringIO(text))
    ]
    file = tmp_path / "odds.parquet"
    code, out, _ = run(capsys, *words, "--format", "parquet", "--out", str(file))
    assert (code, out) == (0, "")
    assert as_csv == rows == pq.read_table(file).to_pylist()
    table = run(capsys, *words)[1].splitlines()
    assert table[0].split() == ["quantity", "face", "1", "face", "2", "face", "3"]
    assert table[1].split()[:2] == ["1", f"{rows[0]['probability']:.6f}"]


def test_out_receives_what_standard_output_would(capsys, tmp_path: Path) -> None:
    file = tmp_path / "odds.csv"
    words = ["dice", "odds", "3x5", "--format", "csv"]
    expected = run(capsys, *words)[1]
    assert run(capsys, *words, "--out", str(file)) == (0, "", "")
    assert file.read_bytes() == expected.encode()
    assert list(tmp_path.iterdir()) == [file]


def test_rules_file_and_flags_that_replace_its_fields(capsys, tmp_path: Path) -> None:
    file = tmp_path / "rules.json"
    file.write_text(DiceRules(dice=(1, 1), faces=4, wild=1).to_json())
    answer = json.loads(
        run(capsys, "dice", "odds", "2x2", "--rules", str(file), "--format", "json")[1]
    )
    assert answer["exact"] == "1/4"
    words = ["dice", "odds", "2x2", "--rules", str(file), "--format", "json"]
    assert json.loads(run(capsys, *words, "--faces", "8")[1])["exact"] == "1/16"
    assert json.loads(run(capsys, *words, "--wild", "none")[1])["exact"] == "1/16"


@pytest.mark.parametrize(
    "words, expected",
    [
        (["odds", "--format", "parquet"], "--out"),
        (["odds", "--format", "xml"], "json"),
        (["odds", "3x5", "--hand", "5,5"], "2 dice"),
        (["odds", "3x5", "--hand", "5,5,2,1,7"], "faces 1 to 6"),
        (["odds", "3x5", "--hand", ""], "0 dice"),
        (["odds", "3x7"], "faces 1 to 6"),
        (["odds", "0x5"], "1 or more"),
        (["odds", "three"], "QxF"),
        (["odds", "3x5", "4x5"], "4x5"),
        (["odds", "--dice", "5"], "two players"),
        (["odds", "--dice", "5,-1"], "whole numbers"),
        (["odds", "--dice", "5,99"], "1 to 10"),
        (["odds", "--faces", "six"], "six"),
        (["odds", "--faces", "99"], "2 to 12"),
        (["odds", "--faces", "5.5"], "5.5"),
        (["odds", "--wild", "1.5"], "1.5"),
        (["odds", "--wild", "9"], "1 to 6"),
        (["odds", "--raise-rule", "any"], "face-locked"),
        (["odds", "--minimum-opening", "0"], "1 to 10"),
        (["odds", "--rules", "/nowhere/rules.json"], "No such file"),
        (["odds", "--nonsense"], "--nonsense"),
        (["odds", "--dice"], "--dice"),
        (["odds", "--out", "/nowhere/odds.csv"], "No such file"),
        (["odds", "--out", "/dev/null"], "regular file"),
        (["nonsense"], "odds"),
        (["replay"], "--match"),
        (["replay", "doubt"], "needs a claim"),
        (["replay", "3x5 3x4"], "claim 2, 3x4"),
        (["replay", "3x5 11x5"], "10 dice are in play"),
        (["replay", "3x5", "--cups", "1,1,1,1,1"], "2 players"),
        (["replay", "3x5", "--match", "-"], "either"),
        (["replay", "--match", "/"], "directory"),
        (["replay", "3x5", "--points", "1,2,3"], "2 players"),
        (["replay", "3x5", "--next-starter", "me"], "after-loser"),
    ],
)
def test_bad_input_is_one_line_and_exit_code_2(capsys, words: list[str], expected: str) -> None:
    assert expected in refused(capsys, "dice", *words)


@pytest.mark.parametrize("text", ["{", "[]", '{"dise": 1}', '{"dice": [5]}', "\xff\xfe"])
def test_bad_rules_files(capsys, tmp_path: Path, text: str) -> None:
    file = tmp_path / "rules.json"
    file.write_bytes(text.encode("latin-1"))
    assert str(file) in refused(capsys, "dice", "odds", "--rules", str(file))


def test_replay_of_a_round(capsys) -> None:
    words = ["dice", "replay", "1x1 2x5 doubt", "--dice", "2,1", "--cups", "5,1 / 5"]
    code, out, _ = run(capsys, *words, "--format", "json")
    answer = json.loads(out)
    assert code == 0
    assert [(row["player"], row["action"]) for row in answer["actions"]] == [
        (0, "1x1"),
        (1, "2x5"),
        (0, "doubt"),
    ]
    assert answer["to_act"] is None
    reveal = answer["reveal"]
    assert (reveal["count"], reveal["correct"], reveal["loser"]) == (2, True, 0)
    assert "player 0" in run(capsys, *words)[1]


def test_replay_without_cups_checks_the_claims(capsys) -> None:
    answer = json.loads(run(capsys, "dice", "replay", "3x5,4x5", "--format", "json")[1])
    assert (answer["to_act"], answer["reveal"]) == (0, None)
    assert run(capsys, "dice", "replay", "3x5,4x5")[1].endswith("player 0 is to act\n")


def test_replay_of_a_match(capsys, tmp_path: Path) -> None:
    file = tmp_path / "match.txt"
    file.write_text("# one point each\n5 / 3 : 1x5 2x5 doubt\n", encoding="utf-8")
    words = ["dice", "replay", "--match", str(file), "--dice", "1,1", "--format", "json"]
    answer = json.loads(run(capsys, *words, "--points", "1")[1])
    assert (answer["winner"], answer["points"], answer["next_starter"]) == (0, [1, 0], None)
    answer = json.loads(run(capsys, *words, "--points", "1,2", "--next-starter", "loser")[1])
    assert (answer["winner"], answer["points"], answer["next_starter"]) == (None, [1, 1], 1)
    file.write_text("5 / 3 : 1x5 1x4 doubt\n", encoding="utf-8")
    assert "line 1: claim 2, 1x4" in refused(capsys, *words)


def test_help_and_version_are_no_errors(capsys) -> None:
    for words in ([], ["--help"], ["dice"], ["dice", "odds", "--help"], ["--version"]):
        code, out, err = run(capsys, *words)
        assert (code, err) == (0, "")
        assert out


def test_interrupt_is_one_line_and_130(capsys, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupt(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("mouche_solver.cli.dice.odds.claim_table", interrupt)
    assert run(capsys, "dice", "odds") == (130, "", "mouche: interrupted\n")


def test_interrupted_process_ends_with_130(tmp_path: Path) -> None:
    """A real SIGINT while the command waits for its file, here a pipe that says nothing."""
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    words = ["dice", "replay", "--match", str(pipe)]
    with (
        subprocess.Popen(
            [*RUN, *words],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        ) as process,
        pipe.open("w"),
    ):  # opens when the command is opening its end; then let it begin to read
        time.sleep(0.5)
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=30)
    assert (process.returncode, out, err) == (130, "", "mouche: interrupted\n")


def test_a_match_from_standard_input() -> None:
    words = ["dice", "replay", "--match", "-", "--dice", "1,1", "--format", "csv"]
    text = "5 / 3 : 1x5 2x5 doubt\n"
    done = subprocess.run(RUN + words, input=text, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.splitlines()[1].startswith("1,0,1x5 2x5 doubt,1,3,2,")


def test_closed_pipe_is_silent() -> None:
    read, write = os.pipe()
    os.close(read)
    words = ["dice", "odds", "--format", "csv"]
    done = subprocess.run(RUN + words, stdout=write, stderr=subprocess.PIPE, text=True, check=False)
    os.close(write)
    assert (done.returncode, done.stderr) == (141, "")


def test_full_standard_output_is_one_line() -> None:
    with open("/dev/full", "w") as full:
        done = subprocess.run(
            [*RUN, "dice", "odds"], stdout=full, stderr=subprocess.PIPE, text=True, check=False
        )
    assert done.returncode == 2
    assert done.stderr == "mouche: input or output failed: No space left on device\n"


@pytest.mark.parametrize("layout", ["csv", "parquet"])
def test_file_that_does_not_fit_leaves_the_old_one(tmp_path: Path, layout: str) -> None:
    file = tmp_path / "odds"
    file.write_text("old")

    def limit() -> None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (200, 200))

    words = ["dice", "odds", "--format", layout, "--out", str(file)]
    done = subprocess.run(
        RUN + words, preexec_fn=limit, capture_output=True, text=True, check=False
    )
    assert done.returncode == 2
    assert done.stderr == f"mouche: cannot write {file}: File too large\n"
    assert file.read_text() == "old"
    assert list(tmp_path.iterdir()) == [file]


def test_read_only_folder(capsys, tmp_path: Path) -> None:
    words = ["dice", "odds", "--out", str(tmp_path / "odds.txt")]
    assert run(capsys, *words)[0] == 0
    before = (tmp_path / "odds.txt").read_text()
    tmp_path.chmod(0o500)
    user = os.geteuid()
    if user == 0:  # the superuser may write everywhere: be somebody else for a moment
        os.seteuid(65534)
    try:
        assert "Permission denied" in refused(capsys, *words, "--wild", "1")
    finally:
        os.seteuid(user)
    assert [(f.name, f.read_text()) for f in tmp_path.iterdir()] == [("odds.txt", before)]


def test_odds_load_nothing_heavy() -> None:
    code = (
        "import sys; from mouche_solver.cli import main; main(['dice', 'odds', '3x5']);"
        "heavy = {'numba', 'scipy', 'pandas', 'pyarrow', 'matplotlib', 'pyspiel'};"
        "heavy &= set(sys.modules);"
        "raise SystemExit(repr(heavy) if heavy else 0)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
