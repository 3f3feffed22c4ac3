"""What ``mouche dice solve`` does for three players and more."""

import time
from typing import Any

from mouche_solver.cli.dice.job import Request
from mouche_solver.cli.progress import Reporter
from mouche_solver.core.memory import peak_memory
from mouche_solver.core.run import Limits
from mouche_solver.dice.rules.rules import DiceRules
from mouche_solver.dice.sweep.estimate import estimate
from mouche_solver.dice.table.solve import DEFAULT_ALGORITHM, DEFAULT_LIMITS, solve_table
from mouche_solver.errors import UsageError


def solve_by_table_sweeps(request: Request, rules: DiceRules) -> dict[str, Any]:
    """Improve a whole table's strategies and report everybody's exact gain from deviating."""
    files = {"--out": request.out, "--resume": request.resume, "--lock": request.lock}
    for flag, value in files.items():
        if value is not None:
            raise UsageError(f"{flag} is for two players: the round of a whole table is not kept")
    limits = request.limits
    if limits.iterations is None and limits.seconds is None:
        limits = Limits(limits.target, DEFAULT_LIMITS.iterations)
    algorithm = request.algorithm or DEFAULT_ALGORITHM
    start = time.perf_counter()
    with Reporter(limits.target) as report:
        solution = solve_table(
            rules, limits=limits, algorithm=algorithm, threads=request.threads, report=report
        )
    if solution.reason == "interrupted":
        raise KeyboardInterrupt
    size = estimate(rules, algorithm)
    return {
        "values": solution.gap.values.tolist(),
        "gains": solution.gap.gains.tolist(),
        "nash_conv": solution.gap.nash_conv,
        "brackets": [list(pair) for pair in solution.brackets],
        "iterations": solution.iterations,
        "seconds": time.perf_counter() - start,
        "histories": size.histories,
        "entries": size.entries,
        "entries_with_forced": size.entries_with_forced,
        "peak_bytes": peak_memory(),
        "target_reached": solution.reason == "target",
        "algorithm": algorithm,
        "rules": rules.to_dict(),
    }
