"""Book files that are damaged, foreign or missing end in one line."""

import re
from importlib.resources import files
from pathlib import Path

import numpy as np
import pytest

from mouche_solver.dice.rules.rules import DiceRules
from mouche_solver.errors import StorageError
from mouche_solver.storage.dice.books import load_book

NAME = f"dice-book-{DiceRules().round_hash}.npz"


@pytest.fixture
def shipped() -> bytes:
    return files("mouche_solver").joinpath("data", NAME).read_bytes()


@pytest.mark.parametrize("keep", [0, 1, 100, 10_000, -1])
def test_a_truncated_book_is_refused(shipped: bytes, tmp_path: Path, keep: int) -> None:
    path = tmp_path / "book.npz"
    path.write_bytes(shipped[:keep])
    nothing = 0 <= keep < 100
    said = (
        "is not an opening book, or it is damaged"
        if nothing
        else "is damaged; it was to be an open"
    )
    with pytest.raises(StorageError, match=rf"book\.npz {said}"):
        load_book(path)


def test_other_archives_and_missing_files_are_refused(tmp_path: Path) -> None:
    other = tmp_path / "other.npz"
    np.savez(other, numbers=np.arange(3))
    with pytest.raises(StorageError, match="not an opening book"):
        load_book(other)
    with pytest.raises(StorageError, match="No such file"):
        load_book(tmp_path / "missing.npz")


def test_a_book_of_other_sizes_or_versions_is_refused(shipped: bytes, tmp_path: Path) -> None:
    path = tmp_path / "book.npz"
    path.write_bytes(shipped)
    with np.load(path, allow_pickle=False) as file:
        arrays = {name: file[name] for name in file.files}
    np.savez(path, **(arrays | {"values_0": arrays["values_0"][:-1]}))
    with pytest.raises(StorageError, match="values_0 does not fit its rules"):
        load_book(path)
    later = re.sub(r'"version": \d', '"version": 3', str(arrays["header"]))
    np.savez(path, **(arrays | {"header": np.array(later)}))
    with pytest.raises(StorageError, match="version 3 of the format, this program reads 1 to 2"):
        load_book(path)
