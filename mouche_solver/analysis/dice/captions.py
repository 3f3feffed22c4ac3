"""What stands under every table and chart: the rules, how good the numbers are, what is odd."""

from mouche_solver.dice.round.strategy import RoundStrategy
from mouche_solver.dice.rules.html import rules_text
from mouche_solver.dice.rules.notation import format_claims
from mouche_solver.dice.rules.rules import Claim


def strategy_caption(
    strategy: RoundStrategy, history: tuple[Claim, ...] = (), reach: float = 1.0
) -> str:
    """Rules, line of claims and exploitability in one line.

    Examples
    --------
    >>> from mouche_solver.analysis import solve_dice
    >>> from mouche_solver.dice import DiceRules
    >>> solution = solve_dice(DiceRules(dice=(1, 1), faces=2), iterations=1)
    >>> strategy_caption(solution).split(";")[0]
    '1 v 1 dice, 2 faces'
    """
    words = [rules_text(strategy.rules)]
    if history:
        words.append(f"after {format_claims(history)}")
    if reach == 0:
        words.append("nobody plays so (probability zero): hands as rolled")
    return "; ".join([*words, strategy.quality_text])
