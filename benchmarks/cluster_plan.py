"""What a round takes on a cluster: counted, timed on samples of its own tasks, and simulated.

``python benchmarks/cluster_plan.py --dice 6,6 --holders 16 --threads 8`` allocates a few tasks of
the round alone. ``--measure N`` also solves it for N iterations in this process with one thread,
and says how far the prediction was off; ``--ray N`` does so with holders in Ray on this machine.
Both compare processor seconds, all processes together, which other work disturbs least.
"""

import argparse
import json
import os
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

import numpy as np

from mouche_solver.core.minimisers import schedule
from mouche_solver.dice import DiceRules
from mouche_solver.dice.round.shard import Shard
from mouche_solver.dice.round.solve import RoundSolver, plan_solve
from mouche_solver.dice.sweep.arrays import UPDATE
from mouche_solver.dice.sweep.holders import Order, Plan, RimBlocks, Share, shares
from mouche_solver.dice.sweep.layout import plan_layout
from mouche_solver.dice.sweep.sweep import Sweep
from mouche_solver.dice.sweep.tree import round_tree

SAMPLES, RUNS = 24, 5
# What Ray takes for a question and its answer, and for a byte that passes between processes, in
# processor seconds of both sides; fitted to rounds of 4 and 5 dice with 2 holders.
MESSAGE, BYTE = 12e-3, 2.2e-9


def seconds(work: Callable[[], object], runs: int = RUNS) -> float:
    """Least processor seconds of some runs, after one that warms up."""
    work()
    found = []
    for _ in range(runs):
        start = time.process_time()
        work()
        found.append(time.process_time() - start)
    return min(found)


def time_shares(plan: Plan) -> float:
    """Seconds for an entry below the trunk and an iteration, from some tasks of the round.

    They are swept in turn, so that each comes from memory, as the entries of a whole round do.
    """
    tasks = plan.layout.tasks
    ends = np.cumsum([task.entries for task in tasks])
    goals = ends[-1] * (np.arange(SAMPLES) + 0.5) / SAMPLES
    base, chosen = plan.layout.trunk.entries, []
    for at in sorted({int(number) for number in np.searchsorted(ends, goals)}):
        chosen.append(replace(tasks[at], base=base))
        base += tasks[at].entries
    layout = replace(plan.layout, tasks=tuple(chosen), entries=base)
    (share,) = shares(layout, 1)
    shard = Shard(plan._replace(layout=layout), share, 1)
    flows = [
        np.full(RimBlocks(plan.tree, layout, share.tasks, player).size, 1e-3, plan.dtype)
        for player in (0, 1)
    ]

    def iteration() -> None:
        for player in (0, 1):
            step = shard.sweep.passes.step(1.0, 1.0, 1.0, 0.0, (1e-6, 1e-6))
            shard.down(Order(player, step, UPDATE, ("source", "source")), flows[1 - player])
            shard.up()

    return seconds(iteration) / share.size


class Nobody:
    """Holds tasks and does nothing: what is left of an iteration is the driver's part."""

    def __init__(self, plan: Plan, share: Share) -> None:
        self.share, self.dtype = share, plan.dtype
        self.sizes = [
            RimBlocks(plan.tree, plan.layout, share.tasks, player).size for player in (0, 1)
        ]

    def down(self, order: Order, flow: np.ndarray) -> None:
        self.values = np.zeros(self.sizes[order.player], self.dtype)

    def up(self) -> np.ndarray:
        return self.values


def time_trunk(plan: Plan) -> float:
    """Seconds for an entry of the trunk, the rim's copies included; of a smaller round if huge."""
    if plan.layout.trunk.entries > 40_000_000:
        tree = round_tree(DiceRules(dice=(5, 5), wild=plan.tree.rules.wild))
        plan = plan._replace(tree=tree, layout=plan_layout(tree))
    holders = [Nobody(plan, share) for share in shares(plan.layout, 4)]
    driver = Sweep(plan.tree, plan.layout, plan.dtype, 1, holders=holders)
    work = seconds(lambda: driver.iterate(schedule("dcfr"), 1, 1e-6))
    return work / plan.layout.trunk.entries


def simulate(
    plan: Plan, many: int, threads: int, costs: tuple[float, float], wire: tuple[float, float]
) -> float:
    """Seconds of an iteration: two passes, each down to all holders, work, up from all.

    ``costs`` are seconds for an entry of the trunk and below it, ``wire`` bytes in a second and
    seconds of delay for a message.
    """
    trunk, below = costs
    rate, delay = wire
    cut = shares(plan.layout, many)
    clock = plan.layout.trunk.entries * trunk
    for player in (0, 1):
        size = [
            [
                RimBlocks(plan.tree, plan.layout, share.tasks, p).size * plan.dtype.itemsize
                for p in (0, 1)
            ]
            for share in cut
        ]
        done = []
        for share, bytes_ in zip(cut, size, strict=True):
            clock += bytes_[1 - player] / rate
            # Both players' updates visit an entry: half of an iteration's work in each pass.
            done.append(clock + delay + share.size * below / 2 / threads)
        for finished, bytes_ in zip(done, size, strict=True):
            clock = max(clock, finished + delay) + bytes_[player] / rate
    return clock


def measured(rules: DiceRules, iterations: int) -> float:
    """Processor seconds of an iteration in this process with one thread."""
    solver = RoundSolver(rules, threads=1)
    return seconds(solver.iterate, iterations)


def measured_by_ray(rules: DiceRules, many: int, iterations: int) -> float:
    """Processor seconds of an iteration of the driver and its holders in Ray on this machine."""
    from mouche_solver.cluster.solver import ClusterSolver
    from mouche_solver.cluster.start import Cluster

    with Cluster(f"local:{many}", 1) as cluster:
        solver = ClusterSolver(rules, cluster.hold)
        solver.iterate()
        start = of_family()
        for _ in range(iterations):
            solver.iterate()
        return (of_family() - start) / iterations


def of_family() -> float:
    """Processor seconds of this process and all below it, as Linux tells."""
    parent, ticks = {}, {}
    for path in Path("/proc").glob("[0-9]*/stat"):
        with suppress(OSError):  # it has ended
            words = path.read_text().rpartition(")")[2].split()
            pid = int(path.parent.name)
            parent[pid], ticks[pid] = int(words[1]), int(words[11]) + int(words[12])
    ours, before = {os.getpid()}, 0
    while len(ours) > before:
        before = len(ours)
        ours |= {pid for pid, above in parent.items() if above in ours}
    return sum(ticks[pid] for pid in ours) / os.sysconf("SC_CLK_TCK")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--dice", default="4,4")
    parser.add_argument("--wild", type=int)
    parser.add_argument("--holders", type=int, default=2)
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--rate", type=float, default=1 / BYTE, help="bytes in a second")
    parser.add_argument("--delay", type=float, default=MESSAGE / 2, help="seconds for a message")
    parser.add_argument("--iterations", type=int, default=200, help="of the whole solve")
    parser.add_argument("--measure", type=int, metavar="N")
    parser.add_argument("--ray", type=int, metavar="N")
    flags = parser.parse_args()
    rules = DiceRules(dice=tuple(map(int, flags.dice.split(","))), wild=flags.wild)
    plan = plan_solve(rules)
    trunk = plan.layout.trunk
    costs = time_trunk(plan), time_shares(plan)
    cut = shares(plan.layout, flags.holders)
    wire = flags.rate, flags.delay
    each = simulate(plan, flags.holders, flags.threads, costs, wire)
    rim = sum(RimBlocks(plan.tree, plan.layout, s.tasks, p).size for s in cut for p in (0, 1))
    found = {
        "entries": plan.layout.entries,
        "trunk_entries": trunk.entries,
        "tasks": len(plan.layout.tasks),
        "holder_bytes": max(plan.bytes_of(share.size) for share in cut),
        "driver_bytes": plan.bytes_of(trunk.entries) + 4 * int(trunk.vector_size.sum()) * 4,
        "bytes_of_iteration": 2 * rim * plan.dtype.itemsize,
        "ns_trunk": costs[0] * 1e9,
        "ns_below": costs[1] * 1e9,
        "seconds_of_iteration": each,
        "hours": each * flags.iterations / 3600,
    }
    work = trunk.entries * costs[0] + (plan.layout.entries - trunk.entries) * costs[1]
    found["processor_seconds"] = work
    if flags.measure:
        real = measured(rules, flags.measure)
        found |= {"one_process": real, "one_process_ratio": work / real}
    if flags.ray:
        work += 2 * len(cut) * MESSAGE + found["bytes_of_iteration"] * BYTE
        real = measured_by_ray(rules, flags.holders, flags.ray)
        found |= {"ray": real, "ray_ratio": work / real}
    print(json.dumps(found, indent=2))


if __name__ == "__main__":
    main()
