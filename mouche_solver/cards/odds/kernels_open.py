"""Kernels for open-hand play: search by trick, tables of patterns below it."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from mouche_solver.cards.kernels.bits import ONE, Int, Ints, Seat, count, highest, lowest
from mouche_solver.cards.kernels.play import allowed
from mouche_solver.core.jit import kernel

LANE = 15
LANE_MASK = (ONE << LANE) - 1
LANES = 4
FIELD = 5  # bits of one player's tricks in a packed vector, player 0 in the highest field


class Level(NamedTuple):
    """The patterns with ``cards`` cards a player, and the table of their values.

    ``before[counts, owner]`` counts the strings that begin with a smaller owner, ``counts`` being
    the cards each player has left as digits to the base cards + 1, worth ``digit[owner]``.
    ``shape[trumps, longest, middle]`` is the number of a shape, -1 when it cannot occur;
    ``value[pattern]`` an index into ``packed``, vectors seen from the leader.
    """

    players: int
    cards: int
    strings: int
    digit: Ints
    before: NDArray[np.int32]
    shape: NDArray[np.int32]
    packed: Ints
    value: NDArray[np.uint8]


@kernel
def pattern_number(out: Int, owner: NDArray[np.int8], leader: Int, level: Level) -> Int:
    """Number of the position whose cards ``out`` belong to ``owner[card]``; ``leader`` leads."""
    trumps = out & LANE_MASK
    a = (out >> LANE) & LANE_MASK
    b = (out >> (2 * LANE)) & LANE_MASK
    c = (out >> (3 * LANE)) & LANE_MASK
    # Length, then lane, then cards in one number: sorting it sorts the lanes.
    x = (count(a) << 32) | (LANE << 20) | a
    y = (count(b) << 32) | (2 * LANE << 20) | b
    z = (count(c) << 32) | (3 * LANE << 20) | c
    x, y = max(x, y), min(x, y)
    y, z = max(y, z), min(y, z)
    x, y = max(x, y), min(x, y)
    counts = level.before.shape[0] - 1
    rank = ONE * 0
    for lane in range(LANES):
        word = trumps if lane == 0 else (x if lane == 1 else (y if lane == 2 else z))
        mask = word & LANE_MASK
        base = (word >> 20) & 63
        while mask:
            who = owner[base + lowest(mask)] - leader
            if who < 0:
                who += level.players
            rank += level.before[counts, who]
            counts -= level.digit[who]
            mask &= mask - ONE
    return level.shape[count(trumps), x >> 32, y >> 32] * level.strings + rank


@kernel
def seen_from(packed: Int, seat: Seat, players: Int) -> Int:
    """Turn a packed vector so that ``seat`` comes first."""
    shift = FIELD * seat
    width = FIELD * players
    return ((packed << shift) | (packed >> (width - shift))) & ((ONE << width) - 1)


@kernel
def liking(packed: Int, seat: Seat, players: Int) -> Int:
    """A number that is larger when ``seat`` likes the vector better.

    More tricks for himself first; then fewer for the next seat, then for the one after it.
    """
    others = (ONE << (FIELD * (players - 1))) - 1
    return seen_from(packed, seat, players) ^ others


class Work(NamedTuple):
    """Work space of one search.

    ``hands`` per player, ``owner`` per card in lanes, the rest per ply: choices left, card played,
    the player to move, card led, best of its suit, winning card and its player, best vector so far
    and how well it is liked.
    """

    hands: Ints
    owner: NDArray[np.int8]
    choices: Ints
    card: Ints
    mover: Ints
    lead: Ints
    led: Ints
    top: Ints
    taker: Ints
    best: Ints
    liked: Ints
    out: Ints


@kernel
def distinct(legal: Int, out: Int) -> Int:
    """Of neighbours among the cards still out keep the highest: they are worth the same."""
    kept = ONE * 0
    while legal:
        card = highest(legal)
        legal ^= ONE << card
        kept |= ONE << card
        lower = out & (LANE_MASK << (card - card % LANE)) & ((ONE << card) - 1)
        while lower:
            below = ONE << highest(lower)
            if not legal & below:
                break
            legal ^= below
            lower ^= below
    return kept


@kernel
def open_ply(ply: Int, mover: Int, players: Int, flags: Int, work: Work) -> None:
    """Set up the choices of the player to move; the trick so far is in the ply's arrays."""
    hand: Int = work.hands[mover]
    lead = work.lead[ply]
    if lead >= 0:
        lane = lead // LANE
        suit = LANE_MASK << (lane * LANE)
        led, top = work.led[ply], work.top[ply]
        trumps = LANE_MASK if lane else ONE * 0
        trumped = lane > 0 and top < LANE
        above = ~((ONE << 1 << led) - 1)
        over = trumps & ~((ONE << 1 << top) - 1)
        hand = allowed(hand, suit, suit & above, trumps, over, trumped, flags)
    work.mover[ply] = mover
    work.choices[ply] = distinct(hand, work.out[ply // players])
    work.liked[ply] = -1


@kernel
def add_card(ply: Int, card: Int, work: Work) -> None:
    """Write the trick after ``card`` into the next ply."""
    mover = work.mover[ply]
    lead, led, top, taker = work.lead[ply], work.led[ply], work.top[ply], work.taker[ply]
    if lead < 0:
        lead = led = top = card
        taker = mover
    else:
        lane = card // LANE
        if lane == lead // LANE and card > led:
            led = card
        if lane == top // LANE:
            if card > top:
                top, taker = card, mover
        elif lane == 0:
            top, taker = card, mover
    work.lead[ply + 1], work.led[ply + 1] = lead, led
    work.top[ply + 1], work.taker[ply + 1] = top, taker


@kernel
def search(tricks: Int, flags: Int, below: Level, work: Work) -> Int:
    """Value of the position in which player 0 leads: ``tricks`` are searched, then the table.

    ``work.out[0]`` and ``work.hands`` hold the cards. Returns tricks packed from player 0 on.
    """
    players = below.players
    if tricks == 0:
        return below.packed[below.value[pattern_number(work.out[0], work.owner, 0, below)]]
    last = tricks * players - 1
    ply = 0
    work.lead[0] = work.top[0] = work.led[0] = -1
    open_ply(0, 0, players, flags, work)
    while True:
        if work.choices[ply]:
            card = highest(work.choices[ply])
            work.choices[ply] ^= ONE << card
            work.card[ply] = card
            mover = work.mover[ply]
            work.hands[mover] ^= ONE << card
            add_card(ply, card, work)
            if (ply + 1) % players:
                ply += 1
                open_ply(ply, mover + 1 if mover + 1 < players else 0, players, flags, work)
                continue
            taker = work.taker[ply + 1]
            if ply < last:
                ply += 1
                work.lead[ply] = work.top[ply] = work.led[ply] = -1
                work.out[ply // players] = all_cards(work.hands)
                open_ply(ply, taker, players, flags, work)
                continue
            value = leaf(taker, below, work)
        else:
            if ply == 0:
                return work.best[0]
            value = work.best[ply]
            taker = work.mover[ply]
            ply -= 1
        if (ply + 1) % players == 0:
            value += ONE << (FIELD * (players - 1 - taker))
        mover = work.mover[ply]
        work.hands[mover] ^= ONE << work.card[ply]
        liked = liking(value, mover, players)
        if liked > work.liked[ply]:
            work.liked[ply], work.best[ply] = liked, value


@kernel
def all_cards(hands: Ints) -> Int:
    """All cards still in hands."""
    out = ONE * 0
    for hand in hands:
        out |= hand
    return out


@kernel
def leaf(leader: Int, below: Level, work: Work) -> Int:
    """Table value of the position after the searched tricks, packed from player 0 on."""
    if below.cards == 0:
        return ONE * 0
    number = pattern_number(all_cards(work.hands), work.owner, leader, below)
    packed = below.packed[below.value[number]]
    return seen_from(packed, (below.players - leader) % below.players, below.players)


@kernel
def fill_level(
    lengths: Ints, start: Int, stop: Int, flags: Int, level: Level, below: Level, work: Work
) -> None:
    """Values of all strings of owners for the shapes ``start`` to ``stop - 1``.

    ``lengths[shape, lane]`` are the cards in each lane.
    """
    players, cards = level.players, level.cards
    total = players * cards
    string = np.empty(total, np.int64)
    for shape in range(start, stop):
        for i in range(total):
            string[i] = i // cards
        for rank in range(level.strings):
            lay_out(string, lengths[shape], work)
            packed = search(1, flags, below, work)
            at = np.searchsorted(level.packed, packed)
            level.value[shape * level.strings + rank] = at
            next_string(string)


@kernel
def lay_out(string: Ints, lengths: Ints, work: Work) -> None:
    """Give each card of the lanes to its owner."""
    work.hands[:] = 0
    i = 0
    for lane in range(LANES):
        for k in range(lengths[lane]):
            card = lane * LANE + k
            work.owner[card] = string[i]
            work.hands[string[i]] |= ONE << card
            i += 1
    work.out[0] = all_cards(work.hands)


@kernel
def next_string(string: Ints) -> None:
    """The next arrangement in lexicographic order; the last one stays."""
    i = len(string) - 2
    while i >= 0 and string[i] >= string[i + 1]:
        i -= 1
    if i < 0:
        return
    j = len(string) - 1
    while string[j] <= string[i]:
        j -= 1
    string[i], string[j] = string[j], string[i]
    low, high = i + 1, len(string) - 1
    while low < high:
        string[low], string[high] = string[high], string[low]
        low += 1
        high -= 1


@kernel
def value_deals(
    hands: Ints,
    trumps: Ints,
    ranks: Int,
    suits: Int,
    pamphile: Int,
    tricks: Int,
    flags: Int,
    below: Level,
    work: Work,
    out: NDArray[np.int8],
) -> None:
    """Tricks of each player in each deal; ``hands[deal, player]`` masks, player 0 leads."""
    players = below.players
    full = (ONE << ranks) - 1
    for d in range(len(hands)):
        trump = trumps[d]
        for p in range(players):
            cards = hands[d, p]
            hand = ONE * 0
            if pamphile >= 0 and (cards >> pamphile) & 1:
                cards ^= ONE << pamphile
                hand = ONE << ranks
            hand |= (cards >> (trump * ranks)) & full
            lane = 1
            for suit in range(suits):
                if suit != trump:
                    hand |= ((cards >> (suit * ranks)) & full) << (lane * LANE)
                    lane += 1
            work.hands[p] = hand
            while hand:
                work.owner[highest(hand)] = p
                hand ^= ONE << highest(hand)
        work.out[0] = all_cards(work.hands)
        packed = search(tricks, flags, below, work)
        for p in range(players):
            out[d, p] = (packed >> (FIELD * (players - 1 - p))) & ((1 << FIELD) - 1)
