"""SQLite files of what one user keeps; every failure is one line that names the file.

SQLite finds torn pages, not a flipped bit inside a value. So each row ends with a seal, the SHA-256
of its values. All rows are checked when a file is opened, and each again when it is read.
"""

import hashlib
import json
import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

from mouche_solver.core.json_text import parse_json
from mouche_solver.errors import StorageError

# Seconds to wait for another process that writes to the same file.
PATIENCE = 10.0
# What SQLite's user_version says of a file whose rows are sealed; it is 0 in earlier files.
_SEALED = 1


class Base:
    """A SQLite file, opened anew for each transaction: its last commit survives a kill.

    Parameters
    ----------
    path : Path
        Made with its folder where it is not there. Rows of a file that an earlier version made are
        sealed as they are.
    schema : str
        Statements that make the tables; a column ``seal`` is added to each.
    what : str
        What is kept, such as ``"drills"``.

    Raises
    ------
    StorageError
        When the file cannot be made, is damaged, or none of SQLite's.
    """

    def __init__(self, path: Path, schema: str, what: str) -> None:
        self.path, self.what = path, what
        with closing(sqlite3.connect(":memory:")) as blank:
            for statement in schema.split(";"):
                blank.execute(statement)
            self._tables = [name for name, _ in _statements(blank)]
            _add_seals(blank, self._tables)
            made = _statements(blank)
        with self.open() as base:
            if _version(base) == 0:
                self._seal_all(base, schema)
            sound = base.execute("pragma integrity_check(1)").fetchone() == ("ok",)
            if not sound or _statements(base) != made:
                raise self._damaged()
            for table in self._tables:
                self.rows(base, table)

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
        # Messages of SQLite quote what is damaged, in many lines or none that is UTF-8.
        except (OSError, sqlite3.Error, UnicodeDecodeError) as error:
            reason = " ".join(str(error).split())
            raise StorageError(f"cannot keep {self.what} in {self.path}: {reason}") from None

    def seal(self, base: sqlite3.Connection, table: str, key: object) -> None:
        """Seal the row of a key, the table's first column, after it was written."""
        column = _columns(base, table)[0]
        _seal(base, table, f"where {column} = ?", (key,))

    def rows(
        self, base: sqlite3.Connection, table: str, which: str = "", values: Sequence[object] = ()
    ) -> list[dict[str, Any]]:
        """Rows of a table by column, their seals checked.

        Parameters
        ----------
        base : sqlite3.Connection
        table : str
        which : str
            What follows the table's name in the query.
        values : sequence
            Its parameters.

        Raises
        ------
        StorageError
            When a row is damaged.
        """
        columns = _columns(base, table)
        found = []
        for *row, sealed in base.execute(f"select * from {table} {which}", tuple(values)):
            if sealed != _digest(table, row):
                raise self._damaged()
            found.append(dict(zip(columns, row, strict=False)))
        return found

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
            raise self._damaged()
        return found

    def _seal_all(self, base: sqlite3.Connection, schema: str) -> None:
        """Make the tables that are missing, and seal what an earlier version wrote."""
        base.execute("begin immediate")
        if _version(base) != 0:  # another process was faster
            base.rollback()
            return
        for statement in schema.split(";"):
            base.execute(statement)
        _add_seals(base, self._tables)
        for table in self._tables:
            _seal(base, table)
        base.execute(f"pragma user_version = {_SEALED}")
        base.commit()

    def _damaged(self) -> StorageError:
        return StorageError(f"{self.path} is damaged: some of its {self.what} cannot be read")


def _version(base: sqlite3.Connection) -> int:
    return int(base.execute("pragma user_version").fetchone()[0])


def _statements(base: sqlite3.Connection) -> list[tuple[str, str]]:
    """Names of the tables and what made them."""
    query = "select name, sql from sqlite_master where sql is not null order by name"
    return base.execute(query).fetchall()


def _columns(base: sqlite3.Connection, table: str) -> list[str]:
    """Columns in their order; the seal is the last."""
    return [row[1] for row in base.execute(f"pragma table_info({table})")]


def _add_seals(base: sqlite3.Connection, tables: Sequence[str]) -> None:
    for table in tables:
        if "seal" not in _columns(base, table):
            base.execute(f"alter table {table} add column seal text")


def _seal(
    base: sqlite3.Connection, table: str, which: str = "", values: tuple[object, ...] = ()
) -> None:
    found = base.execute(f"select rowid, * from {table} {which}", values).fetchall()
    base.executemany(
        f"update {table} set seal = ? where rowid = ?",
        [(_digest(table, row), number) for number, *row, _ in found],
    )


def _digest(table: str, row: Sequence[object]) -> str:
    # What SQLite takes for bytes has no place in these tables: it is damage.
    return hashlib.sha256(json.dumps([table, *row], default=repr).encode()).hexdigest()
