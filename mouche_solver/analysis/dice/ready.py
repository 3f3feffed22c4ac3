"""A strategy for given rules, from whichever source is quickest."""

from mouche_solver.analysis.dice.frames import solve_dice
from mouche_solver.dice.round.strategy import RoundStrategy
from mouche_solver.dice.rules.rules import DiceRules
from mouche_solver.storage.dice.books import embedded_book


def dice_strategy(rules: DiceRules | None = None, target: float = 1e-3) -> RoundStrategy:
    """The opening book that the package ships for these rules, else a round solved now.

    Parameters
    ----------
    rules : DiceRules, optional
        Five dice against five by default.
    target : float
        Exploitability of a round that is solved.

    Returns
    -------
    RoundStrategy

    Raises
    ------
    RulesError
        For other than two players.
    TooLargeError
        When there is no book and the round does not fit into memory.

    Examples
    --------
    >>> strategy = dice_strategy(DiceRules(dice=(1, 1), faces=2))
    >>> strategy.quality.exploitability <= 1.1e-3
    True
    """
    rules = DiceRules() if rules is None else rules
    return embedded_book(rules) or solve_dice(rules, target=target)
