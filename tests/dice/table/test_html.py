"""What whole tables and matches show in notebooks."""

import xml.etree.ElementTree as xml

from mouche_solver.core.run import Limits
from mouche_solver.dice import DiceRules
from mouche_solver.dice.table.match import match_values
from mouche_solver.dice.table.solve import solve_table

SVG = "{http://www.w3.org/2000/svg}"


def test_a_table_shows_values_and_the_opening() -> None:
    rules = DiceRules(dice=(2, 1, 1), faces=3)
    solution = solve_table(rules, limits=Limits(iterations=3), threads=1)
    text = solution._repr_html_()
    page = xml.fromstring(f"<div>{text}</div>")
    labels = [each.get("aria-label") for each in page.iter(f"{SVG}svg")]
    assert labels == [f"dice {hand}" for hand in ("1,1", "1,2", "1,3", "2,2", "2,3", "3,3")]
    for line in solution.describe().splitlines():
        assert line in text
    action, chance = max(solution.policy("2,3").items(), key=lambda each: each[1])
    row = text.split('aria-label="dice 2,3"')[1].split("</tr>")[0]
    assert f"{action} {chance:.1%}" in row


def test_a_match_shows_the_highest_scores() -> None:
    values = match_values(DiceRules(dice=(1, 1), points=3), round_value=-1 / 9)
    text = values._repr_html_()
    xml.fromstring(f"<div>{text}</div>")
    assert f"12 of {len(values.chances)} scores" in text
    chances = values.win_probability((3, 3), starter=1)
    shares = "".join(f"<td>{chance:.2%}</td>" for chance in chances)
    assert f"<tr><td>3, 3</td><td>1</td>{shares}</tr>" in text
    assert "gains" not in text  # rounds of two were given


def test_a_match_of_three_says_what_deviating_gains() -> None:
    class Solved:
        def __init__(self, gap: object) -> None:
            self.gap = gap

    gap = solve_table(
        DiceRules(dice=(1, 1, 1), faces=2), limits=Limits(iterations=2), threads=1
    ).gap
    rules = DiceRules(dice=(1, 1, 1), faces=2, points=1)
    values = match_values(rules, round_value=0.0, round_solver=lambda *_: Solved(gap))
    assert f"{values.largest_gain:.1e}" in values._repr_html_()
    assert values.largest_gain > 0
