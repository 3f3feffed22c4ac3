"""The public tree of a round as arrays: claims, raises and classes of hands.

Nothing here depends on the number of histories. A claim has an index: 0 stands for "no claim
yet", 1.. follow :func:`mouche_solver.dice.rules.claims.all_claims`, so that a raise always has the
larger index.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache, cached_property

import numpy as np
from numpy.typing import NDArray

from mouche_solver.dice.rules.claims import all_claims, legal_claims
from mouche_solver.dice.rules.hands import Hand, all_hands, matches
from mouche_solver.dice.rules.rules import Claim, DiceRules

IntArray = NDArray[np.int64]


@dataclass(frozen=True)
class HandClasses:
    """The hands of one player, merged level by level as faces stop to matter.

    Attributes
    ----------
    hands : tuple of tuple of int
        Every sorted hand; the classes of level 0.
    prior : float64 array, shape (hands,)
        Probability of each hand.
    size : int64 array, shape (levels,)
        Number of classes at a level.
    of_hand : int64 array, shape (levels, hands)
        Class of each hand.
    merge : int64 array, shape (levels, levels, hands)
        ``merge[a, b, k]``: the class at level b that holds class k of level a; -1 where b does
        not follow a.
    """

    hands: tuple[Hand, ...]
    prior: NDArray[np.float64]
    size: IntArray
    of_hand: IntArray
    merge: IntArray

    def summed(self, levels: tuple[int, int], flow: NDArray[np.float64]) -> NDArray[np.float64]:
        """Numbers of the classes of one level, summed over those of another one after it.

        Parameters
        ----------
        levels : tuple of int
        flow : float64 array, shape (classes of the first,)

        Returns
        -------
        float64 array, shape (classes of the second,)
        """
        merge = self.merge[levels][: len(flow)]
        return np.bincount(merge, flow, int(self.size[levels[1]])).astype(np.float64)

    def least(self, levels: tuple[int, int], values: NDArray[np.float64]) -> NDArray[np.float64]:
        """The least of the numbers that classes of one level have, by class of another after it.

        Parameters
        ----------
        levels : tuple of int
        values : float64 array, shape (classes of the first,)

        Returns
        -------
        float64 array, shape (classes of the second,)
        """
        least = np.full(int(self.size[levels[1]]), np.inf)
        np.minimum.at(least, self.merge[levels][: len(values)], values)
        return least


class RoundTree:
    """Claims, raises and hand classes of one round.

    After a claim only the faces that it or a later claim can name still matter. Hands with
    equal counts of those faces have the same future and share one information set. The claims
    with the same set of live faces form a *level*.

    Parameters
    ----------
    rules : DiceRules
    raises : sequence of tuple of int, optional
        For each claim, the numbers of the claims that may follow it, ascending: some of the legal
        ones, for a game in which players pass over the rest. All legal ones without it.

    Examples
    --------
    >>> tree = RoundTree(DiceRules())
    >>> len(tree.claims), [int(size) for size in tree.classes[0].size]
    (61, [252, 252, 126, 56, 21, 6])
    """

    def __init__(self, rules: DiceRules, raises: Sequence[tuple[int, ...]] | None = None) -> None:
        self.rules = rules
        self.claims: tuple[Claim | None, ...] = (None, *all_claims(rules))
        self.index = {claim: number for number, claim in enumerate(self.claims)}
        legal = [
            tuple(self.index[after] for after in legal_claims(rules, claim))
            for claim in self.claims
        ]
        self.raises: tuple[tuple[int, ...], ...] = tuple(legal if raises is None else raises)
        live = [self._live_faces(number) for number in range(len(self.claims))]
        distinct = sorted(set(live), key=lambda faces: (-len(faces), faces))
        self.level = np.array([distinct.index(faces) for faces in live], dtype=np.int64)
        self.classes = tuple(
            _merge_hands(rules, player, tuple(distinct)) for player in range(rules.players)
        )

    def _live_faces(self, number: int) -> tuple[int, ...]:
        claims = [self.claims[n] for n in (number, *self.raises[number])]
        faces = {claim.face for claim in claims if claim is not None}
        if number == 0 or len(faces) == self.rules.faces:
            return tuple(range(1, self.rules.faces + 1))
        return tuple(sorted(faces))

    @cached_property
    def own_count(self) -> tuple[IntArray, ...]:
        """For each player, the dice of a class that match a claim: shape (claims, hands)."""
        return tuple(self._own_count(player) for player in range(self.rules.players))

    def _own_count(self, player: int) -> IntArray:
        classes = self.classes[player]
        table = np.zeros((len(self.claims), len(classes.hands)), dtype=np.int64)
        for number, claim in enumerate(self.claims):
            if claim is not None:
                of_hand = classes.of_hand[self.level[number]]
                for hand, where in zip(classes.hands, of_hand, strict=True):
                    table[number, where] = matches(hand, claim.face, self.rules.wild)
        return table


def _merge_hands(rules: DiceRules, player: int, levels: tuple[tuple[int, ...], ...]) -> HandClasses:
    hands, weights = all_hands(rules.dice[player], rules.faces)
    everything = tuple(range(1, rules.faces + 1))
    of_hand = np.zeros((len(levels), len(hands)), dtype=np.int64)
    for row, faces in enumerate(levels):
        keys = [
            hand
            if faces == everything
            else tuple(matches(hand, face, rules.wild) for face in faces)
            for hand in hands
        ]
        order = {key: number for number, key in enumerate(dict.fromkeys(keys))}
        of_hand[row] = [order[key] for key in keys]
    merge = np.full((len(levels), len(levels), len(hands)), -1, dtype=np.int64)
    for a, fine in enumerate(levels):
        for b, coarse in enumerate(levels):
            if set(coarse) <= set(fine):
                merge[a, b, of_hand[a]] = of_hand[b]
    prior = np.array(weights, dtype=np.float64) / float(rules.faces ** rules.dice[player])
    return HandClasses(hands, prior, of_hand.max(axis=1) + 1, of_hand, merge)


@cache
def round_tree(rules: DiceRules) -> RoundTree:
    """The tree of a round, built once per set of round rules."""
    return RoundTree(rules)
