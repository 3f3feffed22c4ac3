"""What somebody drills: positions, when each comes again, the score and the streak.

A missed position comes back after a minute, a known one after growing spans (a Leitner box).
Everything lies in one SQLite file, whose last commit survives a kill.
"""

import json
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from mouche_solver.storage.folders import data_folder
from mouche_solver.storage.sqlite import Base

# Seconds until a position in each compartment is due again.
SPANS = (60.0, 600.0, 86_400.0, 3 * 86_400.0, 7 * 86_400.0, 21 * 86_400.0)
_SCHEMA = """
create table if not exists positions(
  key text primary key, game text not null, drill text not null,
  place integer not null default 0, due real not null default 0);
create table if not exists answers(
  id integer primary key, key text not null, at real not null, action text not null,
  loss real not null, good integer not null);
"""


class Box:
    """The positions that somebody drills.

    Parameters
    ----------
    path : Path, optional
        The SQLite file; ``drills.sqlite`` in the user's data folder when left out.
    clock : callable
        Seconds since the epoch.

    Examples
    --------
    >>> import tempfile
    >>> now = [0.0]
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     box = Box(Path(folder) / "d.sqlite", clock=lambda: now[0])
    ...     box.add("k", "dice", {"hand": "5,5"})
    ...     box.answer("k", "2x5", 0.0, True)
    ...     box.answer("k", "doubt", 0.3, False)
    ...     early = box.due("dice")
    ...     now[0] = 61.0
    ...     box.score(), early, box.due("dice")
    ({'answered': 2, 'good': 1, 'streak': 0}, None, {'hand': '5,5'})
    """

    def __init__(self, path: Path | None = None, clock: Callable[[], float] = time.time) -> None:
        self.path = data_folder() / "drills.sqlite" if path is None else path
        self.clock = clock
        self._base = Base(self.path, _SCHEMA, "drills")

    def add(self, key: str, game: str, drill: dict[str, Any]) -> None:
        """Keep a position; one that is there stays where it is."""
        with self._base.open() as base:
            made = base.execute(
                "insert or ignore into positions(key, game, drill) values(?, ?, ?)",
                (key, game, json.dumps(drill)),
            )
            if made.rowcount:
                self._base.seal(base, "positions", key)

    def due(self, game: str) -> dict[str, Any] | None:
        """The position that has been due longest, None when there is none."""
        with self._base.open() as base:
            which = "where game = ? and due <= ? order by due limit 1"
            found = self._base.rows(base, "positions", which, (game, self.clock()))
        return self._base.record(found[0]["drill"]) if found else None

    def get(self, key: str) -> dict[str, Any] | None:
        """A position by its key."""
        with self._base.open() as base:
            found = self._base.rows(base, "positions", "where key = ?", (key,))
        return self._base.record(found[0]["drill"]) if found else None

    def answer(self, key: str, action: str, loss: float, good: bool) -> None:
        """Keep an answer, and say when the position comes again."""
        now = self.clock()
        with self._base.open() as base:
            found = self._base.rows(base, "positions", "where key = ?", (key,))
            place = min((found[0]["place"] if found else 0) + 1, len(SPANS) - 1) if good else 0
            base.execute(
                "update positions set place = ?, due = ? where key = ?",
                (place, now + SPANS[place], key),
            )
            self._base.seal(base, "positions", key)
            made = base.execute(
                "insert into answers(key, at, action, loss, good) values(?, ?, ?, ?, ?)",
                (key, now, action, loss, int(good)),
            )
            self._base.seal(base, "answers", made.lastrowid)

    def score(self) -> dict[str, int]:
        """Answers given, good ones, and the good ones in a row at the end."""
        with self._base.open() as base:
            rows = self._base.rows(base, "answers", "order by id")
        found = [bool(row["good"]) for row in rows]
        streak = 0
        for good in reversed(found):
            if not good:
                break
            streak += 1
        return {"answered": len(found), "good": sum(found), "streak": streak}
