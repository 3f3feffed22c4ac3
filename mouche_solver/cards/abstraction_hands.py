"""Coarse classes of hands for the declarations.

Two hands share a coarse class when they hold equally many trumps with the same numbers of unseen
higher trumps, as many best, second best and lower cards of plain suits, an equally long longest
plain suit, and are both or neither of one suit (a mouche, of trumps or not).
"""

import numpy as np
from numpy.typing import NDArray

from mouche_solver.cards.compiled import effective_order
from mouche_solver.cards.hands import HandClasses
from mouche_solver.cards.mouche import mouche_suit
from mouche_solver.cards.rules import CardRules

CAP = 3  # unseen higher cards are counted up to this

Feature = tuple[object, ...]


def hand_feature(rules: CardRules, trump: int, turned: int, hand: int) -> Feature:
    """What a coarse class knows of a hand.

    Returns
    -------
    tuple
        (suit is "trump", "plain" or "" when the hand is no mouche; unseen higher trumps of each
        trump, highest first, at most 3; plain cards with 0, 1 and more unseen higher cards; length
        of the longest plain suit).

    Examples
    --------
    >>> rules = CardRules(players=3)
    >>> pack = rules.pack
    >>> hand_feature(rules, 0, pack.card("8C"), pack.hand("KC 9C KD QD 8H"))
    ('', (0, 3), (2, 0, 1), 2)
    """
    trumps: list[int] = []
    plain = [0, 0, 0]
    longest = 0
    for suit, order in enumerate(effective_order(rules, trump)):
        higher = length = 0
        for card in reversed(order):
            if hand >> card & 1:
                length += 1
                if suit == trump:
                    trumps.append(min(higher, CAP))
                else:
                    plain[min(higher, 2)] += 1
            elif card != turned:
                higher += 1
        if suit != trump:
            longest = max(longest, length)
    of_one_suit = mouche_suit(rules, trump, hand) if rules.mouche else None
    kind = "" if of_one_suit is None else "trump" if of_one_suit == trump else "plain"
    return kind, tuple(trumps), tuple(plain), longest


def coarse_classes(
    rules: CardRules, classes: HandClasses, known: dict[Feature, int]
) -> NDArray[np.int32]:
    """The coarse class of every hand class.

    Parameters
    ----------
    rules : CardRules
    classes : HandClasses
    known : dict
        Numbers of features; new ones are added, so that contexts may share it.

    Returns
    -------
    numpy.ndarray of int32, shape (classes.n_classes,)
    """
    hands = classes.hand_of(np.arange(classes.n_classes)).tolist()
    trump, turned = classes.trump, classes.turned
    return np.array(
        [known.setdefault(hand_feature(rules, trump, turned, hand), len(known)) for hand in hands],
        np.int32,
    )


def plain_text(feature: Feature) -> str:
    """A coarse class in words.

    Examples
    --------
    >>> plain_text(("", (0, 3), (2, 0, 1), 2))
    'trumps 0 3+, plain 2 best 0 second 1 lower, longest 2'
    """
    kind, trumps, plain, longest = feature
    assert isinstance(trumps, tuple)
    assert isinstance(plain, tuple)
    held = " ".join("3+" if t == CAP else str(t) for t in trumps) or "none"
    best, second, lower = plain
    mouche = f"mouche ({kind}), " if kind else ""
    words = f"trumps {held}, plain {best} best {second} second {lower} lower, longest {longest}"
    return mouche + words
