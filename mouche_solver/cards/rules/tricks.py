"""Which cards may be played, and who wins the trick."""

from collections.abc import Sequence
from operator import index

from mouche_solver.cards.rules.pack import cards_of, mask_of
from mouche_solver.cards.rules.rules import CardRules


def suit_in_play(rules: CardRules, trump: int, card: int) -> int:
    """The card's suit; the Pamphile belongs to the trump suit."""
    return trump if card == rules.pamphile_card else rules.pack.suit(card)


def cards_in_play(rules: CardRules, trump: int, suit: int) -> int:
    """All cards of a suit as a mask, the Pamphile among the trumps."""
    cards, pamphile = rules.pack.suit_mask(suit), rules.pamphile_card
    if pamphile is None:
        return cards
    return cards | (1 << pamphile) if suit == trump else cards & ~(1 << pamphile)


def height(rules: CardRules, card: int) -> int:
    """The card's place in its suit; the Pamphile is above the King of trumps."""
    return rules.pack.per_suit if card == rules.pamphile_card else rules.pack.rank(card)


def legal_cards(rules: CardRules, trump: int, trick: Sequence[int], hand: int) -> int:
    """The cards of ``hand`` that may be played next.

    Parameters
    ----------
    rules : CardRules
    trump : int
        The trump suit's index.
    trick : sequence of int
        The cards already played, the card led first; empty when leading.
    hand : int
        Bit mask of the player's cards.

    Returns
    -------
    int
        Bit mask of the legal cards.

    Examples
    --------
    >>> rules = CardRules(players=6)
    >>> pack = rules.pack
    >>> legal = legal_cards(rules, 0, pack.cards("10H 7C"), pack.hand("KH 9H KC"))
    >>> pack.mask_names(legal)
    ['KH', '9H']
    """
    trump, hand, trick = index(trump), index(hand), [index(card) for card in trick]
    if not trick or not rules.must_follow:
        return hand
    led = suit_in_play(rules, trump, trick[0])
    own = hand & cards_in_play(rules, trump, led)
    if not own:
        return _when_void(rules, trump, trick, hand)
    legal = _heading(rules, trump, trick, led, own)
    if rules.ace_instead_of_following and _ace_may_beat(rules, trump, trick):
        legal |= hand & (1 << rules.pack.card("AS"))
    return legal


def _heading(rules: CardRules, trump: int, trick: Sequence[int], led: int, own: int) -> int:
    """Follow suit, and beat the best card if you can; a trumped plain suit needs no beating."""
    trumped = led != trump and any(suit_in_play(rules, trump, c) == trump for c in trick)
    if not rules.must_head or (trumped and not rules.head_when_trumped):
        return own
    best = max(height(rules, c) for c in trick if suit_in_play(rules, trump, c) == led)
    return _above(rules, own, best) or own


def _when_void(rules: CardRules, trump: int, trick: Sequence[int], hand: int) -> int:
    """Trump if you cannot follow, and overtrump if you can; else see ``must_undertrump``."""
    trumps = hand & cards_in_play(rules, trump, trump)
    if not trumps or not rules.must_trump:
        return hand
    played = [height(rules, c) for c in trick if suit_in_play(rules, trump, c) == trump]
    higher = _above(rules, trumps, max(played, default=-1))
    if higher:
        return higher if rules.must_overtrump else trumps
    return trumps if rules.must_undertrump else hand


def _above(rules: CardRules, cards: int, best: int) -> int:
    """The cards of a mask that are higher than ``best``."""
    return mask_of([card for card in cards_of(cards) if height(rules, card) > best])


def _ace_may_beat(rules: CardRules, trump: int, trick: Sequence[int]) -> bool:
    """Mushka: whether the Ace of trumps was led and the Ace of spades is no trump."""
    pack = rules.pack
    return (
        rules.scoring == "countdown"
        and pack.suits[trump] != "S"
        and trick[0] == pack.card("A" + pack.suits[trump])
    )


def trick_winner(rules: CardRules, trump: int, trick: Sequence[int]) -> int:
    """The place in the trick (0 the leader) of the card that wins it.

    Examples
    --------
    >>> rules = CardRules(players=6)
    >>> trick_winner(rules, 0, rules.pack.cards("10H 7C KH 9C"))
    3
    """
    trump, trick = index(trump), [index(card) for card in trick]
    if _ace_may_beat(rules, trump, trick) and rules.pack.card("AS") in trick:
        return list(trick).index(rules.pack.card("AS"))
    led = suit_in_play(rules, trump, trick[0])

    def strength(place: int) -> tuple[bool, bool, int]:
        suit = suit_in_play(rules, trump, trick[place])
        return suit == trump, suit == led, height(rules, trick[place])

    return max(range(len(trick)), key=strength)
