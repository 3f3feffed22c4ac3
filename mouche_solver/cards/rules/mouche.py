"""The mouche: a hand of one suit, and which of several wins."""

from collections.abc import Iterable

from mouche_solver.cards.rules.pack import cards_of
from mouche_solver.cards.rules.rules import CardRules

FACE_POINTS = 10


def mouche_suit(rules: CardRules, trump: int | None, hand: int) -> int | None:
    """The suit of which the hand is a mouche, or None.

    The Pamphile counts as the club it is; with ``pamphile_any_suit`` as a card of any suit, and
    alone as a trump.

    Examples
    --------
    >>> rules = CardRules(players=6)
    >>> mouche_suit(rules, 0, rules.pack.hand("AD 10D 9D 8D 7D"))
    1
    """
    cards = cards_of(hand)
    if cards and rules.pamphile_any_suit and rules.pamphile_card is not None:
        cards = tuple(card for card in cards if card != rules.pamphile_card)
        if not cards:
            return rules.pack.suit(rules.pamphile_card) if trump is None else trump
    suits = {rules.pack.suit(card) for card in cards}
    return suits.pop() if len(suits) == 1 else None


def mouche_points(rules: CardRules, hand: int) -> int:
    """Points of a mouche: Ace and face cards 10, the others their number.

    Examples
    --------
    >>> rules = CardRules(players=6)
    >>> mouche_points(rules, rules.pack.hand("KC QC JC AC 9C"))
    49
    """
    total = 0
    for card in cards_of(hand):
        rank = rules.pack.ranks[rules.pack.rank(card)]
        total += rules.ace_points if rank == "A" else int(rank) if rank.isdigit() else FACE_POINTS
    return total


def best_mouche(
    rules: CardRules, trump: int, hands: tuple[int, ...], holders: Iterable[int]
) -> int:
    """The seat whose mouche wins: trumps first, then points, then nearest the dealer's right."""

    def strength(seat: int) -> tuple[bool, int, int]:
        hand = hands[seat]
        if rules.mouche_order == "points":
            value = mouche_points(rules, hand)
        else:
            value = max(rules.pack.rank(card) for card in cards_of(hand))
        return mouche_suit(rules, trump, hand) == trump, value, -seat

    return max(holders, key=strength)
