"""Saved games: every click is committed before it is answered."""

import json
import secrets
import time
from pathlib import Path
from typing import Any

from mouche_solver.storage.sqlite import Base

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
        self._base = Base(path, _SCHEMA, "games")

    def new(self, kind: str, config: dict[str, Any], text: str) -> str:
        """Keep a new game; the oldest beyond five hundred is forgotten."""
        name = secrets.token_hex(8)
        with self._base.open() as base:
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
        with self._base.open() as base:
            base.execute(
                "update games set text = ?, over = ?, changed = ? where id = ?",
                (text, int(over), time.time(), name),
            )

    def get(self, name: str) -> tuple[str, dict[str, Any], str] | None:
        """Kind, set-up and text of a game."""
        with self._base.open() as base:
            row = base.execute(
                "select kind, config, text from games where id = ?", (name,)
            ).fetchone()
        return None if row is None else (row[0], self._base.record(row[1]), row[2])

    def all(self) -> list[dict[str, Any]]:
        """The games, the last one played first."""
        with self._base.open() as base:
            rows = base.execute(
                "select id, kind, config, over, changed from games order by changed desc limit 50"
            ).fetchall()
        return [
            {
                "id": r[0],
                "kind": r[1],
                "config": self._base.record(r[2]),
                "over": bool(r[3]),
                "at": r[4],
            }
            for r in rows
        ]

    def delete(self, name: str) -> None:
        """Forget a game."""
        with self._base.open() as base:
            base.execute("delete from games where id = ?", (name,))
