"""What players and chance can do in a deal. Seats count in playing order, the dealer is last."""

from dataclasses import dataclass
from typing import Literal

Says = Literal["yes", "no", "dodge"]


@dataclass(frozen=True)
class NameTrump:
    """The dealer names the trump suit, when the Pamphile was turned up."""

    seat: int
    suit: int


@dataclass(frozen=True)
class Pass:
    """Lay the hand aside and be out of this deal."""

    seat: int


@dataclass(frozen=True)
class Stand:
    """Keep the hand; ``swap`` is the card the dealer gives for the turn-up, if he takes it."""

    seat: int
    swap: int | None = None


@dataclass(frozen=True)
class Exchange:
    """Lay ``cards`` down and draw as many; ``swap`` as in :class:`Stand`, done before."""

    seat: int
    cards: tuple[int, ...]
    swap: int | None = None


@dataclass(frozen=True)
class Ask:
    """Ask the player in seat ``of``, who stood, whether he has the mouche."""

    seat: int
    of: int


@dataclass(frozen=True)
class Answer:
    """Answer the question; ``dodge`` covers silence."""

    seat: int
    says: Says


@dataclass(frozen=True)
class Play:
    """Play a card to the trick; ``revoke`` records one that the rules did not allow."""

    seat: int
    card: int
    revoke: bool = False


@dataclass(frozen=True)
class Shuffle:
    """Chance: the cards laid aside become the stock, to be drawn in this order."""

    cards: tuple[int, ...]


Action = NameTrump | Pass | Stand | Exchange | Ask | Answer | Play | Shuffle
