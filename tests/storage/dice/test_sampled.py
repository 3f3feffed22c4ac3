"""Files of sampled strategies: whole, checked, and never a pickle."""

import json
from importlib.resources import files
from pathlib import Path

import numpy as np
import pytest

from mouche_solver.dice import DiceRules
from mouche_solver.dice.sample.strategy import SampledStrategy
from mouche_solver.dice.sample.train import SampleLimits, train_sampled
from mouche_solver.dice.sample.view import View
from mouche_solver.errors import StorageError
from mouche_solver.storage.dice.sampled import embedded_table, load_sampled, save_sampled

RULES = DiceRules(dice=(1, 1, 1), faces=2)


@pytest.fixture(scope="module")
def strategy() -> SampledStrategy:
    return train_sampled(RULES, View(2, 1, 0), limits=SampleLimits(3000), threads=1)


def test_a_strategy_comes_back_as_it_was(strategy: SampledStrategy, tmp_path: Path) -> None:
    path = tmp_path / "a.npz"
    save_sampled(strategy, path)
    found = load_sampled(path)
    assert (found.rules, found.view, found.training) == (RULES, View(2, 1, 0), strategy.training)
    assert np.array_equal(found.levels, strategy.levels)
    assert found.policy("2", "1x1") == strategy.policy("2", "1x1")


def rewritten(path: Path, **changes: object) -> None:
    """The same file with some fields of its header, or its numbers, replaced."""
    with np.load(path) as file:
        about, levels = json.loads(str(file["header"])), file["levels"]
    levels = changes.pop("levels", levels)
    np.savez_compressed(path, header=np.array(json.dumps(about | changes)), levels=levels)


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"format": "else"}, "not a sampled strategy"),
        ({"version": 99}, "version 99"),
        ({"view": {"claims": 0}}, "damaged header"),
        ({"view": {"claims": 1, "gap": 0, "faces": 0}}, "another version"),
        ({"rules": 5}, "damaged header"),
        ({"levels": np.zeros(3, np.uint8)}, "checksum"),
        ({"levels": np.array(["a"])}, "checksum"),
    ],
)
def test_what_does_not_fit_is_refused(
    strategy: SampledStrategy, tmp_path: Path, changes: dict[str, object], said: str
) -> None:
    path = tmp_path / "a.npz"
    save_sampled(strategy, path)
    rewritten(path, **changes)
    with pytest.raises(StorageError, match=said):
        load_sampled(path)


@pytest.mark.parametrize("size", [0, 10, -20])
def test_a_truncated_file_is_refused(strategy: SampledStrategy, tmp_path: Path, size: int) -> None:
    path = tmp_path / "a.npz"
    save_sampled(strategy, path)
    path.write_bytes(path.read_bytes()[:size])
    with pytest.raises(StorageError, match=str(path)):
        load_sampled(path)


def test_a_missing_file_is_refused(tmp_path: Path) -> None:
    with pytest.raises(StorageError, match="cannot read"):
        load_sampled(tmp_path / "no.npz")


def test_no_strategy_is_shipped_for_odd_rules() -> None:
    assert embedded_table(RULES) is None


@pytest.mark.parametrize("players", [3, 4, 5, 6])
def test_shipped_strategies_are_whole_small_and_measured(players: int) -> None:
    found = embedded_table(DiceRules(dice=(5,) * players))
    assert found is not None
    advice = found.policy("1,2,5,5,6", "3x5")
    assert sum(action.probability for action in advice.actions) == pytest.approx(1)
    assert advice.trained
    assert set(found.measured) == {"odds", "local_response", "learned_response"}
    assert found.measured["local_response"]["interval"][1] < 0.03


def test_what_is_shipped_takes_little_room() -> None:
    data = files("mouche_solver").joinpath("data")
    tables = [file for file in data.iterdir() if file.name.startswith("dice-table-")]
    assert len(tables) == 4
    assert sum(len(file.read_bytes()) for file in tables) < 2_000_000


def test_shipped_strategies_hold_the_odds_where_training_never_was() -> None:
    """After a claim that nobody makes, a hand without a match doubts."""
    found = embedded_table(DiceRules(dice=(5, 5, 5)))
    assert found is not None
    actions = found.policy("1,1,2,2,3", "14x4").actions
    assert actions[0].action == "doubt"
    assert actions[0].probability > 0.9
