"""What it is worth to start a round, by the dice of both players."""

from collections.abc import Iterable, Iterator

import pandas as pd

from mouche_solver.analysis.dice.frames import DiceSolution, solve_dice
from mouche_solver.dice.round.strategy import RoundStrategy
from mouche_solver.dice.rules.html import rules_text
from mouche_solver.dice.rules.rules import DiceRules
from mouche_solver.errors import RulesError


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
    if not 1 <= most <= 10:
        raise RulesError(f"most={most}: allowed are 1 to 10")
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
