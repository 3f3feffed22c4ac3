import pytest

from mouche_solver.analysis.dice.rounds import match_grid, match_table
from mouche_solver.dice import DiceRules, match_values
from mouche_solver.errors import RulesError


def test_the_table_holds_every_chance():
    values = match_values(DiceRules(dice=(1, 1), points=3), round_value=-0.2)
    table = match_table(values).set_index(["points_0", "points_1", "starter", "seat"])
    assert len(table) == 3 * 3 * 2 * 2
    for (points, starter), chances in values.chances.items():
        for seat, chance in enumerate(chances):
            assert table.loc[(*points, starter, seat), "win_probability"] == chance


@pytest.mark.parametrize("starter", [0, 1])
def test_the_grid_is_the_first_seats_part(starter):
    values = match_values(DiceRules(dice=(1, 1), points=(2, 3)), round_value=0.1)
    grid = match_grid(values, starter)
    assert grid.shape == (2, 3)
    for (points, first), chances in values.chances.items():
        if first == starter:
            assert grid.loc[points] == chances[0]


def test_a_grid_is_for_two():
    values = match_values(DiceRules(dice=(1, 1), points=1), round_value=0.0)
    with pytest.raises(RulesError, match="starter 0 or 1"):
        match_grid(values, starter=2)
