"""Saved games: every click is committed before it is answered."""

import json
import secrets
import sqlite3
import time
from contextlib import closing
from pathlib import Path
from typing import Any

from mouche_solver.errors import StorageError

_SCHEMA = """
create table if not exists games(
  id text primary key, kind text not null, config text not null, text text not null,
  over integer not null default 0, changed real not null);
"""
MOST_GAMES = 500


class Saved:
    """The games of one user.

    Parameters
    ----------
    path : Path
        The SQLite file.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            with closing(self._open()) as base, base:
                base.executescript(_SCHEMA)
        except (OSError, sqlite3.Error) as error:
            raise StorageError(f"cannot keep games in {path}: {error}") from None

    def _open(self) -> sqlite3.Connection:
        return sqlite3.connect(self.path, timeout=10.0)

    def new(self, kind: str, config: dict[str, Any], text: str) -> str:
        """Keep a new game; the oldest beyond five hundred is forgotten."""
        name = secrets.token_hex(8)
        with closing(self._open()) as base, base:
            base.execute(
                "insert into games(id, kind, config, text, changed) values(?, ?, ?, ?, ?)",
                (name, kind, json.dumps(config), text, time.time()),
            )
            base.execute(
                "delete from games where id not in "
                "(select id from games order by changed desc limit ?)",
                (MOST_GAMES,),
            )
        return name

    def put(self, name: str, text: str, over: bool) -> None:
        """Keep what a game has come to."""
        with closing(self._open()) as base, base:
            base.execute(
                "update games set text = ?, over = ?, changed = ? where id = ?",
                (text, int(over), time.time(), name),
            )

    def get(self, name: str) -> tuple[str, dict[str, Any], str] | None:
        """Kind, set-up and text of a game."""
        with closing(self._open()) as base:
            row = base.execute(
                "select kind, config, text from games where id = ?", (name,)
            ).fetchone()
        return None if row is None else (row[0], json.loads(row[1]), row[2])

    def all(self) -> list[dict[str, Any]]:
        """The games, the last one played first."""
        with closing(self._open()) as base:
            rows = base.execute(
                "select id, kind, config, over, changed from games order by changed desc limit 50"
            ).fetchall()
        return [
            {"id": r[0], "kind": r[1], "config": json.loads(r[2]), "over": bool(r[3]), "at": r[4]}
            for r in rows
        ]

    def delete(self, name: str) -> None:
        """Forget a game."""
        with closing(self._open()) as base, base:
            base.execute("delete from games where id = ?", (name,))
