"""Rounds that were solved while somebody waited, kept in the user's cache folder.

A file's name is a hash of everything that the result hangs on: the round's rules, how it was
solved, and the sources that solved it. So nothing in the folder is ever out of date, and what
another version left is swept in time. The folder saves time and must never cost an answer: a file
that is damaged or foreign counts as none, and where nothing can be written nothing is kept.
"""

import hashlib
import os
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

import numpy as np

import mouche_solver
from mouche_solver.core.jit import source_stamp
from mouche_solver.core.trees.best_response import NashGap
from mouche_solver.dice.round.solution import RoundSolution
from mouche_solver.dice.rules.rules import DiceRules
from mouche_solver.errors import MoucheError
from mouche_solver.storage.dice.solutions import load_solution, save_solution
from mouche_solver.storage.folders import cache_folder
from mouche_solver.storage.tensors import write_tensors
from mouche_solver.storage.tensors_read import read_tensors

# Bytes in the folder; what was asked for longest ago goes first. A round of three dice each takes
# four million.
MOST_BYTES = 256 << 20
_PREFIX, _SUFFIX = "dice-", ".safetensors"
_GAP, _GAP_VERSION = "dice-table-gap", 1
# Whose sources, with all that they import, decide what comes out.
_SOLVERS = {
    "round": ("dice/round/solve.py",),
    "table": ("dice/table/match.py", "dice/table/solve.py"),
}
# No home, no folder, no permission, no room; a file that says nonsense.
_FAULTS = (MoucheError, OSError, RuntimeError, ValueError)


class Kept:
    """The place of one solved round.

    Parameters
    ----------
    kind : {"round", "table"}
        A round of two, or a table for some payoffs.
    rules : DiceRules
    details : bytes
        Whatever else the result hangs on: limits, algorithm, payoffs.

    Examples
    --------
    >>> kept = Kept("round", DiceRules(dice=(1, 1), faces=2), b"never solved so")
    >>> kept.solution() is None
    True
    """

    def __init__(self, kind: str, rules: DiceRules, details: bytes) -> None:
        self.rules = rules
        self.path: Path | None = None
        with suppress(*_FAULTS):
            package = Path(mouche_solver.__file__).parent
            stamps = [source_stamp(package / name) for name in _SOLVERS[kind]]
            about = f"{kind} {rules.round_hash} ".encode() + details
            digest = hashlib.sha256(b"".join(stamps) + about)
            self.path = cache_folder() / f"{_PREFIX}{digest.hexdigest()[:32]}{_SUFFIX}"

    def solution(self) -> RoundSolution | None:
        """The solution of a round of two, read into memory and checked; None where there is none.

        Its header has the points and the next starter of these rules, which do not change a round.
        """
        with suppress(*_FAULTS):
            path = self._asked()
            found = load_solution(path, rules=self.rules)
            numbers = np.array(found.probabilities[0 : found.layout.entries])
            header = replace(found.header, rules=self.rules)
            return RoundSolution(header, numbers, found.trunk_values, threads=None)
        return None

    def keep_solution(self, solution: RoundSolution) -> None:
        """Write a solution, if that can be done."""
        with suppress(*_FAULTS):
            save_solution(solution, self._place())
            self._sweep()

    def gap(self) -> NashGap | None:
        """Values and best responses of a table, (players,) each; None where there are none."""
        with suppress(*_FAULTS):
            arrays = read_tensors(self._asked(), _GAP, _GAP_VERSION).arrays
            values, best = arrays["values"], arrays["best_responses"]
            found = NashGap(values.whole(), best.whole())
            values.check_finite(found.values)
            best.check_finite(found.best_responses)
            wanted = (np.dtype("<f8"), (self.rules.players,))
            if all((each.dtype, each.shape) == wanted for each in vars(found).values()):
                return found
        return None

    def keep_gap(self, gap: NashGap) -> None:
        """Write values and best responses, if that can be done."""
        with suppress(*_FAULTS):
            fields = {"rules": self.rules.to_dict()}
            write_tensors(self._place(), _GAP, _GAP_VERSION, fields, vars(gap))
            self._sweep()

    def _asked(self) -> Path:
        """The file, which now is the one that was asked for last."""
        if self.path is None:
            raise FileNotFoundError
        os.utime(self.path)
        return self.path

    def _place(self) -> Path:
        if self.path is None:
            raise FileNotFoundError
        self.path.parent.mkdir(parents=True, exist_ok=True)
        return self.path

    def _sweep(self) -> None:
        """Remove what was asked for longest ago, until the rest is no larger than it may be."""
        assert self.path is not None
        files = []
        for path in self.path.parent.glob(f"{_PREFIX}*{_SUFFIX}"):
            with suppress(OSError):  # swept by another process
                about = path.stat()
                files.append((about.st_mtime_ns, about.st_size, path))
        room = MOST_BYTES
        for _, size, path in sorted(files, reverse=True):
            room -= size
            if room < 0:
                with suppress(OSError):
                    path.unlink()
