"""What a solve will need, before anything is allocated."""

from collections.abc import Callable
from dataclasses import asdict, dataclass
from math import comb
from typing import Any

from mouche_solver.core.memory import available_memory, human
from mouche_solver.core.minimisers import schedule
from mouche_solver.dice.rules.rules import DiceRules
from mouche_solver.dice.sweep.layout import Layout, plan_layout, set_starts
from mouche_solver.dice.sweep.tree import RoundTree, round_tree
from mouche_solver.errors import RulesError, TooLargeError

# Below this many entries double precision costs nothing that anybody would notice.
DOUBLE_BELOW = 1 << 21
# More hands than this under one cup make a round that no machine of today could solve.
_MOST_HANDS = 20_000
# Rounds with more entries are not cut into tasks, whose number would be too large itself.
_MOST_PLANNED = 10**11
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
        Size of the files, at most.
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


def estimate(rules: DiceRules, algorithm: str = "dcfr", compact: bool = False) -> Estimate:
    """Count a round of any number of players and say what a solve needs.

    Parameters
    ----------
    rules : DiceRules
    algorithm : str
        Predictive CFR+ keeps three numbers per entry, the others two.
    compact : bool
        Of two players: 16 bits for a regret or an average below the trunk.

    Raises
    ------
    RulesError
        When a compact solve is not possible; see :func:`checked_compact`.
    TooLargeError
        When there are so many hands that not even the count is worth while.

    Examples
    --------
    >>> estimate(DiceRules()).histories
    8579072
    """
    tree = countable_tree(rules)
    histories, entries, forced = count_round(tree)
    if compact:
        return _estimate_compact(tree, algorithm, (histories, entries, entries + forced))
    size = 8 if entries < DOUBLE_BELOW else 4
    arrays = 3 if schedule(algorithm).predictive else 2
    state = entries * size * arrays
    # The solution is packed while the state is still there. A fine one takes 32 bits an entry;
    # these algorithms and sizes reach such.
    packed = (4 if arrays == 3 or size == 8 else 2) * entries
    return Estimate(histories, entries, entries + forced, state + packed + _OVERHEAD, state, packed)


def _estimate_compact(tree: RoundTree, algorithm: str, counts: tuple[int, int, int]) -> Estimate:
    if counts[1] > _MOST_PLANNED:
        state = 4 * counts[1]  # at least
        return Estimate(*counts, state + _OVERHEAD, state, 2 * counts[1])
    layout = checked_compact(tree, plan_layout(tree), algorithm)
    trunk = layout.trunk
    assert trunk is not None  # it was checked
    regions = {id(task.region): task.region for task in layout.tasks}
    sets = {number: set_starts(tree, region)[1] for number, region in regions.items()}
    below = 4 * (counts[1] - trunk.entries)
    below += 2 * sum(sets[id(task.region)] * task.rows for task in layout.tasks)
    state = below + 8 * trunk.entries
    # The trunk's strategy is measured in 16 and in 32 bits beside; two passes have vectors, and
    # what goes down and up is copied.
    peak = state + 8 * trunk.entries + 24 * int(trunk.vector_size.max()) + _OVERHEAD
    return Estimate(*counts, peak, state, 2 * counts[1])


def checked_compact(tree: RoundTree, layout: Layout, algorithm: str) -> Layout:
    """The layout of a round that can be solved with 16 bits an entry.

    Raises
    ------
    RulesError
        For other than two players, a predictive algorithm, or a round without a trunk.
    """
    if tree.rules.players != 2:
        raise RulesError(f"dice={tree.rules.dice}: compact solves are for two players")
    if schedule(algorithm).predictive:
        raise RulesError(f"algorithm {algorithm!r}: compact solves take cfr, cfr+ or dcfr")
    if layout.trunk is None:
        raise RulesError(
            f"dice={tree.rules.dice}: a round of {layout.entries:,} entries is too small for a "
            f"compact solve; leave compact out"
        )
    return layout


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


def refuse_if_too_large(
    rules: DiceRules, need: Estimate, otherwise: Callable[[int], str] = lambda room: ""
) -> None:
    """Refuse a solve that does not fit into memory, with the largest smaller one that does.

    Parameters
    ----------
    rules : DiceRules
    need : Estimate
    otherwise : callable, optional
        Other ways out, in words, for so many free bytes.

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
        f"free; {otherwise(room)}{_smaller(rules, room)}"
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
