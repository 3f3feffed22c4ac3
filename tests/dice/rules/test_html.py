"""Dice as pictures, and what notebooks show."""

import xml.etree.ElementTree as xml

import pytest

from mouche_solver.core.run import Limits
from mouche_solver.dice import DiceRules, Round
from mouche_solver.dice.round.solve import solve_round
from mouche_solver.dice.rules.html import hand_svg, rules_text

SVG = "{http://www.w3.org/2000/svg}"


@pytest.mark.parametrize("face", range(1, 13))
def test_a_die_shows_its_face(face: int) -> None:
    drawn = xml.fromstring(hand_svg((face,)))
    pips = drawn.findall(f".//{SVG}circle")
    numbers = [text.text for text in drawn.findall(f".//{SVG}text")]
    assert (len(pips), numbers) == ((face, []) if face <= 6 else (0, [str(face)]))


def test_a_hand_is_its_dice_side_by_side() -> None:
    drawn = xml.fromstring(hand_svg((1, 3, 12), size=20))
    assert len(drawn.findall(f"{SVG}g")) == 3
    assert drawn.get("aria-label") == "dice 1,3,12"
    for circle in drawn.iter(f"{SVG}circle"):
        assert 0 < float(circle.get("cx")) < 20
        assert 0 < float(circle.get("cy")) < 20


def test_rules_in_a_line() -> None:
    assert rules_text(DiceRules()) == "5 v 5 dice, 6 faces"
    odd = DiceRules((1, 2, 3), 4, 2, "face-first", "exactly", 2)
    assert rules_text(odd) == (
        "1 v 2 v 3 dice, 4 faces, 2 wild, face-first, exactly, opening at 2 or more"
    )


def test_rules_show_every_field() -> None:
    shown = DiceRules(wild=None)._repr_html_()
    for name in DiceRules().to_dict():
        assert f"<th>{name.replace('_', ' ')}</th>" in shown
    assert "<td>none</td>" in shown
    assert "<td>5, 5</td>" in shown


def test_a_round_shows_cups_and_claims() -> None:
    rules = DiceRules(dice=(2, 1))
    start = Round.replay(rules, "5,5 / 3", "")._repr_html_()
    assert "no claim yet" in start
    assert "loses" not in start
    end = Round.replay(rules, "5,5 / 3", "1x5 3x5 doubt")._repr_html_()
    assert "1x5 3x5 doubt" in end
    assert "player 1 loses a point" in end
    assert end.count("<svg") == 2


def test_a_strategy_shows_quality_and_likely_actions() -> None:
    solution = solve_round(DiceRules(dice=(3, 1), faces=6), limits=Limits(iterations=3), threads=1)
    shown = solution._repr_html_()
    assert solution.quality_text in shown
    assert "of 56 hands" in shown
    table = solution.table("1x1")
    best = max(zip(table.probabilities[0], table.actions, strict=True))
    assert f"{best[1]} {best[0]:.1%}" in table._repr_html_()
    assert solution.mixed("1x1")._repr_html_() == table._repr_html_()
    assert "hands</p>" not in table._repr_html_()  # one die has six hands, all of them shown
