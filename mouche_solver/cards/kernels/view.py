"""Kernels for what a player knows when he plays a card, at the coarse and the lossless level.

A position is a row of an int64 array; see the constants below. ``place`` counts the players who
are in, 0 the first of them from the dealer's right.
"""

import numpy as np

from mouche_solver.cards.kernels.bits import ONE, Int, Ints, count, highest, lowest
from mouche_solver.cards.kernels.lookup import S31, mix
from mouche_solver.cards.kernels.play import beats
from mouche_solver.cards.kernels.records import PLACES, Game, Table
from mouche_solver.core.jit import kernel

# Columns of a position.
HAND = 0  # one column for each place: cards held
LAID = PLACES  # cards that the player laid down
SAID = 2 * PLACES  # cards exchanged, 0 for standing
WON = 3 * PLACES  # tricks
LEAD, LED, TOP, TAKER = 4 * PLACES, 4 * PLACES + 1, 4 * PLACES + 2, 4 * PLACES + 3
LEADER, TURN, TRICK = 4 * PLACES + 4, 4 * PLACES + 5, 4 * PLACES + 6
GONE = 4 * PLACES + 7  # cards that everybody has seen: played, and the face-up card
VOID = 4 * PLACES + 8  # places known to have no trump
INSIDE = 4 * PLACES + 9  # how many are in
PUBLIC = 4 * PLACES + 10  # hash of the declarations and the turn-up
PLAYS = 4 * PLACES + 11  # cards played so far
HOLDER = 4 * PLACES + 12  # place that had the Pamphile, or Mushka's Ace of spades; -1 for none
PLAYED = 4 * PLACES + 13  # the cards in the order played

CAP = 3  # unseen higher cards are counted up to this
MANY = 4  # and unseen trumps up to this
COARSE_FROM = 4  # with so many players in, the others are counted, not told apart

GOLD = np.uint64(0x9E3779B97F4A7C15)


@kernel
def combine(word: Int, value: Int) -> Int:
    """A hash of a hash and a number."""
    return mix((word ^ np.uint64(value)) * GOLD + S31)


@kernel
def suit_picture(own: Int, legal: Int, unseen: Int, led: Int, trump: Int, game: Game) -> Int:
    """One suit of a hand: for 0 to 3 or more unseen higher cards, how many cards, and if legal."""
    picture = ONE * led << 16
    while own:
        card = highest(own)
        own ^= ONE << card
        bucket = min(CAP, count(game.above[trump, card] & unseen))
        picture += ONE << (4 * bucket)
        if (legal >> card) & 1:
            picture |= ONE << (4 * bucket + 3)
    return picture


@kernel
def play_key(d: Int, place: Int, legal: Int, trump: Int, game: Game, table: Table) -> Int:
    """The abstract information set of a player with a choice, as a hash.

    Fills ``table.choice`` with one card for each of the ``table.choices`` classes of legal cards.
    """
    at, picture = table.at, table.picture
    hand = at[d, HAND + place]
    everything = (ONE << game.cards) - 1
    unseen = everything & ~(hand | at[d, LAID + place] | at[d, GONE])
    led = game.suit_of[trump, at[d, LEAD]] if at[d, LEAD] >= 0 else -1
    for suit in range(game.suit_count):
        own = hand & game.suit_mask[trump, suit]
        drawn = suit_picture(own, legal, unseen, led == suit, trump, game)
        picture[suit] = drawn << 8 | suit
    picture[0], picture[trump] = picture[trump], picture[0]
    for i in range(2, game.suit_count):  # plain suits, the largest picture first
        value = picture[i]
        j = i
        while j > 1 and picture[j - 1] < value:
            picture[j] = picture[j - 1]
            j -= 1
        picture[j] = value
    total = np.uint64(1)
    word = np.uint64(0)
    table.choices = 0
    for i in range(game.suit_count):
        word = (word << np.uint64(17)) + np.uint64(picture[i] >> 8)
        if i & 1 or i == game.suit_count - 1:
            total = combine(total, word)
            word = np.uint64(0)
        add_choices(legal & game.suit_mask[trump, picture[i] & 255], unseen, trump, game, table)
    if game.pamphile >= 0:
        total = combine(total, pamphile_picture(at, d, place, game))
    if game.killer >= 0:
        total = combine(total, ace_picture(d, place, trump, game, table))
    wins = 0
    if led >= 0:
        wins = 1 + any_beats(legal, at[d, TOP], at[d, LEAD], trump, game)
    trumps = min(MANY, count(unseen & game.suit_mask[trump, trump]))
    seen = table_picture(at, d, place, led, trump, game)
    return combine(total, (seen * 3 + wins) * (MANY + 1) + trumps)


@kernel
def any_beats(legal: Int, top: Int, lead: Int, trump: Int, game: Game) -> Int:
    """Whether one of the cards takes the trick as it stands."""
    while legal:
        if beats(lowest(legal), top, lead, trump, game):
            return True
        legal &= legal - ONE
    return False


@kernel
def revealed(at: Ints, d: Int) -> Int:
    """The place that has scored for the Ace of spades, which all have seen; -1 for none."""
    holder = at[d, HOLDER]
    return holder if holder >= 0 and at[d, WON + holder] > 0 else -1


@kernel
def ace_picture(d: Int, place: Int, trump: Int, game: Game, table: Table) -> Int:
    """Where Mushka's Ace of spades is, and whether it may beat or has beaten the Ace of trumps.

    0 somewhere, 1 with a known player, 2 gone, 3 played by me, 4 and more in my hand, by the place
    of its suit among the pictures.
    """
    at, ace = table.at, game.killer
    lead = at[d, LEAD]
    where = 0
    if (at[d, HAND + place] >> ace) & 1:
        suit = game.suit_of[trump, ace]
        for i in range(game.suit_count):
            if table.picture[i] & 255 == suit:
                where = 4 + i
    elif at[d, HOLDER] == place:
        where = 3
    elif (at[d, GONE] >> ace) & 1:
        where = 2
    elif revealed(at, d) >= 0:
        where = 1
    led = lead >= 0 and lead == game.ace[trump] and lead != ace
    return where * 4 + led * 2 + (led and at[d, TOP] == ace)


@kernel
def pamphile_picture(at: Ints, d: Int, place: Int, game: Game) -> Int:
    """Who has the Pamphile, which all have seen paid: 0 nobody, 1 it is gone, 2 I, then others."""
    holder = at[d, HOLDER]
    if holder < 0:
        return 0
    if (at[d, GONE] >> game.pamphile) & 1:
        return 1
    if holder == place or at[d, INSIDE] >= COARSE_FROM:
        return 2 + (holder != place)
    return 2 + (holder - place if holder > place else holder - place + at[d, INSIDE])


@kernel
def add_choices(legal: Int, unseen: Int, trump: Int, game: Game, table: Table) -> None:
    """Append the lowest legal card of each bucket of one suit, highest bucket first."""
    last = -1
    while legal:
        card = lowest_of(legal, trump, game)
        legal ^= ONE << card
        bucket = min(CAP, count(game.above[trump, card] & unseen))
        if card == game.killer:
            bucket = CAP + 1  # not the same as the King below it
        if bucket != last:
            table.choice[table.choices] = card
            table.choices += 1
            last = bucket


@kernel
def lowest_of(suit: Int, trump: Int, game: Game) -> Int:
    """The lowest card of one effective suit: only the Pamphile lies out of order."""
    card = lowest(suit)
    rest = suit & (suit - ONE)
    while rest:
        other = lowest(rest)
        rest &= rest - ONE
        if not (game.above[trump, card] >> other) & 1:
            card = other
    return card


@kernel
def table_picture(at: Ints, d: Int, place: Int, led: Int, trump: Int, game: Game) -> Int:
    """What lies open: the trick, who has won one, known voids, the numbers exchanged."""
    inside = at[d, INSIDE]
    trick = at[d, TRICK]
    trumped = led >= 0 and led != trump and game.suit_of[trump, at[d, TOP]] == trump
    word = ((trick * PLACES + inside) * PLACES + at[d, TURN]) * 2 + trumped
    word = word * 2 + (at[d, WON + place] > 0)
    winners: Int = 0
    voids: Int = 0
    said: Int = 0
    told_apart = inside < COARSE_FROM
    for k in range(1, inside):
        other = place + k if place + k < inside else place + k - inside
        won = at[d, WON + other] > 0
        void = (at[d, VOID] >> other) & 1
        if told_apart:
            winners = winners * 2 + won
            voids = voids * 2 + void
            if trick < 2:
                number = at[d, SAID + other]
                said = said * 3 + (0 if number == 0 else (1 if number <= 2 else 2))
        else:
            winners += won
            voids += void
            if trick < 1:
                said += 8 if at[d, SAID + other] == 0 else 1
    return ((word * 64 + winners) * 64 + voids) * 4096 + said


@kernel
def lossless_key(d: Int, place: Int, legal: Int, context: Int, game: Game, table: Table) -> Int:
    """Everything that a player has seen and that matters: the smallest hash over all renamings.

    Which of the cards he took up were dealt and which drawn changes neither what can happen nor how
    likely it is.

    ``table.choice`` are the legal cards in the order of the best renaming.
    """
    at = table.at
    best = np.uint64(0)
    chosen = -1
    for i in range(game.renamings[context]):
        word = np.uint64(at[d, PUBLIC])
        word = combine(word, renamed(at[d, LAID + place], context, i, game))
        word = combine(word, renamed(at[d, HAND + place], context, i, game))
        word = combine(word, place)
        if game.killer >= 0:
            word = combine(word, revealed(at, d))
        for k in range(at[d, PLAYS]):
            word = combine(word, renamed(ONE << at[d, PLAYED + k], context, i, game))
        if chosen < 0 or word < best:
            best = word
            chosen = i
    table.choices = 0
    rest = renamed(legal, context, chosen, game)
    while rest:
        card = lowest(rest)
        rest ^= ONE << card
        suit = card // game.ranks
        for original in range(game.suit_count):
            if game.renaming[context, chosen, original] == suit:
                table.choice[table.choices] = original * game.ranks + card % game.ranks
        table.choices += 1
    return best


@kernel
def renamed(mask: Int, context: Int, i: Int, game: Game) -> Int:
    """A mask with its suits renamed."""
    field = (ONE << game.ranks) - 1
    out = ONE * 0
    for suit in range(game.suit_count):
        cards = (mask >> (suit * game.ranks)) & field
        out |= cards << (game.renaming[context, i, suit] * game.ranks)
    return out


@kernel
def information(
    d: Int, place: Int, legal: Int, context: Int, lossless: Int, game: Game, table: Table
) -> Int:
    """The key of an information set, never 0; ``table.choice`` holds the ``choices``."""
    if lossless:
        key = lossless_key(d, place, legal, context, game, table)
    else:
        key = play_key(d, place, legal, game.trump[context], game, table)
    return key if key != 0 else key + np.uint64(1)
