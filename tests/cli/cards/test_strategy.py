"""``mouche cards`` solve, advise, evaluate and tournament."""

import json
from pathlib import Path
from typing import Any

import pytest

from mouche_solver.cards import CardRules
from mouche_solver.cli import main
from mouche_solver.storage.cards.strategies import load_strategy

RULES = CardRules(players=3, ranks="K Q J A 10", suits="C D H", hand_size=3)


@pytest.fixture(scope="module")
def solved(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("cards")
    (folder / "rules.json").write_text(RULES.to_json())
    words = ["--rules", str(folder / "rules.json"), "--time-limit", "1", "--threads", "1"]
    assert main(["cards", "solve", *words, "--out", str(folder / "a.npz"), "--format", "json"]) == 0
    return folder


def answer(capsys: pytest.CaptureFixture[str], *words: str) -> Any:
    capsys.readouterr()
    assert main(["cards", *words, "--format", "json"]) == 0
    return json.loads(capsys.readouterr().out)


def test_solve_goes_on_from_its_checkpoint_and_says_what_it_found(
    solved: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = solved / "b.npz"
    found = answer(
        capsys,
        "solve",
        "--resume",
        str(solved / "a.npz.checkpoint"),
        "--time-limit",
        "0.5",
        "--threads",
        "1",
        "--out",
        str(file),
    )
    assert found["continuation"] == "fixed-point"
    assert sum(found["seat_shares"]) == pytest.approx(1, abs=1e-9)
    assert sum(found["in_distribution"]) == pytest.approx(1)
    assert len(found["in_distribution"]) == 3
    assert found["deals"] > 0 < found["deals_per_second"]
    assert found["information_sets"] > 0 < found["mouches_per_deal"]
    assert file.exists()


def test_advice_on_a_declaration(solved: Path, capsys: pytest.CaptureFixture[str]) -> None:
    found = answer(
        capsys,
        "advise",
        "KH,QD,10D",
        "--turned",
        "10H",
        "--seat",
        "1",
        "--declared",
        "exchange2",
        "--strategy",
        str(solved / "a.npz"),
    )
    actions = [row["action"] for row in found["actions"]]
    assert actions == ["pass", "stand", "exchange", "exchange", "exchange"]
    assert [len(row["cards"]) for row in found["actions"]] == [0, 0, 1, 2, 3]
    assert sum(row["probability"] for row in found["actions"]) == pytest.approx(1, abs=1e-6)
    assert not found["mouche"]
    assert "no bound" in found["quality"]


def test_advice_on_a_card(solved: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Seat 0 won the first trick and leads a diamond, which seat 1 has to beat."""
    position = [
        "advise",
        "KD,QD",
        "--turned",
        "10H",
        "--seat",
        "1",
        "--declared",
        "exchange1,exchange2,pass",
        "--laid",
        "JC,AC",
        "--strategy",
        str(solved / "a.npz"),
    ]
    found = answer(capsys, *position, "--played", "KC,10C; JD")
    assert {row["action"] for row in found["actions"]} <= {"KD", "QD"}
    assert sum(row["probability"] for row in found["actions"]) == pytest.approx(1, abs=1e-6)
    forced = answer(capsys, *position, "--played", "KC,10C; AH")
    assert sum(row["probability"] for row in forced["actions"]) == pytest.approx(1, abs=1e-6)
    assert main(["cards", *position, "--played", "KC,10C"]) == 2
    assert "turn of seat 0, not 1" in capsys.readouterr().err


def test_evaluate_and_tournament(solved: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = str(solved / "a.npz")
    sizes = ["--guesses", "2", "--deals", "4096", "--response-deals", "8192", "--play-deals", "256"]
    found = answer(capsys, "evaluate", file, file, *sizes, "--play-guesses", "32")
    rows = {row["challenger"]: row for row in found["rows"]}
    responses = {"response in the declarations", "local response in the play", "both"}
    assert set(rows) == {"guessing 2 hands", "thumb", "random", file, *responses}
    assert all(row["low"] <= row["gain"] <= row["high"] for row in rows.values())
    assert rows[file]["gain"] == pytest.approx(0, abs=1e-9)
    best = rows[found["best_known_challenger"]]
    assert best["low"] == max(row["low"] for row in rows.values()) == found["best_known_low"]
    assert best["gain"] == found["best_known_gain"] > 0
    assert "lower bound" in found["meaning"]
    few = ["--guesses", "0", "--response-deals", "0", "--play-deals", "0"]
    assert main(["cards", "evaluate", file, "--deals", "4096", *few]) == 0
    assert "lower bound" in capsys.readouterr().out
    pairs = answer(capsys, "tournament", file, "random", "--deals", "4096")
    assert pairs[0]["low"] > 0 > pairs[1]["high"]


def test_what_was_measured_can_be_kept_in_the_file(
    solved: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "kept.npz"
    file.write_bytes((solved / "a.npz").read_bytes())
    few = ["--guesses", "0", "--response-deals", "0", "--play-deals", "0", "--deals", "4096"]
    before = load_strategy(file)
    found = answer(capsys, "evaluate", str(file), *few, "--keep")
    after = load_strategy(file)
    assert "no bound" in before.quality_text
    assert f"{1000 * found['best_known_gain']:+.1f} +-" in after.quality_text
    assert found["best_known_challenger"] in after.quality_text
    assert (after.tables.probability == before.tables.probability).all()
    assert (after.tables.keys[after.tables.keys > 0].size) == (before.tables.keys > 0).sum()


def test_mushka_is_measured_in_points(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    rules = CardRules.mushka(3, ranks="A K Q J", suits="C D S", hand_size=2)
    (tmp_path / "rules.json").write_text(rules.to_json())
    file = str(tmp_path / "mushka.npz")
    words = ["cards", "solve", "--rules", str(tmp_path / "rules.json"), "--deals", "20000"]
    assert main([*words, "--threads", "1", "--out", file]) == 0
    few = ["--response-deals", "0", "--play-deals", "0", "--deals", "4096"]
    capsys.readouterr()
    assert main(["cards", "evaluate", file, *few, "--keep"]) == 0
    said = capsys.readouterr().out
    assert "points a deal by" in said
    assert "in points a deal" in said
    assert "points a deal" in load_strategy(file).quality_text


@pytest.mark.parametrize(
    "flag, message",
    [
        ("--time-limit=0", "above 0"),
        ("--play-deals=-1", "--play-deals: at least 0"),
        ("--deals=0", "--deals: at least 1"),
    ],
)
def test_no_work_is_no_evaluation(
    solved: Path, capsys: pytest.CaptureFixture[str], flag: str, message: str
) -> None:
    assert main(["cards", "evaluate", str(solved / "a.npz"), flag]) == 2
    error = capsys.readouterr().err.strip()
    assert message in error
    assert "\n" not in error


@pytest.mark.parametrize(
    "words, message",
    [
        (["advise", "KH,QD,10D", "--turned", "KH", "--seat", "0"], "in the hand"),
        (["advise", "KH,QD,10D", "--turned", "10H", "--seat", "0", "--declared", "call"], "call"),
        (["advise", "KH,QD", "--turned", "10H", "--seat", "0"], "2 cards, not 3"),
    ],
)
def test_bad_positions_end_in_one_line(
    solved: Path, capsys: pytest.CaptureFixture[str], words: list[str], message: str
) -> None:
    assert main(["cards", *words, "--strategy", str(solved / "a.npz")]) == 2
    error = capsys.readouterr().err.strip()
    assert message in error
    assert "\n" not in error


def test_without_a_strategy_the_command_to_make_one_is_named(
    solved: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    words = ["advise", "KH,QD,10D", "--turned", "10H", "--seat", "0"]
    assert main(["cards", *words, "--rules", str(solved / "rules.json")]) == 2
    assert "mouche cards solve --players 3" in capsys.readouterr().err
