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
from mouche_solver.dice.rules.claims import all_claims, legal_claims, lines_of_claims
from mouche_solver.dice.rules.hands import matches
from mouche_solver.dice.rules.match_referee import Match
from mouche_solver.dice.rules.referee import Reveal
from mouche_solver.dice.rules.rules import ROUND_FIELDS, Claim, DiceRules


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
    lines = lines_of_claims(rules)
    return chance + prod(widths) * (2 * lines - 1)


def match_nodes(rules: DiceRules, limit: int) -> int | None:
    """The number of nodes of a match's tree, chance and ends included; None above ``limit``.

    Rounds are counted one after the other from the first. Each has two ends or more, so that a
    large match is over the limit after few of them.

    Examples
    --------
    >>> match_nodes(DiceRules(dice=(1, 1), faces=2, points=(2, 1)), 10_000)
    2069
    >>> match_nodes(DiceRules(dice=(1, 1), faces=2, points=5), 10_000) is None
    True
    """
    nodes, reached = 0, {Match.start(rules): 1}
    while reached:
        after: dict[Match, int] = {}
        for match, times in reached.items():
            played = match.round_rules
            ends = _ends(played)
            nodes += times * (round_nodes(played) - sum(ends.values()))
            for (claimant, correct), ways in ends.items():
                doubter = (claimant + 1) % played.players
                reveal = Reveal(Claim(1, 1), claimant, doubter, 0, correct)
                next_round = match.after(reveal)
                if next_round.winner is not None:
                    nodes += times * ways
                else:
                    after[next_round] = after.get(next_round, 0) + times * ways
            if nodes > limit:
                return None
        reached = after
    return nodes


def _ends(rules: DiceRules) -> dict[tuple[int, bool], int]:
    """How many ends a round's tree has by claimant, in playing order, and whether he was right."""
    players, table = rules.players, dice_table(rules, False)
    # How many lines of claims end with a claim, by the place of its claimant.
    lines = {claim: [0] * players for claim in all_claims(rules)}
    for claim in legal_claims(rules, None):
        lines[claim][0] += 1
    for claim, by_place in lines.items():  # raises come later
        for raised in legal_claims(rules, claim):
            for place, ways in enumerate(by_place):
                lines[raised][(place + 1) % players] += ways
    counts = {face: _counts(table, face) for face in range(1, rules.faces + 1)}
    ends: dict[tuple[int, bool], int] = {}
    for claim, by_place in lines.items():
        for count, rolls in enumerate(counts[claim.face]):
            correct = rules.is_true(claim.quantity, count)
            for place, ways in enumerate(by_place):
                ends[place, correct] = ends.get((place, correct), 0) + ways * rolls
    return ends


def _counts(table: DiceTable, face: int) -> list[int]:
    """In how many ways chance can roll cups of which so many dice count for a face."""
    ways = [1]
    for cup in [1] * sum(table.rules.dice) if table.die_by_die else table.rules.dice:
        more = [0] * (len(ways) + cup)
        for hand in table.rolls(cup)[0]:
            shown = matches(hand, face, table.rules.wild)
            for count, before in enumerate(ways):
                more[count + shown] += before
        ways = more
    return ways


def _roll_widths(table: DiceTable) -> list[int]:
    """Outcomes of each chance node of a round, in order."""
    dice, faces = table.rules.dice, table.rules.faces
    if table.die_by_die:
        return [faces] * sum(dice)
    return [len(table.rolls(cup)[0]) for cup in dice]
