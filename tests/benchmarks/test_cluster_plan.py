"""The script that plans a round on a cluster: what it counts, and the clock of its simulation."""

import importlib.util
import json
import sys
from pathlib import Path
from typing import Any

import pytest

from mouche_solver.dice import DiceRules
from mouche_solver.dice.round.solve import plan_solve
from mouche_solver.dice.sweep.estimate import estimate

SCRIPT = Path(__file__).parents[2] / "benchmarks" / "cluster_plan.py"
RULES = DiceRules(dice=(2, 2))


@pytest.fixture(scope="module")
def script() -> Any:
    spec = importlib.util.spec_from_file_location("cluster_plan", SCRIPT)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_a_small_round_is_counted_and_predicted(
    script: Any, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    argv = ["cluster_plan.py", "--dice", "2,2", "--holders", "3", "--measure", "1"]
    monkeypatch.setattr(sys, "argv", argv)
    script.main()
    found = json.loads(capsys.readouterr().out)
    need = estimate(RULES)
    assert found["entries"] == need.entries
    assert found["holder_bytes"] < need.memory_bytes
    assert found["seconds_of_iteration"] > 0
    assert found["one_process_ratio"] > 0


def test_an_iteration_is_the_trunk_the_longest_share_and_the_wire(script: Any) -> None:
    plan = plan_solve(RULES)
    trunk = plan.layout.trunk.entries
    below = plan.layout.entries - trunk
    alone = script.simulate(plan, 1, 1, (2.0, 3.0), (float("inf"), 0.0))
    assert alone == pytest.approx(2 * trunk + 3 * below)
    halved = script.simulate(plan, 1, 2, (2.0, 3.0), (float("inf"), 0.0))
    assert halved == pytest.approx(2 * trunk + 3 * below / 2)
    # Two passes, a delay down and one up in each.
    waits = script.simulate(plan, 1, 1, (0.0, 0.0), (float("inf"), 1.0))
    assert waits == pytest.approx(4)
    several = script.simulate(plan, 4, 1, (2.0, 3.0), (float("inf"), 0.0))
    longest = max(share.size for share in script.shares(plan.layout, 4))
    assert several == pytest.approx(2 * trunk + 3 * longest)
    # Every number on the rim goes over the wire once as flow and once as value.
    numbers = script.simulate(plan, 4, 1, (0.0, 0.0), (plan.dtype.itemsize, 0.0))
    everything = range(len(plan.layout.tasks))
    rim = sum(script.RimBlocks(plan.tree, plan.layout, everything, p).size for p in (0, 1))
    assert numbers == pytest.approx(2 * rim)
