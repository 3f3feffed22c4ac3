"""What a player has not seen, and counting in it: the ground under all exact odds."""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from math import comb

from mouche_solver.cards.rules.pack import mask_of
from mouche_solver.cards.rules.rules import CardRules
from mouche_solver.core.checks import check_int, shown, whole
from mouche_solver.errors import NotationError

# Masks of all packs are less, and so are numbers of cards.
_MOST = 1 << 64


@dataclass(frozen=True)
class Seen:
    """What is known: perhaps a hand, the turn-up, and the cards laid down from that hand.

    Parameters
    ----------
    hand : int
        Bit mask of the hand as it was dealt; 0 when no hand is known.
    turned : int or None
        The turn-up.
    laid : int
        The cards of ``hand`` that were laid down.
    drawn : int
        The cards drawn for them, once they are known.

    Examples
    --------
    >>> pack = CardRules(players=4).pack
    >>> seen = Seen(hand=pack.hand("KH QH 9C 8D 7S"), turned=pack.card("10S"))
    >>> unseen(CardRules(players=4), seen).bit_count()
    30
    """

    hand: int = 0
    turned: int | None = None
    laid: int = 0
    drawn: int = 0

    def __post_init__(self) -> None:
        for name, value in vars(self).items():
            if value is not None or name != "turned":
                mask = whole(name, value, NotationError)
                if not 0 <= mask < _MOST:
                    raise NotationError(f"{name}={shown(value)}: no pack has such cards")
                object.__setattr__(self, name, mask)


NOTHING = Seen()


def check_seen(rules: CardRules, seen: Seen) -> None:
    """Refuse what cannot be seen together.

    Raises
    ------
    NotationError
        Cards outside the pack, a hand of the wrong size or with the turn-up in it, cards
        laid down that are not held, cards drawn that were seen before.
    """
    pack = rules.pack
    if seen.turned is not None and seen.turned >= pack.size:
        raise NotationError(f"a card is not in the pack of {pack.size}")
    turned = 0 if seen.turned is None else 1 << seen.turned
    if (seen.hand | turned | seen.laid | seen.drawn) >> pack.size:
        raise NotationError(f"a card is not in the pack of {pack.size}")
    if seen.hand and seen.hand.bit_count() != rules.hand_size:
        raise NotationError(
            f"the hand has {seen.hand.bit_count()} cards: a hand is {rules.hand_size} cards"
        )
    if seen.hand & turned:
        assert seen.turned is not None
        raise NotationError(f"{pack.name(seen.turned)} is turned up, so the hand cannot hold it")
    if seen.laid & ~seen.hand:
        names = " ".join(pack.mask_names(seen.laid & ~seen.hand))
        raise NotationError(f"{names}: not in the hand, which is {_names(rules, seen.hand)}")
    if seen.laid.bit_count() > rules.max_exchange:
        raise NotationError(
            f"{seen.laid.bit_count()} cards: an exchange is 1 to {rules.max_exchange} cards"
        )
    if seen.drawn & (seen.hand | turned):
        raise NotationError("a card drawn was already in the hand or is the turn-up")


def _names(rules: CardRules, mask: int) -> str:
    return " ".join(rules.pack.mask_names(mask)) or "unknown"


def unseen(rules: CardRules, seen: Seen) -> int:
    """Bit mask of the cards that are not seen."""
    check_seen(rules, seen)
    turned = 0 if seen.turned is None else 1 << seen.turned
    return ((1 << rules.pack.size) - 1) & ~(seen.hand | turned | seen.drawn)


def trump_suit(rules: CardRules, seen: Seen, trump: int | None = None) -> int:
    """The trump suit: the one named, else the turn-up's.

    Raises
    ------
    NotationError
        When nothing tells: no turn-up, or the Pamphile is turned up and no suit is named.
    RulesError
        When the suit named is not one of the pack.
    """
    if trump is not None:
        trump = whole("trump", trump)
        check_int("trump", trump, 0, len(rules.pack.suits) - 1)
        return trump
    if seen.turned is None:
        raise NotationError("trumps are not known: give the turn-up")
    if seen.turned == rules.pamphile_card:
        raise NotationError("the Pamphile is turned up: trumps are what the dealer names")
    return rules.pack.suit(seen.turned)


def trump_mask(rules: CardRules, trump: int) -> int:
    """All cards of the trump suit in play, the Pamphile among them."""
    pamphile = () if rules.pamphile_card is None else (rules.pamphile_card,)
    return rules.pack.suit_mask(trump) | mask_of(pamphile)


def hits(cards: int, good: int, drawn: int) -> tuple[Fraction, ...]:
    """Chance of 0, 1, ..., ``drawn`` good cards among ``drawn`` of ``cards`` (hypergeometric).

    Examples
    --------
    >>> [str(p) for p in hits(4, 2, 2)]
    ['1/6', '2/3', '1/6']
    """
    # Before the cache: numpy's numbers equal Python's, but what is counted with them overflows.
    return _hits(whole("cards", cards), whole("good", good), whole("drawn", drawn))


@cache
def _hits(cards: int, good: int, drawn: int) -> tuple[Fraction, ...]:
    if not (0 <= good <= cards and 0 <= drawn <= cards):
        raise NotationError(f"cannot draw {drawn} of {cards} cards, {good} of them good")
    whole = comb(cards, drawn)
    return tuple(
        Fraction(comb(good, x) * comb(cards - good, drawn - x), whole) for x in range(drawn + 1)
    )


def mix(parts: Sequence[tuple[Fraction, tuple[Fraction, ...]]]) -> tuple[Fraction, ...]:
    """Sum of distributions of one length, each with its weight.

    Examples
    --------
    >>> half, one = Fraction(1, 2), Fraction(1)
    >>> mix([(half, (one, Fraction(0))), (half, (half, half))])
    (Fraction(3, 4), Fraction(1, 4))
    """
    columns = zip(*([weight * p for p in part] for weight, part in parts), strict=True)
    return tuple(sum(column, Fraction(0)) for column in columns)
