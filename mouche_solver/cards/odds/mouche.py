"""Exact odds of a mouche in the hands as they were dealt."""

from fractions import Fraction
from math import comb, factorial

from mouche_solver.cards.odds.unseen import NOTHING, Seen, unseen
from mouche_solver.cards.rules.mouche import mouche_suit
from mouche_solver.cards.rules.rules import CardRules
from mouche_solver.core.checks import fraction
from mouche_solver.errors import RulesError


def mouche_dealt(rules: CardRules, seen: Seen = NOTHING) -> Fraction:
    """Chance that one given player was dealt a mouche; a player other than the one who looks.

    Every seat has the same chance: the deal favours nobody.

    Parameters
    ----------
    rules : CardRules
    seen : Seen
        A hand and a turn-up that are known.

    Raises
    ------
    RulesError
        When the rules have no mouche.
    NotationError
        When ``seen`` cannot be.

    Examples
    --------
    >>> print(mouche_dealt(CardRules(players=4)))
    1/748
    """
    return _all_hold(rules, seen, 1)


def mouche_count(rules: CardRules, seen: Seen = NOTHING) -> tuple[Fraction, ...]:
    """Chances that exactly 0, 1, ..., ``players`` players were dealt a mouche.

    A known hand counts as the mouche that it is or is not. The method is inclusion-exclusion over
    the other players; each term sums over how many mouches fall in each suit, so it is exact for
    any deck and any number of players.

    Examples
    --------
    >>> print(mouche_count(CardRules(players=3))[2])
    203/42493880
    """
    others = rules.players - bool(seen.hand)
    union = [comb(others, j) * _all_hold(rules, seen, j) for j in range(others + 1)]
    exactly = [
        sum(((-1) ** (j - k) * comb(j, k) * union[j] for j in range(k, others + 1)), Fraction(0))
        for k in range(others + 1)
    ]
    if seen.hand:
        mine = is_mouche(rules, seen.hand)
        exactly = [Fraction(0), *exactly] if mine else [*exactly, Fraction(0)]
    return tuple(exactly)


def mouche_at_table(rules: CardRules, seen: Seen = NOTHING) -> Fraction:
    """Chance that at least one player at the table, a known hand included, was dealt a mouche.

    Examples
    --------
    >>> print(float(mouche_at_table(CardRules(players=4))))
    0.005329793948372717
    """
    return 1 - mouche_count(rules, seen)[0]


def mouche_elsewhere(rules: CardRules, seen: Seen) -> Fraction:
    """Chance that at least one of the *other* players was dealt a mouche."""
    own = bool(seen.hand) and is_mouche(rules, seen.hand)
    return 1 - mouche_count(rules, seen)[int(own)]


def mouche_given_stood(rules: CardRules, stands: Fraction, seen: Seen = NOTHING) -> Fraction:
    """Chance that a given player who stood has the mouche.

    Parameters
    ----------
    rules : CardRules
    stands : Fraction
        How often he stands when he has *no* mouche, over all such hands; with one he always does.
        A range of hands instead of a rate: :func:`mouche_solver.cards.odds.mouche_given_range`.
    seen : Seen

    Raises
    ------
    RulesError
        When ``stands`` is no probability.

    Examples
    --------
    >>> print(mouche_given_stood(CardRules(players=4), Fraction(1, 10)))
    10/757
    """
    stands = fraction("stands", stands)
    if not 0 <= stands <= 1:
        raise RulesError(f"stands={stands}: a probability is 0 to 1")
    holds = mouche_dealt(rules, seen)
    if holds == 0 and stands == 0:
        raise RulesError("stands=0: then nobody stands here, as no mouche is possible")
    return holds / (holds + (1 - holds) * stands)


def is_mouche(rules: CardRules, hand: int) -> bool:
    """Whether a dealt hand is a mouche."""
    return mouche_suit(rules, None, hand) is not None


def _all_hold(rules: CardRules, seen: Seen, players: int) -> Fraction:
    """Chance that each of ``players`` given other players was dealt a mouche."""
    if not rules.mouche:
        raise RulesError("these rules have no mouche")
    size, out = rules.hand_size, unseen(rules, seen)
    pamphile = 0
    if rules.pamphile_any_suit and rules.pamphile_card is not None:
        pamphile = out & (1 << rules.pamphile_card)
    pack = rules.pack
    suits = [
        (out & ~pamphile & pack.suit_mask(suit)).bit_count() for suit in range(len(pack.suits))
    ]
    ways = _ways(suits, size, players)
    if pamphile and players:
        ways += players * _ways_with_pamphile(suits, size, players)
    whole, cards = 1, out.bit_count()
    for player in range(players):
        whole *= comb(cards - player * size, size)
    return Fraction(ways, whole)


def _ways(suits: list[int], size: int, players: int) -> int:
    """Ways to give each of some players ``size`` cards of one suit."""
    ways = [1] + [0] * players  # by the number of players served from the suits so far
    for cards in suits:
        serve = [
            factorial(cards) // (factorial(size) ** m * factorial(cards - m * size))
            for m in range(min(players, cards // size) + 1)
        ]
        ways = [
            sum(comb(j, m) * serve[m] * ways[j - m] for m in range(min(j + 1, len(serve))))
            for j in range(players + 1)
        ]
    return ways[players]


def _ways_with_pamphile(suits: list[int], size: int, players: int) -> int:
    """The same when the first of them holds the Pamphile, which fits any suit."""
    if size == 1:
        return _ways(suits, size, players - 1)
    total = 0
    for i, cards in enumerate(suits):
        left = [*suits[:i], cards - size + 1, *suits[i + 1 :]]
        if cards >= size - 1:
            total += comb(cards, size - 1) * _ways(left, size, players - 1)
    return total
