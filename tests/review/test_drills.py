"""Drills: near-best answers count, what was missed comes again, nothing is lost."""

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from mouche_solver.cards.rules.rules import CardRules
from mouche_solver.dice.rules.rules import DiceRules
from mouche_solver.errors import IllegalMoveError, StorageError
from mouche_solver.review.box import SPANS, Box
from mouche_solver.review.dice import review_dice
from mouche_solver.review.drills import card_drill, dice_drill, grade, mistakes
from mouche_solver.review.record import NEAR_BEST

SMALL = DiceRules(dice=(2, 2), faces=4)


def test_a_drill_is_a_position_with_values_and_its_seed_finds_it_again() -> None:
    found = dice_drill(SMALL, seed=1)
    assert found == dice_drill(SMALL, seed=1)
    values = [o["value"] for o in found["options"]]
    assert len(values) > 1
    assert max(values) - min(values) > NEAR_BEST


def test_every_near_best_answer_counts() -> None:
    found = dice_drill(SMALL, seed=1)
    best = max(o["value"] for o in found["options"])
    for option in found["options"]:
        assert grade(found, option["action"])["good"] == (best - option["value"] <= NEAR_BEST)
    with pytest.raises(IllegalMoveError, match="allowed are"):
        grade(found, "9x9")


def test_a_table_of_three_is_drilled_and_what_its_error_cannot_tell_counts() -> None:
    found = dice_drill(DiceRules(dice=(5, 5, 5)), seed=3)
    assert found == dice_drill(DiceRules(dice=(5, 5, 5)), seed=3)
    options = found["options"]
    main = max(options, key=lambda o: (o["probability"], o["value"]))
    for option in options:
        graded = grade(found, option["action"])
        assert graded["best"] == main["action"]
        assert graded["loss"] == max(0.0, main["value"] - option["value"])
        assert graded["good"] == (graded["loss"] <= max(NEAR_BEST, option["gap"]))
    assert not all(grade(found, o["action"])["good"] for o in options)


def test_card_positions_have_values_for_every_option() -> None:
    found = card_drill(CardRules(players=3), seed=2)
    assert all(o["value"] is not None for o in found["options"])


def test_what_was_missed_comes_again_and_what_is_known_later(tmp_path: Path) -> None:
    now = [1000.0]
    box = Box(tmp_path / "a" / "drills.sqlite", clock=lambda: now[0])
    box.add("one", "dice", {"key": "one"})
    assert box.due("dice") == {"key": "one"}
    assert box.due("cards") is None
    box.answer("one", "doubt", 0.2, False)
    assert box.due("dice") is None
    now[0] += SPANS[0]
    assert box.due("dice") is not None
    box.answer("one", "2x2", 0.0, True)
    now[0] += SPANS[1] - 1
    assert box.due("dice") is None
    now[0] += 1
    again = Box(tmp_path / "a" / "drills.sqlite", clock=lambda: now[0])
    assert again.due("dice") == {"key": "one"}
    assert again.score() == {"answered": 2, "good": 1, "streak": 1}


def test_ones_own_mistakes_become_drills() -> None:
    rules = DiceRules(dice=(1, 1), points=1)
    found = review_dice("5 / 3 : 2x6 doubt", rules)
    (drill,) = mistakes(found)
    assert drill["hand"] == "5"
    assert not grade(drill, "2x6")["good"]
    assert mistakes(found, "seat 1") == []


def test_a_folder_that_cannot_be_made_is_one_line(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("x")
    with pytest.raises(StorageError, match="cannot keep drills"):
        Box(tmp_path / "file" / "drills.sqlite")


@pytest.mark.parametrize("fault", ["read-only", "other", "text", "drill", "noise"])
def test_a_file_of_drills_that_fails_later_is_one_line(tmp_path: Path, fault: str) -> None:
    path = tmp_path / "drills.sqlite"
    box = Box(path)
    box.add("one", "dice", {"key": "one"})
    with closing(sqlite3.connect(path)) as base, base:
        if fault == "other":
            base.execute("drop table positions")
            base.execute("create table positions(x)")
        elif fault in ("text", "drill"):
            base.execute("update positions set drill = ?", ("{" if fault == "text" else "[1]",))
        elif fault == "read-only":
            refuse = "select raise(abort, 'attempt to write a readonly database')"
            base.execute(f"create trigger no before insert on positions begin {refuse}; end")
    if fault == "noise":
        path.write_bytes(path.read_bytes()[:100] + b"\x55" * 5000)

    def use() -> None:
        box.due("dice")
        box.add("two", "dice", {"key": "two"})

    with pytest.raises(StorageError, match=r"drills\.sqlite") as told:
        use()
    assert "\n" not in str(told.value)


def test_somebody_without_a_home_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    def lost() -> Path:
        raise RuntimeError("Could not determine home directory.")

    monkeypatch.delenv("XDG_DATA_HOME", raising=False)
    monkeypatch.setattr(Path, "home", lost)
    with pytest.raises(StorageError, match="name a folder in XDG_DATA_HOME"):
        Box()
