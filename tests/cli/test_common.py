"""Numbers, seeds, files of another kind, names of players, and types of columns."""

import io
import json
import os
import re
import shlex
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import is_dataclass
from importlib import import_module
from importlib.resources import files
from pathlib import Path
from typing import get_type_hints

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import mouche_solver as ms
from mouche_solver.cli import main
from mouche_solver.cli.cards import group as card_commands
from mouche_solver.cli.dice import group as dice_commands

RUN = [sys.executable, "-c", "import sys; from mouche_solver.cli import main; sys.exit(main())"]
SMALL = ["--dice", "1,1", "--faces", "3"]
DATA = Path(str(files("mouche_solver").joinpath("data")))
CARDS = str(min(DATA.glob("cards-*.npz")))
BOOK = str(min(DATA.glob("dice-book-*.npz")))
TABLE = str(min(DATA.glob("dice-table-*.npz")))
GAMES = (dice_commands, card_commands)
HUGE = "9" * 5000


def refused(capsys: pytest.CaptureFixture[str], *words: str) -> str:
    assert main(words) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert err.startswith("mouche: ")
    assert err.count("\n") == 1
    assert len(err) < 1100
    return err


SEEDED = [
    ["cards", "deal"],
    ["cards", "play"],
    ["cards", "solve", "--players", "3", "--deals", "1000"],
    ["cards", "tournament", "random", "thumb"],
    ["cards", "evaluate", CARDS],
    ["dice", "play", *SMALL],
    ["dice", "sample", "--dice", "1,1,1", "--out", "none"],
    ["dice", "tournament", "--players", "random,random"],
]


@pytest.mark.parametrize("words", SEEDED, ids=lambda words: " ".join(words[:2]))
@pytest.mark.parametrize("seed", ["-1", HUGE, str(2**128)])
def test_seeds(capsys: pytest.CaptureFixture[str], words: list[str], seed: str) -> None:
    shown = refused(capsys, *words, f"--seed={seed}")
    assert "a whole number from 0 on is needed, up to 2**128 - 1" in shown


@pytest.mark.parametrize(
    "words",
    [
        ["dice", "solve", *SMALL, "--iterations"],
        ["dice", "odds", "--faces"],
        ["dice", "odds", "--minimum-opening"],
        ["dice", "odds", "--wild"],
        ["cards", "deal", "--players"],
        ["cards", "chart", "--seat"],
        ["cards", "solve", "--deals"],
    ],
    ids=" ".join,
)
def test_five_thousand_digits(capsys: pytest.CaptureFixture[str], words: list[str]) -> None:
    assert "a number of 5,000 digits is too long" in refused(capsys, *words, HUGE)


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["dice", "solve", *SMALL, "--target", "\uff10.5"], "is not a number"),
        (["dice", "solve", *SMALL, "--target", "1_0"], "is not a number"),
        (["cards", "solve", "--time-limit", "\uff11"], "is not a number"),
        (["cards", "evaluate", CARDS, "--time-limit", "\uff11"], "is not a number"),
        (["cards", "solve", "--pot", "\uff11\uff10"], "give chips by commas"),
        (["cards", "advise", "KH", "--turned", "7S", "--seat", "0", "--declared", "exchange\uff12"],
         "allowed are pass, stand, exchange1"),
        (["dice", "tournament", "--players", "odds:\uff10.5,random"], "write odds:0.5"),
        (["dice", "odds", "\uff13x5"], "is not a claim"),
    ],
    ids=lambda each: " ".join(each[:2]) if isinstance(each, list) else None,
)  # fmt: skip
def test_full_width_digits(
    capsys: pytest.CaptureFixture[str], words: list[str], message: str
) -> None:
    assert message in refused(capsys, *words)


def _numbers(command: object) -> Iterator[tuple[str, object]]:
    """Every parameter of a command that holds numbers, with its annotation."""
    hints = get_type_hints(command, include_extras=True)
    for name, hint in hints.items():
        if is_dataclass(hint):
            yield from _numbers(hint)
        elif re.search(r"\b(int|float)\b", str(hint)):
            yield name, hint


@pytest.mark.parametrize(
    "word", [f"{game.__name__.split('.')[-2]} {name}" for game in GAMES for name in game.COMMANDS]
)
def test_every_flag_reads_numbers_alike(word: str) -> None:
    """Cyclopts' own way takes digits of other scripts, underscores, and 1.5 for a whole number."""
    game, name = word.split()
    stem = name.replace("-", "_")
    module = import_module(f"mouche_solver.cli.{game}.{stem}")
    for flag, hint in _numbers(getattr(module, stem)):
        if flag != "return":
            assert "converter=<function" in str(hint), flag
            assert ("_seed at" in str(hint)) == (flag == "seed"), flag
            assert ("_threads at" in str(hint)) == (flag == "threads"), flag


def test_a_tournament_of_one(capsys: pytest.CaptureFixture[str]) -> None:
    shown = refused(capsys, "cards", "tournament", "random", "random")
    assert "at least two different players" in shown


@pytest.mark.parametrize(
    ("words", "file", "what"),
    [
        (["dice", "advise", "5,5,2,1,1", "--solution"], CARDS, "a strategy of mouche cards solve"),
        (["dice", "table", "--solution"], CARDS, "a strategy of mouche cards solve"),
        (["dice", "evaluate"], TABLE, "a strategy of mouche dice sample"),
        (["dice", "book", "--out", "none"], BOOK, "an opening book of mouche dice book"),
        (["cards", "chart", "--strategy"], TABLE, "a strategy of mouche dice sample"),
        (["report", "--out", "none"], TABLE, "a strategy of mouche dice sample"),
    ],
    ids=lambda each: " ".join(each[:2]) if isinstance(each, list) else None,
)
def test_a_file_of_another_kind(
    capsys: pytest.CaptureFixture[str], words: list[str], file: str, what: str
) -> None:
    shown = refused(capsys, *words, file)
    assert f"{file} is {what}; needed is " in shown
    assert "damaged" not in shown


def test_a_solution_with_any_ending(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    path = tmp_path / "round.npz"
    ms.solve_dice(ms.DiceRules(dice=(1, 1), faces=3), target=1e-3, threads=1).save(path)
    assert main(["dice", "advise", "3", "--solution", str(path)]) == 0
    assert "value" in capsys.readouterr().out


@pytest.mark.parametrize("number", ["0", "-1", "x", "", "\uff12"])
def test_numba_threads(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, number: str
) -> None:
    monkeypatch.setenv("NUMBA_NUM_THREADS", number)
    assert f"NUMBA_NUM_THREADS={number}: " in refused(capsys, "dice", "odds", "3x5")


def test_no_such_backend() -> None:
    code = (
        "import os, mouche_solver.analysis.cards.charts, matplotlib\n"
        "assert os.environ['MPLBACKEND'] == {0!r}\n"
        "print(matplotlib.rcParams['backend'])\n"
    )
    for named, used in (("nonsense", "agg"), ("svg", "svg")):
        env = {**os.environ, "MPLBACKEND": named}
        words = [sys.executable, "-c", code.format(named)]
        done = subprocess.run(words, capture_output=True, text=True, env=env)
        assert (done.returncode, done.stderr) == (0, "")
        assert done.stdout.strip().lower() == used


def test_a_report_without_a_backend(tmp_path: Path) -> None:
    words = [*RUN, "cards", "report", "--players", "3", "--out", str(tmp_path / "page.html")]
    env = {**os.environ, "MPLBACKEND": "nonsense"}
    done = subprocess.run(words, capture_output=True, text=True, env=env)
    assert (done.returncode, done.stderr.count("\n")) == (0, 1)


def test_no_more_threads(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def start(*_: object) -> None:
        raise RuntimeError("can't start new thread")

    monkeypatch.setattr("mouche_solver.cli.app._run", start)
    assert "the system starts no more threads" in refused(capsys, "dice", "odds")


GAME = """mouche-cards 1
rules {"players": 3, "ranks": ["K", "Q", "J"], "suits": ["C", "D"], "hand_size": 1, "mouche": false}
players pot winner how
deal
hand pot KC
hand winner QD
hand how KD
turned JD
pot stands; winner stands; how stands
pot plays KC; winner plays QD; how plays KD
"""


def test_players_called_like_columns(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    path = tmp_path / "game"
    path.write_text(GAME)
    assert main(["cards", "replay", str(path), "--format", "csv"]) == 0
    head, row = capsys.readouterr().out.splitlines()
    names = ["stack pot", "stack winner", "stack how"]
    assert head.split(",") == ["deal", "dealer", "trump", "how", "winner", "pot", "carried", *names]
    assert len(row.split(",")) == 10
    assert main(["cards", "replay", str(path), "--format", "json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert set(found["stacks"]) == {"pot", "winner", "how"}
    assert isinstance(found["pot"], int)


def test_mushka_by_name(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    trick = ["cards", "legal", "--trump", "S", "--trick", "10H", "--hand", "6H,KH,7C"]
    for words in (["--game", "mushka"], ["--deck", "mushka"]):
        assert main([*trick, *words, "--format", "json"]) == 0
        assert json.loads(capsys.readouterr().out) == {"legal": ["6H", "KH"]}
    assert main([*trick, "--game", "mouche", "--deck", "mushka", "--format", "json"]) == 0
    assert json.loads(capsys.readouterr().out) == {"legal": ["KH"]}
    for words in (["--deck", "mushka"], ["--game", "mushka"]):
        assert main(["cards", "deal", "--players", "7", *words, "--format", "json"]) == 0
        rules = json.loads(capsys.readouterr().out)["rules"]
        assert ms.CardRules.from_dict(rules) == ms.CardRules.mushka(7)
    rules_file = tmp_path / "rules.json"
    rules_file.write_text('{"players": 3}')
    shown = refused(capsys, "cards", "deal", "--game", "mushka", "--rules", str(rules_file))
    assert "--game goes without --rules" in shown


KINDS = {str: pa.string(), int: pa.int64(), float: pa.float64()}
TABLES = [
    (["dice", "odds", "3x5"], {"quantity": int, "exact": str}),
    (["dice", "odds"], {"quantity": int, "probability": float}),
    (["dice", "advise", "3", *SMALL], {"action": str, "value": float, "true_probability": float}),
    (["dice", "advise", "3", *SMALL, "--history", "2x3"], {"true_probability": float}),
    (["dice", "advise", "5,5,2,1,6", "--dice", "5,5,5,5"], {"action": str, "value": float}),
    (["dice", "table", *SMALL], {"hand": str, "1x1": float}),
    (["dice", "ranges", *SMALL], {"player": int, "hand": str}),
    (["dice", "match", *SMALL, "--points", "1"], {"points": str, "starter": int, "seat_0": float}),
    (["dice", "replay", "1x1 2x1", *SMALL], {"step": int, "player": int, "action": str}),
    (["cards", "deal"], {"place": str, "cards": str}),
    (["cards", "odds", "--players", "3"], {"event": str, "probability": float}),
    (["cards", "legal", "--trump", "H", "--hand", "KH"], {"card": str}),
    (["cards", "chart", "--players", "3"], {"trumps": int, "pass": float, "laid": str}),
    (["cards", "advise", "KH,QH,9C,8D,JS", "--turned", "8S", "--seat", "0", "--players", "3"],
     {"action": str, "cards": str, "value": float}),
    (["cards", "tournament", "random", "thumb", "--players", "3", "--deals", "64"],
     {"player": str, "gain": float, "deals": int}),
]  # fmt: skip


@pytest.mark.parametrize(("words", "wanted"), TABLES, ids=lambda e: " ".join(list(e)[:3]))
def test_types_of_columns(words: list[str], wanted: dict[str, type], tmp_path: Path) -> None:
    path = tmp_path / "table.parquet"
    assert main([*words, "--format", "parquet", "--out", str(path)]) == 0
    schema = pq.read_schema(path)
    assert pa.null() not in schema.types
    for name, kind in wanted.items():
        assert schema.field(name).type == KINDS[kind], name


def test_types_of_a_match_without_losers(tmp_path: Path) -> None:
    written, path = tmp_path / "match", tmp_path / "table.parquet"
    written.write_text("1 / 2 : 1x1\n")
    words = ["dice", "replay", "--match", str(written), *SMALL]
    assert main([*words, "--format", "parquet", "--out", str(path)]) == 0
    schema = pq.read_schema(path)
    assert schema.field("loser").type == pa.int64()
    assert schema.field("points_0").type == pa.int64()


def test_types_of_an_unfinished_deal(tmp_path: Path) -> None:
    written, path = tmp_path / "game", tmp_path / "table.parquet"
    written.write_text(GAME.partition("pot stands")[0])
    words = ["cards", "replay", str(written), "--format", "parquet", "--out", str(path)]
    assert main(words) == 0
    schema = pq.read_schema(path)
    assert [schema.field(name).type for name in ("how", "winner")] == [pa.string()] * 2
    assert schema.field("stack pot").type == pa.int64()


def test_a_dealer_who_may_take_the_turn_up_has_one_shape_of_rows(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    rules = ms.CardRules(
        players=2, ranks="K Q J", suits="C D", hand_size=2, dealer_takes_trump=True
    )
    ms.solve_cards(rules, deals=1000, threads=1).save(tmp_path / "cards")
    words = ["cards", "advise", "KC,QD", "--turned", "JC", "--seat", "1"]
    words = [*words, "--strategy", str(tmp_path / "cards"), "--declared", "stand"]
    assert main([*words, "--format", "csv"]) == 0
    head, *rows = capsys.readouterr().out.splitlines()
    columns = head.split(",")
    assert columns[:4] == ["action", "cards", "probability", "value"]
    assert "swap" in columns
    assert {row.count(",") for row in rows} == {len(columns) - 1}
    assert np.isclose(sum(float(row.split(",")[2]) for row in rows), 1)


def test_advice_needs_a_seat(capsys: pytest.CaptureFixture[str]) -> None:
    shown = refused(capsys, "cards", "advise", "KH,QH,9C,8D,JS", "--turned", "8S", "--players", "3")
    assert "--seat is missing: 0 is the first hand, 2 the dealer" in shown


def test_spaces_in_claims(capsys: pytest.CaptureFixture[str]) -> None:
    words = ["dice", "odds", "3 x 5", "--format", "json"]
    assert main(words) == 0
    assert json.loads(capsys.readouterr().out)["quantity"] == 3
    assert main(["dice", "replay", "1 x 1, 2x1 doubt", *SMALL, "--cups", "1 / 2"]) == 0
    shown = capsys.readouterr().out
    assert "player 0: 1x1" in shown
    assert "1 die counts for 2x1" in shown


def test_a_card_that_is_not_legal_is_said_once(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    from mouche_solver.cli.dialog import ask
    from mouche_solver.errors import IllegalMoveError

    answers = iter(["KH\n", "QH\n"])
    monkeypatch.setattr("sys.stdin", io.StringIO("".join(answers)))

    def read(line: str) -> str:
        if line.strip() != "QH":
            raise IllegalMoveError("KH breaks the rules; legal: QH")
        return line.strip()

    assert ask("Your card", read, lambda: "Legal: QH") == "QH"
    assert capsys.readouterr().out.lower().count("legal: qh") == 1


@pytest.mark.parametrize("command", ["cards", "dice", "report"])
def test_help_names_what_there_is(capsys: pytest.CaptureFixture[str], command: str) -> None:
    assert main([command, "--help"]) == 0
    shown = " ".join(capsys.readouterr().out.split())
    wanted = {"cards": "Mushka", "dice": "strategies", "report": "a book or a strategy"}
    assert wanted[command] in shown


def test_too_many_deals(capsys: pytest.CaptureFixture[str]) -> None:
    words = ["dice", "tournament", "--players", "random,random", "--deals", "9" * 18]
    assert "at most 100,000,000 are played at once" in refused(capsys, *words)


def test_the_solve_that_is_named_is_the_one_that_is_needed(
    capsys: pytest.CaptureFixture[str],
) -> None:
    shown = refused(capsys, "cards", "chart", "--game", "mushka", "--players", "5")
    assert "mouche cards solve --players 5 --game mushka --out F" in shown
    shown = refused(capsys, "cards", "chart", "--deck", "piquet", "--players", "5")
    assert "mouche cards solve --players 5 --deck piquet --out F" in shown


def test_a_report_does_not_replace_its_source(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    path = tmp_path / "round"
    ms.solve_dice(ms.DiceRules(dice=(1, 1), faces=3), target=1e-3, threads=1).save(path)
    before = path.read_bytes()
    for words in (["report", str(path)], ["dice", "report", "--solution", str(path)]):
        assert "that is the input" in refused(capsys, *words, "--out", str(path))
    assert path.read_bytes() == before


def test_reports_of_what_is_shipped(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for words, title in (
        (["cards", "report", "--players", "3"], "Card Mouche: 3 players"),
        (["dice", "report", *SMALL], "Dice Mouche: 1 v 1"),
    ):
        path = tmp_path / "page.html"
        assert main([*words, "--out", str(path)]) == 0
        assert title in path.read_text("utf-8")
        assert capsys.readouterr().out == ""


def test_a_page_is_written_whoever_listens(tmp_path: Path) -> None:
    path = tmp_path / "page.html"
    line = f"{shlex.join([*RUN, 'dice', 'report', *SMALL, '--out', str(path)])} 2>/dev/full"
    assert subprocess.run(["sh", "-c", line]).returncode == 0
    assert path.read_text("utf-8").endswith("</html>\n")
