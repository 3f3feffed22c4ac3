"""What a rough hand gives a dice command: one line, code 2, and nothing half-written."""

import json
import os
import shlex
import signal
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest

import mouche_solver
from mouche_solver.cli import common, main
from mouche_solver.cli.saved_games import read_game, save_game
from mouche_solver.dice import DiceRules
from mouche_solver.dice.round.solve import solve_round
from mouche_solver.dice.sample import quality
from mouche_solver.dice.sample.train import SampleLimits, Sampler, train_sampled
from mouche_solver.dice.sample.view import View
from mouche_solver.errors import StorageError
from mouche_solver.storage import atomic
from mouche_solver.storage.dice.sampled import load_sampled, sampled_bytes, save_sampled
from mouche_solver.storage.npz import read_npz, write_npz
from mouche_solver.storage.tensors import write_tensors
from mouche_solver.storage.tensors_read import read_tensors

RUN = [sys.executable, "-c", "import sys; from mouche_solver.cli import main; sys.exit(main())"]
SMALL = ["--dice", "1,1", "--faces", "3"]


def refused(capsys: pytest.CaptureFixture[str], *words: str) -> str:
    assert main(words) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert err.startswith("mouche: ")
    assert err.count("\n") == 1
    return err


@pytest.mark.parametrize("out", ["", ".", "..", "/", "missing/../file", "missing/file"])
@pytest.mark.parametrize(
    "words",
    [
        ["dice", "odds", "3x5", "--format", "csv"],
        ["dice", "odds", "3x5", "--format", "parquet"],
        ["dice", "solve", *SMALL, "--iterations", "1"],
        ["dice", "sample", "--dice", "1,1,1"],
        ["dice", "export-efg", "--dice", "1,1", "--faces", "2"],
        ["cards", "solve", "--players", "3", "--time-limit", "1"],
        # Before a minute of thinking or solving, and before the input is looked at.
        ["cards", "advise", "KH,QH,9H,8C,8H", "--turned", "8S", "--seat", "0", "--think", "900"],
        ["cards", "evaluate", "none"],
        ["cards", "review", "none"],
        ["cards", "tournament", "random", "thumb", "--deals", "9999999"],
        ["dice", "book", "none"],
        ["dice", "match", "--points", "9"],
        ["report", "none"],
    ],
    ids=" ".join,
)
def test_no_such_place(
    capsys: pytest.CaptureFixture[str],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    words: list[str],
    out: str,
) -> None:
    monkeypatch.chdir(tmp_path)
    assert refused(capsys, *words, "--out", out).startswith("mouche: cannot write ")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    "words",
    [
        ["dice", "solve", *SMALL],
        ["dice", "sample", "--dice", "1,1,1", "--out", "none/none"],
        ["dice", "tournament", "--players", "odds,odds"],
        ["cards", "solve", "--players", "3"],
        ["cards", "tournament", "--players", "calm,calm"],
        ["cards", "evaluate", "none"],
    ],
    ids=" ".join,
)
@pytest.mark.parametrize("number", ["0", "-1", "99999999999"])
def test_threads(capsys: pytest.CaptureFixture[str], words: list[str], number: str) -> None:
    assert f"threads {number}: at " in refused(capsys, *words, "--threads", number)


@pytest.mark.parametrize(
    "words",
    [["dice", "odds", "3x5", "--rules"], ["dice", "replay", "--match"], ["cards", "replay"]],
    ids=" ".join,
)
def test_text_without_an_end(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, words: list[str]
) -> None:
    monkeypatch.setattr(common, "LONGEST_TEXT", 1000)
    shown = refused(capsys, *words, "/dev/zero")
    assert shown == "mouche: cannot read /dev/zero: at most 1,000 characters are allowed\n"


def test_input_without_an_end() -> None:
    code = "from mouche_solver.cli import common, main; common.LONGEST_TEXT = 1000; "
    program = [sys.executable, "-c", f"{code}raise SystemExit(main())"]
    for words in ("dice replay -", "dice replay --match -", "cards replay -"):
        with open("/dev/zero", "rb") as endless:
            done = subprocess.run(
                [*program, *words.split()], stdin=endless, capture_output=True, timeout=60
            )
        assert (done.returncode, done.stdout) == (2, b"")
        assert done.stderr == b"mouche: cannot read -: at most 1,000 characters are allowed\n"


def test_a_round_from_standard_input() -> None:
    words = [*RUN, "dice", "replay", "-", "--format", "json"]
    done = subprocess.run(words, input=b"3x5 4x5\ndoubt\n", capture_output=True)
    assert (done.returncode, done.stderr) == (0, b"")
    assert [row["action"] for row in json.loads(done.stdout)["actions"]] == ["3x5", "4x5", "doubt"]


@pytest.mark.parametrize(
    "words",
    [
        ["dice", "advise", "-1,5,5,2,1"],
        ["dice", "advise", "5,5,2,1,6", "--history", "-1x5"],
        ["dice", "odds", "3x5", "--dice", "-1,5"],
        ["dice", "odds", "3x5", "--hand", "-1,5,5,2,1"],
    ],
    ids=" ".join,
)
def test_a_minus_is_no_flag(capsys: pytest.CaptureFixture[str], words: list[str]) -> None:
    assert "A value that begins with a minus is written --flag=-1" in refused(capsys, *words)


def test_the_way_the_hint_names(capsys: pytest.CaptureFixture[str]) -> None:
    assert "'-1x5' is not a claim" in refused(capsys, "dice", "odds", "--", "-1x5")
    assert "--dice -1,5: write" in refused(capsys, "dice", "odds", "--dice=-1,5")
    assert "minus" not in refused(capsys, "dice", "odds", "--hand")


@pytest.mark.parametrize("claim", ["0x5", "11x5"])
def test_quantities_outside_the_dice(capsys: pytest.CaptureFixture[str], claim: str) -> None:
    shown = refused(capsys, "dice", "advise", "5,5,2,1,6", "--history", claim)
    assert "10 dice are in play, so quantities are 1 to 10; legal are 1x1," in shown


def test_no_target_at_infinity(capsys: pytest.CaptureFixture[str]) -> None:
    assert "target inf: " in refused(capsys, "dice", "solve", *SMALL, "--target", "inf")


@pytest.mark.parametrize("words", ["--help", "dice --help", "dice solve --help", "dice odds"])
def test_a_reader_that_leaves(words: str) -> None:
    line = f"( {shlex.join(RUN)} {words}; echo $? >&2 ) | true"
    done = subprocess.run(["sh", "-c", line], capture_output=True, text=True)
    assert (done.stdout, done.stderr) == ("", "141\n")


def test_every_command_says_what_it_is_for(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--help"]) == 0
    assert "Write one HTML file about a solution, a book or a strategy." in capsys.readouterr().out


def test_a_cut_file_is_called_truncated(tmp_path: Path) -> None:
    whole, cut = tmp_path / "whole", tmp_path / "cut"
    write_tensors(whole, "test", 1, {}, {"a": np.arange(1000, dtype=np.float32)})
    cut.write_bytes(whole.read_bytes()[:-100])
    with pytest.raises(StorageError, match="cut is truncated: its arrays go on after byte"):
        read_tensors(cut, "test", 1)


def test_rare_positions_come_with_a_note(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    strategy = solve_round(DiceRules(dice=(1, 1), faces=3), threads=1)
    lines = ["", "1x1", "1x2", "1x3", "2x1", "2x2", "2x3", "1x1 2x1", "1x1 1x2 2x2"]
    error, noted = strategy.quality.exploitability, set()
    for line in lines:
        rare = strategy.table(line).reach <= error
        noted.add(rare)
        for words in (["table"], ["advise", "3"]):
            out = str(tmp_path / "out")
            command = ["dice", *words, *SMALL, "--history", line, "--format", "json", "--out", out]
            assert main(command) == 0
            shown = capsys.readouterr()
            assert shown.out == ""
            assert shown.err.count("note: good play hardly makes these claims; assumed: ") == rare
        answer = json.loads(Path(out).read_text())
        assert answer["reach"] <= 1
        assert ("assumed" in answer) == rare
    assert noted == {True, False}


def test_an_earlier_checkpoint_is_not_this_runs(tmp_path: Path) -> None:
    """Two Ctrl-C before a first checkpoint: a file from an earlier run is not to go on from."""
    out = tmp_path / "solution"
    words = ["dice", "solve", *SMALL, "--threads", "1", "--out", str(out)]
    assert main([*words, "--iterations", "1"]) == 0
    before = out.with_name("solution.checkpoint").read_bytes()
    code = (
        "import os, signal, time\n"
        "from mouche_solver.cli import main\n"
        "from mouche_solver.dice.round.solve import RoundSolver\n"
        "def iterate(self):\n"
        "    for _ in range(2):\n"
        "        os.kill(os.getpid(), signal.SIGINT)\n"
        "        time.sleep(0.2)\n"
        "RoundSolver.iterate = iterate\n"
        "raise SystemExit(main())\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", code, *words], capture_output=True, text=True, timeout=60
    )
    assert done.returncode == 128 + signal.SIGINT
    assert done.stderr.endswith("interrupted after iteration 0; no checkpoint had been written\n")
    assert out.with_name("solution.checkpoint").read_bytes() == before


@pytest.mark.parametrize(
    "words",
    [
        "report {file} --out {file}",
        "cards trim {file} --out {link}",
        "cards report --strategy {file} --out {file}",
        "cards deal --rules {file} --out {file}",
        "cards play --rules {file} --transcript {file}",
        "cards play --strategy {file} --save {link}",
        "dice play --solution {file} --save {file}",
        "dice play --resume {file} --transcript {file}",
        "cards solve --resume {file} --out {file}",
        "dice book {file} --out {file}",
        "dice evaluate {file} --out {link}",
        "dice solve --lock {file} --locked-player 0 --out {file}",
        "dice advise 5,5 --against {file} --out {file}",
        "dice replay {file} --out {file}",
    ],
)
def test_what_is_read_is_not_replaced(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, words: str
) -> None:
    file, link = tmp_path / "file", tmp_path / "link"
    file.write_text("precious")
    link.symlink_to(file)
    said = refused(capsys, *words.format(file=file, link=link).split())
    assert "that is the input" in said
    assert file.read_text() == "precious"


def test_a_cut_book_is_called_damaged(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    book = next(Path(mouche_solver.__file__).parent.glob("data/dice-book-*.npz"))
    cut = tmp_path / "cut"
    cut.write_bytes(book.read_bytes()[:-1000])
    for words in ("dice evaluate", "dice advise 5,5,2,1,6 --solution", "cards chart --strategy"):
        assert "cut is damaged" in refused(capsys, *words.split(), str(cut))


def test_an_archive_cut_behind_its_header_is_damaged(tmp_path: Path) -> None:
    whole, cut = tmp_path / "whole", tmp_path / "cut"
    write_tensors(whole, "test", 1, {}, {"a": np.arange(1000, dtype=np.float32)})
    cut.write_bytes(whole.read_bytes()[:60])
    with pytest.raises(StorageError, match="cut is damaged: it ends within its header"):
        read_tensors(cut, "test", 1)
    write_npz(whole, {"format": "test", "version": 1}, {"a": np.arange(1000)})
    cut.write_bytes(whole.read_bytes()[:-100])
    with pytest.raises(StorageError, match="cut is damaged; it was to be a test"):
        read_npz(cut, "a test")


@pytest.mark.parametrize("device", ["/dev/zero", "/dev/full"])
@pytest.mark.parametrize(
    "words",
    ["dice advise 3 --solution", "dice match --points 2 --solution", "cards chart --strategy"],
)
def test_devices_without_an_end_are_no_strategies(
    capsys: pytest.CaptureFixture[str], words: str, device: str
) -> None:
    said = refused(capsys, *words.split(), device)
    assert f"cannot read {device}: it is not a regular file" in said


@pytest.mark.parametrize("when", ["training", "measuring"])
def test_an_interrupted_sampling_keeps_what_was_learned(
    capfd: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
    when: str,
) -> None:
    def struck(*_: object, **__: object) -> None:
        os.kill(os.getpid(), signal.SIGINT)
        time.sleep(0.1)

    batch = Sampler.batch

    def last(self: Sampler) -> None:
        batch(self)
        struck()

    if when == "training":
        monkeypatch.setattr(Sampler, "batch", last)
    else:
        monkeypatch.setattr(quality, "measure", struck)
    out = tmp_path / "out.npz"
    words = ["dice", "sample", "--dice", "1,1,1", "--faces", "2", "--visits", "500"]
    assert main([*words, "--threads", "1", "--out", str(out)]) == 130
    said = capfd.readouterr().err
    assert said.endswith(f"wrote {out}, not measured\n")
    assert ("stopping at the next safe point" in said) == (when == "training")
    assert load_sampled(out).measured == {}


def test_nobody_thinks_for_an_age(capsys: pytest.CaptureFixture[str]) -> None:
    words = "cards advise KH,QH,9H,8C,8H --turned 8S --players 3 --seat 1 --declared pass"
    assert "seconds from 0 to 86,400" in refused(capsys, *words.split(), "--think", "1e30")


@pytest.mark.parametrize("game", ["dice", "cards"])
def test_a_game_and_its_transcript_are_two_files(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, game: str
) -> None:
    where = str(tmp_path / "x")
    said = refused(capsys, game, "play", "--save", where, "--transcript", f"{tmp_path}/./x")
    assert "--transcript and --save: two files are needed" in said


FIELDS = {"rules": {"players": 3}, "text": "players \u00e9 Ben\n", "seat": 1}


def test_every_flipped_bit_of_a_kept_game_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "game"
    save_game(path, "cards", FIELDS)
    whole = path.read_bytes()
    kinds = {"rules": dict, "text": str, "seat": int}
    for place in range(8 * len(whole)):
        flipped = bytearray(whole)
        flipped[place // 8] ^= 1 << place % 8
        path.write_bytes(flipped)
        try:
            found = read_game(path, "cards", kinds)
        except StorageError:
            continue
        # White space, or the name of the checksum.
        assert {name: found[name] for name in FIELDS} == FIELDS


def test_a_game_kept_by_an_earlier_version_goes_on(tmp_path: Path) -> None:
    path = tmp_path / "game"
    about = {"format": "mouche-game", "version": 1, "game": "cards", **FIELDS}
    path.write_text(json.dumps(about, indent=1))
    assert read_game(path, "cards", {"text": str})["text"] == FIELDS["text"]


@pytest.mark.parametrize("game", ["dice", "cards"])
@pytest.mark.parametrize("flag", ["--save", "--transcript"])
def test_a_game_that_cannot_be_kept_is_not_begun(
    capsys: pytest.CaptureFixture[str], game: str, flag: str
) -> None:
    assert "cannot write none/file" in refused(capsys, game, "play", flag, "none/file")


@pytest.mark.parametrize("deals", ["0", "-1", "999999999999999999"])
def test_deals_that_cannot_be_played(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, deals: str
) -> None:
    for words in (
        ["cards", "tournament", "random", "thumb", "--players", "3"],
        ["dice", "tournament", "--players", "random,random", *SMALL],
        ["dice", "sample", "--dice", "1,1,1", "--out", str(tmp_path / "out")],
    ):
        assert "deals" in refused(capsys, *words, f"--deals={deals}")
    assert list(tmp_path.iterdir()) == []


def test_a_view_that_forgets_too_much_costs_no_training(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    out = tmp_path / "out.npz"
    words = ["dice", "sample", "--dice", "1,1,1", "--faces", "2", "--visits", "500", "--threads"]
    views = ["--view", "2,60,1", "--response-view", "1,1,0", "--deals", "2"]
    assert main([*words, "1", *views, "--out", str(out)]) == 2
    assert f"wrote {out}, not measured" in capsys.readouterr().err
    assert load_sampled(out).measured == {}


def test_a_minus_is_no_file_to_write(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It means standard input where a file is read; standard output is what --out leaves out."""
    monkeypatch.chdir(tmp_path)
    for words in (
        "dice odds 3x5 --out -",
        "dice solve --out=-",
        "dice export-efg --dice 1,1 --faces 2 --out -",
        "dice play --save -",
        "cards deal --out ./-",
        "cards play --transcript -",
        "cards trim none --out -",
        "report none --out -",
    ):
        assert "leave --out out for standard output" in refused(capsys, *words.split())
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("game", ["dice", "cards"])
def test_a_small_disk_is_refused_before_a_report(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, game: str
) -> None:
    monkeypatch.setattr(atomic, "available_disk", lambda folder: 1_000_000)
    report = f"mouche_solver.analysis.{game}.report.write_{'card_' * (game == 'cards')}report"
    monkeypatch.setattr(report, lambda *rest: pytest.fail("was made"))
    assert "it needs 16.8 MB, 1.0 MB are free" in refused(
        capsys, game, "report", "--out", str(tmp_path / "page.html")
    )
    assert list(tmp_path.iterdir()) == []


def test_a_small_disk_is_refused_before_sampling(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(atomic, "available_disk", lambda folder: 1_000_000)
    monkeypatch.setattr(Sampler, "batch", lambda self: pytest.fail("was trained"))
    said = refused(capsys, "dice", "sample", "--dice", "3,3,3", "--out", str(tmp_path / "out"))
    assert "it needs" in said
    assert "1.0 MB are free" in said
    assert list(tmp_path.iterdir()) == []


def test_a_strategy_is_no_larger_than_announced(tmp_path: Path) -> None:
    rules, view, out = DiceRules(dice=(1, 1, 1), faces=3), View(), tmp_path / "out"
    save_sampled(train_sampled(rules, view, limits=SampleLimits(3000), threads=1), out)
    assert out.stat().st_size <= sampled_bytes(rules, view)
