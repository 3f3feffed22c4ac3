"""Researchers' scripts, with public pyspiel calls only, in their fast mode."""

import importlib.util
from pathlib import Path
from typing import Any

import pytest

SCRIPTS = Path(__file__).parent / "scripts"


def run(name: str, *arguments: str) -> dict[str, Any]:
    spec = importlib.util.spec_from_file_location(f"script_{name}", SCRIPTS / f"{name}.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module.main(list(arguments))


def test_cfr() -> None:
    found = run("cfr", "--game", "python_mouche_dice(dice=1;1,faces=2)", "--iterations", "60")
    assert found["first"] == pytest.approx(7 / 16)  # uniform play at the start
    assert found["last"] < 0.02


def test_mccfr() -> None:
    found = run("mccfr", "--iterations", "400")
    assert found["last"] < found["first"] / 3


def test_exploitability() -> None:
    found = run("exploitability", "--game", "python_mouche_dice(dice=1;1,faces=2)")
    assert found["uniform"] == pytest.approx(7 / 16)
    # The opener wins +1 against either. The other wins +1/2: from 2x2 opened blindly, true in one
    # of four deals; from the lowest claims, surely with a one and half of the time with a two.
    assert found["doubt"] == found["lowest"] == pytest.approx((1 + 1 / 2) / 2)


def test_best_response() -> None:
    found = run("best_response", "--game", "python_mouche_dice(dice=1;1;1,faces=2)")
    assert found["value"] == pytest.approx(found["played"])
    assert found["played"] > found["even"]


def test_policy_gradient() -> None:
    found = run("policy_gradient", "--episodes", "1500")
    assert found["learned"] > found["uniform"] + 0.3


CARDS = "python_mouche_cards(players=2,ranks=K;Q,suits=C;D,hand_size=1,mouche=False,"


def test_cfr_on_cards() -> None:
    game = f"{CARDS}exchange_cap=0,continuation=0.5;0.5)"
    found = run("cfr", "--game", game, "--iterations", "40")
    assert found["last"] < found["first"] / 10


def test_best_response_on_cards() -> None:
    found = run("best_response", "--game", f"{CARDS}reshuffle=False,deals=1)")
    assert found["value"] == pytest.approx(found["played"])
    assert found["played"] > found["even"]


def test_cards_at_tables_of_all_sizes() -> None:
    gained = run("cards_tables", "--deals", "60")
    assert set(gained) == {3, 4, 5, 6}
    assert sum(gained.values()) > 0  # passing on bad hands is better than choosing at random


def test_cards_of_three_players() -> None:
    found = run("cards_three_players", "--iterations", "60")
    assert sum(found["values"]) == pytest.approx(0)
    for value, best in zip(found["values"], found["best"], strict=True):
        assert -1e-9 <= best - value < 0.3
