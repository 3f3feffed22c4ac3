"""``mouche dice evaluate``."""

import sys
from dataclasses import asdict
from pathlib import Path
from typing import Annotated, Any

from cyclopts import Parameter

from mouche_solver.cli.common import STDOUT, OutputFlags, emit
from mouche_solver.core.quality import Quality
from mouche_solver.solutions.files import refuse_others

# Single precision sums differ by this much between processors.
_TOLERANCE = 1e-5


def evaluate(
    file: Annotated[Path, Parameter(help="Solution to measure.")],
    /,
    *,
    output: OutputFlags = STDOUT,
) -> int:
    """Measure a solution again by both best responses, and compare with what its header says.

    The exit code is 2 when they differ.
    """
    from mouche_solver.storage.dice.solutions import load_solution

    refuse_others(file, "dice-solution")
    solution = load_solution(file)
    found, header = solution.measure(), solution.header
    far = max(abs(asdict(found)[name] - stated) for name, stated in asdict(header.quality).items())
    matches = far <= _TOLERANCE
    measured = _numbers(found)
    stated = _numbers(header.quality)
    unrounded = _numbers(header.unrounded)
    rows = [
        {"number": name, "measured": value, "header": stated[name], "unrounded": unrounded[name]}
        for name, value in measured.items()
    ]
    document: dict[str, Any] = {
        **measured,
        "matches": matches,
        "header": stated,
        "unrounded": unrounded,
        "iterations": header.iterations,
        "algorithm": header.algorithm,
        "locked": header.locked,
        "rules": header.rules.to_dict(),
    }
    emit(output, rows, {"number": str}, document=document)
    if matches:
        return 0
    print(f"mouche: {file} is not as good as its header says", file=sys.stderr)
    return 2


def _numbers(quality: Quality) -> dict[str, float]:
    return {
        "value": quality.value,
        "value_low": quality.low,
        "value_high": quality.high,
        "exploitability": quality.exploitability,
        "nash_conv": quality.nash_conv,
    }
