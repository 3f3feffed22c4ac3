"""The rule by which a dealer names trumps when the Pamphile is turned up."""

from typing import Any

from mouche_solver.cards.kernels.bits import ONE, Int, Ints, count, lowest
from mouche_solver.core.jit import kernel

# What a card counts more as a trump than as a plain card, in tenths of a trick, by unseen higher
# cards of its suit: 1.0 - 0.5, 0.7, 0.4 by the rule of thumb.
BEST, SECOND, OTHER = 5, 7, 4


@kernel
def naming_worth(hand: Int, turned: Int, suit: Int, ranks: Int, play: Any) -> Int:
    """What naming a suit gains; of equal gains the higher holding counts more."""
    own = hand & play.suit_mask[suit, suit]
    unseen = ~(hand | ONE << turned)
    held, gain = own >> (suit * ranks), own * 0
    while own:
        card = lowest(own)
        own &= own - ONE
        higher = count(play.above[suit, card] & unseen)
        gain += BEST if higher == 0 else (SECOND if higher == 1 else OTHER)
    return (gain << ranks) + held


@kernel
def named_suit(hand: Int, turned: Int, suits: Int, ranks: Int, play: Any) -> Int:
    """The suit that the dealer names; of equal ones the first."""
    best, chosen = -1, 0
    for suit in range(suits):
        value = naming_worth(hand, turned, suit, ranks, play)
        if value > best:
            best, chosen = value, suit
    return chosen


@kernel
def count_first_named(hands: Ints, turned: Int, suits: Int, ranks: Int, play: Any) -> Int:
    """How many hands name the first suit."""
    number = 0
    for i in range(len(hands)):
        number += named_suit(hands[i], turned, suits, ranks, play) == 0
    return number
