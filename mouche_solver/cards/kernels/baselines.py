"""The rule of thumb and people who bend it: counted sure tricks, then greedy cards.

Each player has two thresholds in sure tricks, one to stand and one to stay in. The steady one
exchanges nothing; the careless one declares by the rule and plays any legal card.
"""

from mouche_solver.cards.kernels.bits import ONE, Hand, Int, count, lowest
from mouche_solver.cards.kernels.play import beats
from mouche_solver.cards.kernels.records import (
    BOLD_POLICY,
    CAREFUL_POLICY,
    STEADY_POLICY,
    THUMB_POLICY,
    Game,
)
from mouche_solver.core.jit import kernel

STAND_AT, STAY_AT = 2.0, 0.7  # sure tricks to stand with, and to stay in with
CAREFUL_STAND, CAREFUL_STAY = 2.7, 1.4
BOLD_STAND, BOLD_STAY = 1.4, 0.4
STEADY_AT = 1.4  # who exchanges nothing stands from here on


@kernel
def sure_tricks(card: Int, unseen: Int, trump: Int, game: Game) -> float:
    """What a card counts: 1 for the best trump, half for others and for the best of a suit."""
    higher = count(game.above[trump, card] & unseen)
    if game.suit_of[trump, card] == trump:
        return 1.0 if higher == 0 else (0.7 if higher == 1 else 0.4)
    return 0.5 if higher == 0 else 0.0


@kernel
def thresholds(person: Int) -> tuple[float, float]:
    """Sure tricks that a player stands with, and stays in with."""
    if person == CAREFUL_POLICY:
        return CAREFUL_STAND, CAREFUL_STAY
    if person == BOLD_POLICY:
        return BOLD_STAND, BOLD_STAY
    if person == STEADY_POLICY:
        return STEADY_AT, STEADY_AT
    return STAND_AT, STAY_AT


@kernel
def thumb_declaration(
    hand: Hand, mouche: Int, most: Int, unseen: Int, trump: Int, game: Game,
    person: Int = THUMB_POLICY,
) -> Int:  # fmt: skip
    """-1 to pass, else the number of cards to exchange: those that count for nothing."""
    if mouche:
        return 0
    stand, stay = thresholds(person)
    total = 0.0
    useless = 0
    rest: Int = hand
    while rest:
        value = sure_tricks(lowest(rest), unseen, trump, game)
        rest &= rest - ONE
        total += value
        useless += value == 0.0
    if total >= stand or (total >= stay and useless == 0):
        return 0
    if total >= stay:
        return min(useless, most)
    return -1


@kernel
def strength(card: Int, trump: Int, game: Game) -> Int:
    """Trumps above plain cards, high above low."""
    suit = game.suit_of[trump, card]
    below = count(game.suit_mask[trump, suit]) - count(game.above[trump, card])
    return below + 100 if suit == trump else below


@kernel
def thumb_card(
    legal: Int, lead: Int, top: Int, last: Int, unseen: Int, trump: Int, game: Game
) -> Int:
    """Lead a card that nothing beats, else a low one; win the trick as cheaply as is safe."""
    best, chosen = -(1 << 30), -1
    while legal:
        card = lowest(legal)
        legal &= legal - ONE
        height = strength(card, trump, game)
        if lead < 0:
            master = game.above[trump, card] & unseen == 0
            liking = 1000 + height if master else -height
        elif beats(card, top, lead, trump, game):
            liking = 1000 - height if last else 1000 + height
        else:
            liking = -height
        if liking > best:
            best, chosen = liking, card
    return chosen
