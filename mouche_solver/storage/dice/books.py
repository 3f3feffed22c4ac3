"""Opening books as files, and the ones that the package ships.

A book is a compressed ``.npz`` without pickles: the header as JSON text, the trunk's
probabilities and both players' values.
"""

import json
import os
import zipfile
from importlib.resources import as_file, files
from typing import Any

import numpy as np

from mouche_solver.core.json_text import parse_json
from mouche_solver.core.quality import Quality
from mouche_solver.dice.round.book import BookHeader, OpeningBook, book_trunk
from mouche_solver.dice.rules.rules import DiceRules
from mouche_solver.dice.sweep.estimate import checked_tree
from mouche_solver.errors import MoucheError, StorageError
from mouche_solver.storage.atomic import atomic_path

FORMAT = "mouche-dice-book"
VERSION = 1


def save_book(book: OpeningBook, path: str | os.PathLike[str]) -> None:
    """Write a book; the file is complete or not there.

    Raises
    ------
    StorageError
        When it cannot be written.
    """
    header = book.header
    about = {
        "format": FORMAT,
        "version": VERSION,
        "rules": header.rules.to_dict(),
        "round_hash": header.rules.round_hash,
        "algorithm": header.algorithm,
        "iterations": header.iterations,
        "rim": header.rim,
        "value": header.quality.value,
        "value_low": header.quality.low,
        "value_high": header.quality.high,
    }
    with atomic_path(path) as part, part.open("wb") as file:
        np.savez_compressed(
            file,
            header=np.array(json.dumps(about)),
            probabilities=book.probabilities,
            values_0=book.values[0],
            values_1=book.values[1],
        )


def load_book(path: str | os.PathLike[str]) -> OpeningBook:
    """Read a book.

    Raises
    ------
    StorageError
        When the file is missing, damaged, of another kind or of a newer version.
    """
    try:
        # Opened here, because numpy leaves a damaged archive open.
        with open(path, "rb") as raw, np.load(raw, allow_pickle=False) as file:
            about = parse_json(str(file["header"]))
            arrays = {name: file[name] for name in ("probabilities", "values_0", "values_1")}
    except OSError as error:
        raise StorageError(f"cannot read {path}: {error.strerror or error}") from None
    except (ValueError, KeyError, EOFError, AttributeError, zipfile.BadZipFile):
        raise StorageError(f"{path} is not an opening book, or it is damaged") from None
    return _checked(path, about, arrays)


def embedded_book(rules: DiceRules) -> OpeningBook | None:
    """The book that the package ships for these rules, if it does."""
    found = files("mouche_solver").joinpath("data", f"dice-book-{rules.round_hash}.npz")
    if not found.is_file():
        return None
    with as_file(found) as path:
        return load_book(path)


def _checked(path: str | os.PathLike[str], about: Any, arrays: dict[str, Any]) -> OpeningBook:
    if not isinstance(about, dict) or about.get("format") != FORMAT:
        raise StorageError(f"{path} is not an opening book")
    if about.get("version") != VERSION:
        raise StorageError(
            f"{path} has version {about.get('version')} of the format, this program reads {VERSION}"
        )
    try:
        rules = DiceRules.from_dict(about["rules"])
        trunk = book_trunk(checked_tree(rules), about["rim"])
        quality = Quality(about["value"], about["value_low"], about["value_high"])
        header = BookHeader(rules, about["algorithm"], about["iterations"], quality, about["rim"])
    except (KeyError, TypeError, MoucheError):
        raise StorageError(f"{path} has a damaged header") from None
    sizes = {
        "probabilities": (np.uint16, trunk.entries),
        "values_0": (np.int16, int(trunk.vector_size[0])),
        "values_1": (np.int16, int(trunk.vector_size[1])),
    }
    for name, (dtype, size) in sizes.items():
        if arrays[name].dtype != dtype or arrays[name].shape != (size,):
            raise StorageError(f"{path} is damaged: {name} does not fit its rules")
    return OpeningBook(header, arrays["probabilities"], (arrays["values_0"], arrays["values_1"]))
