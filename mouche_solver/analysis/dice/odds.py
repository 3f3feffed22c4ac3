"""Exact odds for any number of dice, as tables to print."""

from collections.abc import Iterable

import pandas as pd

from mouche_solver.core.checks import check_int
from mouche_solver.dice.odds import count_distribution
from mouche_solver.errors import RulesError

MOST_DICE = 60


def odds_table(
    dice: Iterable[int] = range(1, MOST_DICE + 1), faces: int = 6, wild: bool = False
) -> pd.DataFrame:
    """Chance that at least so many dice show a face, none of them known.

    Parameters
    ----------
    dice : iterable of int
        Numbers of dice, 1 to 1000 each.
    faces : int
        Faces of a die, 2 to 12.
    wild : bool
        Another face counts as the claimed one.

    Returns
    -------
    DataFrame
        Number of dice by quantity, each the float nearest to the exact chance.

    Raises
    ------
    RulesError
        When there are no dice to speak of, or numbers out of range.

    Examples
    --------
    >>> print(odds_table([1, 2], wild=True).round(3))
    quantity      1      2
    dice
    1         0.333  0.000
    2         0.556  0.111
    """
    numbers, faces = _checked(dice, faces)
    quantities = range(1, max(numbers) + 1)
    good = 2 if wild else 1
    rows = [count_distribution(number, faces, good, at_least=True) for number in numbers]
    padded = [[*row[1:], *([0.0] * (len(quantities) - len(row) + 1))] for row in rows]
    frame = pd.DataFrame(
        padded,
        index=pd.Index(numbers, name="dice"),
        columns=pd.Index(list(quantities), name="quantity"),
    )
    frame.attrs["caption"] = f"{faces} faces, {'with' if wild else 'no'} wild face; exact"
    return frame


def even_table(dice: Iterable[int] = range(1, MOST_DICE + 1), faces: int = 6) -> pd.DataFrame:
    """Up to which quantity a claim is at least as likely right as wrong.

    Parameters
    ----------
    dice, faces
        As in :func:`odds_table`.

    Returns
    -------
    DataFrame
        Indexed by ``dice``; columns ``plain`` and ``wild``, 0 where even one die is unlikely, and
        ``plain_chance`` and ``wild_chance``, the chance at that quantity.

    Examples
    --------
    >>> print(even_table([10, 20])[["plain", "wild"]])
          plain  wild
    dice
    10        2     3
    20        3     7
    """
    numbers, faces = _checked(dice, faces)
    columns: dict[str, list[int]] = {}
    chances: dict[str, list[float]] = {}
    for name, good in (("plain", 1), ("wild", 2)):
        rows = [count_distribution(number, faces, good, at_least=True) for number in numbers]
        columns[name] = [sum(chance >= 0.5 for chance in row[1:]) for row in rows]
        pairs = zip(rows, columns[name], strict=True)
        chances[f"{name}_chance"] = [row[quantity] for row, quantity in pairs]
    frame = pd.DataFrame(columns | chances, index=pd.Index(numbers, name="dice"))
    frame.attrs["caption"] = f"{faces} faces, a claim is right with chance 50% or more; exact"
    return frame


def _checked(dice: Iterable[int], faces: int) -> tuple[list[int], int]:
    numbers = [check_int("dice", number, 1, 1000) for number in dice]
    if not numbers:
        raise RulesError("no numbers of dice are given: at least one is needed")
    return numbers, check_int("faces", faces, 2, 12)
