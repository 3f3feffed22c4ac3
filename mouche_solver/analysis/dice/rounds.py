"""Values of rounds and matches as tables, and how a run came to its result."""

from collections.abc import Iterable, Iterator

import pandas as pd

from mouche_solver.core.checks import check_int
from mouche_solver.core.run import Progress
from mouche_solver.dice.round.strategy import RoundStrategy
from mouche_solver.dice.rules.html import rules_text
from mouche_solver.dice.rules.rules import DiceRules
from mouche_solver.dice.table.match import MatchValues
from mouche_solver.errors import RulesError
from mouche_solver.solutions.dice import DiceSolution, solve_dice


def solve_rounds(
    most: int, rules: DiceRules | None = None, target: float = 1e-3
) -> Iterator[DiceSolution]:
    """Solve the rounds of 1 to ``most`` dice against 1 to ``most``, one after the other.

    Parameters
    ----------
    most : int
        Dice, 1 to 10; the time grows some tenfold with each.
    rules : DiceRules, optional
        Everything but the dice.
    target : float
        Exploitability.
    """
    most = check_int("most", most, 1, 10)
    return (
        solve_dice((rules or DiceRules()).replace(dice=(own, other)), target=target)
        for own in range(1, most + 1)
        for other in range(1, most + 1)
    )


def starting_table(strategies: Iterable[RoundStrategy]) -> pd.DataFrame:
    """The starter's expected payoff and chance to win the round.

    Parameters
    ----------
    strategies : iterable of RoundStrategy
        Of rounds that differ in their dice alone; :func:`solve_rounds` makes them.

    Returns
    -------
    DataFrame
        Indexed by ``own`` and ``other``, the dice of the starter and of the other player.
        ``value`` (+1 for winning and -1 for losing), ``low`` and ``high`` (the game's value lies
        between) and ``win``, the chance to win the round.

    Raises
    ------
    RulesError
        When there are no strategies, or their rules differ in more than the dice.

    Examples
    --------
    >>> table = starting_table(solve_rounds(1, DiceRules(faces=3), target=1e-4))
    >>> print(table.round(2))
               value   low  high   win
    own other
    1   1      -0.11 -0.11 -0.11  0.44
    """
    rows = {}
    text = ""
    for strategy in strategies:
        base = strategy.rules.replace(dice=(10, 10))
        if text and rules_text(base) != text:
            raise RulesError(f"rounds of different rules: {text}, and {rules_text(base)}")
        text = rules_text(base)
        found = strategy.quality
        rows[strategy.rules.dice] = (found.value, found.low, found.high, (1 + found.value) / 2)
    if not rows:
        raise RulesError("no strategies are given: at least one is needed")
    index = pd.MultiIndex.from_tuples(rows, names=["own", "other"])
    frame = pd.DataFrame(
        list(rows.values()), index, columns=["value", "low", "high", "win"]
    ).sort_index()
    error = float((frame["high"] - frame["low"]).max()) / 2
    rest = text.partition(", ")[2]
    frame.attrs["caption"] = f"{rest}; exploitability {error:.1e} at most (payoffs +1 and -1)"
    return frame


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


class RunRecord:
    """Give this to a solve as its ``report`` to keep what was measured.

    Parameters
    ----------
    name : str
        What stands in the chart's legend.

    Examples
    --------
    >>> from mouche_solver import DiceRules, solve_dice
    >>> record = RunRecord("1 v 1")
    >>> solution = solve_dice(DiceRules(dice=(1, 1)), iterations=5, report=record)
    >>> record.frame().index.name, float(record.frame()["exploitability"].iloc[-1]) < 1
    ('iteration', True)
    """

    def __init__(self, name: str = "run") -> None:
        self.name = name
        self.measured: list[tuple[int, float, float]] = []

    def __call__(self, event: Progress) -> None:
        """Keep what a measurement says."""
        if event.phase == "measured" and event.exploitability is not None:
            self.measured.append((event.iteration, event.seconds, event.exploitability))

    def frame(self) -> pd.DataFrame:
        """One row per measurement: ``seconds`` and ``exploitability`` by ``iteration``."""
        names = ["iteration", "seconds", "exploitability"]
        return pd.DataFrame(self.measured, columns=names).set_index("iteration")
