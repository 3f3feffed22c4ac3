"""Let the disk cache hold every kernel of a solve before it begins.

A process that compiled a kernel and one that read it from the cache may round differently in the
last bit, so what takes part in a solve should only ever read.
"""

import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np

from mouche_solver.core.jit import before_compiling
from mouche_solver.core.minimisers import schedule
from mouche_solver.dice.round.shard import packed_entries
from mouche_solver.dice.rules.rules import DiceRules
from mouche_solver.dice.sweep.layout import plan_layout
from mouche_solver.dice.sweep.sweep import Sweep
from mouche_solver.dice.sweep.tree import RoundTree

_WARMED: set[np.dtype[Any]] = set()


def warm(dtype: np.dtype[Any]) -> bool:
    """Call every kernel of a solve on a tiny round.

    Parameters
    ----------
    dtype : numpy dtype
        Of the entries; strategies in 16 bits are swept in single precision besides.

    Returns
    -------
    bool
        Whether one had to be compiled.
    """
    compiled: list[bool] = []
    before_compiling(lambda: compiled.append(True))
    tree = RoundTree(DiceRules(dice=(1, 1), faces=3))
    layout = plan_layout(tree, rim=16, batch=32)
    for precision in {dtype, np.dtype(np.float32)}:
        sweep = Sweep(tree, layout, precision, threads=1)
        sweep.iterate(schedule("dcfr"), 1, 1e-6)
        packed_entries(sweep)
    before_compiling(lambda: None)
    return bool(compiled)


@contextmanager
def warmed(dtype: np.dtype[Any]) -> Iterator[None]:
    """Let a child process do it for this process's machine, beside other work; once is enough."""
    if dtype in _WARMED:
        yield
        return
    child = subprocess.Popen([sys.executable, "-m", __name__, dtype.name])
    try:
        yield
        _WARMED.add(dtype)
    finally:
        child.wait()


if __name__ == "__main__":
    warm(np.dtype(sys.argv[1]))
