"""A round in which players pass over claims that hardly matter, small enough to solve while asked.

Five dice against five have 158 million entries after ``1x1``. Most of the claims in them are far
below what is expected on the table, or far above it. A thinned round keeps every raise at the
position that is asked about, and afterwards the claims with quantities around the expected number
of matching dice, on the higher faces.
"""

from functools import lru_cache

from mouche_solver.dice.odds import good_faces
from mouche_solver.dice.rules.claims import legal_claims
from mouche_solver.dice.rules.rules import Claim, DiceRules
from mouche_solver.dice.sweep.layout import entries_below
from mouche_solver.dice.sweep.tree import RoundTree, round_tree

# A region with more entries takes too long for an answer.
ENTRIES = 500_000


@lru_cache(maxsize=64)
def thinned(rules: DiceRules, last: Claim | None, player: int, most: int = ENTRIES) -> RoundTree:
    """The round below a claim with as many of the later claims as fit.

    Parameters
    ----------
    rules : DiceRules
        For two players.
    last : Claim or None
        The claim that stands; all raises of it are kept.
    player : int
        Who is to act.
    most : int
        Entries below the claim that are allowed, if at least the smallest choice has so few.

    Returns
    -------
    RoundTree
        The whole round where it is small enough.
    """
    whole = round_tree(rules)
    cell = 2 * whole.index[last] + player
    if entries_below(whole, cell) <= most:
        return whole
    best, best_size = None, 0
    smallest, smallest_size = None, 0
    for lowest, highest, face in _windows(rules, last):
        tree = _kept(whole, whole.index[last], lowest, highest, face)
        size = entries_below(tree, cell)
        if size <= most and size > best_size:
            best, best_size = tree, size
        if smallest is None or size < smallest_size:
            smallest, smallest_size = tree, size
    found = best or smallest
    assert found is not None  # there is always a window
    return found


def _windows(rules: DiceRules, last: Claim | None) -> list[tuple[int, int, int]]:
    """Lowest and highest quantity and lowest face of the claims that may be kept."""
    expected = rules.total_dice * good_faces(rules, rules.faces) / rules.faces
    lowest = max(1, round(expected))
    floor = 1 if last is None or rules.raise_rule == "quantity-first" else last.face
    reach = max(lowest, 0 if last is None else last.quantity)
    return [
        (low, min(max(low + wide, reach + 2), rules.total_dice), face)
        for low in (lowest - 1, lowest)
        for wide in range(2, 8)
        for face in range(floor, rules.faces + 1)
        if low >= 1
    ]


def _kept(tree: RoundTree, root: int, lowest: int, highest: int, face: int) -> RoundTree:
    kept = {
        number
        for number, claim in enumerate(tree.claims)
        if claim is not None and lowest <= claim.quantity <= highest and claim.face >= face
    }
    return RoundTree(
        tree.rules,
        [
            raises if number == root else tuple(each for each in raises if each in kept)
            for number, raises in enumerate(tree.raises)
        ],
    )


def left_out(tree: RoundTree) -> bool:
    """Whether some legal claims are passed over."""
    return any(
        len(raises) < len(legal_claims(tree.rules, claim))
        for claim, raises in zip(tree.claims, tree.raises, strict=True)
    )
