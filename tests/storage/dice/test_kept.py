"""Rounds solved on the spot are solved once, and a bad cache costs time, never an answer."""

import os
import shutil
from contextlib import nullcontext
from pathlib import Path

import numpy as np
import pytest

from mouche_solver.core.run import Limits
from mouche_solver.core.trees.best_response import NashGap
from mouche_solver.dice import DiceRules
from mouche_solver.dice.round.solve import RoundSolver, solve_round
from mouche_solver.dice.sweep.payoffs import loser_pays
from mouche_solver.errors import MoucheError
from mouche_solver.solutions import spot
from mouche_solver.solutions.spot import solved_on_the_spot, table_on_the_spot
from mouche_solver.storage import save_solution
from mouche_solver.storage.dice import kept
from mouche_solver.storage.dice.kept import Kept

RULES = DiceRules(dice=(1, 1), faces=3)
TABLE = DiceRules(dice=(1, 1, 1), faces=2)


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty cache."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    return tmp_path / "mouche-solver"


@pytest.fixture
def solves(monkeypatch: pytest.MonkeyPatch) -> list[DiceRules]:
    """The rules of every round of two that is solved."""
    found: list[DiceRules] = []
    usual = RoundSolver.__init__

    def told(self: RoundSolver, rules: DiceRules, *more) -> None:
        found.append(rules)
        usual(self, rules, *more)

    monkeypatch.setattr(RoundSolver, "__init__", told)
    return found


def same(first, second) -> bool:
    lines = ("", "1x2", "1x2,2x2")
    pairs = [(first.table(line), second.table(line)) for line in lines]
    return first.quality == second.quality and all(
        np.array_equal(getattr(a, name), getattr(b, name))
        for a, b in pairs
        for name in ("probabilities", "values")
    )


def test_a_round_is_solved_once(folder: Path, solves: list[DiceRules]) -> None:
    first = solved_on_the_spot(RULES)
    second = solved_on_the_spot(RULES.replace(points=5))
    assert same(first, second)
    assert len(solves) == len(list(folder.iterdir())) == 1
    assert second.rules.points == 5
    solved_on_the_spot(RULES.replace(wild=1))
    assert len(solves) == 2


def test_a_round_solved_otherwise_is_another(folder: Path, monkeypatch) -> None:
    solved_on_the_spot(RULES)
    monkeypatch.setattr(spot, "TARGET", 1e-5)
    assert solved_on_the_spot(RULES).exploitability <= 2e-5
    assert len(list(folder.iterdir())) == 2


def cut(path: Path) -> None:
    path.write_bytes(path.read_bytes()[:-7])


def flip(path: Path) -> None:
    raw = bytearray(path.read_bytes())
    raw[-40] ^= 4
    path.write_bytes(raw)


def of_other_rules(path: Path) -> None:
    save_solution(solve_round(RULES.replace(wild=1), limits=Limits(1e-2)), path)


def a_folder(path: Path) -> None:
    path.unlink()
    path.mkdir()


DAMAGES = [cut, flip, of_other_rules, a_folder, lambda path: path.write_bytes(b"")]


@pytest.mark.parametrize("damage", DAMAGES)
def test_a_damaged_or_foreign_file_is_solved_anew(damage, folder: Path, solves, capsys) -> None:
    first = solved_on_the_spot(RULES)
    (path,) = folder.iterdir()
    damage(path)
    solves.clear()
    assert same(first, solved_on_the_spot(RULES))
    assert solves == [RULES]
    assert capsys.readouterr() == ("", "")
    if path.is_file():  # it was written anew
        assert same(first, solved_on_the_spot(RULES))
        assert solves == [RULES]


@pytest.mark.parametrize("where", ["a file", "/dev/null/nowhere", "no home"])
def test_where_nothing_can_be_written_nothing_is_kept(where: str, tmp_path, monkeypatch) -> None:
    if where == "no home":
        monkeypatch.delenv("XDG_CACHE_HOME")

        def homeless() -> Path:
            raise RuntimeError("could not determine home directory")

        monkeypatch.setattr(Path, "home", homeless)
    else:
        (tmp_path / "a file").write_text("")
        monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / where))
    assert same(solved_on_the_spot(RULES), solved_on_the_spot(RULES))


@pytest.mark.parametrize("error", [OSError(28, "No space left on device"), MoucheError("full")])
def test_a_full_disk_costs_nothing(error, folder: Path, monkeypatch) -> None:
    def full(*words) -> None:
        raise error

    monkeypatch.setattr(kept, "save_solution", full)
    assert solved_on_the_spot(RULES).exploitability < 1e-3


def test_an_interrupted_solve_is_not_kept(folder: Path) -> None:
    def interrupt(event) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        solved_on_the_spot(RULES, lambda: nullcontext(interrupt))
    assert not folder.exists()


def test_what_was_asked_for_longest_ago_goes_first(folder: Path, monkeypatch) -> None:
    rounds = [RULES.replace(wild=wild) for wild in (None, 1, 2)]
    places = [Kept("round", rules, b"x") for rules in rounds]
    for age, (place, rules) in enumerate(zip(places[:2], rounds[:2], strict=True)):
        place.keep_solution(solve_round(rules, limits=Limits(1e-2)))
        os.utime(place.path, (1000 + age, 1000 + age))
    assert places[0].solution() is not None  # asked for now
    size = places[0].path.stat().st_size
    monkeypatch.setattr(kept, "MOST_BYTES", 2 * size + 100)
    stranger = folder / "notes.txt"
    stranger.write_text("not ours")
    places[2].keep_solution(solve_round(rounds[2], limits=Limits(1e-2)))
    assert [each.path.exists() for each in places] == [True, False, True]
    assert stranger.exists()


def test_other_sources_find_nothing(folder: Path, monkeypatch) -> None:
    place = Kept("round", RULES, b"x")
    place.keep_solution(solve_round(RULES, limits=Limits(1e-2)))
    assert place.solution() is not None
    monkeypatch.setattr(kept, "source_stamp", lambda path: b"another version")
    assert Kept("round", RULES, b"x").solution() is None


def test_a_table_is_solved_once_for_the_same_payoffs(folder: Path) -> None:
    solved: list[None] = []
    payoff = np.broadcast_to(loser_pays(3), (2, 3, 3))
    first = table_on_the_spot(TABLE, payoff, lambda: solved.append(None))
    second = table_on_the_spot(TABLE, payoff, lambda: solved.append(None))
    np.testing.assert_array_equal(first.gap.values, second.gap.values)
    np.testing.assert_array_equal(first.gap.gains, second.gap.gains)
    assert len(solved) == 1
    table_on_the_spot(TABLE, payoff * 0.5, lambda: solved.append(None))
    assert len(solved) == 2
    path = next(folder.iterdir())
    shutil.copy(path, Kept("round", RULES, b"x")._place())
    assert Kept("round", RULES, b"x").solution() is None


def test_a_table_of_other_sizes_or_of_nonsense_is_none(folder: Path) -> None:
    place = Kept("table", TABLE, b"x")
    for numbers in (np.zeros(2), np.full(3, np.nan), np.zeros(3, dtype=np.float32)):
        place.keep_gap(NashGap(numbers, numbers))
        assert place.gap() is None
    place.keep_gap(NashGap(np.zeros(3), np.ones(3)))
    found = place.gap()
    assert found is not None
    assert found.nash_conv == 3
