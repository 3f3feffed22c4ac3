"""The contract of ``mouche dice solve`` and ``evaluate``: numbers, files, refusals."""

import csv
import io
import json
import os
from dataclasses import asdict
from pathlib import Path

import pytest

from mouche_solver.cli.app import main
from mouche_solver.core.run import Limits
from mouche_solver.dice import DiceRules
from mouche_solver.dice.round.book import cut_book
from mouche_solver.dice.round.losses import own_losses
from mouche_solver.dice.round.solve import solve_round
from mouche_solver.errors import StorageError
from mouche_solver.storage import load_checkpoint, load_solution
from mouche_solver.storage.dice.books import load_book, save_book

KEYS = [
    "value",
    "value_low",
    "value_high",
    "exploitability",
    "nash_conv",
    "iterations",
    "seconds",
    "histories",
    "entries",
    "entries_with_forced",
    "peak_bytes",
    "target_reached",
    "algorithm",
    "rules",
]
SMALL = ["--dice", "1,1", "--faces", "3"]
SOLVE = ["dice", "solve", *SMALL, "--threads", "1"]


def run(capsys: pytest.CaptureFixture[str], *words: str) -> tuple[int, str, str]:
    code = main(words)
    out, err = capsys.readouterr()
    return code, out, err


def solved(capsys: pytest.CaptureFixture[str], *words: str) -> dict:
    code, out, _ = run(capsys, *SOLVE, "--format", "json", *words)
    assert code == 0
    return json.loads(out)


def refused(capsys: pytest.CaptureFixture[str], *words: str) -> str:
    """The one line of a refusal: exit code 2, nothing on standard output."""
    code, out, err = run(capsys, *words)
    assert (code, out) == (2, "")
    assert err.startswith("mouche: ")
    assert err.count("\n") == 1
    return err


def test_the_summary(capsys) -> None:
    code, out, err = run(capsys, *SOLVE, "--target", "1e-6", "--format", "json")
    answer = json.loads(out)
    assert code == 0
    assert list(answer) == KEYS
    assert answer["value_low"] - 1e-12 <= -1 / 9 <= answer["value_high"] + 1e-12
    assert answer["exploitability"] <= 1e-6
    assert answer["exploitability"] == answer["nash_conv"] / 2
    assert answer["nash_conv"] == answer["value_high"] - answer["value_low"]
    assert answer["target_reached"] is True
    assert (answer["histories"], answer["entries"]) == (32, 130)
    assert answer["entries_with_forced"] == 162
    assert answer["peak_bytes"] > 10_000_000
    assert answer["algorithm"] == "sapcfr+"
    assert DiceRules.from_dict(answer["rules"]) == DiceRules(dice=(1, 1), faces=3)
    lines = err.splitlines()
    assert lines[:2] == ["compiling", "iterating"]
    assert lines[2].startswith("iteration 1, exploitability ")


def test_limits_end_a_run_and_formats_agree(capsys) -> None:
    answer = solved(capsys, "--iterations", "4", "--target", "1e-9")
    assert (answer["iterations"], answer["target_reached"]) == (4, False)
    answer = solved(capsys, "--algorithm", "dcfr", "--time-limit", "0.05", "--target", "1e-15")
    assert answer["target_reached"] is False
    out = run(capsys, *SOLVE, "--iterations", "4", "--format", "csv")[1]
    (row,) = csv.DictReader(io.StringIO(out))
    assert list(row) == KEYS
    assert json.loads(row["rules"])["faces"] == 3
    out = run(capsys, *SOLVE, "--iterations", "4")[1]
    assert [line.split()[0] for line in out.splitlines()] == KEYS


@pytest.mark.parametrize("algorithm", ["cfr", "cfr+", "dcfr", "pcfr+", "sapcfr+"])
def test_algorithms(capsys, algorithm: str) -> None:
    answer = solved(capsys, "--algorithm", algorithm, "--target", "0.02")
    assert (answer["algorithm"], answer["target_reached"]) == (algorithm, True)


@pytest.mark.parametrize("tremble", ["0.1", "-0.001", "nan", "1"])
def test_a_tremble_out_of_range_is_refused(capsys, tremble: str) -> None:
    assert "allowed are 0 (off)" in refused(capsys, *SOLVE, f"--tremble={tremble}")


def test_a_resumed_run_keeps_its_tremble(capsys, tmp_path: Path) -> None:
    file = tmp_path / "solution"
    limits = ["--target", "1e-12", "--tremble", "0.001", "--out", str(file)]
    assert run(capsys, *SOLVE, "--iterations", "3", *limits)[0] == 0
    resume = ["dice", "solve", "--resume", f"{file}.checkpoint", "--iterations", "5"]
    assert "made with --tremble 0.001" in refused(capsys, *resume, "--tremble", "0")
    assert run(capsys, *resume, "--tremble", "0.001", "--target", "1e-12")[0] == 0


def test_the_linear_program(capsys) -> None:
    words = ["dice", "solve", *SMALL, "--method", "lp", "--format", "json"]
    code, out, err = run(capsys, *words)
    answer = json.loads(out)
    assert (code, err) == (0, "")
    assert list(answer) == [*KEYS, "exact"]
    assert (answer["exact"], answer["algorithm"]) == ("-1/9", "lp")
    assert answer["target_reached"] is True
    for more in (
        ["--out", "f"],
        ["--tremble", "0"],
        ["--algorithm", "cfr+"],
        ["--resume", "f"],
        ["--estimate"],
    ):
        assert f"{more[0]} does not go with --method lp" in refused(capsys, *words, *more)


def test_the_estimate_of_the_default_round(capsys) -> None:
    code, out, err = run(capsys, "dice", "solve", "--estimate", "--format", "json")
    answer = json.loads(out)
    assert (code, err) == (0, "")
    assert answer["histories"] == 8_579_072
    assert answer["solution_bytes"] == 2 * answer["entries"]
    assert answer["memory_bytes"] > answer["checkpoint_bytes"] > answer["solution_bytes"]


def test_a_solution_is_written_and_evaluated(capsys, tmp_path: Path) -> None:
    file = tmp_path / "solution"
    code, out, err = run(capsys, *SOLVE, "--out", str(file), "--format", "json")
    assert code == 0
    assert set(json.loads(out)) == set(KEYS)
    assert f"mouche: wrote {file} (" in err
    assert [f.name for f in tmp_path.iterdir()] == ["solution"]  # the target was reached
    code, out, err = run(capsys, "dice", "evaluate", str(file), "--format", "json")
    answer = json.loads(out)
    assert (code, err, answer["matches"]) == (0, "", True)
    assert answer["exploitability"] == answer["header"]["exploitability"] <= 1e-3
    assert answer["unrounded"]["exploitability"] <= 1e-3
    assert answer["rules"] == DiceRules(dice=(1, 1), faces=3).to_dict()
    assert answer["losses"] == asdict(own_losses(load_solution(file)))
    assert "they lose 0." in run(capsys, "dice", "evaluate", str(file))[1]


def test_the_losses_of_a_book_are_measured(capsys, tmp_path: Path) -> None:
    """Of a file, which every command takes in place of a solution, and of the shipped one."""
    small = DiceRules(dice=(2, 2), faces=3)
    file = tmp_path / "book"
    save_book(cut_book(solve_round(small, limits=Limits(1e-3)), rim=120), file)
    code, out, err = run(capsys, "dice", "evaluate", str(file), "--format", "json")
    answer = json.loads(out)
    assert (code, err) == (0, "")
    assert answer["losses"] == asdict(own_losses(load_book(file)))
    assert answer["header"]["exploitability"] <= 1.1e-3
    words = ["dice", "evaluate", str(file), "--rounds", "5", "--against", "ladder"]
    code, out, _ = run(capsys, *words, "--format", "json")
    measured = json.loads(out)
    assert (code, measured["losses"]) == (0, answer["losses"])
    assert [row["opponent"] for row in measured["people"]] == ["ladder"]
    assert run(capsys, "dice", "advise", "3,1", "--solution", str(file))[0] == 0
    for command in (["advise", "3,1"], ["evaluate", "--rounds", "5"]):
        name = ["--solution"] if command[0] == "advise" else []
        shown = refused(capsys, "dice", *command, *name, str(file), "--dice", "2,2")
        assert "is for other rules" in shown
    code, out, _ = run(capsys, "dice", "evaluate")
    assert code == 0
    assert out.startswith("opening book from a solution of exploitability")
    assert "--rounds" in refused(capsys, "dice", "evaluate", "--dice", "3,2")
    assert "--rounds" in refused(capsys, "dice", "evaluate", "--dice", "5,5,5")


def test_a_header_that_boasts_is_found_out(capsys, tmp_path: Path, monkeypatch) -> None:
    file = tmp_path / "solution"
    assert run(capsys, *SOLVE, "--out", str(file))[0] == 0
    from mouche_solver.core.quality import Quality

    monkeypatch.setattr(
        "mouche_solver.dice.round.solution.RoundSolution.measure", lambda self: Quality(0, -1, 1)
    )
    code, out, err = run(capsys, "dice", "evaluate", str(file), "--format", "json")
    assert (code, json.loads(out)["matches"]) == (2, False)
    assert err == f"mouche: {file} is not as good as its header says\n"


def test_resume_gives_the_uninterrupted_solution(capsys, tmp_path: Path) -> None:
    whole, half, rest = (str(tmp_path / name) for name in ("whole", "half", "rest"))
    solved(capsys, "--target", "1e-9", "--iterations", "20", "--out", whole)
    answer = solved(capsys, "--target", "1e-9", "--iterations", "9", "--out", half)
    assert answer["iterations"] == 9
    assert load_checkpoint(f"{half}.checkpoint").iteration == 9  # the target is ahead
    words = ["--target", "1e-9", "--iterations", "20", "--resume", f"{half}.checkpoint"]
    answer = solved(capsys, *words, "--out", rest)
    assert answer["iterations"] == 20
    assert Path(rest).read_bytes() == Path(whole).read_bytes()
    # Without --out the state goes back to where it came from.
    code, out, _ = run(
        capsys,
        "dice",
        "solve",
        "--resume",
        f"{half}.checkpoint",
        "--target",
        "1e-4",
        "--format",
        "json",
    )
    answer = json.loads(out)
    assert (code, answer["target_reached"], answer["rules"]["faces"]) == (0, True, 3)
    assert load_checkpoint(f"{half}.checkpoint").iteration == answer["iterations"]
    assert "is from an earlier run" in run(capsys, *SOLVE, "--out", half)[2]


def test_resume_refuses_what_differs(capsys, tmp_path: Path) -> None:
    out = str(tmp_path / "file")
    solved(capsys, "--target", "1e-9", "--iterations", "2", "--out", out)
    resume = ["dice", "solve", "--resume", f"{out}.checkpoint"]
    assert "for other rules: wild=None, not wild=1" in refused(
        capsys, *resume, *SMALL, "--wild", "1"
    )
    assert "was made by sapcfr+" in refused(capsys, *resume, "--algorithm", "cfr")
    assert "is a dice-solution file" in refused(capsys, "dice", "solve", "--resume", out)
    assert "--resume goes without --lock" in refused(
        capsys, *resume, "--lock", out, "--locked-player", "0"
    )


def test_a_compact_run_goes_on_compact(capsys, tmp_path: Path) -> None:
    words = ["dice", "solve", "--dice", "2,2", "--target", "1e-9", "--threads", "1"]
    file, usual = str(tmp_path / "file"), str(tmp_path / "usual")
    _, out, _ = run(capsys, *words, "--compact", "--estimate", "--format", "json")
    need = json.loads(out)
    run(capsys, *words, "--compact", "--iterations", "2", "--out", file)
    state = Path(f"{file}.checkpoint")
    assert 0 <= state.stat().st_size - need["checkpoint_bytes"] < 5000
    run(capsys, *words, "--iterations", "2", "--out", usual)
    assert "made without --compact" in refused(
        capsys, "dice", "solve", "--resume", f"{usual}.checkpoint", "--compact"
    )
    again = ["dice", "solve", "--resume", str(state), "--target", "1e-9", "--iterations", "4"]
    _, out, _ = run(capsys, *again, "--out", file, "--format", "json")
    assert json.loads(out)["iterations"] == 4
    straight = str(tmp_path / "straight")
    run(capsys, *words, "--compact", "--iterations", "4", "--out", straight)
    assert Path(file).read_bytes() == Path(straight).read_bytes()


def test_a_locked_player_meets_its_best_response(capsys, tmp_path: Path) -> None:
    habit = str(tmp_path / "habit")
    solved(capsys, "--iterations", "1", "--target", "1e-9", "--out", habit)
    quality = load_solution(habit, 1).measure()
    for player, value in (("0", quality.low), ("1", quality.high)):
        answer = solved(capsys, "--lock", habit, "--locked-player", player, "--target", "1e-4")
        assert answer["target_reached"] is True
        assert answer["value"] == pytest.approx(value, abs=3e-4)
    assert "go together" in refused(capsys, *SOLVE, "--lock", habit)
    words = [*SOLVE, "--lock", habit, "--locked-player"]
    assert "locked player 2: allowed are 0 and 1" in refused(capsys, *words, "2")
    words = [*words, "0", "--wild", "1"]
    assert "for other rules: wild=None, not wild=1" in refused(capsys, *words)


@pytest.mark.parametrize(
    "words, complaint",
    [
        (["--target", "0"], "an exploitability above 0 is needed"),
        (["--target", "-1"], "an exploitability above 0 is needed"),
        (["--target", "nan"], "an exploitability above 0 is needed"),
        (["--iterations", "0"], "at least 1 is needed"),
        (["--iterations", "1.5"], "not a whole number"),
        (["--time-limit", "0"], "seconds above 0 are needed"),
        (["--threads", "0"], "at least 1 is needed"),
        (["--algorithm", "magic"], "magic"),
        (["--dice", "1,1,1", "--method", "lp"], "the linear program is for two players"),
        (["--dice", "9,9"], "would fit"),
        (["--compact"], "too small for a compact solve"),
        (["--compact", "--algorithm", "sapcfr+"], "compact solves take cfr, cfr+ or dcfr"),
        (["--compact", "--cluster", "local:2"], "--compact goes without --cluster"),
        (["--compact", "--method", "lp"], "--compact does not go with --method lp"),
        (["--compact", "--dice", "1,1,1"], "--compact is for two players"),
        (["--dice", "10,10", "--faces", "12"], "take fewer dice or faces"),
        (["--format", "parquet"], "parquet"),
        (["--resume", "/none/file"], "No such file or directory"),
        (["--lock", "/none/file", "--locked-player", "0"], "No such file or directory"),
        (["--out", "/none/file"], "No such file or directory"),
        (["--out", "/dev/null"], "not a regular file"),
    ],
)
def test_bad_input(capsys, words: list[str], complaint: str) -> None:
    small = [] if "--dice" in words else SMALL
    assert complaint in refused(capsys, "dice", "solve", *small, *words)


def test_a_disk_without_room_is_told_before_the_first_iteration(
    capsys, tmp_path: Path, monkeypatch
) -> None:
    monkeypatch.setattr("mouche_solver.cli.dice.solving.available_disk", lambda folder: 1000)
    line = refused(capsys, *SOLVE, "--out", str(tmp_path / "file"))
    assert "needs room for 4.2 kB: a solution of 520 bytes and checkpoints of 2.1 kB" in line
    assert "1.0 kB are free" in line
    assert list(tmp_path.iterdir()) == []


def test_a_disk_that_is_full_at_the_end_keeps_the_state(
    capsys, tmp_path: Path, monkeypatch
) -> None:
    def full(*_: object) -> None:
        raise StorageError("cannot write file: No space left on device")

    monkeypatch.setattr("mouche_solver.cli.dice.solving.save_solution", full)
    code, out, err = run(capsys, *SOLVE, "--out", str(tmp_path / "file"))
    assert (code, out) == (2, "")
    assert err.splitlines()[-1] == "mouche: cannot write file: No space left on device"
    assert [f.name for f in tmp_path.iterdir()] == ["file.checkpoint"]


def test_a_checkpoint_that_fails_does_not_end_the_run(capsys, tmp_path: Path, monkeypatch) -> None:
    calls = []

    def full(solver, path: Path) -> None:
        calls.append(solver.iteration)
        raise StorageError("cannot write file: No space left on device")

    monkeypatch.setattr("mouche_solver.core.run._CHECKPOINT_EVERY", 0)
    monkeypatch.setattr("mouche_solver.core.run._CHECKPOINT_SHARE", float("inf"))
    monkeypatch.setattr("mouche_solver.cli.dice.solving.save_checkpoint", full)
    code, _, err = run(capsys, *SOLVE, "--out", str(tmp_path / "file"))
    assert code == 0
    assert calls
    assert f"mouche: no checkpoint at iteration {calls[0]}: cannot write file" in err
    assert [f.name for f in tmp_path.iterdir()] == ["file"]


def test_a_read_only_folder_is_told_before_the_first_iteration(capsys, tmp_path: Path) -> None:
    tmp_path.chmod(0o500)
    user = os.geteuid()
    if user == 0:  # the superuser may write everywhere: be somebody else for a moment
        os.seteuid(65534)
    try:
        assert "Permission denied" in refused(capsys, *SOLVE, "--out", str(tmp_path / "file"))
    finally:
        os.seteuid(user)
    assert list(tmp_path.iterdir()) == []


def test_damaged_files_are_one_line(capsys, tmp_path: Path) -> None:
    file = tmp_path / "file"
    solved(capsys, "--out", str(file))
    whole = file.read_bytes()
    for content, complaint in (
        (whole[:-2], "is truncated"),
        (whole[:99], "is damaged: it ends within its header"),
        (whole[:15], "truncated, or not a file of mouche_solver"),
        (b"", "is not a file of mouche_solver"),
        (b"a text of some length\n", "is not a file of mouche_solver"),
        (whole[:200].replace(b"1", b"2") + whole[200:], "is damaged"),
        (whole[:-2] + b"\0\0", "fail their checksum"),
    ):
        file.write_bytes(content)
        assert complaint in refused(capsys, "dice", "evaluate", str(file))
        assert complaint in refused(capsys, "dice", "advise", "1", "--solution", str(file))
