"""SQLite files of what one user keeps; every failure is one line that names the file."""

import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

from mouche_solver.core.json_text import parse_json
from mouche_solver.errors import StorageError

# Seconds to wait for another process that writes to the same file.
PATIENCE = 10.0


class Base:
    """A SQLite file, opened anew for each transaction: its last commit survives a kill.

    Parameters
    ----------
    path : Path
        Made with its folder where it is not there.
    schema : str
        Statements that make the tables.
    what : str
        What is kept, such as ``"drills"``.

    Raises
    ------
    StorageError
        When the file cannot be made, is damaged, or none of SQLite's.
    """

    def __init__(self, path: Path, schema: str, what: str) -> None:
        self.path, self.what = path, what
        with self.open() as base:
            base.executescript(schema)

    @contextmanager
    def open(self) -> Iterator[sqlite3.Connection]:
        """One transaction: committed when the block ends well, else undone.

        Raises
        ------
        StorageError
            When the file is read-only, full, in use for too long, damaged or of another kind.
        """
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            with closing(sqlite3.connect(self.path, timeout=PATIENCE)) as base, base:
                yield base
        except (OSError, sqlite3.Error) as error:
            raise StorageError(f"cannot keep {self.what} in {self.path}: {error}") from None

    def record(self, text: str) -> dict[str, Any]:
        """A JSON object that was kept.

        Raises
        ------
        StorageError
            When it is none.
        """
        try:
            found = parse_json(text)
        except (ValueError, TypeError):
            found = None
        if not isinstance(found, dict):
            raise StorageError(f"{self.path} is damaged: some of its {self.what} cannot be read")
        return found
