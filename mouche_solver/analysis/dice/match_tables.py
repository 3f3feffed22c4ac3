"""The chances to win a match as DataFrames."""

import pandas as pd

from mouche_solver.dice.table.match import MatchValues
from mouche_solver.errors import RulesError


def match_table(values: MatchValues) -> pd.DataFrame:
    """One row per score, starter and seat.

    Parameters
    ----------
    values : MatchValues

    Returns
    -------
    DataFrame
        Columns ``points_0``, ``points_1``, ..., ``starter``, ``seat``, ``win_probability``.

    Examples
    --------
    >>> from mouche_solver.dice import DiceRules, match_values
    >>> table = match_table(match_values(DiceRules(dice=(1, 1), points=1), round_value=-1 / 9))
    >>> print(table.round(4).to_string(index=False))
     points_0  points_1  starter  seat  win_probability
            1         1        0     0           0.4444
            1         1        0     1           0.5556
            1         1        1     0           0.5556
            1         1        1     1           0.4444
    """
    rows = [
        (*points, starter, seat, chance)
        for (points, starter), chances in values.chances.items()
        for seat, chance in enumerate(chances)
    ]
    names = [f"points_{seat}" for seat in range(values.rules.players)]
    return pd.DataFrame(rows, columns=[*names, "starter", "seat", "win_probability"])


def match_grid(values: MatchValues, starter: int = 0) -> pd.DataFrame:
    """The first seat's chance to win a match of two, by both players' points.

    Parameters
    ----------
    values : MatchValues
        Of two players.
    starter : int
        The seat that starts the next round.

    Returns
    -------
    DataFrame
        Points of seat 0 down, of seat 1 across.

    Raises
    ------
    RulesError
        When there are more than two players, or no such starter.

    Examples
    --------
    >>> from mouche_solver.dice import DiceRules, match_values
    >>> grid = match_grid(match_values(DiceRules(dice=(1, 1), points=2), round_value=-1 / 9))
    >>> print(grid.round(4))
    points_1       1       2
    points_0
    1         0.4444  0.2469
    2         0.7531  0.4719
    """
    if values.rules.players != 2 or starter not in (0, 1):
        raise RulesError(
            f"{values.rules.players} players, starter {starter}: a grid shows two players, "
            "starter 0 or 1"
        )
    table = match_table(values)
    chosen = table[(table["starter"] == starter) & (table["seat"] == 0)]
    return chosen.pivot(index="points_0", columns="points_1", values="win_probability")
