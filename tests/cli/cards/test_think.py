"""``mouche cards advise`` thinks, and says what its values rest on."""

import json

import pytest

from mouche_solver.cli import main

EXAMPLE = [
    "cards",
    "advise",
    "KS,QS,JS,KH,8D",
    "--turned",
    "7S",
    "--players",
    "4",
    "--seat",
    "3",
    "--declared",
    "pass,stand,exchange3",
]


def test_the_table_alone_marks_what_rests_on_few_visits(capsys: pytest.CaptureFixture[str]) -> None:
    assert main([*EXAMPLE, "--think", "0"]) == 0
    text = capsys.readouterr().out
    assert "~0.088?" in text
    assert ">=0.552" in text
    assert "33 histories share these values" in text


def test_a_fixed_number_of_guesses_gives_the_same_answer(
    capsys: pytest.CaptureFixture[str],
) -> None:
    answers = []
    for threads in ("1", "2"):
        more = ["--samples", "2000", "--threads", threads, "--format", "json"]
        assert main([*EXAMPLE, *more]) == 0
        answers.append(json.loads(capsys.readouterr().out))
    assert answers[0] == answers[1]
    rows = {row["action"]: row for row in answers[0]["actions"][:2]}
    assert rows["pass"]["probability"] == rows["pass"]["table"] == 0  # three sure tricks
    assert rows["stand"]["error"] > 0
    assert all(row["samples"] >= 256 for row in answers[0]["actions"])


@pytest.mark.parametrize(
    "flags", [["--think", "-1"], ["--think", "nan"], ["--think", "inf"], ["--samples", "0"]]
)
def test_impossible_budgets_are_refused(
    flags: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main([*EXAMPLE, *flags]) == 2
    assert flags[0] in capsys.readouterr().err
