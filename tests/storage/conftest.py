"""Small solves that take the paths of large ones: a trunk, many tasks, single precision."""

from functools import partial

import pytest

from mouche_solver.dice.layout import plan_layout


@pytest.fixture
def small_layout(monkeypatch: pytest.MonkeyPatch) -> None:
    """Plans that cut small rounds into a trunk and tasks, in single precision."""
    small = partial(plan_layout, rim=64, batch=512)
    for module in ("dice.solve", "dice.solution", "storage.dice_fields"):
        monkeypatch.setattr(f"mouche_solver.{module}.plan_layout", small)
    monkeypatch.setattr("mouche_solver.dice.solve.DOUBLE_BELOW", 0)
