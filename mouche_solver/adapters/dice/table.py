"""What is computed once for a game of dice: claims, raises, hands, lengths."""

from collections.abc import Sequence
from fractions import Fraction
from functools import cached_property, lru_cache
from math import comb

from mouche_solver.dice.rules.claims import all_claims, legal_claims
from mouche_solver.dice.rules.hands import Hand, all_hands
from mouche_solver.dice.rules.match_referee import Match
from mouche_solver.dice.rules.rules import DiceRules

MOST_HANDS = 1000  # with more hands than this under one cup, dice are rolled one by one


class DiceTable:
    """Constants of one game; use :func:`dice_table`, which shares them.

    Attributes
    ----------
    rules : DiceRules
        Rules by seat.
    match : bool
        A whole match, or one round.
    claims : tuple of Claim
        The claim of each action number.
    doubt : int
        The action number of the doubt, which is the largest.
    die_by_die : bool
        Whether a chance node rolls one die instead of one cup.
    """

    def __init__(self, rules: DiceRules, match: bool) -> None:
        self.rules, self.match = rules, match
        self.claims = all_claims(rules)
        self.doubt = len(self.claims)
        self.names = (*map(str, self.claims), "doubt")
        self.die_by_die = _hand_count(max(rules.dice), rules.faces) > MOST_HANDS
        self._rounds: dict[tuple[int, ...], RoundTable] = {}
        self._rolls: dict[int, tuple[tuple[Hand, ...], list[tuple[int, float]]]] = {}

    def round(self, match: Match) -> "RoundTable":
        """The table of the next round, whose playing order is ``match.seats``."""
        seats = match.seats
        if seats not in self._rounds:
            self._rounds[seats] = RoundTable(self, match)
        return self._rounds[seats]

    def rolls(self, dice: int) -> tuple[tuple[Hand, ...], list[tuple[int, float]]]:
        """What a chance node rolls for a cup of ``dice``, and OpenSpiel's list of outcomes.

        Hands when whole cups are rolled, else faces as hands of one die.
        """
        dice = 1 if self.die_by_die else dice
        if dice not in self._rolls:
            chances = self.roll_chances(dice)
            self._rolls[dice] = (
                all_hands(dice, self.rules.faces)[0],
                [(roll, float(chance)) for roll, chance in enumerate(chances)],
            )
        return self._rolls[dice]

    def roll_chances(self, dice: int) -> list[Fraction]:
        """The exact probability of each roll of :meth:`rolls`."""
        dice = 1 if self.die_by_die else dice
        faces = self.rules.faces
        return [Fraction(ways, faces**dice) for ways in all_hands(dice, faces)[1]]

    @property
    def most_rolls(self) -> int:
        """The largest number of outcomes of a chance node."""
        dice = 1 if self.die_by_die else max(self.rules.dice)
        return _hand_count(dice, self.rules.faces)

    @cached_property
    def rounds(self) -> int:
        """The most rounds of a game: all points but the winner's last one."""
        return sum(self.rules.starting_points) - 1 if self.match else 1

    @property
    def length(self) -> int:
        """The most claims and doubts of a game; see :meth:`_dice_of_rounds`."""
        return sum(times * longest_round(self.rules, sum(dice)) for times, dice in self._tables())

    @property
    def chance_length(self) -> int:
        """The most chance nodes of a game."""
        return sum(
            times * (sum(dice) if self.die_by_die else len(dice)) for times, dice in self._tables()
        )

    def _tables(self) -> list[tuple[int, Sequence[int]]]:
        """How often which cups are on the table in the longest match.

        With S points, S-n rounds eliminate nobody; from then on each round eliminates one, and the
        table stays largest when the smallest cups leave first.
        """
        cups = sorted(self.rules.dice)
        if not self.match:
            return [(1, cups)]
        players = len(cups)
        full = sum(self.rules.starting_points) - players
        return [(full, cups), *((1, cups[gone:]) for gone in range(players - 1))]


class RoundTable:
    """Constants of the rounds with one playing order.

    Attributes
    ----------
    rules : DiceRules
        Rules with dice in playing order.
    seats : tuple of int
        The playing order.
    """

    def __init__(self, table: DiceTable, match: Match) -> None:
        self.rules, self.seats = match.round_rules, match.seats
        self._table = table
        self._number = {claim: number for number, claim in enumerate(table.claims)}
        self._legal: dict[int | None, list[int]] = {}

    def legal(self, last: int | None) -> list[int]:
        """Action numbers after the claim numbered ``last``, ascending; not to be changed."""
        if last not in self._legal:
            claim = None if last is None else self._table.claims[last]
            numbers = sorted(self._number[c] for c in legal_claims(self.rules, claim))
            self._legal[last] = numbers if last is None else [*numbers, self._table.doubt]
        return self._legal[last]


@lru_cache(maxsize=64)
def dice_table(rules: DiceRules, match: bool) -> DiceTable:
    """The table of a game, shared by all its states.

    Examples
    --------
    >>> table = dice_table(DiceRules(dice=(2, 1), faces=4), False)
    >>> table.doubt, table.length, table.most_rolls
    (12, 7, 10)
    """
    return DiceTable(rules, match)


def longest_round(rules: DiceRules, dice: int) -> int:
    """The longest line of claims with so many dice on the table, and the doubt.

    Examples
    --------
    >>> longest_round(DiceRules(), 10)
    16
    """
    least = min(rules.minimum_opening, dice)
    if rules.raise_rule == "quantity-first":
        return (dice - least + 1) * rules.faces + 1
    if rules.raise_rule == "face-first":
        return dice * rules.faces - least + 2
    return dice - least + rules.faces + 1


def _hand_count(dice: int, faces: int) -> int:
    return comb(dice + faces - 1, dice)
