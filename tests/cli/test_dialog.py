"""The questions of both dialogs."""

import io

import pytest

from mouche_solver.cli.dialog import LeftError, ask, mix_text
from mouche_solver.errors import IllegalMoveError, NotationError


def number(line: str) -> int:
    if not line.strip().isdecimal():
        raise NotationError(f"{line.strip()!r} is no number")
    if int(line) > 3:
        raise IllegalMoveError(f"{int(line)} is too high; legal: 1 to 3")
    return int(line)


def asked(monkeypatch: pytest.MonkeyPatch, text: str) -> int:
    monkeypatch.setattr("sys.stdin", io.StringIO(text))
    return ask("Your number", number, lambda: "Legal: 1 to 3")


def test_asks_until_the_answer_can_be_used(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert asked(monkeypatch, "\nhelp\nx\n7\n2\n") == 2
    lines = capsys.readouterr().out.removesuffix("Your number, or quit: ").splitlines()
    assert lines == [
        "Your number, or quit: Legal: 1 to 3",
        "Your number, or quit: Legal: 1 to 3",
        "Your number, or quit: 'x' is no number. Legal: 1 to 3",
        "Your number, or quit: 7 is too high; legal: 1 to 3",
    ]


@pytest.mark.parametrize("text", ["", "quit\n", "Q\n", "x\nexit\n"])
def test_leaving(monkeypatch: pytest.MonkeyPatch, text: str) -> None:
    with pytest.raises(LeftError):
        asked(monkeypatch, text)


def test_what_is_seldom_is_left_out() -> None:
    assert mix_text([("a", 0.004), ("b", 0.396), ("c", 0.6)]) == "c 60%, b 40%"
