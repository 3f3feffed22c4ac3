"""Opening books as files, and the ones that the package ships.

A book is a compressed ``.npz`` without pickles: the header as JSON text, the trunk's
probabilities, both players' values and, from version 2 on, the ranges behind claims that good
play does not make.
"""

import os
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mouche_solver.dice.round.book import BookHeader, OpeningBook, book_trunk
from mouche_solver.dice.rules.rules import DiceRules
from mouche_solver.dice.sweep.estimate import checked_tree
from mouche_solver.dice.sweep.layout import Region
from mouche_solver.errors import MoucheError, StorageError
from mouche_solver.storage.checks import number, read_quality, whole
from mouche_solver.storage.npz import NpzFile, read_npz, write_npz
from mouche_solver.storage.shipped import shipped

FORMAT = "mouche-dice-book"
VERSION = 2
WHAT = "an opening book"
# Bytes of a header at most, with what the archive says of its members.
_HEADER = 1 << 16


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
        "version": 1 if book.erring is None else VERSION,
        "rules": header.rules.to_dict(),
        "round_hash": header.rules.round_hash,
        "algorithm": header.algorithm,
        "iterations": header.iterations,
        "rim": header.rim,
        "tremble": header.tremble,
        "value": header.quality.value,
        "value_low": header.quality.low,
        "value_high": header.quality.high,
    }
    arrays: dict[str, NDArray[Any]] = {"probabilities": book.probabilities}
    arrays |= {f"values_{player}": book.values[player] for player in (0, 1)}
    if book.erring is not None:
        arrays |= {f"ranges_{player}": book.erring[player] for player in (0, 1)}
    write_npz(path, about, arrays)


def book_bytes(trunk: Region) -> int:
    """How large the book of a trunk may become.

    Parameters
    ----------
    trunk : Region
        By :func:`mouche_solver.dice.round.book.book_trunk`.
    """
    return 2 * trunk.entries + 4 * int(sum(trunk.vector_size)) + _HEADER


def load_book(path: str | os.PathLike[str]) -> OpeningBook:
    """Read a book.

    Raises
    ------
    StorageError
        When the file is missing, damaged, of another kind or of a newer version.
    """
    return _checked(read_npz(path, WHAT))


def embedded_book(rules: DiceRules) -> OpeningBook | None:
    """The book that the package ships for these rules, if it does."""
    name = f"dice-book-{rules.round_hash}.npz"
    content = shipped(name)
    return None if content is None else _checked(NpzFile(name, content, WHAT))


def _checked(file: NpzFile) -> OpeningBook:
    path, about = file.path, file.header(FORMAT, VERSION, oldest=1)
    try:
        rules = DiceRules.from_dict(about["rules"])
        trunk = book_trunk(checked_tree(rules), about["rim"])
        quality = read_quality(about["value"], about["value_low"], about["value_high"])
        iterations = whole(about["iterations"])
        tremble = number(about.get("tremble", 0.0))
        header = BookHeader(
            rules, str(about["algorithm"]), iterations, quality, about["rim"], tremble
        )
    except (KeyError, TypeError, ValueError, MoucheError):
        raise StorageError(f"{path} has a damaged header") from None
    sizes: dict[str, tuple[type, int]] = {"probabilities": (np.uint16, trunk.entries)}
    for player in (0, 1):
        sizes[f"values_{player}"] = np.int16, int(trunk.vector_size[player])
        if about["version"] > 1:
            sizes[f"ranges_{player}"] = np.uint16, int(trunk.vector_size[player])
    for name, (dtype, size) in sizes.items():
        if file.declared(name) != (np.dtype(dtype), (size,)):
            raise StorageError(f"{path} is damaged: {name} does not fit its rules")
    arrays = {name: file.array(name) for name in sizes}
    values = arrays["values_0"], arrays["values_1"]
    erring = (arrays["ranges_0"], arrays["ranges_1"]) if "ranges_0" in arrays else None
    return OpeningBook(header, arrays["probabilities"], values, erring)
