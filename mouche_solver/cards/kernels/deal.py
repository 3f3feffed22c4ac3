"""Kernels for one deal with strategies: hands, declarations, laying cards down, the outcome."""

from typing import Any

from mouche_solver.cards.kernels.bits import ONE, Hand, Int, Ints, Seat, count, lowest, nth_bit
from mouche_solver.cards.kernels.classes import suit_key
from mouche_solver.cards.kernels.mouche import PASS, STAND, mouche_value
from mouche_solver.cards.kernels.records import (
    CONTEXT,
    HISTORY,
    NEXT,
    PILE,
    PLACES,
    SHUFFLED,
    SWAPPED,
    Game,
    Policy,
    Table,
)
from mouche_solver.core.jit import kernel
from mouche_solver.core.random import State, below, uniform

BY_HEIGHT, BY_SUIT = 0, 1  # rules for laying down
# Mushka's points, see :mod:`mouche_solver.cards.referee.mushka`.
NO_TRICK, NO_TRICK_WITH_ACE, ACE, ACE_OF_TRUMPS = 5.0, 10.0, 5.0, 10.0


@kernel
def new_deal(game: Game, table: Table, state: State) -> None:
    """Shuffle, deal, and draw everybody's luck."""
    shuffle(game, table, state)
    lay_out(game, table)


@kernel
def shuffle(game: Game, table: Table, state: State) -> None:
    """The context, the order of the cards and everybody's luck."""
    context = 0
    if game.contexts > 1:
        luck = uniform(state)
        while luck >= game.chance[context]:
            context += 1
    turned = game.turned[context]
    order = table.order
    last = game.cards - 1
    at = 0
    for card in range(game.cards):
        if card != turned:
            order[at] = card
            at += 1
    for i in range(last - 1):
        other = i + below(state, last - i)
        order[i], order[other] = order[other], order[i]
    if game.named[context]:
        context = name_trump(game, table)
    table.stock[CONTEXT] = context
    for i in range(PLACES + game.players * game.hand_size):
        table.luck[i] = uniform(state)


@kernel
def name_trump(game: Game, table: Table) -> Int:
    """The dealer names trumps by his hand: suits are renamed to fit; returns the context."""
    hand: Int = ONE * 0
    first = (game.players - 1) * game.hand_size
    for i in range(first, first + game.hand_size):
        hand |= ONE << table.order[i]
    last = game.contexts - 1
    suit = named_suit(hand, game.turned[last], game.suit_count, game.ranks, game)
    if suit == 0:
        return last if game.suit_count == 1 else last - 1
    trump = game.trump[last]
    for i in range(game.cards - 1):
        own = table.order[i] // game.ranks
        if own == suit:
            table.order[i] += (trump - suit) * game.ranks
        elif own == trump:
            table.order[i] += (suit - trump) * game.ranks
    return last


@kernel
def lay_out(game: Game, table: Table) -> None:
    """Deal the cards in their order; nothing has been said."""
    at = 0
    for seat in range(game.players):
        hand = ONE * 0
        for _ in range(game.hand_size):
            hand |= ONE << table.order[at]
            at += 1
        table.hands[seat] = table.dealt[seat] = hand
        table.laid[seat] = 0
        table.said[seat] = PASS
    stock = table.stock
    stock[NEXT] = at
    stock[SHUFFLED] = stock[PILE] = stock[HISTORY] = 0
    stock[SWAPPED] = -1


@kernel
def history(seat: Seat, game: Game, table: Table) -> Int:
    """The number of what has been said before a seat."""
    return game.first_history[seat] + table.stock[HISTORY]


@kernel
def must_stand(hand: Hand, context: Int, game: Game) -> bool:
    """Whether the rules make the holder of this hand stand: he was dealt a mouche."""
    if not (game.must_stand and game.mouche):
        return False
    value = mouche_value(hand, game.trump[context], game)
    return bool(value > 0)


@kernel
def legal_declarations(seat: Seat, game: Game, table: Table) -> Int:
    """The legal actions of the seat to declare, as a mask."""
    context = table.stock[CONTEXT]
    hand = table.hands[seat]
    if must_stand(hand, context, game):
        return ONE << 1
    kept = hand & game.kept  # Mushka's Ace of spades: it may be neither passed nor laid down
    most = min(game.max_exchange, room(game, table), count(hand & ~kept))
    may_swap = (
        game.dealer_takes and seat == game.players - 1 and game.turned[context] != game.pamphile
    )
    legal = ONE if kept == 0 else ONE * 0
    for a in range(1, game.actions):
        if game.size[a] > most or (game.swap[a] >= 0 and not may_swap):
            continue
        if game.every and kept and (game.subset[a] >> kept_position(hand, context, game)) & 1:
            continue
        if not game.every and game.subset[a] == BY_SUIT:
            other = laid_by_rule(hand, a, context, game)
            if other == laid_by_rule(hand, a - 1, context, game):
                continue
        legal |= ONE << a
    return legal


@kernel
def kept_position(hand: Hand, context: Int, game: Game) -> Int:
    """Where :func:`positions` has the Ace of spades: after the trumps and lower spades."""
    trump, ace = game.trump[context], game.killer
    spades = game.suit_of[trump, ace]
    before = hand & game.suit_mask[trump, spades] & ((ONE << ace) - 1)
    if spades != trump:
        before |= hand & game.suit_mask[trump, trump]
    return count(before)


@kernel
def room(game: Game, table: Table) -> Int:
    """How many cards can be drawn."""
    stock = table.stock
    left = game.cards - 1 - stock[NEXT]
    if not game.reshuffle:
        return left
    if game.own_return:
        return game.max_exchange
    return left + count(stock[SHUFFLED]) + count(stock[PILE])


@kernel
def worth(card: Int, hand: Hand, rule: Int, context: Int, game: Game) -> Int:
    """How much a rule wants to keep a card."""
    trump = game.trump[context]
    suit = game.suit_of[trump, card]
    unseen = ~(hand | ONE << game.turned[context])
    higher = count(game.above[trump, card] & unseen)
    if suit == trump:
        return 1000 - higher + (card == game.pamphile)
    length = count(hand & game.suit_mask[trump, suit])
    if rule == BY_SUIT:
        return 500 - higher if higher == 0 else 20 * length - higher
    return 200 - 10 * higher + length


@kernel
def least(hand: Hand, number: Int, rule: Int, context: Int, game: Game) -> Int:
    """The cards that a rule lays down."""
    laid = ONE * 0
    for _ in range(number):
        lowest_worth, chosen = 1 << 30, 0
        rest = hand & ~laid & ~game.kept
        while rest:
            card = lowest(rest)
            rest &= rest - ONE
            value = worth(card, hand, rule, context, game)
            if value < lowest_worth:
                lowest_worth, chosen = value, card
        laid |= ONE << chosen
    return laid


@kernel
def positions(hand: Hand, subset: Int, context: Int, game: Game, policy: Policy) -> Int:
    """The cards at some positions of a hand, suits in the order of its class, low cards first."""
    facts = policy.facts
    turned = game.turned[context]
    turned_shift = turned - turned % facts.ranks
    hole = (ONE << (turned % facts.ranks)) - 1
    full = (ONE << facts.ranks) - 1
    chosen = ONE * 0
    done = 0
    position = 0
    for i in range(4):
        suit = i
        if i >= facts.apart[context]:  # the largest key that is left
            best = -1
            for j in range(facts.apart[context], 4):
                if not (done >> j) & 1:
                    key = suit_key(
                        hand, facts.shifts[context, j], full, hole, turned_shift, policy.key
                    )
                    if key > best:
                        best, suit = key, j
        done |= 1 << suit
        cards = hand & (full << facts.shifts[context, suit])
        while cards:
            card = lowest(cards)
            cards &= cards - ONE
            if (subset >> position) & 1:
                chosen |= ONE << card
            position += 1
    return chosen


@kernel
def given_card(hand: Hand, action: Int, context: Int, game: Game, policy: Policy) -> Int:
    """The card that the dealer gives for the turn-up, -1 without a swap."""
    if game.swap[action] < 0:
        return -1
    if game.every:
        return lowest(positions(hand, ONE << game.swap[action], context, game, policy))
    return lowest(least(hand, 1, BY_HEIGHT, context, game))


@kernel
def laid_by_rule(hand: Hand, action: Int, context: Int, game: Game) -> Int:
    """The cards of an exchange when a rule chooses them."""
    return least(hand, game.size[action], game.subset[action], context, game)


@kernel
def take(number: Int, game: Game, table: Table, state: State) -> Int:
    """Draw cards: the stock in its order, then at random from those laid aside."""
    stock = table.stock
    drawn = ONE * 0
    for _ in range(number):
        at = stock[NEXT]
        if at < game.cards - 1:
            stock[NEXT] = at + 1
            drawn |= ONE << table.order[at]
            continue
        if stock[SHUFFLED] == 0:
            stock[SHUFFLED], stock[PILE] = stock[PILE], 0
        card = nth_bit(stock[SHUFFLED], below(state, count(stock[SHUFFLED])))
        stock[SHUFFLED] ^= ONE << card
        drawn |= ONE << card
    return drawn


@kernel
def say(seat: Seat, action: Int, game: Game, policy: Policy, table: Table, state: State) -> None:
    """Carry a declaration out."""
    context = table.stock[CONTEXT]
    if action == 0:
        pass_hand(seat, game, table)
        return
    hand = table.hands[seat]
    given = given_card(hand, action, context, game, policy)
    if given >= 0:
        hand ^= (ONE << given) | (ONE << game.turned[context])
    if game.every:
        laid = positions(hand, game.subset[action], context, game, policy)
    else:
        laid = laid_by_rule(hand, action, context, game)
    stay_in(seat, laid, given, game, table, state)


@kernel
def pass_hand(seat: Seat, game: Game, table: Table) -> None:
    """Lay the hand aside."""
    stock, hand = table.stock, table.hands[seat]
    stock[HISTORY] = stock[HISTORY] * game.digits
    table.said[seat] = PASS
    table.laid[seat] = hand
    table.hands[seat] = 0
    if game.passed_return:
        stock[PILE] |= hand


@kernel
def stay_in(seat: Seat, laid: Int, given: Int, game: Game, table: Table, state: State) -> None:
    """Stand, or exchange ``laid``; the dealer may first give a card for the turn-up (else -1)."""
    stock, hand = table.stock, table.hands[seat]
    if given >= 0:
        stock[SWAPPED] = given
        hand ^= (ONE << given) | (ONE << game.turned[stock[CONTEXT]])
    number = count(laid)
    table.said[seat] = number
    stock[HISTORY] = stock[HISTORY] * game.digits + 1 + number
    if game.own_return:
        stock[PILE] |= laid
    drawn = take(number, game, table, state)
    if not game.own_return:
        stock[PILE] |= laid
    table.laid[seat] = laid
    table.hands[seat] = (hand & ~laid) | drawn


@kernel
def shown_mouche(seat: Seat, game: Game, table: Table) -> Int:
    """The worth of a mouche that a player who is in shows, 0 for none."""
    stock = table.stock
    swapped = seat == game.players - 1 and stock[SWAPPED] >= 0 and not game.mouche_swapped
    changed = table.said[seat] > STAND and not game.mouche_exchanged
    if not game.mouche or swapped or changed:
        return 0
    return mouche_value(table.hands[seat], game.trump[stock[CONTEXT]], game)


@kernel
def count_in(game: Game, table: Table) -> Int:
    """List the seats that are in; how many they are."""
    inside = 0
    for seat in range(game.players):
        table.chips[seat] = 0.0
        if table.said[seat] >= STAND:
            table.seats[inside] = seat
            inside += 1
    return inside


@kernel
def points_off(won: Int, holds: Int, trump: Int, game: Game) -> float:
    """What a player takes off his count in Mushka, by tricks won and the Ace of spades held."""
    if won == 0:
        return -NO_TRICK_WITH_ACE if holds else -NO_TRICK
    if not holds:
        return float(won)
    return float(won) + (ACE_OF_TRUMPS if game.suit_of[trump, game.killer] == trump else ACE)


@kernel
def score_points(seat: Seat, off: float, game: Game, table: Table) -> None:
    """Add what a player takes off to the chips, less the mean of what the others do."""
    share = off / (game.players - 1)
    for other in range(game.players):
        table.chips[other] += off if other == seat else -share


@kernel
def pay_pamphile(holder: Int, game: Game, table: Table) -> None:
    """The fee from everybody, or from those in, to the holder; what he pays himself cancels."""
    payers = 0
    for seat in range(game.players):
        if game.fee_all or seat == holder or table.said[seat] >= STAND:
            table.chips[seat] -= game.fee
            payers += 1
    table.chips[holder] += game.fee * payers


@kernel
def settle_early(inside: Int, game: Game, table: Table) -> float:
    """Pay what needs no trick; the debts carried over, or -1.0 when tricks are to be played."""
    chips = table.chips
    if inside < 2:
        alone = table.seats[0] if inside else game.players - 1
        if game.points:
            holds = (table.hands[alone] >> game.killer) & 1
            off = points_off(game.hand_size, holds, game.trump[table.stock[CONTEXT]], game)
            score_points(alone, off, game, table)
        else:
            chips[alone] = 1.0
            if game.fee_alone and (table.hands[alone] >> game.pamphile) & 1:
                pay_pamphile(alone, game, table)
        return 0.0
    if game.pamphile >= 0:
        for n in range(inside):
            if (table.hands[table.seats[n]] >> game.pamphile) & 1:
                pay_pamphile(table.seats[n], game, table)
    best, winner = 0, -1
    for n in range(inside):
        value = shown_mouche(table.seats[n], game, table)
        if value > best:
            best, winner = value, table.seats[n]
    if winner < 0:
        return -1.0
    debts = 0.0
    chips[winner] += 1.0
    for seat in range(game.players):
        if seat != winner:
            is_in = table.said[seat] >= STAND
            free = is_in and not game.losers_pay and shown_mouche(seat, game, table) > 0
            if (is_in or game.passers_pay) and not free:
                chips[seat] -= game.debt
                debts += game.debt
    return debts


# What a card counts more as a trump than as a plain card, in tenths of a trick, by unseen higher
# cards of its suit: 1.0 - 0.5, 0.7, 0.4 by the rule of thumb.
BEST, SECOND, OTHER = 5, 7, 4


@kernel
def naming_worth(hand: Hand, turned: Int, suit: Int, ranks: Int, play: Any) -> Int:
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
def named_suit(hand: Hand, turned: Int, suits: Int, ranks: Int, play: Any) -> Int:
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


@kernel
def save(players: Int, table: Table) -> None:
    """Keep what declarations change."""
    for seat in range(players):
        table.saved[0, seat], table.saved[1, seat] = table.hands[seat], table.laid[seat]
        table.saved[2, seat] = table.said[seat]
    for i in range(len(table.stock)):
        table.saved[3, i] = table.stock[i]


@kernel
def restore(players: Int, table: Table) -> None:
    """Undo what was done since :func:`save`."""
    for seat in range(players):
        table.hands[seat], table.laid[seat] = table.saved[0, seat], table.saved[1, seat]
        table.said[seat] = table.saved[2, seat]
    for i in range(len(table.stock)):
        table.stock[i] = table.saved[3, i]


@kernel
def unasked(seat: Seat, game: Game, table: Table) -> Int:
    """Whether all have passed before the dealer, who then is not asked."""
    if seat < game.players - 1:
        return False
    inside = 0
    for other in range(seat):
        inside += table.said[other] >= STAND
    return inside == 0
