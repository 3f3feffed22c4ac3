"""The commands for whole tables: match, solve, sample, advise, tournament."""

import json
from pathlib import Path

import pytest

from mouche_solver.cli.app import main
from mouche_solver.dice import DiceRules, match_values
from mouche_solver.storage.dice.sampled import load_sampled

SMALL = ["--dice", "1,1,1", "--faces", "3"]


def run(capsys: pytest.CaptureFixture[str], *words: str) -> tuple[int, str, str]:
    code = main(words)
    out, err = capsys.readouterr()
    return code, out, err


def answered(capsys: pytest.CaptureFixture[str], *words: str):
    code, out, _ = run(capsys, *words, "--format", "json")
    assert code == 0
    return json.loads(out)


def refused(capsys: pytest.CaptureFixture[str], *words: str) -> str:
    """The one line of a refusal: exit code 2, nothing on standard output."""
    code, out, err = run(capsys, *words)
    assert (code, out) == (2, "")
    assert err.startswith("mouche: ")
    assert err.count("\n") == 1
    return err


@pytest.fixture(scope="module")
def trained(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("sampled") / "small.npz"
    words = ["dice", "sample", *SMALL, "--visits", "20000", "--deals", "40", "--view", "2,1,0"]
    assert main([*words, "--response-view", "3,1,0", "--out", str(path)]) == 0
    return path


def test_a_match_of_two_from_the_value_of_its_round(capsys) -> None:
    words = ["dice", "match", "--dice", "1,1", "--faces", "2", "--points", "2,1"]
    records = answered(capsys, *words)
    assert set(records[0]) == {"points", "starter", "win_probability"}
    rules = DiceRules(dice=(1, 1), faces=2, points=(2, 1))
    expected = match_values(rules, 0.0).to_records()
    for found, wanted in zip(records, expected, strict=True):
        assert (found["points"], found["starter"]) == (wanted["points"], wanted["starter"])
        assert found["win_probability"] == pytest.approx(wanted["win_probability"], abs=1e-3)


def test_a_match_of_five_dice_each_needs_no_solve(capsys) -> None:
    """The value is in the header of the book that the package ships."""
    words = ["dice", "match", "--dice", "5,5", "--points", "3,3"]
    last = answered(capsys, *words)[-1]
    assert last["points"] == [3, 3]
    assert sum(last["win_probability"]) == pytest.approx(1)


def test_a_match_of_three_gives_every_seat_a_chance(capsys, tmp_path, monkeypatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    words = ["dice", "match", *SMALL, "--points", "1", "--format", "csv"]
    code, out, told = run(capsys, *words)
    assert "1 rounds of three and more players to solve" in told
    assert code == 0
    # Asked again, nothing is solved.
    assert run(capsys, *words) == (0, out, "")
    lines = out.splitlines()
    assert lines[0] == "points,starter,seat_0,seat_1,seat_2"
    assert len(lines) == 1 + 3 * 2 + 3  # pairs of live seats, and all three, for every starter


def test_solving_a_table_reports_everybodys_gain(capsys) -> None:
    answer = answered(capsys, "dice", "solve", *SMALL, "--target", "1e-3")
    assert len(answer["values"]) == len(answer["gains"]) == len(answer["brackets"]) == 3
    assert answer["nash_conv"] == pytest.approx(sum(answer["gains"]))
    assert answer["nash_conv"] <= 3e-3
    assert answer["target_reached"]
    assert "exploitability" not in answer


def test_a_table_that_stops_early_says_that_it_did_not_get_there(capsys) -> None:
    words = ["dice", "solve", *SMALL, "--iterations", "2"]
    assert not answered(capsys, *words)["target_reached"]
    assert "equilibrium" not in run(capsys, *words)[1]


@pytest.mark.parametrize("flag", ["--out", "--lock"])
def test_files_of_a_round_are_for_two(capsys, flag: str, tmp_path: Path) -> None:
    more = ["--locked-player", "0"] if flag == "--lock" else []
    assert flag in refused(capsys, "dice", "solve", *SMALL, flag, str(tmp_path / "a"), *more)


def test_advice_at_a_table_gives_odds_and_says_how_good_it_is_known_to_be(
    capsys, trained: Path
) -> None:
    words = ["dice", "advise", "3", "--solution", str(trained), "--history", "1x2"]
    words += ["--samples", "200", "--seed", "3"]
    answer = answered(capsys, *words, "--points", "2,1,3")
    assert answer == answered(capsys, *words, "--points", "2,1,3")
    assert sum(action["probability"] for action in answer["actions"]) == pytest.approx(1)
    by_action = {action["action"]: action for action in answer["actions"]}
    assert by_action["1x3"]["true_probability"] == 1
    assert by_action["2x2"]["true_probability"] == pytest.approx(1 / 9)
    assert by_action["doubt"]["true_probability"] is None
    assert (answer["player"], answer["points"]) == (1, [2, 1, 3])
    assert (answer["samples"], answer["seed"]) == (200, 3)
    assert 0 <= answer["value"] <= 1  # a chance to win the match
    assert all(0 <= each["value"] <= 1 and each["error"] >= 0 for each in answer["actions"])
    assert answered(capsys, *words)["value"] != answer["value"]  # that of the round
    code, out, _ = run(capsys, *words)
    assert code == 0
    for text in (out, json.dumps(answer)):
        assert "points a round" in text
        assert "no strategy is known to be safe" in text
        assert "equilibrium" not in text


@pytest.mark.parametrize(
    ("flags", "said"),
    [
        (["--think", "0"], "--think 0"),
        (["--think", "nan"], "--think nan"),
        (["--samples", "3"], "--samples 3"),
        (["--trust", "0.5"], "two players"),
        (["--against", "nobody"], "nobody"),
        (["--points", "1,2"], "points"),
    ],
)
def test_bad_thinking_is_refused(capsys, trained: Path, flags: list[str], said: str) -> None:
    words = ["dice", "advise", "3", "--solution", str(trained), "--history", "1x2"]
    assert said in refused(capsys, *words, *flags)


def test_thinking_is_for_three_and_more(capsys) -> None:
    assert "three players" in refused(capsys, "dice", "advise", "5,5,2,1,6", "--samples", "100")


def test_thinking_is_measured_at_tables_of_people(capsys, trained: Path) -> None:
    words = ["dice", "evaluate", str(trained), "--rounds", "3", "--against", "ladder"]
    (row,) = answered(capsys, *words)["people"]
    assert (row["opponent"], row["rounds"]) == ("ladder", 3)


def test_advice_without_a_strategy_says_how_to_make_one(capsys) -> None:
    assert "mouche dice sample --dice 2,1,1" in refused(
        capsys, "dice", "advise", "1,1", "--dice", "2,1,1"
    )


def test_a_strategy_for_other_rules_is_refused(capsys, trained: Path) -> None:
    words = ["dice", "advise", "3", "--solution", str(trained), "--dice", "1,1,1"]
    assert "faces=3" in refused(capsys, *words)


def test_a_tournament(capsys, trained: Path) -> None:
    words = ["dice", "tournament", *SMALL, "--players", f"{trained},odds:0.50,random"]
    answer = answered(capsys, *words, "--deals", "500")
    players = answer["players"]
    assert [row["player"] for row in players] == [str(trained), "odds:0.50", "random"]
    assert sum(row["points_lost"] for row in players) == pytest.approx(1)
    assert all(row["low"] < row["points_lost"] < row["high"] for row in players)
    assert answer["fair"] == pytest.approx(1 / 3)
    assert answered(capsys, *words, "--deals", "500", "--threads", "1") == answer


@pytest.mark.parametrize(
    ("players", "said"),
    [
        ("random", "3 seats need 3"),
        ("random,random,best", "allowed are sampled"),
        ("odds:x,random,random", "odds:0.5"),
        ("odds:2,random,random", "threshold"),
        ("sampled,random,random", "no strategy is shipped"),
        ("no.npz,random,random", "cannot read"),
    ],
)
def test_impossible_tournaments_are_refused(capsys, players: str, said: str) -> None:
    assert said in refused(capsys, "dice", "tournament", *SMALL, "--players", players)


@pytest.mark.parametrize("flag", ["--view", "--response-view"])
def test_an_impossible_view_is_refused(capsys, flag: str, tmp_path: Path) -> None:
    out = ["--out", str(tmp_path / "a.npz")]
    assert "three numbers" in refused(capsys, "dice", "sample", *SMALL, *out, flag, "2,1")
    assert "allowed are" in refused(capsys, "dice", "sample", *SMALL, *out, flag, "9,1,1")


def test_advice_for_three_with_five_dice_needs_no_file(capsys) -> None:
    answer = answered(capsys, "dice", "advise", "5,5,2,1,6", "--dice", "5,5,5")
    assert len(answer["actions"]) == 90
    assert answer["trained"]
    assert "local best response gains" in answer["quality"]


def test_the_table_of_three_players(capsys, trained: Path) -> None:
    """Every hand, as the strategy says; nothing that the own dice refute."""
    words = ["dice", "table", "--solution", str(trained)]
    for history in ("", "1x1", "3x2", "2x3 3x3"):
        rows = answered(capsys, *words, "--history", history)
        assert [row["hand"] for row in rows] == ["1", "2", "3"]
        assert all(sum(list(row.values())[1:]) == pytest.approx(1) for row in rows)
    first = answered(capsys, *words, "--history", "1x1")
    assert first[0]["doubt"] == 0
    told = load_sampled(trained).policy("2", "1x2")
    row = answered(capsys, *words, "--history", "1x2")[1]
    kept = 1 - told["doubt"]  # the own 2 makes 1x2 true
    for action in ("2x2", "3x3"):
        assert row[action] == pytest.approx(told[action] / kept)
    complaint = refused(capsys, *words, "--against", "honest")
    assert "--against and --trust are for two players" in complaint


def test_trust_is_refused_where_it_would_do_nothing(capsys, trained: Path) -> None:
    words = ["dice", "evaluate", str(trained), "--rounds", "3", "--against", "ladder"]
    assert "--trust is for two players" in refused(capsys, *words, "--trust", "0.5")
