"""What a training keeps: signals sent to a real process, disks that are full."""

import signal
import subprocess
import sys
from pathlib import Path

import pytest

from mouche_solver.cards import CardRules
from mouche_solver.cli import main
from mouche_solver.cli.cards import solving
from mouche_solver.errors import StorageError
from mouche_solver.storage.cards.pots import load_pots
from mouche_solver.storage.cards.strategies import load_strategy

RUN = [sys.executable, "-c", "from mouche_solver.cli import main; raise SystemExit(main())"]
RULES = CardRules(players=2, ranks="K Q J A", suits="C D", hand_size=2, cap=4)


def struck(folder: Path, number: signal.Signals, *words: str) -> str:
    """The last line of a training without an end that gets a signal."""
    (folder / "rules.json").write_text(RULES.to_json())
    flags = ["--rules", str(folder / "rules.json"), "--threads", "1", "--deals", "1000000000"]
    with subprocess.Popen(
        [*RUN, "cards", "solve", *flags, "--out", str(folder / "a.npz"), *words],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as process:
        assert process.stderr is not None
        assert process.stderr.readline() == "compiling\n"
        process.send_signal(number)
        try:
            out, err = process.communicate(timeout=100)
        finally:
            process.kill()  # a child that did not hear would be waited for without an end
    assert (process.returncode, out) == (130, "")
    return err.splitlines()[-1]


def test_the_strategies_for_several_pots_are_kept(tmp_path: Path) -> None:
    last = struck(tmp_path, signal.SIGTERM, "--pot", "4,8")
    assert "interrupted after" in last
    assert last.endswith("deals; what was learned is kept")
    assert load_pots(tmp_path / "a.npz").pots == (4, 8)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["a.npz", "rules.json"]


def test_a_hung_up_training_is_carried_on(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    last = struck(tmp_path, signal.SIGHUP)
    names = sorted(path.name for path in tmp_path.iterdir())
    assert names == ["a.npz.checkpoint", "rules.json"]
    words = last.split("go on with: mouche ")[1].split()
    # The first round had all these deals: a finished training learns nothing more.
    for _ in range(2):
        assert main([*words, "--deals", "1000", "--threads", "1"]) == 0
        assert load_strategy(tmp_path / "a.npz").training.rounds == 1
    capsys.readouterr()


def solve(folder: Path, *more: str) -> int:
    (folder / "rules.json").write_text(RULES.to_json())
    words = ["--rules", str(folder / "rules.json"), "--threads", "1", "--deals", "1000"]
    return main(["cards", "solve", *words, "--out", str(folder / "a.npz"), *more])


@pytest.mark.parametrize("more", [[], ["--pot", "4,8"]])
def test_a_small_disk_is_refused_before_training(
    more: list[str],
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(solving, "available_disk", lambda folder: 10_000_000)
    monkeypatch.setattr(solving, "run_training", lambda *rest: pytest.fail("was trained"))
    assert solve(tmp_path, *more) == 2
    said = capsys.readouterr().err
    assert "needs room for about" in said
    assert said.endswith("10.0 MB are free\n")
    assert [path.name for path in tmp_path.iterdir()] == ["rules.json"]


def test_the_strategy_is_kept_when_the_checkpoint_finds_no_room(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*rest: object) -> None:
        raise StorageError("cannot write it: no room")

    monkeypatch.setattr(solving, "save_training", full)
    assert solve(tmp_path) == 0
    assert "no checkpoint after" in capsys.readouterr().err
    assert load_strategy(tmp_path / "a.npz").training.rounds == 1
    assert sorted(path.name for path in tmp_path.iterdir()) == ["a.npz", "rules.json"]
