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
            self._base.seal(base, "games", name)
            base.execute(
                "delete from games where id not in "
                "(select id from games order by changed desc limit ?)",
                (MOST_GAMES,),
            )
        return name

    def put(self, name: str, text: str, over: bool) -> None:
        """Keep what a game has come to."""
        with self._base.open() as base:
            self._base.rows(base, "games", "where id = ?", (name,))
            base.execute(
                "update games set text = ?, over = ?, changed = ? where id = ?",
                (text, int(over), time.time(), name),
            )
            self._base.seal(base, "games", name)

    def get(self, name: str) -> tuple[str, dict[str, Any], str] | None:
        """Kind, set-up and text of a game."""
        with self._base.open() as base:
            found = self._base.rows(base, "games", "where id = ?", (name,))
        if not found:
            return None
        (row,) = found
        return row["kind"], self._base.record(row["config"]), row["text"]

    def all(self) -> list[dict[str, Any]]:
        """The games, the last one played first."""
        with self._base.open() as base:
            rows = self._base.rows(base, "games", "order by changed desc limit 50")
        return [
            {
                "id": row["id"],
                "kind": row["kind"],
                "config": self._base.record(row["config"]),
                "over": bool(row["over"]),
                "at": row["changed"],
            }
            for row in rows
        ]

    def delete(self, name: str) -> None:
        """Forget a game."""
        with self._base.open() as base:
            base.execute("delete from games where id = ?", (name,))
