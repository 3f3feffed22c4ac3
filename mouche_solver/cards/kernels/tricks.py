"""Kernels for the tricks of one deal, played by strategies; positions are rows of ``at``."""

from typing import Any, TypeAlias

import numpy as np

from mouche_solver.cards.kernels.baselines import thumb_card
from mouche_solver.cards.kernels.bits import ONE, Int, Ints, Seat, count, lowest, nth_bit
from mouche_solver.cards.kernels.deal import points_off, score_points
from mouche_solver.cards.kernels.lookup import pick, play_mix
from mouche_solver.cards.kernels.play import ACE_ANYTIME, FOLLOW, TRUMP, beats, legal_cards
from mouche_solver.cards.kernels.records import (
    CARELESS_POLICY,
    CONTEXT,
    HISTORY,
    PLACES,
    RANDOM_POLICY,
    SWAPPED,
    THUMB_POLICY,
    Game,
    Policy,
    Table,
)
from mouche_solver.cards.kernels.view import (
    GONE,
    HAND,
    HOLDER,
    INSIDE,
    LAID,
    LEAD,
    LEADER,
    LED,
    PLAYED,
    PLAYS,
    PUBLIC,
    SAID,
    TAKER,
    TOP,
    TRICK,
    TURN,
    VOID,
    WON,
    combine,
    information,
)
from mouche_solver.core.jit import kernel

Real: TypeAlias = Any  # a float64


@kernel
def begin_play(inside: Int, game: Game, table: Table) -> None:
    """Row 0: the first player in leads."""
    at, stock = table.at, table.stock
    context = stock[CONTEXT]
    face_up = game.turned[context] if stock[SWAPPED] < 0 else stock[SWAPPED]
    for place in range(inside):
        seat = table.seats[place]
        at[0, HAND + place] = table.hands[seat]
        at[0, LAID + place] = table.laid[seat]
        at[0, SAID + place] = table.said[seat]
        at[0, WON + place] = 0
    at[0, LEAD] = at[0, LED] = at[0, TOP] = -1
    at[0, TAKER] = at[0, LEADER] = at[0, TURN] = at[0, TRICK] = 0
    at[0, GONE] = ONE << face_up
    at[0, VOID] = at[0, PLAYS] = 0
    at[0, INSIDE] = inside
    word = combine(np.uint64(context), stock[HISTORY])
    word = combine(word, face_up)
    at[0, HOLDER] = holder_of(max(game.pamphile, game.killer), inside, at)
    if game.pamphile >= 0:  # all have seen who was paid for it, or that nobody was
        word = combine(word, at[0, HOLDER])
        if at[0, HOLDER] < 0:
            at[0, GONE] |= ONE << game.pamphile
    at[0, PUBLIC] = np.int64(word)


@kernel
def holder_of(card: Int, inside: Int, at: Ints) -> Int:
    """The place that has a card before the tricks, -1 when nobody has or there is no such card."""
    for place in range(inside):
        if card >= 0 and (at[0, HAND + place] >> card) & 1:
            return place
    return -1


@kernel
def copy_row(at: Ints, d: Int, lossless: Int) -> None:
    """Copy a position to the next row; the abstract level does not read the order of game."""
    for column in range(PLAYED + at[d, PLAYS] if lossless else PLAYED):
        at[d + 1, column] = at[d, column]


@kernel
def to_move(at: Ints, d: Int) -> Int:
    """The place whose turn it is."""
    place = at[d, LEADER] + at[d, TURN]
    return place if place < at[d, INSIDE] else place - at[d, INSIDE]


@kernel
def legal_now(at: Ints, d: Int, place: Int, game: Game, context: Int) -> Int:
    """The legal cards of the player to move."""
    return legal_cards(
        at[d, HAND + place], at[d, LEAD], at[d, LED], at[d, TOP], game.trump[context], game
    )


@kernel
def put(at: Ints, d: Int, place: Int, card: Int, trump: Int, game: Game) -> None:
    """Play a card."""
    at[d, HAND + place] ^= ONE << card
    at[d, GONE] |= ONE << card
    at[d, PLAYED + at[d, PLAYS]] = card
    at[d, PLAYS] += 1
    lead = at[d, LEAD]
    if lead < 0:
        at[d, LEAD] = at[d, LED] = at[d, TOP] = card
        at[d, TAKER] = place
    else:
        led, suit = game.suit_of[trump, lead], game.suit_of[trump, card]
        free = card == game.killer and game.flags & ACE_ANYTIME  # it tells nothing of trumps
        if suit != led and suit != trump and game.flags & FOLLOW and not free:
            trumped = game.suit_of[trump, at[d, TOP]] == trump
            if led == trump or (game.flags & TRUMP and not trumped):
                at[d, VOID] |= ONE << place
        if (game.above[trump, at[d, LED]] >> card) & 1:
            at[d, LED] = card
        if beats(card, at[d, TOP], lead, trump, game):
            at[d, TOP] = card
            at[d, TAKER] = place
    at[d, TURN] += 1
    if at[d, TURN] == at[d, INSIDE]:
        taker = at[d, TAKER]
        at[d, WON + taker] += 1
        at[d, LEADER] = taker
        at[d, LEAD] = at[d, LED] = at[d, TOP] = -1
        at[d, TURN] = 0
        at[d, TRICK] += 1


@kernel
def person_card(place: Int, legal: Int, game: Game, table: Table) -> Int:
    """A card of the rule of thumb in row 0."""
    at, trump = table.at, game.trump[table.stock[CONTEXT]]
    last = at[0, TURN] == at[0, INSIDE] - 1
    unseen = ~(at[0, HAND + place] | at[0, LAID + place] | at[0, GONE])
    return thumb_card(legal, at[0, LEAD], at[0, TOP], last, unseen, trump, game)


@kernel
def choose_card(
    policy: Policy, place: Int, legal: Int, luck: float, game: Game, table: Table
) -> Int:
    """A card of a player with a choice in row 0."""
    context = table.stock[CONTEXT]
    if policy.facts.kind == RANDOM_POLICY or policy.facts.kind == CARELESS_POLICY:
        return nth_bit(legal, np.int64(luck * count(legal)))
    if policy.facts.kind >= THUMB_POLICY:
        return person_card(place, legal, game, table)
    key = information(0, place, legal, context, policy.facts.lossless, game, table)
    number = table.choices
    if number == 1:
        return table.choice[0]
    play_mix(policy, key, number, table.mix)
    return table.choice[pick(table.mix, number, luck)]


@kernel
def play_out(one: Policy, two: Policy, game: Game, table: Table) -> float:
    """Play row 0 to the end and pay; ``who[seat]`` tells which policy plays. Returns the debts."""
    at, context = table.at, table.stock[CONTEXT]
    trump = game.trump[context]
    while at[0, TRICK] < game.hand_size:
        place = to_move(at, 0)
        legal = legal_now(at, 0, place, game, context)
        card = lowest(legal)
        if legal & (legal - ONE):
            seat = table.seats[place]
            luck = table.luck[PLACES + seat * game.hand_size + at[0, TRICK]]
            if table.who[seat] == 0:
                card = choose_card(one, place, legal, luck, game, table)
            else:
                card = choose_card(two, place, legal, luck, game, table)
        put(at, 0, place, card, trump, game)
    return pay_tricks(game, table)


@kernel
def place_points(d: Int, place: Int, game: Game, table: Table) -> float:
    """What a place takes off in Mushka at the end of row d."""
    at = table.at
    holds = at[d, HOLDER] == place
    return points_off(at[d, WON + place], holds, game.trump[table.stock[CONTEXT]], game)


@kernel
def pay_tricks(game: Game, table: Table) -> float:
    """Add what row 0 ends with to the chips; returns the debts."""
    at = table.at
    debts = 0.0
    for place in range(at[0, INSIDE]):
        seat = table.seats[place]
        if game.points:
            score_points(seat, place_points(0, place, game, table), game, table)
            continue
        table.chips[seat] += at[0, WON + place] / game.hand_size
        if at[0, WON + place] == 0:
            table.chips[seat] -= game.debt
            debts += game.debt
    return debts


@kernel
def paid(d: Int, me: Seat, share: float, game: Game, table: Table) -> Real:
    """What a place gets at the end of the tricks, debts of all included."""
    at = table.at
    if game.points:
        value = place_points(d, me, game, table)
        for place in range(at[d, INSIDE]):
            if place != me:
                value -= place_points(d, place, game, table) / (game.players - 1)
        return value
    value = at[d, WON + me] / game.hand_size
    if at[d, WON + me] == 0:
        value -= game.debt
    for place in range(at[d, INSIDE]):
        if at[d, WON + place] == 0:
            value += game.debt * share
    return value
