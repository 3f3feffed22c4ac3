"""Holders in Ray actors: any number of them, and whatever dies, gives the same bits."""

import os
import signal
from pathlib import Path

import numpy as np
import pytest

from mouche_solver.cluster.holder import HolderLost, RayHolder
from mouche_solver.cluster.solver import ClusterSolver
from mouche_solver.cluster.start import Cluster
from mouche_solver.core.run import Limits, run
from mouche_solver.dice import DiceRules
from mouche_solver.dice.round.solve import pack
from mouche_solver.errors import ClusterError
from mouche_solver.storage.dice.shards import latest_shards, load_shard

RULES = DiceRules(dice=(2, 2))
ITERATIONS = 8
ALGORITHM = "sapcfr+"  # three arrays, the most that there are

pytestmark = pytest.mark.usefixtures("ray")


def pid_of(ray, holder: RayHolder) -> int:
    return ray.get(holder._actor.__ray_call__.remote(lambda self: os.getpid()))


def gathered(solver: ClusterSolver, folder: Path) -> dict[str, np.ndarray]:
    """All entries of a solve, by way of a checkpoint."""
    solver.save(folder)
    entries = solver.entries
    arrays = {name: np.zeros(entries, array.dtype) for name, array in solver.state().items()}
    load_shard(folder, latest_shards(folder), slice(0, entries), arrays)
    return arrays


def finished(solver: ClusterSolver, folder: Path):
    outcome = run(solver, Limits(1e-9, iterations=ITERATIONS))
    solution = solver.surely(lambda: pack(solver, outcome))
    return gathered(solver, folder), outcome.quality, solution.header, solution.probabilities[:]


def assert_same(one, other) -> None:
    assert one[1:3] == other[1:3]
    np.testing.assert_array_equal(one[3], other[3])
    assert one[0].keys() == other[0].keys()
    for name, array in one[0].items():
        np.testing.assert_array_equal(array, other[0][name])


@pytest.fixture(scope="module")
def one_holder(ray, tmp_path_factory):
    with Cluster("local:1") as cluster:
        solver = ClusterSolver(RULES, cluster.hold, ALGORITHM)
        return finished(solver, tmp_path_factory.mktemp("one"))


@pytest.mark.parametrize("many", [2, 4])
def test_the_number_of_holders_changes_no_bit(one_holder, many, tmp_path):
    with Cluster(f"local:{many}") as cluster:
        solver = ClusterSolver(RULES, cluster.hold, ALGORITHM)
        assert len(cluster.holders) == many
        assert_same(finished(solver, tmp_path / "state"), one_holder)


@pytest.mark.parametrize("kept", [False, True], ids=["no checkpoint", "checkpoint"])
def test_a_holder_is_killed_in_the_middle_of_a_pass(one_holder, kept, ray, tmp_path, monkeypatch):
    told: list[str] = []
    with Cluster("local:3") as cluster:
        solver = ClusterSolver(RULES, cluster.hold, ALGORITHM, say=told.append)
        for _ in range(3):
            solver.iterate()
        if kept:
            solver.save(tmp_path / "state")
        solver.iterate()
        victim, down = cluster.holders[1], RayHolder.down
        doomed = [pid_of(ray, victim)]

        def kill_then_down(self, order, flow):
            down(self, order, flow)
            if self is victim and doomed:
                os.kill(doomed.pop(), signal.SIGKILL)

        monkeypatch.setattr(RayHolder, "down", kill_then_down)
        result = finished(solver, tmp_path / "state")
    assert doomed == []
    assert len(told) == 1
    back = 3 if kept else 0
    assert f"all go on from iteration {back}" in told[0]
    assert_same(result, one_holder)


def test_a_holder_dies_while_the_solution_is_read(one_holder, ray, tmp_path):
    with Cluster("local:2") as cluster:
        solver = ClusterSolver(RULES, cluster.hold, ALGORITHM)
        outcome = run(solver, Limits(1e-9, iterations=ITERATIONS))
        doomed = [pid_of(ray, cluster.holders[0])]

        def read():
            solution = pack(solver, outcome)
            if doomed:
                os.kill(doomed.pop(), signal.SIGKILL)
            return solution.header, solution.probabilities[:]

        header, probabilities = solver.surely(read)
        assert header == one_holder[2]
        np.testing.assert_array_equal(probabilities, one_holder[3])


def test_a_checkpoint_goes_on_with_other_holders(one_holder, tmp_path):
    with Cluster("local:2") as cluster:
        first = ClusterSolver(RULES, cluster.hold, ALGORITHM)
        for _ in range(2):
            first.iterate()
            first.save(tmp_path / "state")
    assert [path.name for path in (tmp_path / "state").iterdir()] == ["iteration-2"]
    with Cluster("local:3") as cluster:
        again = ClusterSolver(RULES, cluster.hold, ALGORITHM)
        again.resume(tmp_path / "state")
        assert again.iteration == 2
        assert_same(finished(again, tmp_path / "state"), one_holder)


def test_a_holder_that_always_dies_ends_the_run(ray, monkeypatch):
    with Cluster("local:2") as cluster:
        solver = ClusterSolver(RULES, cluster.hold)
        solver.iterate()

        def dying(self, order, flow):
            raise HolderLost(self, "gone")

        monkeypatch.setattr(RayHolder, "down", dying)
        with pytest.raises(ClusterError, match="died 6 times without one more iteration"):
            solver.iterate()
