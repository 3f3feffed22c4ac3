"""The measure of advice at positions that human-like players lead to."""

import pytest

from mouche_solver.core.run import Limits
from mouche_solver.dice.people.players import PEOPLE
from mouche_solver.dice.round.advisor import Advisor
from mouche_solver.dice.round.met import met_against
from mouche_solver.dice.round.solve import solve_round
from mouche_solver.dice.rules.rules import DiceRules


@pytest.mark.parametrize("name", ["ladder", "honest"])
def test_mended_advice_loses_little_where_people_lead(name: str) -> None:
    solution = solve_round(DiceRules(dice=(2, 2), faces=4), limits=Limits(1e-4))
    raw = met_against(solution, PEOPLE[name], rounds=200)
    mended = met_against(Advisor(solution), PEOPLE[name], rounds=200)
    assert mended.decisions >= 200
    assert mended.loss <= 0.005
    assert mended.loss <= raw.loss
    assert mended.won + 3 * mended.won_error > raw.won - 3 * raw.won_error
    assert met_against(Advisor(solution), PEOPLE[name], rounds=200) == mended
