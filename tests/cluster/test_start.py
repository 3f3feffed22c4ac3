"""Where holders go, and what is refused before anything is allocated; needs no Ray."""

import os
import sys

import numpy as np
import pytest

from mouche_solver.cli.app import main
from mouche_solver.cluster.place import read_place
from mouche_solver.cluster.start import (
    OVERHEAD,
    Room,
    driver_bytes,
    holders_needed,
    refuse_if_too_small,
)
from mouche_solver.dice import DiceRules
from mouche_solver.dice.round.solve import plan_solve
from mouche_solver.dice.sweep.holders import shares
from mouche_solver.errors import TooLargeError, UsageError


@pytest.fixture
def no_ray(monkeypatch):
    monkeypatch.setitem(sys.modules, "ray", None)
    monkeypatch.setitem(os.environ, "RAY_AUTH_MODE", "token")
    monkeypatch.setitem(os.environ, "RAY_USAGE_STATS_ENABLED", "0")


@pytest.mark.usefixtures("no_ray")
def test_without_ray_one_line_names_the_extra(capsys):
    assert main(["dice", "solve", "--dice", "2,2", "--cluster", "local:2"]) == 2
    error = capsys.readouterr().err
    assert error.strip() == "mouche: --cluster needs ray: pip install 'mouche-solver[cluster]'"


@pytest.mark.parametrize(
    "place", ["", "local", "local:", "local:0", "local:1025", "local:-1", "local:x", "ray://", "x"]
)
def test_places_that_are_none(place, capsys):
    with pytest.raises(UsageError, match=r"allowed are local:N .* auto .* ray://host:port"):
        read_place(place)
    assert main(["dice", "solve", "--dice", "2,2", "--cluster", place]) == 2
    assert "Traceback" not in capsys.readouterr().err


def test_flags_that_do_not_go_together(capsys, tmp_path):
    for flags, words in [
        (["--dice", "1,1,1"], "--cluster is for two players"),
        (["--dice", "1,1", "--method", "lp"], "--cluster does not go with --method lp"),
        (["--lock", str(tmp_path), "--locked-player", "0"], "--cluster goes without --lock"),
    ]:
        assert main(["dice", "solve", "--cluster", "local:2", *flags]) == 2
        assert words in capsys.readouterr().err


def test_too_little_memory_names_the_holders_needed():
    """Seven dice against seven: counted, refused, and nothing of it allocated."""
    plan = plan_solve(DiceRules(dice=(7, 7)))
    assert plan.dtype == np.float32
    room = Room(8, 64_000_000_000)
    many = holders_needed(plan, room.memory)
    assert many is not None
    below = [share.size for share in shares(plan.layout, many)]
    assert plan.bytes_of(max(below)) + OVERHEAD <= room.memory
    assert sum(below) + plan.layout.trunk.entries == plan.layout.entries
    too_few = shares(plan.layout, many - 1)
    assert plan.bytes_of(max(share.size for share in too_few)) + OVERHEAD > room.memory
    plenty = pytest.MonkeyPatch()
    with plenty.context() as patch:
        patch.setattr("mouche_solver.cluster.start.available_memory", lambda: 10**12)
        refuse_if_too_small(plan, shares(plan.layout, many), [room] * many)
        with pytest.raises(TooLargeError, match=f"{many} holders with as much would do"):
            refuse_if_too_small(plan, shares(plan.layout, 2), [room] * 2)
        tiny = [Room(1, OVERHEAD)] * 2
        with pytest.raises(TooLargeError, match="no number of holders with as much"):
            refuse_if_too_small(plan, shares(plan.layout, 2), tiny)
        patch.setattr("mouche_solver.cluster.start.available_memory", lambda: 10**9)
        with pytest.raises(TooLargeError, match=r"the driver needs .* for the trunk"):
            refuse_if_too_small(plan, shares(plan.layout, many), [room] * many)
    assert driver_bytes(plan) > plan.bytes_of(plan.layout.trunk.entries)
