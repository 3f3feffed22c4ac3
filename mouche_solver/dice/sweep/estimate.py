"""What a solve will need, before anything is allocated."""

from dataclasses import asdict, dataclass
from math import comb
from typing import Any

from mouche_solver.core.memory import available_memory, human
from mouche_solver.core.minimisers import schedule
from mouche_solver.dice.rules.rules import DiceRules
from mouche_solver.dice.sweep.tree import RoundTree, round_tree
from mouche_solver.errors import RulesError, TooLargeError

# Below this many entries double precision costs nothing that anybody would notice.
DOUBLE_BELOW = 1 << 21
# More hands than this under one cup make a round that no machine of today could solve.
_MOST_HANDS = 20_000
# Vectors, templates, the compiler and the interpreter; measured, rounded up.
_OVERHEAD = 400_000_000


@dataclass(frozen=True)
class Estimate:
    """Size and needs of a round, exact counts except where said.

    Attributes
    ----------
    histories : int
        Public histories, the empty one included.
    entries, entries_with_forced : int
        Information-set actions, without and with the forced doubts after the highest claim.
    memory_bytes : int
        Peak memory of a solve, rounded up.
    checkpoint_bytes, solution_bytes : int
        Size of the files.
    """

    histories: int
    entries: int
    entries_with_forced: int
    memory_bytes: int
    checkpoint_bytes: int
    solution_bytes: int

    def to_dict(self) -> dict[str, Any]:
        """All fields as JSON types."""
        return asdict(self)


def estimate(rules: DiceRules, algorithm: str = "dcfr") -> Estimate:
    """Count a round of any number of players and say what a solve needs.

    Parameters
    ----------
    rules : DiceRules
    algorithm : str
        Predictive CFR+ keeps three numbers per entry, the others two.

    Raises
    ------
    TooLargeError
        When there are so many hands that not even the count is worth while.

    Examples
    --------
    >>> estimate(DiceRules()).histories
    8579072
    """
    tree = countable_tree(rules)
    histories, entries, forced = count_round(tree)
    size = 8 if entries < DOUBLE_BELOW else 4
    arrays = 3 if schedule(algorithm).predictive else 2
    state = entries * size * arrays
    # The solution is packed while the state is still there.
    return Estimate(
        histories, entries, entries + forced, state + 2 * entries + _OVERHEAD, state, 2 * entries
    )


def checked_tree(rules: DiceRules) -> RoundTree:
    """The tree of a two-player round; any other number of players is refused."""
    if rules.players != 2:
        raise RulesError(
            f"dice={rules.dice}: the exact two-player solver takes two players, not {rules.players}"
        )
    return countable_tree(rules)


def countable_tree(rules: DiceRules) -> RoundTree:
    """The tree of a round of a size that can be counted at all."""
    hands = max(comb(dice + rules.faces - 1, dice) for dice in rules.dice)
    if hands > _MOST_HANDS:
        raise TooLargeError(
            f"dice={rules.dice}, faces={rules.faces}: {hands:,} hands under one cup are more "
            f"than the {_MOST_HANDS:,} that can be handled; take fewer dice or faces"
        )
    return round_tree(rules)


def count_round(tree: RoundTree) -> tuple[int, int, int]:
    """Histories, entries and forced entries of a round, as exact integers."""
    players = tree.rules.players
    rows = [[0] * players for _ in tree.claims]
    rows[0][0] = 1
    entries = forced = 0
    for claim, raises in enumerate(tree.raises):
        for player in range(players):
            many = rows[claim][player] * int(tree.classes[player].size[tree.level[claim]])
            if raises:
                entries += many * (len(raises) + (claim > 0))
            else:
                forced += many
            for after in raises:
                rows[after][(player + 1) % players] += rows[claim][player]
    return sum(map(sum, rows)), entries, forced


def refuse_if_too_large(rules: DiceRules, need: Estimate) -> None:
    """Refuse a solve that does not fit into memory, with the largest smaller one that does.

    Raises
    ------
    TooLargeError
    """
    room = available_memory()
    if room is None or need.memory_bytes <= room:
        return
    raise TooLargeError(
        f"dice={rules.dice}, faces={rules.faces}, {rules.raise_rule} needs "
        f"{human(need.memory_bytes)} of memory for {need.entries:,} entries, {human(room)} are "
        f"free; {_smaller(rules, room)}"
    )


def _smaller(rules: DiceRules, room: int) -> str:
    dice = list(rules.dice)
    while max(dice) > 1:
        dice[dice.index(max(dice))] -= 1
        opening = min(rules.minimum_opening, sum(dice))
        less = rules.replace(dice=tuple(dice), minimum_opening=opening)
        if estimate(less).memory_bytes <= room:
            return f"dice={less.dice} would fit"
    return "no round with these faces fits"
