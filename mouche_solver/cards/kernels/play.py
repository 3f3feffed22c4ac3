"""Kernels for one trick: which cards are legal, which card is best.

Suits are *effective*: the Pamphile belongs to the suit that is trumps. ``trump``, ``led`` are
suit numbers, ``-1`` for ``led`` means that nothing has been led.
"""

from typing import NamedTuple

from mouche_solver.cards.kernels.bits import ONE, Hand, Int, Ints
from mouche_solver.cards.kernels.records import Game
from mouche_solver.core.jit import kernel

# Bits of ``PlayArrays.flags``, one for each switch of the rules.
FOLLOW, HEAD, HEAD_TRUMPED, TRUMP, OVERTRUMP, UNDERTRUMP, ACE_ANYTIME = 1, 2, 4, 8, 16, 32, 64


class PlayArrays(NamedTuple):
    """The rules of play as arrays; see :func:`mouche_solver.cards.compiled.arrays.compile_play`.

    ``suit_of[trump, card]`` and ``suit_mask[trump, suit]`` are effective suits,
    ``above[trump, card]`` the cards of the same effective suit that beat the card. ``ace[suit]`` is
    Mushka's Ace of each suit and ``killer`` its Ace of spades, -1 in the other games.
    """

    flags: int
    suit_of: Ints
    suit_mask: Ints
    above: Ints
    ace: Ints
    killer: int


@kernel
def allowed(
    hand: Hand, suit: Int, over_led: Int, trumps: Int, over_top: Int, trumped: Int, flags: Int
) -> Int:
    """The cards of ``hand`` that the rules allow once a card has been led.

    Parameters are masks: the suit led, what beats its best card, the trumps (empty when they were
    led), what beats the winning trump. ``trumped`` tells whether a plain suit was trumped.
    """
    if not flags & FOLLOW:
        return hand
    own = hand & suit
    if own:
        higher = own & over_led
        if higher and flags & HEAD and (not trumped or flags & HEAD_TRUMPED):
            return higher
        return own
    own = hand & trumps
    if not own or not flags & TRUMP:
        return hand
    if not trumped:
        return own
    higher = own & over_top
    if higher:
        return higher if flags & OVERTRUMP else own
    return own if flags & UNDERTRUMP else hand


@kernel
def legal_cards(
    hand: Hand, lead: Int, best_led: Int, top: Int, trump: Int, play: PlayArrays | Game
) -> Int:
    """The legal cards of a hand, as a mask.

    ``lead`` is the card led (-1: none yet), ``best_led`` the best card of its suit, ``top`` the
    card that is winning.
    """
    if lead < 0:
        return hand
    led = play.suit_of[trump, lead]
    trumped = led != trump and play.suit_of[trump, top] == trump
    trumps = play.suit_mask[trump, trump] if led != trump else lead * 0
    legal = allowed(
        hand,
        play.suit_mask[trump, led],
        play.above[trump, best_led],
        trumps,
        play.above[trump, top],
        trumped,
        play.flags,
    )
    if play.killer >= 0 and lead == play.ace[trump] and play.flags & ACE_ANYTIME:
        legal |= hand & (ONE << play.killer)
    return legal


@kernel
def beats(card: Int, top: Int, lead: Int, trump: Int, play: PlayArrays | Game) -> Int:
    """Whether ``card`` takes the trick from ``top``."""
    if play.killer >= 0 and lead == play.ace[trump] and lead != play.killer:
        if card == play.killer:
            return True
        if top == play.killer:
            return False
    if play.suit_of[trump, card] == play.suit_of[trump, top]:
        return (play.above[trump, top] >> card) & 1 != 0
    return play.suit_of[trump, card] == trump


@kernel
def trick_winner(cards: Ints, trump: Int, play: PlayArrays | Game) -> Int:
    """Position of the winning card; ``cards`` in the order played, the first was led."""
    best = 0
    for i in range(1, len(cards)):
        if beats(cards[i], cards[best], cards[0], trump, play):
            best = i
    return best


@kernel
def best_of_suit_led(cards: Ints, trump: Int, play: PlayArrays | Game) -> Int:
    """The best card of the suit that was led."""
    best = cards[0]
    for i in range(1, len(cards)):
        if (play.above[trump, best] >> cards[i]) & 1:
            best = cards[i]
    return best
