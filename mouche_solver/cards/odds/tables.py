"""Odds as arrays, and odds over ranges of hands."""

from fractions import Fraction

import numpy as np
from numpy.typing import ArrayLike, NDArray

from mouche_solver.cards.odds.unseen import hits
from mouche_solver.cards.rules.rules import CardRules
from mouche_solver.core.checks import check_int, whole
from mouche_solver.errors import RulesError

# Cards of the largest pack.
MOST = 52


def hit_table(cards: int, draws: int) -> NDArray[np.float64]:
    """Chances of hits among cards drawn: ``table[good, drawn, hit]``.

    Parameters
    ----------
    cards : int
        Unseen cards, at most 52.
    draws : int
        Most cards drawn, at most 52.

    Returns
    -------
    numpy.ndarray of float64, shape (cards + 1, draws + 1, draws + 1)
        Each entry the float nearest to the exact chance.

    Examples
    --------
    >>> hit_table(4, 2)[2, 2]
    array([0.16666667, 0.66666667, 0.16666667])
    """
    cards = check_int("cards", cards, 0, MOST)
    draws = check_int("draws", draws, 0, MOST)
    table = np.zeros((cards + 1, draws + 1, draws + 1))
    for good in range(cards + 1):
        for drawn in range(draws + 1):
            table[good, drawn, : drawn + 1] = [float(p) for p in hits(cards, good, drawn)]
    return table


def trump_table(rules: CardRules) -> NDArray[np.float64]:
    """Trumps after an exchange, trumps laid down last: ``table[dealt, exchanged, after]``.

    The turn-up has shown the suit; with a Pamphile in the pack the table is for a plain suit's
    turn-up under which it is one more trump.

    Returns
    -------
    numpy.ndarray of float64, shape (hand_size + 1,) * 3
        Rows that cannot be (more trumps dealt than there are) are 0.

    Examples
    --------
    >>> table = trump_table(CardRules(players=4))
    >>> table.shape, round(float(table[2, 3, 2]), 4)
    ((6, 6, 6), 0.4985)
    """
    size = rules.hand_size
    trumps = rules.pack.per_suit - (rules.pamphile_card is None)
    unseen = rules.pack.size - 1 - size
    table = np.zeros((size + 1,) * 3)
    for dealt in range(min(size, trumps) + 1):
        for exchanged in range(min(rules.max_exchange, unseen) + 1):
            kept = min(dealt, size - exchanged)
            for hit, chance in enumerate(hits(unseen, trumps - dealt, exchanged)):
                table[dealt, exchanged, kept + hit] = float(chance)
    return table


def out_table(rules: CardRules) -> NDArray[np.float64]:
    """Chance that any of some unseen cards is out: ``table[opponents, cards]``.

    For a player who knows his hand and the turn-up; opponents' hands as dealt.

    Returns
    -------
    numpy.ndarray of float64, shape (players, ranks + 1)

    Examples
    --------
    >>> out_table(CardRules(players=4))[2, 1].round(6)
    np.float64(0.333333)
    """
    unseen = rules.pack.size - 1 - rules.hand_size
    table = np.zeros((rules.players, rules.pack.per_suit + 1))
    for opponents in range(rules.players):
        for cards in range(min(rules.pack.per_suit, unseen) + 1):
            table[opponents, cards] = float(1 - hits(unseen, opponents * rules.hand_size, cards)[0])
    return table


def mouche_given_range(
    rules: CardRules, turned: int, stands: ArrayLike, *, out_of: int = 1, hand: int = 0
) -> Fraction:
    """Chance that a player who stood has the mouche, given on which hands he stands.

    Every hand is counted, by class; this needs the compiled kernels (80,730 hands with 28 cards,
    2,349,060 with 52: a fraction of a second).

    Parameters
    ----------
    rules : CardRules
    turned : int
        The turn-up.
    stands : array_like of int or bool, shape (n_classes,)
        For each class of :class:`~mouche_solver.cards.compiled.hands.HandClasses`: in how many of
        ``out_of`` cases he stands.
    out_of : int
        Denominator of ``stands``.
    hand : int
        Bit mask of a hand that is known, 0 for none.

    Raises
    ------
    RulesError
        When ``stands`` has the wrong shape or values, or nobody ever stands.

    Examples
    --------
    >>> rules = CardRules(players=2, ranks="K Q J A", suits="C D", hand_size=2)
    >>> print(mouche_given_range(rules, 0, [1] * 21))
    3/7
    >>> print(mouche_given_range(rules, 0, [2] * 20 + [1], out_of=2))
    17/41
    """
    from mouche_solver.cards.compiled.hands import HandClasses

    turned, out_of, hand = whole("turned", turned), whole("out_of", out_of), whole("hand", hand)
    if not rules.mouche or rules.pamphile_card is not None:
        raise RulesError("ranges of hands are counted for rules with a mouche and no Pamphile")
    classes = HandClasses(rules.pack, rules.hand_size, turned)
    chosen = np.asarray(stands, np.int64)
    if chosen.shape != (classes.n_classes,) or chosen.min() < 0 or chosen.max() > out_of:
        raise RulesError(
            f"stands: give {classes.n_classes} whole numbers from 0 to {out_of}, one per class"
        )
    hands = classes.hands()
    free = hands[hands & hand == 0]
    count = np.bincount(classes.class_of(free), minlength=classes.n_classes)
    of_class = classes.hand_of(range(classes.n_classes))
    suits = np.array([rules.pack.suit_mask(s) for s in range(len(rules.pack.suits))])
    flush = (of_class[:, None] & ~suits == 0).any(axis=1)
    standing = int((count * chosen).sum())
    if not standing:
        raise RulesError("stands: no possible hand ever stands")
    return Fraction(int((count * chosen)[flush].sum()), standing)
