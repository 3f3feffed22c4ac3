"""Small solves that take the paths of large ones: a trunk, many tasks, single precision."""

import pytest

from mouche_solver.dice.sweep.layout import Layout, plan_layout
from mouche_solver.dice.sweep.tree import RoundTree


@pytest.fixture
def small_layout(monkeypatch: pytest.MonkeyPatch) -> None:
    """Plans that cut small rounds into a trunk and tasks, in single precision."""

    def small(tree: RoundTree, rim: int = 64, batch: int = 512) -> Layout:
        return plan_layout(tree, rim, batch)

    for module in ("dice.round.solve", "dice.round.solution", "storage.dice.fields"):
        monkeypatch.setattr(f"mouche_solver.{module}.plan_layout", small)
    monkeypatch.setattr("mouche_solver.dice.round.solution.VALUE_RIM", 256)
    monkeypatch.setattr("mouche_solver.dice.round.solve.DOUBLE_BELOW", 0)
