"""Every rule of the card game on the command line."""

import json
from dataclasses import fields
from pathlib import Path

import pytest

from mouche_solver.cards import CardRules
from mouche_solver.cli import main
from mouche_solver.cli.cards.group import RuleFlags, rule_words

ODD = [
    CardRules(),
    CardRules(players=3, deck="piquet", cap=20, ace_points=1, question="silence-is-yes"),
    CardRules(players=2, ranks="10 9 8 K", suits="C H", hand_size=2, ante=4, exchange_cap=0),
    CardRules(players=3, chips=(50, 40, 30), first_dealer=0, debts=False, rounds=2),
    CardRules(mouches_paid_in="largest-first", one_at_a_time="per-deal", sweep=True),
    CardRules(pamphile=True, pamphile_from="inside", pamphile_alone=True, must_head=False),
    CardRules.mushka(5, bonus_in_turn=True, countdown_from=30, must_head=True),
    CardRules.mushka(4, deck="piquet"),
]


@pytest.mark.parametrize("rules", ODD)
def test_flags_lead_to_the_rules(rules: CardRules) -> None:
    words = rule_words(rules)
    pairs = list(zip(words[::2], words[1::2], strict=True))
    named = {name.removeprefix("--"): value for name, value in pairs if name != "--rule"}
    flags = RuleFlags(
        players=int(named.pop("players")),
        rule=tuple(value for name, value in pairs if name == "--rule"),
        **named,  # type: ignore[arg-type]
    )
    assert flags.read() == rules


def test_rules_from_the_command_line(capsys: pytest.CaptureFixture[str]) -> None:
    words = "cards deal --players 3 --rule cap=20 --rule=pamphile=true --rule ranks=K,Q,J,10,9,8"
    assert main(words.split()) == 0
    line = next(x for x in capsys.readouterr().out.splitlines() if x.startswith("rules "))
    rules = CardRules.from_json(line.removeprefix("rules "))
    assert rules == CardRules(players=3, cap=20, pamphile=True, ranks="K Q J 10 9 8")


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ("--rule cup=20", "--rule cup=20: no such rule; the rules are players, deck, "),
        ("--rule cap", "--rule cap: write name=value, such as cap=20"),
        ("--rule cap=", "--rule cap=: write name=value"),
        ("--rule cap=20 --rule cap=25", "--rule cap: that rule is given twice"),
        ("--players 3 --rule players=4", "--rule players: that rule is given twice"),
        ("--rule cap=7", "cap=7: must be a multiple of the 5 tricks"),
        ("--rule cap=inf", "cap='inf': allowed are 1 to 1000000000"),
        ("--rule sweep=yes", "sweep='yes': allowed are true and false"),
        ("--rule chips=50,x", "chips=(50, 'x'): give one number, or one for each"),
        ("--rule players=\uff13", "players='\uff13': allowed are 2 to 51"),
    ],
)
def test_bad_rules(capsys: pytest.CaptureFixture[str], words: str, message: str) -> None:
    assert main(["cards", "deal", *words.split()]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert err.startswith(f"mouche: {message}")
    assert err.count("\n") == 1


def test_the_list_of_rules_is_whole(capsys: pytest.CaptureFixture[str]) -> None:
    main(["cards", "deal", "--rule", "help"])
    names = ", ".join(field.name for field in fields(CardRules))
    assert capsys.readouterr().err.endswith(f"the rules are {names}\n")


def test_a_file_and_rules(tmp_path: Path) -> None:
    file = tmp_path / "rules.json"
    file.write_text(json.dumps({"players": 3, "cap": 20, "ranks": list("KQJA987")}))
    flags = RuleFlags(rules=file, rule=("cap=none", "deck=piquet"))
    assert flags.read() == CardRules(players=3, deck="piquet")
