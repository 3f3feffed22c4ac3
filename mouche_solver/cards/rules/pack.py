"""Cards as small integers, hands as bit masks, and their names.

A card is ``suit_index * R + rank_index``: suits in the order C D H S (those in the pack), rank 0
the lowest of the pack's R ranks. A suit is a contiguous field of R bits.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from operator import index

from mouche_solver.errors import NotationError

SUITS = ("C", "D", "H", "S")
RANKS = ("K", "Q", "J", "A", "10", "9", "8", "7", "6", "5", "4", "3", "2")


@dataclass(frozen=True)
class Pack:
    """The cards of one game: their order and their names.

    Parameters
    ----------
    ranks : tuple of str
        The ranks of each suit, **lowest first**.
    suits : tuple of str
        The suits, in the order C D H S.

    Examples
    --------
    >>> pack = Pack(ranks=("10", "A", "J", "Q", "K"), suits=("C", "H"))
    >>> pack.card("10H"), pack.name(9), pack.size
    (5, 'KH', 10)
    >>> pack.names(pack.cards("KH, 10C"))
    ['KH', '10C']
    """

    ranks: tuple[str, ...]
    suits: tuple[str, ...]

    @property
    def per_suit(self) -> int:
        """Cards of one suit, R."""
        return len(self.ranks)

    @property
    def size(self) -> int:
        """Cards in the pack."""
        return len(self.ranks) * len(self.suits)

    @cached_property
    def all_names(self) -> tuple[str, ...]:
        """The name of every card, in the order of the card numbers."""
        return tuple(rank + suit for suit in self.suits for rank in self.ranks)

    @cached_property
    def _numbers(self) -> dict[str, int]:
        return {name: card for card, name in enumerate(self.all_names)}

    def suit(self, card: int) -> int:
        """Index of the card's suit in :attr:`suits`."""
        return card // len(self.ranks)

    def rank(self, card: int) -> int:
        """Index of the card's rank, 0 the lowest."""
        return card % len(self.ranks)

    def suit_mask(self, suit: int) -> int:
        """Bit mask of all cards of one suit."""
        return ((1 << self.per_suit) - 1) << (suit * self.per_suit)

    def name(self, card: int) -> str:
        """Rank then suit, as ``10H``."""
        return self.all_names[card]

    def names(self, cards: Iterable[int]) -> list[str]:
        """Names of some cards, in their order."""
        return [self.all_names[card] for card in cards]

    def suit_number(self, text: str) -> int:
        """The index of a suit given as C, D, H or S; :class:`NotationError` for anything else."""
        suit = text.strip().upper()
        if suit not in self.suits:
            raise NotationError(f"suit {text!r}: the suits of this pack are {' '.join(self.suits)}")
        return self.suits.index(suit)

    def card(self, text: str) -> int:
        """The card named ``text``; :class:`NotationError` when the pack has no such card."""
        card = self._numbers.get(text.strip().upper())
        if card is None:
            raise NotationError(
                f"card {text!r} is not in the pack: rank then suit, ranks "
                f"{' '.join(reversed(self.ranks))}, suits {' '.join(self.suits)}"
            )
        return card

    def cards(self, text: str | Iterable[str]) -> tuple[int, ...]:
        """Cards from names separated by commas or spaces; a card named twice is refused."""
        names = [t for t in re.split(r"[,\s]+", text) if t] if isinstance(text, str) else text
        found: list[int] = []
        for name in names:
            card = self.card(name)
            if card in found:
                raise NotationError(f"card {self.name(card)} is named twice; each exists once")
            found.append(card)
        return tuple(found)

    def hand(self, text: str | Iterable[str]) -> int:
        """The bit mask of the named cards."""
        return mask_of(self.cards(text))

    def mask_names(self, mask: int) -> list[str]:
        """Names of the cards of a mask, suit by suit, the highest card of a suit first."""
        key = lambda card: (self.suit(card), -self.rank(card))  # noqa: E731
        return self.names(sorted(cards_of(mask), key=key))


def mask_of(cards: Iterable[int]) -> int:
    """Bit mask of some cards.

    Examples
    --------
    >>> mask_of([0, 3])
    9
    """
    mask = 0
    for card in cards:
        mask |= 1 << index(card)
    return mask


def cards_of(mask: int) -> tuple[int, ...]:
    """The cards of a bit mask, lowest number first.

    Examples
    --------
    >>> cards_of(9)
    (0, 3)
    """
    cards, mask = [], index(mask)
    while mask:
        low = mask & -mask
        cards.append(low.bit_length() - 1)
        mask ^= low
    return tuple(cards)
