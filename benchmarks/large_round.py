"""A few iterations of a large round in a process of its own; prints one JSON object.

``python benchmarks/large_round.py '{"wild": 1}' --threads 2 --iterations 5``; the rules are those
of ``DiceRules``, five dice each by default. Memory is this process's own peak, and the bandwidth
is measured just before and just after, on the same busy or idle machine.
"""

import argparse
import json
import resource
import time

from bandwidth import bandwidth

from mouche_solver.dice import DiceRules
from mouche_solver.dice.round.solve import DEFAULT_ALGORITHM, RoundSolver

# Bytes that one iteration must move for each entry, in single precision: as the pusher's, its
# regret is read and its average read and written; as the updated player's, its regret is read and
# written.
TRAFFIC = 4 + 8 + 8


def main() -> None:
    """Iterate, and say what it took."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("rules", nargs="?", default="{}", type=json.loads)
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--iterations", type=int, default=5)
    parser.add_argument("--algorithm", default=DEFAULT_ALGORITHM)
    parser.add_argument("--compact", action="store_true")
    given = parser.parse_args()
    rules = DiceRules.from_dict(DiceRules().to_dict() | given.rules)
    speed = bandwidth(given.threads)
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    solver = RoundSolver(rules, given.algorithm, given.threads, compact=given.compact)
    wall, cpu = [], []
    for _ in range(given.iterations):
        start, spent = time.perf_counter(), time.process_time()
        solver.iterate()
        cpu.append(time.process_time() - spent)
        wall.append(time.perf_counter() - start)
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    assert peak > before  # else the peak is the yardstick's, not the round's
    speed = max(speed, bandwidth(given.threads))
    fastest = min(wall[1:])  # the first iteration also takes the memory from the system
    moved = TRAFFIC * solver.entries / fastest
    print(
        json.dumps(
            {
                "entries": solver.entries,
                "first": wall[0],
                "iteration": fastest,
                "iteration_cpu": min(cpu[1:]),
                "ns_per_entry": fastest / solver.entries * 1e9,
                "cpu_ns_per_entry": min(cpu[1:]) / solver.entries * 1e9,
                "gigabytes_per_second": moved / 1e9,
                "machine_gigabytes_per_second": speed / 1e9,
                "peak_bytes": peak * 1024,
                "estimated_bytes": solver.estimate.memory_bytes,
            }
        )
    )


if __name__ == "__main__":
    main()
