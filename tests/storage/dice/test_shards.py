"""Checkpoints in shards: any cut reads what any other cut wrote, and nothing half-written."""

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from mouche_solver.dice import DiceRules
from mouche_solver.dice.round.solve import plan_solve
from mouche_solver.errors import StorageError
from mouche_solver.storage.dice.shards import (
    ShardHeader,
    drop_shards,
    latest_shards,
    load_shard,
    save_shard,
)

RULES = DiceRules(dice=(1, 1))
LAYOUT = plan_solve(RULES).layout
ENTRIES = LAYOUT.entries
HEADER = ShardHeader(RULES, "dcfr", 3, 1e-6)


def write(folder, cuts, header=HEADER, seed=1):
    """The shards of numbers that a seed gives, the trunk's last."""
    rng = np.random.default_rng(seed)
    whole = {name: rng.random(ENTRIES) for name in ("regret", "average")}
    ends = [*sorted({*cuts, ENTRIES})]
    for first, last in [*pairwise(ends), (0, ends[0])]:
        held = slice(first, last)
        save_shard(folder, header, LAYOUT, held, {n: a[held] for n, a in whole.items()})
    return whole


def read(folder, held, header=HEADER):
    arrays = {name: np.zeros(held.stop - held.start) for name in ("regret", "average")}
    load_shard(folder, header, held, arrays)
    return arrays


@given(
    cuts=st.sets(st.integers(1, ENTRIES - 1), min_size=1, max_size=5),
    held=st.tuples(st.integers(0, ENTRIES - 1), st.integers(1, ENTRIES)).filter(
        lambda pair: pair[0] < pair[1]
    ),
)
@settings(max_examples=25, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_any_cut_reads_any_other(tmp_path_factory, cuts, held):
    folder = tmp_path_factory.mktemp("shards")
    whole = write(folder, cuts)
    assert latest_shards(folder) == HEADER
    for name, numbers in read(folder, slice(*held)).items():
        np.testing.assert_array_equal(numbers, whole[name][slice(*held)])


def test_two_cuts_of_the_same_iteration(tmp_path):
    whole = write(tmp_path, [20, 60, 90])
    write(tmp_path, [20, 50])
    for name, numbers in read(tmp_path, slice(0, ENTRIES)).items():
        np.testing.assert_array_equal(numbers, whole[name])


def test_the_newest_complete_iteration_counts(tmp_path):
    folder = tmp_path / "state"
    write(folder, [10, 50])
    later = ShardHeader(RULES, "dcfr", 12, 1e-6)
    newest = write(folder, [10, 50], later, seed=2)
    assert latest_shards(folder) == later
    # A driver that was killed before it wrote the trunk.
    (folder / "iteration-12" / "trunk.safetensors").unlink()
    assert latest_shards(folder) == HEADER
    with pytest.raises(StorageError, match="shards of some holders are missing"):
        read(folder, slice(0, ENTRIES), later)
    np.testing.assert_array_equal(
        read(folder, slice(10, ENTRIES), later)["regret"], newest["regret"][10:]
    )
    (folder / "notes").write_text("mine")
    drop_shards(folder, but=3)
    assert sorted(path.name for path in folder.iterdir()) == ["iteration-3", "notes"]
    drop_shards(folder)
    assert [path.name for path in folder.iterdir()] == ["notes"]
    with pytest.raises(StorageError, match="holds no complete checkpoint of a cluster"):
        latest_shards(folder)
    with pytest.raises(StorageError, match="cannot read"):
        latest_shards(tmp_path / "nowhere")


def test_shards_of_another_solve_and_damaged_ones(tmp_path):
    write(tmp_path, [40])
    other = ShardHeader(RULES, "cfr+", 3, 1e-6)
    with pytest.raises(StorageError, match="belongs to another solve"):
        read(tmp_path, slice(0, ENTRIES), other)
    held = slice(0, ENTRIES)
    with pytest.raises(StorageError, match="do not fit its rules"):
        load_shard(tmp_path, HEADER, held, {"regret": np.zeros(ENTRIES)})
    shard = next(tmp_path.glob("iteration-3/entries-*"))
    content = bytearray(shard.read_bytes())
    content[-1] ^= 1
    shard.write_bytes(bytes(content))
    with pytest.raises(StorageError, match="damaged"):
        read(tmp_path, held)
