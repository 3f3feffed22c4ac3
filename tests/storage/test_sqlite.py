"""What one user keeps in SQLite: whole, sealed, and open to files of earlier versions."""

import sqlite3
import subprocess
import sys
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from mouche_solver.errors import StorageError
from mouche_solver.review.box import Box
from mouche_solver.web.saved import Saved

DRILL = {"hand": "5,5", "options": [{"action": "3x5", "value": 0.25}]}


def fill_drills(path: Path) -> None:
    box = Box(path, clock=lambda: 1000.0)
    box.add("one", "dice", DRILL)
    box.add("two", "cards", DRILL)
    box.answer("one", "3x5", 0.5, False)
    box.answer("two", "KH", 0.0, True)


def read_drills(path: Path) -> Any:
    box = Box(path, clock=lambda: 1e6)
    return box.score(), box.due("dice"), box.due("cards"), box.get("one"), box.get("two")


def fill_games(path: Path) -> None:
    saved = Saved(path)
    saved.put(saved.new("dice", {"dice": [2, 2]}, "5 / 3 : 1x5"), "5 / 3 : 1x5 doubt", True)
    saved.new("cards", {"players": 3}, "players A B C")


def read_games(path: Path) -> Any:
    games = Saved(path).all()
    return games, [Saved(path).get(each["id"]) for each in games]


FILES = [(fill_drills, read_drills), (fill_games, read_games)]


@pytest.mark.parametrize("fill, read", FILES)
def test_a_flipped_bit_is_refused_or_changes_nothing(
    tmp_path: Path, fill: Callable[[Path], None], read: Callable[[Path], Any]
) -> None:
    path = tmp_path / "kept.sqlite"
    fill(path)
    whole, right = path.read_bytes(), read(path)
    places = [place for place, byte in enumerate(whole) if byte]
    told = []
    for number, place in enumerate(places):
        flipped = bytearray(whole)
        flipped[place] ^= 1 << number % 8
        path.write_bytes(flipped)
        try:
            assert read(path) == right, f"bit {number % 8} of byte {place}"
        except StorageError as error:
            told.append(str(error))
        for left in tmp_path.glob("kept.sqlite-*"):
            left.unlink()
    assert len(told) > len(places) / 2
    assert all("kept.sqlite" in text and "\n" not in text for text in told)


@pytest.mark.parametrize("fill, read", FILES)
@pytest.mark.parametrize("value", ["'x'", "0", "null", "1e999", "x'00ff'"])
def test_any_other_value_in_a_row_is_refused(
    tmp_path: Path, fill: Callable[[Path], None], read: Callable[[Path], Any], value: str
) -> None:
    path = tmp_path / "kept.sqlite"
    fill(path)
    whole = path.read_bytes()
    with closing(sqlite3.connect(path)) as base:
        tables = [row[0] for row in base.execute("select name from sqlite_master where sql > ''")]
        columns = [(t, c[1]) for t in tables for c in base.execute(f"pragma table_info({t})")]
    for table, column in columns:
        path.write_bytes(whole)
        with closing(sqlite3.connect(path)) as base, base:
            before = base.execute(f"select * from {table}").fetchall()
            try:
                base.execute(f"update {table} set {column} = {value} where rowid = 1")
            except sqlite3.Error:  # the column takes no such value
                continue
            if base.execute(f"select * from {table}").fetchall() == before:
                continue
        with pytest.raises(StorageError, match="is damaged"):
            read(path)


@pytest.mark.parametrize("fill, read", FILES)
def test_a_file_of_an_earlier_version_opens_and_is_sealed(
    tmp_path: Path, fill: Callable[[Path], None], read: Callable[[Path], Any]
) -> None:
    path = tmp_path / "kept.sqlite"
    fill(path)
    right = read(path)
    with closing(sqlite3.connect(path)) as base, base:
        for (table,) in base.execute("select name from sqlite_master where sql > ''").fetchall():
            base.execute(f"alter table {table} drop column seal")
        base.execute("pragma user_version = 0")
    assert read(path) == right
    with closing(sqlite3.connect(path)) as base:
        assert base.execute("pragma user_version").fetchone() == (1,)
        for (table,) in base.execute("select name from sqlite_master where sql > ''").fetchall():
            assert base.execute(f"select * from {table} where seal is null").fetchall() == []
    assert read(path) == right


def test_processes_that_open_one_file_at_once(tmp_path: Path) -> None:
    path = tmp_path / "kept.sqlite"
    code = (
        "import sys; from pathlib import Path; from mouche_solver.review.box import Box\n"
        "box = Box(Path(sys.argv[1]))\n"
        "for n in range(20): box.add(f'{sys.argv[2]} {n}', 'dice', {}); "
        "box.answer(f'{sys.argv[2]} {n}', 'doubt', 0.0, True)"
    )
    words = [sys.executable, "-c", code, str(path)]
    running = [subprocess.Popen([*words, name], stderr=subprocess.PIPE) for name in "abc"]
    assert [each.communicate()[1] for each in running] == [b""] * 3
    assert Box(path).score() == {"answered": 60, "good": 60, "streak": 60}
