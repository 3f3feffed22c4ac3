"""Kernels that guess hidden cards with the probability that a player of a strategy should give.

A guess is the hand dealt to every other seat, what it laid down and what it drew. Cards shown are
in the right hands; given that, guesses are drawn so that all would be equally likely if
declarations and cards were no evidence. The weight of a guess is the probability that the others
declared, and then played, what they did; 0 when one of them would have shown a mouche.
"""

from mouche_solver.cards.kernels.bits import ONE, Int, Ints, count
from mouche_solver.cards.kernels.deal import (
    laid_by_rule,
    legal_declarations,
    positions,
    shown_mouche,
)
from mouche_solver.cards.kernels.lookup import declaration_mix, hand_class, play_mix
from mouche_solver.cards.kernels.mouche import PASS, random_subset
from mouche_solver.cards.kernels.records import CONTEXT, HISTORY, NEXT, PILE, Policy, Record
from mouche_solver.cards.kernels.tricks import begin_play, legal_now, put, to_move
from mouche_solver.cards.kernels.view import (
    GONE,
    INSIDE,
    PLAYED,
    PLAYS,
    information,
)
from mouche_solver.core.jit import kernel
from mouche_solver.core.random import State, uniform


@kernel
def shown_cards(game: Record, table: Record, dream: Record, shown: Ints) -> None:
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


@kernel
def guess(
    me: Int, game: Record, policy: Policy, table: Record, dream: Record, shown: Ints, state: State
) -> float:
    """Fill in the hands and the cards laid down of ``dream``; the weight of the declarations."""
    unseen = ((ONE << game.cards) - 1) & ~(table.dealt[me] | table.hands[me] | table.at[0, GONE])
    stock = dream.stock
    stock[NEXT], stock[PILE] = game.players * game.hand_size, 0
    value, weight = ONE * 0, 1.0
    for seat in range(game.players):
        said = table.said[seat]
        number = game.first_history[seat] + value
        value = value * game.digits + (0 if said == PASS else 1 + said)
        if seat == me:
            dream.hands[seat], dream.laid[seat] = table.hands[seat], table.laid[seat]
            stock[PILE] |= table.laid[seat]
        else:
            swaps = max(said, 0)
            r = drawn_of_shown(count(shown[seat]), swaps, count(unseen), game.hand_size, state)
            if r < 0:
                return 0.0
            drawn = random_subset(shown[seat], r, state)
            dealt = shown[seat] & ~drawn
            fresh = random_subset(unseen, game.hand_size - count(dealt), state)
            dealt |= fresh
            unseen ^= fresh
            dream.hands[seat] = dealt
            weight *= said_chance(seat, said, number, shown[seat], game, policy, dream, state)
            if weight == 0.0:
                return 0.0
            fresh = random_subset(unseen, swaps - r, state)
            unseen ^= fresh
            dream.hands[seat] = (dealt & ~dream.laid[seat]) | drawn | fresh
            if said != PASS and shown_mouche(seat, game, dream) > 0:
                return 0.0
        stock[NEXT] += max(said, 0)
    return weight


@kernel
def said_chance(
    seat: Int, said: Int, number: Int, shown: Int, game: Record, policy: Policy, dream: Record,
    state: State,
) -> float:  # fmt: skip
    """The probability of a declaration with the hand in ``dream``; fills in what is laid down.

    Cards that were played cannot have been laid down.
    """
    hand, context = dream.hands[seat], dream.stock[CONTEXT]
    legal = legal_declarations(seat, game, dream)
    own = hand_class(hand, context, policy)
    declaration_mix(policy, own, number, legal, dream.mix)
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
def played_chance(me: Int, game: Record, policy: Policy, table: Record, dream: Record) -> float:
    """The probability that the others play what they played, with the hands in ``dream``.

    Row 0 of ``dream`` then is the present position, with these hands.
    """
    at, context = dream.at, dream.stock[CONTEXT]
    dream.stock[HISTORY] = table.stock[HISTORY]
    begin_play(table.at[0, INSIDE], game, dream)
    weight = 1.0
    for k in range(table.at[0, PLAYS]):
        place, card = to_move(at, 0), table.at[0, PLAYED + k]
        if dream.seats[place] != me:
            legal = legal_now(at, 0, place, game, context)
            if not (legal >> card) & 1:
                return 0.0
            if legal & (legal - ONE):
                weight *= card_chance(place, card, legal, game, policy, dream)
                if weight == 0.0:
                    return 0.0
        put(at, 0, place, card, game.trump[context], game)
    return weight


@kernel
def card_chance(
    place: Int, card: Int, legal: Int, game: Record, policy: Policy, dream: Record
) -> float:
    """The probability that the player to move plays a card; the strategy knows classes of cards."""
    context = dream.stock[CONTEXT]
    key = information(0, place, legal, context, policy.facts.lossless, game, dream)
    number = dream.choices
    if number > 1:
        play_mix(policy, key, number, dream.mix)
    else:
        dream.mix[0] = 1.0
    for a in range(number):
        if dream.choice[a] == card:
            return float(dream.mix[a])
    return 0.0
