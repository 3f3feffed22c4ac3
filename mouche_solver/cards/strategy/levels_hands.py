"""Coarse and medium classes of hands for the declarations.

Two hands share a coarse class when they hold equally many trumps with the same numbers of unseen
higher trumps, as many best, second best and lower cards of plain suits, an equally long longest
plain suit, and are both or neither of one suit (a mouche, of trumps or not). They share a medium
class when they also hold the same trumps and have plain suits of the same lengths. A rough class
only counts trumps, those with at most one unseen higher trump, and the best plain cards.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from mouche_solver.cards.compiled.arrays import effective_order
from mouche_solver.cards.compiled.hands import HandClasses
from mouche_solver.cards.rules.rules import CardRules

CAP = 3  # unseen higher trumps are counted up to this
PLAIN_CAP = 2  # and unseen higher plain cards
KINDS = ("", "plain", "trump")
_BITS = 4  # of a count in a key
_COUNTS = CAP + 1 + PLAIN_CAP + 1
_MASK = (1 << _BITS) - 1

Ints = NDArray[np.int64]


class Feature(NamedTuple):
    """What a coarse class knows of a hand.

    Attributes
    ----------
    mouche : {"", "plain", "trump"}
        Whether all cards are of one suit, and of which kind.
    trumps : tuple of int
        Trumps with 0, 1, 2 and more unseen higher trumps.
    plain : tuple of int
        Plain cards with 0, 1 and more unseen higher cards of their suit.
    longest : int
        Length of the longest plain suit.
    """

    mouche: str
    trumps: tuple[int, ...]
    plain: tuple[int, ...]
    longest: int

    def __str__(self) -> str:
        kind = f"mouche ({self.mouche}), " if self.mouche else ""
        trumps = "/".join(map(str, self.trumps))
        plain = "/".join(map(str, self.plain))
        return f"{kind}trumps {trumps}, plain {plain}, longest {self.longest}"


def rough(feature: Feature) -> tuple[int, ...]:
    """What a rough class knows: kind of mouche, trumps, high trumps, best plain cards.

    Examples
    --------
    >>> rough(Feature("", (1, 0, 0, 1), (2, 0, 1), 2))
    (0, 2, 1, 2)
    """
    return (
        KINDS.index(feature.mouche),
        sum(feature.trumps),
        min(feature.trumps[0] + feature.trumps[1], 2),
        min(feature.plain[0], 2),
    )


def hand_feature(rules: CardRules, trump: int, turned: int, hand: int) -> Feature:
    """The feature of one hand.

    Examples
    --------
    >>> rules = CardRules(players=3)
    >>> pack = rules.pack
    >>> feature = hand_feature(rules, 0, pack.card("8C"), pack.hand("KC 9C KD QD 8H"))
    >>> print(feature)
    trumps 1/0/0/1, plain 2/0/1, longest 2
    """
    return decode(int(feature_keys(rules, trump, turned, np.array([hand], np.int64))[0]))


def feature_keys(rules: CardRules, trump: int, turned: int, hands: Ints) -> Ints:
    """The features of many hands as numbers; same shape as ``hands``."""
    counts, longest = np.zeros_like(hands), np.zeros_like(hands)
    for suit, order in enumerate(effective_order(rules, trump)):
        own = _held(hands, order)
        beside = order.index(turned) if turned in order else -1
        of_suit, length = _suit_table(len(order), beside, suit == trump)
        counts += of_suit[own]
        if suit != trump:
            longest = np.maximum(longest, length[own])
    kinds = _mouche_kinds(rules, trump, hands) << _BITS * _COUNTS
    return (kinds | counts) << _BITS | longest


def _held(hands: Ints, order: list[int]) -> Ints:
    """The cards of one suit in each hand, the lowest card the lowest bit."""
    if order == list(range(order[0], order[0] + len(order))):
        field: Ints = hands >> order[0] & ((1 << len(order)) - 1)
        return field
    held = np.zeros_like(hands)
    for place, card in enumerate(order):
        held |= (hands >> card & 1) << place
    return held


def _suit_table(ranks: int, beside: int, trump: bool) -> tuple[Ints, Ints]:
    """What each holding of one suit adds to the counts of a key, and its length."""
    own = np.arange(1 << ranks)
    counts, higher, length = np.zeros_like(own), np.zeros_like(own), np.zeros_like(own)
    first, cap = (0, CAP) if trump else (CAP + 1, PLAIN_CAP)
    for place in reversed(range(ranks)):
        held = own >> place & 1
        bucket = first + np.minimum(higher, cap)
        counts += held << _BITS * (_COUNTS - 1 - bucket)
        length += held
        if place != beside:
            higher += 1 - held
    return counts, length


def _mouche_kinds(rules: CardRules, trump: int, hands: Ints) -> Ints:
    """Index into ``KINDS`` of each hand."""
    kinds = np.zeros_like(hands)
    if not rules.mouche:
        return kinds
    free = rules.pamphile_any_suit and rules.pamphile_card is not None
    counted = hands & ~(1 << rules.pamphile_card) if free else hands  # type: ignore[operator]
    for suit in range(len(rules.pack.suits)):
        of_one_suit = counted & ~rules.pack.suit_mask(suit) == 0
        kinds[of_one_suit] = np.maximum(kinds[of_one_suit], 2 if suit == trump else 1)
    return kinds


def decode(key: int) -> Feature:
    """The feature of a number of :func:`feature_keys`."""
    digits = []
    for _ in range(_COUNTS + 1):
        digits.append(key & _MASK)
        key >>= _BITS
    *counts, longest = reversed(digits)
    return Feature(KINDS[key], tuple(counts[: CAP + 1]), tuple(counts[CAP + 1 :]), longest)


def class_keys(rules: CardRules, classes: HandClasses) -> Ints:
    """The feature number of every hand class; shape (classes.n_classes,)."""
    hands = classes.hand_of(np.arange(classes.n_classes))
    return feature_keys(rules, classes.trump, classes.turned, hands)


def medium_keys(rules: CardRules, classes: HandClasses) -> Ints:
    """The medium class of every hand class, as a number; shape (classes.n_classes,)."""
    hands = classes.hand_of(np.arange(classes.n_classes))
    order = effective_order(rules, classes.trump)
    masks = [sum(1 << card for card in cards) for cards in order]
    plain = [
        np.bitwise_count(hands & mask) for suit, mask in enumerate(masks) if suit != classes.trump
    ]
    lengths = np.sort(np.array(plain or [np.zeros_like(hands)]), axis=0)
    keys = feature_keys(rules, classes.trump, classes.turned, hands)
    for row in lengths[1:]:  # the shortest follows from the others
        keys = keys << _BITS | row
    held = np.zeros_like(hands)
    for position, card in enumerate(order[classes.trump]):
        held |= (hands >> card & 1) << position
    return _paired(keys, held)


def _paired(first: Ints, second: Ints) -> Ints:
    """One number for each different pair."""
    _, one = np.unique(first, return_inverse=True)
    return one.astype(np.int64) << 16 | second
