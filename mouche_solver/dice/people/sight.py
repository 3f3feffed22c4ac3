"""What a person sees at a table: the odds of every claim, for each hand that could be his."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

import numpy as np
from numpy.typing import NDArray

from mouche_solver.dice.odds import count_distribution, good_faces
from mouche_solver.dice.rules.claims import legal_claims
from mouche_solver.dice.rules.hands import Hand, all_hands, matches
from mouche_solver.dice.rules.rules import Claim, DiceRules

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Sight:
    """A moment of the round as a player's hands see it.

    Attributes
    ----------
    rules : DiceRules
    player : int
        Place in playing order.
    last : Claim or None
        The claim that stands.
    hands : tuple of tuple of int
        Every sorted hand of the player.
    raises : tuple of Claim
        The legal claims, ascending.
    likely : float64 array, shape (hands, raises)
        Chance that a claim is true, given the hand and nothing else.
    standing : float64 array, shape (hands,)
        The same of the claim that stands; 1 before any.
    held : int64 array, shape (hands, raises)
        Own dice that match the claim.
    """

    rules: DiceRules
    player: int
    last: Claim | None
    hands: tuple[Hand, ...]
    raises: tuple[Claim, ...]
    likely: Floats
    standing: Floats
    held: NDArray[np.int64]

    def refuted(self) -> NDArray[np.bool_]:
        """Whether the own dice refute an action, shape (hands, actions), a doubt first.

        A doubt has no chance where the own dice alone make the claim true whatever the others hold.
        A claim has none where no dice of the others make it true, and a doubt is sure to win. A
        choice there must be: nothing is refuted at the start, or where the doubt is forced.
        """
        found = np.zeros((len(self.hands), len(self.raises) + (self.last is not None)), dtype=bool)
        if self.last is not None and self.raises:
            found[:, 0] = self.standing >= 1.0
            found[:, 1:] = (self.standing <= 0.0)[:, None] & (self.likely <= 0.0)
        return found


def look(rules: DiceRules, history: Sequence[Claim]) -> Sight:
    """What the player to act sees after a line of claims.

    Examples
    --------
    >>> sight = look(DiceRules(dice=(1, 1), faces=2), [Claim(1, 2)])
    >>> sight.hands, sight.raises, sight.likely.ravel().tolist(), sight.standing.tolist()
    (((1,), (2,)), (Claim(quantity=2, face=2),), [0.0, 0.5], [0.5, 1.0])
    """
    last = history[-1] if history else None
    return look_at(rules, len(history) % rules.players, last)


@cache
def look_at(rules: DiceRules, player: int, last: Claim | None) -> Sight:
    """What a player sees when a claim, or none, is the last one."""
    hands, _ = all_hands(rules.dice[player], rules.faces)
    raises = legal_claims(rules, last)
    counts = own_counts(rules, player)
    held = counts[:, [claim.face - 1 for claim in raises]]
    likely = (
        np.stack([true_chance(rules, player, claim) for claim in raises], axis=1)
        if raises
        else np.zeros((len(hands), 0))
    )
    standing = np.ones(len(hands)) if last is None else true_chance(rules, player, last)
    return Sight(rules, player, last, hands, raises, likely, standing, held)


@cache
def own_counts(rules: DiceRules, player: int) -> NDArray[np.int64]:
    """Dice of each hand that match each face, shape (hands, faces)."""
    hands, _ = all_hands(rules.dice[player], rules.faces)
    faces = range(1, rules.faces + 1)
    return np.array([[matches(hand, face, rules.wild) for face in faces] for hand in hands])


def true_chance(rules: DiceRules, player: int, claim: Claim, told: int = 0) -> Floats:
    """Chance that a claim is true for each hand, shape (hands,).

    Parameters
    ----------
    rules : DiceRules
    player : int
    claim : Claim
    told : int
        Dice under other cups that are believed to match it; the rest are unknown.
    """
    unknown = rules.total_dice - rules.dice[player] - told
    good = good_faces(rules, claim.face)
    exactly = rules.truth == "exactly"
    chances = np.array(count_distribution(unknown, rules.faces, good, at_least=not exactly))
    needed = claim.quantity - told - own_counts(rules, player)[:, claim.face - 1]
    found = chances[np.clip(needed, 0, unknown)]
    found[needed > unknown] = 0.0
    if exactly:
        found[needed < 0] = 0.0
    return found
