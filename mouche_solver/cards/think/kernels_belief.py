"""Kernels that guess hidden cards with the probability that a player of a strategy should give.

A guess is the hand dealt to every other seat, what it laid down and what it drew. Cards shown are
in the right hands; given that, guesses are drawn so that all would be equally likely if
declarations and cards were no evidence. The weight of a guess is the probability that the others
declared, and then played, what they did; 0 when one of them would have shown a mouche. With
``slip`` each of them errs with that probability and takes any legal action: people do.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from mouche_solver.cards.kernels.bits import ONE, Int, Ints, Seat, count, lowest
from mouche_solver.cards.kernels.deal import (
    laid_by_rule,
    legal_declarations,
    positions,
    shown_mouche,
)
from mouche_solver.cards.kernels.lookup import declaration_mix, hand_class, play_mix
from mouche_solver.cards.kernels.mouche import PASS, random_subset
from mouche_solver.cards.kernels.records import CONTEXT, HISTORY, NEXT, PILE, Game, Policy, Table
from mouche_solver.cards.kernels.tricks import begin_play, legal_now, put, to_move
from mouche_solver.cards.kernels.view import (
    GONE,
    HOLDER,
    INSIDE,
    PLAYED,
    PLAYS,
    information,
)
from mouche_solver.core.jit import kernel
from mouche_solver.core.random import State, below, uniform

ENOUGH = 4000.0  # effective hands of a pool that is drawn at random


@kernel
def shown_cards(game: Game, table: Table, dream: Table, shown: Ints) -> None:
    """The cards that each seat has played, as masks; writes row 0 of ``dream``."""
    context = table.stock[CONTEXT]
    shown[:] = 0
    begin_play(table.at[0, INSIDE], game, dream)
    for k in range(table.at[0, PLAYS]):
        place = to_move(dream.at, 0)
        card = table.at[0, PLAYED + k]
        shown[dream.seats[place]] |= ONE << card
        put(dream.at, 0, place, card, game.trump[context], game)


@kernel
def choose(n: Int, k: Int) -> float:
    """The number of k-subsets of n things, 0 when there is none."""
    if k < 0 or k > n:
        return 0.0
    ways = 1.0
    for i in range(k):
        ways = ways * (n - i) / (i + 1)
    return ways


@kernel
def drawn_of_shown(played: Int, number: Int, unseen: Int, size: Int, state: State) -> Int:
    """How many of the cards played were drawn in an exchange, at random; -1 when none fits."""
    total = 0.0
    for r in range(number + 1):
        total += ways_drawn(r, played, number, unseen, size)
    luck = uniform(state) * total
    chosen = ONE * -1
    for r in range(number + 1):
        ways = ways_drawn(r, played, number, unseen, size)
        if ways > 0.0:
            chosen = ONE * r
            luck -= ways
            if luck < 0.0:
                break
    return chosen


@kernel
def ways_drawn(r: Int, played: Int, number: Int, unseen: Int, size: Int) -> float:
    """Ways to be dealt and to draw cards with r of those played among the drawn."""
    dealt = size - (played - r)
    return choose(played, r) * choose(unseen, dealt) * choose(unseen - dealt, number - r)


class Seen(NamedTuple):
    """What guesses start from: cards shown, and pools of hands for seats that hardly any fits.

    ``shown[seat]`` is a mask. Of a seat's pool, ``dealt[seat, i]`` is a hand, ``drawn[seat, i]``
    those of the cards shown that were drawn, and ``upto[seat, i]`` adds up the probabilities of
    what it declared; ``size[seat]`` is 0 for a seat without a pool. For ``likely`` and ``limit``
    see :func:`fill_pool`. ``chosen`` is scratch.
    """

    shown: Ints
    dealt: Ints
    drawn: Ints
    upto: NDArray[np.float64]
    size: Ints
    likely: NDArray[np.float64]
    limit: NDArray[np.float64]
    chosen: Ints


@kernel
def fill_pool(
    me: Seat,
    seat: Seat,
    slip: float,
    game: Game,
    policy: Policy,
    table: Table,
    dream: Table,
    seen: Seen,
    state: State,
) -> None:
    """Fill the pool of a seat that has declared: every hand that fits, or some drawn at random.

    ``seen.likely[seat]`` gets the mean probability of what it declared, and ``seen.limit[seat]``
    the effective number of hands when they were drawn at random, infinity when all are there.
    """
    stock, shown, said = dream.stock, seen.shown[seat], table.said[seat]
    unseen = ((ONE << game.cards) - 1) & ~(table.dealt[me] | table.hands[me] | table.at[0, GONE])
    stock[NEXT] = game.players * game.hand_size
    pile, value = ONE * 0, ONE * 0
    for other in range(seat):
        before = table.said[other]
        value = value * game.digits + (0 if before == PASS else 1 + before)
        stock[NEXT] += max(before, 0)
        pile += game.hand_size * game.passed_return if before == PASS else before
    pile = (ONE << min(pile, game.cards - 1)) - 1
    number = game.first_history[seat] + value
    most, missing = seen.dealt.shape[1], game.hand_size - count(shown)
    every = (said <= 0 or shown == 0) and choose(count(unseen), missing) <= most
    places = np.arange(missing)
    total, squares, n, tried = 0.0, 0.0, 0, 0
    while tried < most:
        drawn = ONE * 0
        if every:
            dealt = shown | bits_at(unseen, places)
        else:
            r = drawn_of_shown(count(shown), max(said, 0), count(unseen), game.hand_size, state)
            if r < 0:
                break
            drawn = random_subset(shown, r, state)
            dealt = shown & ~drawn
            dealt |= random_subset(unseen, game.hand_size - count(dealt), state)
        tried += 1
        dream.hands[seat], stock[PILE] = dealt, pile
        chance = said_chance(seat, said, number, shown, slip, game, policy, dream, state)
        if chance > 0.0:
            total += chance
            squares += chance * chance
            seen.dealt[seat, n], seen.drawn[seat, n], seen.upto[seat, n] = dealt, drawn, total
            n += 1
        if every and not next_places(places, count(unseen)):
            break
        if not every and total * total > ENOUGH * squares and squares > 0.0:
            break
    seen.size[seat] = n
    seen.likely[seat] = total / max(tried, 1)
    seen.limit[seat] = np.inf if every else total * total / max(squares, 1e-300)


@kernel
def bits_at(mask: Int, places: Ints) -> Int:
    """The bits of a mask at some places, counted from the lowest; the places increase."""
    chosen, at = ONE * 0, 0
    for place in places:
        while at < place:
            mask &= mask - ONE
            at += 1
        chosen |= ONE << lowest(mask)
    return chosen


@kernel
def next_places(places: Ints, number: Int) -> bool:
    """The next choice of places among ``number``; False after the last."""
    k = len(places)
    i = k - 1
    while i >= 0 and places[i] == number - k + i:
        i -= 1
    if i < 0:
        return False
    places[i] += 1
    for j in range(i + 1, k):
        places[j] = places[j - 1] + 1
    return True


@kernel
def deal_pools(unseen: Int, game: Game, seen: Seen, state: State) -> float:
    """Choose a hand of each pool; a weight, 0 when a card is dealt twice.

    Hands are chosen independently. Where their sizes differ, the weight makes up for it that
    disjoint ones are rarer among large ones.
    """
    cards, gone, weight = count(unseen), ONE * 0, 1.0
    for seat in range(game.players):
        if seen.size[seat] == 0:
            continue
        high = seen.size[seat] - 1
        luck = uniform(state) * seen.upto[seat, high]
        low = high * 0
        while low < high:
            middle = (low + high) // 2
            if seen.upto[seat, middle] > luck:
                high = middle
            else:
                low = middle + 1
        fresh = seen.dealt[seat, low] & unseen
        if fresh & gone:
            return 0.0
        for i in range(count(fresh)):
            weight *= (cards - i) / (cards - count(gone) - i)
        gone |= fresh
        seen.chosen[seat] = low
    return weight


@kernel
def guess(
    me: Seat,
    spoken: Int,
    least: float,
    slip: float,
    game: Game,
    policy: Policy,
    table: Table,
    dream: Table,
    seen: Seen,
    state: State,
) -> float:
    """Fill in the hands and the cards laid down of ``dream``; the weight of the declarations.

    The seats before ``spoken`` have declared; the hands of later ones are any. A weight below
    ``least`` is given up: 0.
    """
    unseen = ((ONE << game.cards) - 1) & ~(table.dealt[me] | table.hands[me] | table.at[0, GONE])
    weight = deal_pools(unseen, game, seen, state)
    if weight == 0.0:
        return 0.0
    for seat in range(game.players):
        if seen.size[seat]:
            unseen &= ~seen.dealt[seat, seen.chosen[seat]]
    stock = dream.stock
    stock[NEXT], stock[PILE] = game.players * game.hand_size, 0
    value = ONE * 0
    for seat in range(game.players):
        said = table.said[seat] if seat < spoken else ONE * PASS
        number = game.first_history[seat] + value
        value = value * game.digits + (0 if said == PASS else 1 + said)
        dream.said[seat] = said
        if seat == me:
            dream.hands[seat], dream.laid[seat] = table.hands[seat], table.laid[seat]
            stock[PILE] |= table.laid[seat]
        elif seat >= spoken:
            fresh = random_subset(unseen, game.hand_size, state)
            unseen ^= fresh
            dream.hands[seat], dream.laid[seat] = fresh, 0
        else:
            swaps, shown = max(said, 0), seen.shown[seat]
            if seen.size[seat]:
                dealt = seen.dealt[seat, seen.chosen[seat]]
                drawn = seen.drawn[seat, seen.chosen[seat]]
            else:
                r = drawn_of_shown(count(shown), swaps, count(unseen), game.hand_size, state)
                if r < 0:
                    return 0.0
                drawn = random_subset(shown, r, state)
                dealt = shown & ~drawn
                fresh = random_subset(unseen, game.hand_size - count(dealt), state)
                dealt |= fresh
                unseen ^= fresh
            dream.hands[seat] = dealt
            chance = said_chance(seat, said, number, shown, slip, game, policy, dream, state)
            if seen.size[seat] == 0:
                weight *= chance
            if weight == 0.0 or weight < least:
                return 0.0
            fresh = random_subset(unseen, swaps - count(drawn), state)
            unseen ^= fresh
            dream.hands[seat] = (dealt & ~dream.laid[seat]) | drawn | fresh
            if spoken == game.players and said != PASS and shown_mouche(seat, game, dream) > 0:
                return 0.0
        stock[NEXT] += max(said, 0)
    fill_stock(unseen, game, dream, state)
    return weight


@kernel
def fill_stock(unseen: Int, game: Game, dream: Table, state: State) -> None:
    """Put the cards that nobody holds into the rest of the stock, in any order."""
    first, at = dream.stock[NEXT], dream.stock[NEXT]
    while unseen and at < game.cards - 1:
        card = lowest(unseen)
        unseen &= unseen - ONE
        other = first + below(state, at - first + 1)
        dream.order[at] = dream.order[other]
        dream.order[other] = card
        at += 1


@kernel
def said_chance(
    seat: Seat,
    said: Int,
    number: Int,
    shown: Int,
    slip: float,
    game: Game,
    policy: Policy,
    dream: Table,
    state: State,
) -> float:
    """The probability of a declaration with the hand in ``dream``; fills in what is laid down.

    Cards that were played cannot have been laid down.
    """
    hand, context = dream.hands[seat], dream.stock[CONTEXT]
    legal = legal_declarations(seat, game, dream)
    own = hand_class(hand, context, policy)
    declaration_mix(policy, own, number, legal, dream.mix)
    if slip > 0.0:
        share = slip / count(legal)
        for a in range(game.actions):
            dream.mix[a] = (1.0 - slip) * dream.mix[a] + share * ((legal >> a) & 1)
    if said == PASS:
        dream.laid[seat] = hand
        if game.passed_return:
            dream.stock[PILE] |= hand
        return float(dream.mix[0])
    total = 0.0
    for a in range(1, game.actions):
        if game.size[a] != said or game.swap[a] >= 0 or dream.mix[a] == 0.0:
            continue
        laid = ONE * 0
        if game.every:
            laid = positions(hand, game.subset[a], context, game, policy)
        elif said:
            laid = laid_by_rule(hand, a, context, game)
        if laid & shown:
            continue
        total += dream.mix[a]
        if uniform(state) * total < dream.mix[a]:
            dream.laid[seat] = laid
    if total > 0.0:
        dream.stock[PILE] |= dream.laid[seat]
    return total


@kernel
def played_chance(
    me: Seat, least: float, slip: float, game: Game, policy: Policy, table: Table, dream: Table
) -> float:
    """The probability that the others play what they played, with the hands in ``dream``.

    Row 0 of ``dream`` then is the present position, with these hands. A probability below ``least``
    is given up: 0.
    """
    at, context = dream.at, dream.stock[CONTEXT]
    dream.stock[HISTORY] = table.stock[HISTORY]
    begin_play(table.at[0, INSIDE], game, dream)
    if game.pamphile >= 0 and at[0, HOLDER] != table.at[0, HOLDER]:
        return 0.0  # all have seen who was paid for it
    weight = 1.0
    for k in range(table.at[0, PLAYS]):
        place, card = to_move(at, 0), table.at[0, PLAYED + k]
        if dream.seats[place] != me:
            legal = legal_now(at, 0, place, game, context)
            if not (legal >> card) & 1:
                return 0.0
            if legal & (legal - ONE):
                weight *= card_chance(place, card, legal, slip, game, policy, dream)
                if weight == 0.0 or weight < least:
                    return 0.0
        put(at, 0, place, card, game.trump[context], game)
    return weight


@kernel
def card_chance(
    place: Int, card: Int, legal: Int, slip: float, game: Game, policy: Policy, dream: Table
) -> float:
    """The probability that the player to move plays a card.

    The strategy knows classes of cards and plays the lowest of a class. A player who slips may play
    any of them, so a card counts as the next lower one that the strategy names.
    """
    context = dream.stock[CONTEXT]
    key = information(0, place, legal, context, policy.facts.lossless, game, dream)
    number = dream.choices
    if number > 1:
        play_mix(policy, key, number, dream.mix)
    else:
        dream.mix[0] = 1.0
    trump = game.trump[context]
    chance, over = 0.0, ONE * -1
    for a in range(number):
        other = dream.choice[a]
        if other == card:
            return float((1.0 - slip) * dream.mix[a] + slip / count(legal))
        higher = game.above[trump, other]
        nearer = over < 0 or (game.above[trump, over] >> other) & 1
        if slip > 0.0 and (higher >> card) & 1 and nearer:
            chance, over = float(dream.mix[a]), other
    if slip == 0.0:
        return 0.0
    return float((1.0 - slip) * chance + slip / count(legal))
