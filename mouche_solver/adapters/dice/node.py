"""Dice Mouche as a tree with exact probabilities, and the size of that tree."""

from fractions import Fraction
from itertools import accumulate
from math import prod
from operator import mul

from mouche_solver.adapters.dice.params import parameters_from_rules
from mouche_solver.adapters.dice.position import Position
from mouche_solver.adapters.dice.table import DiceTable, dice_table
from mouche_solver.adapters.dice.text import action_text, information_state
from mouche_solver.adapters.moments import CHANCE
from mouche_solver.dice.rules.claims import all_claims, legal_claims
from mouche_solver.dice.rules.rules import ROUND_FIELDS, DiceRules


class DiceNode:
    """A position as a node of a tree.

    Parameters
    ----------
    position : Position
        The moment.
    """

    def __init__(self, position: Position) -> None:
        self.position = position
        self.player = position.player

    def chances(self) -> list[Fraction]:
        """Exact probability of each roll."""
        return self.position.table.roll_chances(self.position.dice_rolled)

    def actions(self) -> list[int]:
        """Rolls, or claims and the doubt, by number."""
        if self.player == CHANCE:
            return list(range(len(self.chances())))
        return self.position.legal_actions()

    def after(self, action: int) -> "DiceNode":
        """The next node."""
        return DiceNode(self.position.after(action))

    def payoffs(self) -> list[Fraction]:
        """Payoffs by seat, zeros before the end."""
        payoffs = self.position.returns()
        # They are multiples of 1/(players - 1), so this undoes the rounding exactly.
        return [Fraction(payoff).limit_denominator(len(payoffs)) for payoff in payoffs]

    def information_state(self) -> str:
        """What the seat to act has seen."""
        return information_state(self.position, self.player)

    def action_text(self, action: int) -> str:
        """The words of a roll, claim or doubt."""
        return action_text(self.position, self.player, action)


def describe(rules: DiceRules, match: bool) -> str:
    """The rules of a game in one line.

    Examples
    --------
    >>> describe(DiceRules(dice=(1, 1), faces=2), False)
    'one round: dice 1;1, faces 2, wild 0, raise_rule face-locked, truth at-least,
    minimum_opening 1'
    """
    parameters = parameters_from_rules(rules, match)
    names = [name for name in parameters if name != "match" and (match or name in ROUND_FIELDS)]
    kind = "match" if match else "one round"
    return f"{kind}: {', '.join(f'{name} {parameters[name]}' for name in names)}"


def round_nodes(rules: DiceRules) -> int:
    """The number of nodes of one round's tree, chance and ends included.

    Examples
    --------
    >>> round_nodes(DiceRules(dice=(1, 1), faces=2))
    95
    """
    table = dice_table(rules, False)
    widths = _roll_widths(table)
    chance = sum(accumulate(widths[:-1], mul, initial=1))
    lines = _lines_of_claims(rules)
    return chance + prod(widths) * (2 * lines - 1)


def _roll_widths(table: DiceTable) -> list[int]:
    """Outcomes of each chance node of a round, in order."""
    dice, faces = table.rules.dice, table.rules.faces
    if table.die_by_die:
        return [faces] * sum(dice)
    return [len(table.rolls(cup)[0]) for cup in dice]


def _lines_of_claims(rules: DiceRules) -> int:
    """Lines of claims, the empty one included; each but the empty one may be doubted."""
    lines: dict[object, int] = {}
    for claim in reversed(all_claims(rules)):
        lines[claim] = 1 + sum(lines[after] for after in legal_claims(rules, claim))
    return 1 + sum(lines[first] for first in legal_claims(rules, None))
