"""Passes over one region in numpy do what the kernels do, and an answer needs no compiler."""

import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mouche_solver.dice.round.region_passes import RegionPasses
from mouche_solver.dice.rules.rules import DiceRules
from mouche_solver.dice.sweep.arrays import (
    BEST_RESPONSE,
    EVALUATE,
    UPDATE,
    Entries,
    Part,
    Step,
)
from mouche_solver.dice.sweep.kernels_pull import pull_region
from mouche_solver.dice.sweep.kernels_push import push_region
from mouche_solver.dice.sweep.layout import subgame_region
from mouche_solver.dice.sweep.passes import game_arrays, new_vectors, region_arrays
from mouche_solver.dice.sweep.tree import round_tree

RULES = [
    DiceRules(dice=(2, 1), faces=3),
    DiceRules(dice=(2, 2), faces=3, wild=1),
    DiceRules(dice=(1, 2), faces=3, raise_rule="quantity-first", truth="exactly"),
    DiceRules(dice=(2, 2), faces=2, raise_rule="face-first", wild=2),
]


@settings(max_examples=30, deadline=None)
@given(
    rules=st.sampled_from(RULES),
    mode=st.sampled_from([UPDATE, EVALUATE, BEST_RESPONSE]),
    tremble=st.sampled_from([0.0, 1e-3, 0.2]),
    seed=st.integers(0, 2**32 - 1),
    data=st.data(),
)
def test_a_pass_is_that_of_the_kernels(
    rules: DiceRules, mode: int, tremble: float, seed: int, data: st.DataObject
) -> None:
    tree = round_tree(rules)
    cell = data.draw(st.integers(0, 2 * len(tree.claims) - 1).filter(lambda each: each != 1))
    player = data.draw(st.sampled_from([0, 1]))
    region = subgame_region(tree, cell)
    random = np.random.default_rng(seed)
    source = random.normal(size=region.entries).astype(np.float32)
    source[random.random(region.entries) < 0.3] = 0.0
    average = np.abs(random.normal(size=region.entries)).astype(np.float32)
    level = tree.level[cell // 2]
    flow = random.random(int(tree.classes[1 - player].size[level])).astype(np.float32)
    weight = 3.0 if mode == UPDATE else 0.0
    number = np.float32
    step = Step(number(0.9), number(0.5), number(weight), False, tremble, tremble / 2)

    vectors = new_vectors(tree, [(region, 1)], np.float32)
    at = int(region.vector[1 - player, cell])
    vectors.flow[at : at + len(flow)] = flow
    game, part = game_arrays(tree), Part(region_arrays(region), 1)
    regret, total = source.copy(), average.copy()
    entries = Entries(regret, regret, regret, total)
    push_region(game, part, 1 - player, entries, step, vectors)
    pull_region(game, part, player, entries, step, mode, vectors)
    at = int(region.vector[player, cell])
    expected = vectors.value[at : at + int(tree.classes[player].size[level])]

    mine, learned, added = RegionPasses(tree, region), source.copy(), average.copy()
    found = mine.run(player, flow, (learned, learned), learned, added, step, mode)
    np.testing.assert_allclose(found, expected, atol=2e-5)
    np.testing.assert_allclose(learned, regret, atol=2e-5)
    np.testing.assert_allclose(added, total, atol=2e-5)
    assert (mode == UPDATE) or (learned == source).all()


FORBIDDEN = """
import sys
class Forbid:
    def find_spec(self, name, path=None, target=None):
        if name.split(".")[0] in ("numba", "llvmlite"):
            raise ImportError("an answer from a book must not load the compiler")
sys.meta_path.insert(0, Forbid())
from mouche_solver.cli import main
raise SystemExit(main(sys.argv[1:]))
"""


@pytest.mark.parametrize(
    ("rules", "history"),
    [
        ([], ""),
        ([], "2x5"),
        ([], "1x1"),
        ([], "3x5,4x5"),
        (["--wild", "1"], "3x6"),
    ],
)
@pytest.mark.parametrize("command", [["advise", "5,5,2,1,6"], ["table"]])
def test_advice_on_a_fresh_machine_loads_no_compiler(
    rules: list[str], history: str, command: list[str], tmp_path: Path
) -> None:
    done = subprocess.run(
        [sys.executable, "-c", FORBIDDEN, "dice", *command, "--history", history, *rules],
        env={**os.environ, "NUMBA_CACHE_DIR": str(tmp_path)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert "compiling" not in done.stderr
    assert not list(tmp_path.iterdir())
