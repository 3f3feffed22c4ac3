"""Streams, encodings and damaged text: one line, code 2, nothing half-written."""

import os
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from mouche_solver.cli import main

RUN = [sys.executable, "-c", "import sys; from mouche_solver.cli import main; sys.exit(main())"]
GAME = """mouche-cards 1
rules {"players": 2, "ranks": ["K", "Q", "J"], "suits": ["C", "D"], "hand_size": 1}
players Zoé Ben
deal
hand Zoé KC
hand Ben QD
turned JD
Zoé stands; Ben stands
"""
ASCII = {**os.environ, "PYTHONIOENCODING": "ascii"}


def run(words: str, data: bytes = b"") -> subprocess.CompletedProcess[bytes]:
    return subprocess.run([*RUN, *words.split()], input=data, env=ASCII, capture_output=True)


def shell(words: str) -> subprocess.CompletedProcess[str]:
    line = f"{shlex.join(RUN)} {words}"
    return subprocess.run(["sh", "-c", line], capture_output=True, text=True)


def test_a_game_from_standard_input_is_utf8_in_every_locale() -> None:
    done = run("cards replay - --format csv", b"\xef\xbb\xbf" + GAME.encode())
    assert (done.returncode, done.stderr) == (0, b"")
    assert "carried,stack Zoé,stack Ben" in done.stdout.decode()
    done = run("cards replay -", GAME.encode("latin-1"))
    assert (done.returncode, done.stdout) == (2, b"")
    assert done.stderr == b"mouche: cannot read -: it is not UTF-8 text\n"


def test_closed_streams() -> None:
    done = shell("cards odds >&-")
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == "mouche: input or output failed: standard output is closed\n"
    done = shell("cards replay - <&-")
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == "mouche: cannot read -: standard input is closed\n"
    done = shell("cards legal --trump X --hand KC 2>&-")
    assert (done.returncode, done.stdout, done.stderr) == (2, "", "")


def failure(capsys: pytest.CaptureFixture[str], *words: str) -> str:
    assert main(words) == 2
    shown = capsys.readouterr()
    assert shown.out == ""
    assert shown.err.count("\n") == 1
    return shown.err


@pytest.mark.parametrize("game", ["cards deal", "dice odds 3x5"])
@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("[" * 100_000, "not valid JSON: the nesting is too deep"),
        (f'{{"faces": {"9" * 5000}}}', "a number of 5,000 digits is too long"),
        ('{"faces": 6, "faces": 5}', "field 'faces' is given twice"),
        (f'{{"{"x" * 100_000}": 1}}', "the rules are "),
    ],
)
def test_damaged_rules(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, game: str, text: str, message: str
) -> None:
    path = tmp_path / "rules.json"
    path.write_text(text)
    shown = failure(capsys, *game.split(), "--rules", str(path))
    assert message in shown
    assert len(shown) < 1100


def test_a_byte_order_mark_is_skipped(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    path = tmp_path / "rules.json"
    path.write_text('{"players": 3}', encoding="utf-8-sig")
    assert main(["cards", "deal", "--rules", str(path)]) == 0
    assert 'rules {"players": 3}' in capsys.readouterr().out


def test_messages_do_not_steer_the_terminal(capsys: pytest.CaptureFixture[str]) -> None:
    shown = failure(capsys, "cards", "legal", "--trump", "H", "--hand", "K\x1b[31m\udc80H")
    assert "'K\\x1b[31m\\udc80H' is not in the pack" in shown


@pytest.mark.parametrize("flag", ["--players", "--seed"])
@pytest.mark.parametrize("value", ["3.5", "٣", "1e1", ""])
def test_numbers_are_whole(capsys: pytest.CaptureFixture[str], flag: str, value: str) -> None:
    assert "is not a whole number" in failure(capsys, "cards", "deal", flag, value)


def test_no_deal_where_nobody_can_begin(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    path = tmp_path / "rules.json"
    path.write_text('{"chips": 4, "debts": false}')
    shown = failure(capsys, "cards", "deal", "--rules", str(path))
    assert "able to pay the ante of 5" in shown
