"""A reviewed game as a DataFrame."""

from pathlib import Path

import pandas as pd

from mouche_solver.dice.rules.rules import DiceRules
from mouche_solver.review.either import review_text


def review(text: str, rules: DiceRules | None = None, strategy: Path | None = None) -> pd.DataFrame:
    """Review a written match of dice or game of cards.

    Parameters
    ----------
    text : str
    rules : DiceRules, optional
        Of a match of dice.
    strategy : Path, optional
        The file that judges.

    Returns
    -------
    DataFrame
        One row for each decision. ``attrs["totals"]`` holds a row for each player.

    Raises
    ------
    MoucheError
        When the text cannot be read.

    Examples
    --------
    >>> frame = review("5 / 3 : 2x5 doubt", DiceRules(dice=(1, 1), points=1))
    >>> frame[["action", "mark"]].values.tolist()
    [['2x5', 'blunder'], ['doubt', '']]
    """
    found = review_text(text, rules, strategy)
    frame = pd.DataFrame([decision.flat() for decision in found.decisions])
    frame.attrs["totals"] = found.totals()
    return frame
