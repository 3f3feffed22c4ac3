"""Six human-like players, as functions of the rules, the own hand and the public claims.

No player looks ahead, and none knows a strategy: they reckon the odds of claims from their own
dice, or do not. All but the believer take the dice of others as rolled. For any number of players
and faces, with or without a wild face.

A claim is *supported* when it is true with a chance of at least one half given the own hand.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from mouche_solver.dice.people.sight import Sight, look, look_at, true_chance
from mouche_solver.dice.rules.claims import can_raise
from mouche_solver.dice.rules.hands import Hand
from mouche_solver.dice.rules.notation import DOUBT
from mouche_solver.dice.rules.rules import Claim, DiceRules
from mouche_solver.errors import UsageError

Floats = NDArray[np.float64]

EVEN = 0.5
# Chances closer than this are the same to a person.
_SAME = 1e-9


@dataclass(frozen=True)
class Person:
    """A player who is described by a rule.

    Attributes
    ----------
    name : str
    about : str
        What he does, in a sentence.
    rule : callable
        From what he sees to probabilities of shape (hands, actions).
    """

    name: str
    about: str
    rule: Callable[[Sight], Floats]

    def mix(self, rules: DiceRules, history: Sequence[Claim] = ()) -> Floats:
        """What each of his hands does after a line of claims.

        Returns
        -------
        float64 array, shape (hands, actions)
            The doubt first where there is a claim, then the legal raises in ascending order; each
            row sums to one.

        Examples
        --------
        >>> rules = DiceRules(dice=(1, 1), faces=2)
        >>> PEOPLE["honest"].mix(rules, [Claim(1, 2)]).tolist()
        [[0.0, 1.0], [0.0, 1.0]]
        """
        return self.mix_at(rules, len(history) % rules.players, history[-1] if history else None)

    def mix_at(self, rules: DiceRules, player: int, last: Claim | None) -> Floats:
        """As :meth:`mix`, by who is to act and the claim that stands: all that he looks at."""
        sight = look_at(rules, player, last)
        if not sight.raises:
            return np.ones((len(sight.hands), 1))
        return self.rule(sight)

    def act(
        self, rules: DiceRules, hand: Hand, history: Sequence[Claim], random: np.random.Generator
    ) -> Claim | str:
        """Draw what he does with one hand: a claim, or ``"doubt"``."""
        sight = look(rules, history)
        chances = self.mix(rules, history)[sight.hands.index(tuple(sorted(hand)))]
        chosen = int(random.choice(len(chances), p=chances / chances.sum()))
        if history:
            return DOUBT if chosen == 0 else sight.raises[chosen - 1]
        return sight.raises[chosen]


def person(name: str) -> Person:
    """One of the six by name.

    Raises
    ------
    UsageError
        When there is none of that name.
    """
    if name not in PEOPLE:
        raise UsageError(f"player {name!r}: allowed are {', '.join(PEOPLE)}")
    return PEOPLE[name]


def _with_doubt(sight: Sight, doubts: Floats, raised: Floats) -> Floats:
    """Actions of shape (hands, actions) from the chance to doubt and a mix over raises."""
    if sight.last is None:
        return raised
    return np.concatenate([doubts[:, None], (1.0 - doubts)[:, None] * raised], axis=1)


def _evenly(chosen: NDArray[np.bool_]) -> Floats:
    """Each row's chosen raises alike."""
    return np.asarray(chosen / chosen.sum(axis=1, keepdims=True), dtype=np.float64)


def _most(weight: Floats, among: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Those among some raises that have the most of a weight."""
    best = np.where(among, weight, -np.inf).max(axis=1, keepdims=True)
    return np.asarray(among & (weight >= best - _SAME))


def _supported(sight: Sight, likely: Floats) -> Floats:
    """The highest supported claim on the face of which most dice are held; else the likeliest."""
    supported = likely >= EVEN - _SAME
    quantity = np.array([claim.quantity for claim in sight.raises], dtype=np.float64)
    best = _most(sight.held.astype(np.float64), supported)
    high = _most(np.broadcast_to(quantity, likely.shape), best)
    likeliest = _most(likely, np.ones_like(supported))
    return _evenly(np.where(supported.any(axis=1, keepdims=True), high, likeliest))


def _by_odds(sight: Sight, standing: Floats, likely: Floats, least: float) -> Floats:
    """Doubt what is less likely than ``least``, else claim what is supported."""
    return _with_doubt(sight, (standing < least).astype(np.float64), _supported(sight, likely))


def _honest(sight: Sight) -> Floats:
    return _by_odds(sight, sight.standing, sight.likely, EVEN)


def _doubter(sight: Sight) -> Floats:
    return _by_odds(sight, sight.standing, sight.likely, 0.8)


def _ladder(sight: Sight) -> Floats:
    """The smallest steps: raises that no other raise could be followed by."""
    steps = [
        not any(can_raise(sight.rules, before, claim) for before in sight.raises)
        for claim in sight.raises
    ]
    small = np.broadcast_to(np.array(steps), sight.likely.shape)
    doubts = (sight.standing < EVEN).astype(np.float64)
    return _with_doubt(sight, doubts, _evenly(_most(sight.likely, small)))


def _casual(sight: Sight) -> Floats:
    doubts = 1.0 / (1.0 + np.exp((sight.standing - EVEN) / 0.1))
    weight = np.exp((sight.likely - 1.0) / 0.15)
    return _with_doubt(sight, doubts, weight / weight.sum(axis=1, keepdims=True))


def _bluffer(sight: Sight) -> Floats:
    """Half of the time as the honest one, else a claim that his dice do not support."""
    unsupported = (sight.likely < EVEN) & (sight.likely >= 0.1)
    some = unsupported.any(axis=1, keepdims=True)
    honest = _supported(sight, sight.likely)
    bluff = np.where(some, unsupported, 0.0)
    bluff = np.where(some, bluff / np.maximum(bluff.sum(axis=1, keepdims=True), 1.0), honest)
    doubts = (sight.standing < 0.25).astype(np.float64)
    return _with_doubt(sight, doubts, 0.5 * honest + 0.5 * bluff)


def _believer(sight: Sight) -> Floats:
    """Takes it that half of the last claim, rounded up, lies under the cup of its player."""
    last = sight.last
    if last is None:
        return _supported(sight, sight.likely)
    claimant = (sight.player - 1) % sight.rules.players
    told = min(-(-last.quantity // 2), sight.rules.dice[claimant])
    likely = sight.likely.copy()
    for column, claim in enumerate(sight.raises):
        if claim.face == last.face:
            likely[:, column] = true_chance(sight.rules, sight.player, claim, told)
    standing = true_chance(sight.rules, sight.player, last, told)
    return _by_odds(sight, standing, likely, 0.25)


PEOPLE = {
    each.name: each
    for each in (
        Person(
            "honest",
            "claims the most that the odds support on the face he holds most of, and doubts a "
            "claim that is likelier false than true",
            _honest,
        ),
        Person(
            "ladder",
            "takes the smallest step up, and doubts a claim that is likelier false than true",
            _ladder,
        ),
        Person(
            "casual",
            "reckons roughly: the likelier a claim, the rather he makes it or lets it stand",
            _casual,
        ),
        Person(
            "bluffer",
            "every other time claims what his dice do not support, and doubts below one in four",
            _bluffer,
        ),
        Person(
            "doubter",
            "doubts whatever is true with a chance below four in five, and claims as the honest",
            _doubter,
        ),
        Person(
            "believer",
            "takes half of a claim's dice as held by who made it, and doubts below one in four",
            _believer,
        ),
    )
}
