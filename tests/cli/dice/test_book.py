"""``mouche dice book``: the smallest round that has a book, three dice against three."""

from contextlib import contextmanager
from pathlib import Path

import pytest

from mouche_solver.cli.app import main
from mouche_solver.cli.dice import book as command
from mouche_solver.dice.round.book import book_trunk
from mouche_solver.dice.round.deviations import Deviations
from mouche_solver.storage import atomic
from mouche_solver.storage.dice.books import book_bytes, load_book


@pytest.fixture(scope="module")
def solution(tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("book") / "3v3.safetensors"
    assert main(["dice", "solve", "--dice", "3,3", "--target", "1e-4", "--out", str(out)]) == 0
    return out


def test_positions_that_good_play_never_reaches_are_solved_unless_told_otherwise(
    solution: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for iterations in ("0", "140"):
        out = tmp_path / f"{iterations}.npz"
        words = ["dice", "book", str(solution), "--deviations", iterations, "--out", str(out)]
        assert main(words) == 0, capsys.readouterr().err
        assert load_book(out).solved_everywhere == (iterations != "0")


def test_an_interrupt_cuts_the_book_from_what_was_learned(
    solution: Path,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    class Later:
        """Asks to stop before the 141st iteration."""

        count = 0

        @property
        def asked(self) -> bool:
            self.count += 1
            return self.count > 140

    @contextmanager
    def interruptible(acknowledge):
        yield Later()

    monkeypatch.setattr(command, "interruptible", interruptible)
    out = tmp_path / "cut.npz"
    assert main(["dice", "book", str(solution), "--out", str(out)]) == 130
    assert "after iteration 140 of 750" in capsys.readouterr().err
    assert load_book(out).solved_everywhere


def test_a_poor_solution_is_refused_before_anything_is_solved(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    poor = tmp_path / "poor.safetensors"
    words = ["dice", "solve", "--dice", "3,3", "--iterations", "20", "--out", str(poor)]
    assert main(words) == 0
    monkeypatch.delattr(Deviations, "run")  # nothing can be solved
    capsys.readouterr()
    assert main(["dice", "book", str(poor), "--out", str(tmp_path / "none.npz")]) == 2
    assert "exploitability 0.001 or less" in capsys.readouterr().err
    assert not (tmp_path / "none.npz").exists()


def test_a_small_disk_is_refused_before_anything_is_solved(
    solution: Path,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    out = tmp_path / "book.npz"
    words = ["dice", "book", str(solution), "--deviations", "0", "--out", str(out)]
    assert main(words) == 0
    needed = book_bytes(book_trunk(load_book(out).tree))
    assert out.stat().st_size <= needed
    monkeypatch.setattr(atomic, "available_disk", lambda folder: needed - 1)
    monkeypatch.delattr(Deviations, "run")  # nothing can be solved
    capsys.readouterr()
    assert main(["dice", "book", str(solution), "--out", str(tmp_path / "none.npz")]) == 2
    assert "it needs" in capsys.readouterr().err
    assert not (tmp_path / "none.npz").exists()
