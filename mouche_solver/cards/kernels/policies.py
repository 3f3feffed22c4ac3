"""Kernels for policies at the table: one seat's declaration, and a whole deal."""

from mouche_solver.cards.kernels.baselines import thumb_declaration
from mouche_solver.cards.kernels.bits import ONE, Int, Seat, count
from mouche_solver.cards.kernels.deal import (
    BY_HEIGHT,
    count_in,
    history,
    lay_out,
    least,
    legal_declarations,
    must_stand,
    pass_hand,
    room,
    say,
    settle_early,
    stay_in,
    unasked,
)
from mouche_solver.cards.kernels.lookup import declaration_mix, hand_class, pick
from mouche_solver.cards.kernels.mouche import PASS, mouche_value, random_subset
from mouche_solver.cards.kernels.records import (
    CONTEXT,
    RANDOM_POLICY,
    THUMB_POLICY,
    Game,
    Policy,
    Table,
)
from mouche_solver.cards.kernels.tricks import begin_play, play_out
from mouche_solver.core.jit import kernel
from mouche_solver.core.random import State, below


@kernel
def person_says(seat: Seat, person: Int, game: Game, table: Table) -> Int:
    """What a player of the rule of thumb declares: PASS, or how many cards he exchanges."""
    hand, context = table.hands[seat], table.stock[CONTEXT]
    most = min(game.max_exchange, room(game, table))
    trump = game.trump[context]
    mouche = game.mouche and mouche_value(hand, trump, game) > 0
    unseen = ~(hand | ONE << game.turned[context])
    said = thumb_declaration(hand, mouche, most, unseen, trump, game, person)
    if hand & game.kept:  # he may not pass
        free = count(hand & ~game.kept)
        said = min(most, free) if said == PASS else min(said, free)
    return said


@kernel
def declare(seat: Seat, policy: Policy, game: Game, table: Table, state: State) -> None:
    """One seat's declaration by its policy."""
    hand, context = table.hands[seat], table.stock[CONTEXT]
    most = min(game.max_exchange, room(game, table))
    if policy.facts.kind == RANDOM_POLICY:
        free = hand & ~game.kept
        may_pass = free == hand
        said = 0
        if not must_stand(hand, context, game):
            said = below(state, min(most, count(free)) + 1 + may_pass) - may_pass
        if said == PASS:
            pass_hand(seat, game, table)
        else:
            stay_in(seat, random_subset(free, said, state), -1, game, table, state)
        return
    if policy.facts.kind >= THUMB_POLICY:
        said = person_says(seat, policy.facts.kind, game, table)
        if said == PASS:
            pass_hand(seat, game, table)
        else:
            laid = least(hand, said, BY_HEIGHT, context, game)
            stay_in(seat, laid, -1, game, table, state)
        return
    legal = legal_declarations(seat, game, table)
    number = history(seat, game, table)
    declaration_mix(policy, hand_class(hand, context, policy), number, legal, table.mix)
    action = pick(table.mix, game.actions, table.luck[seat])
    say(seat, action, game, policy, table, state)


@kernel
def whole_deal(one: Policy, two: Policy, game: Game, table: Table, state: State) -> float:
    """Play the shuffled cards; fill the chips, return the debts."""
    lay_out(game, table)
    for seat in range(game.players):
        if unasked(seat, game, table):
            break
        if table.who[seat] == 0:
            declare(seat, one, game, table, state)
        else:
            declare(seat, two, game, table, state)
    inside = count_in(game, table)
    debts = settle_early(inside, game, table)
    if debts >= 0.0:
        return debts
    begin_play(inside, game, table)
    return play_out(one, two, game, table)


@kernel
def outcome(game: Game, policy: Policy, table: Table) -> float:
    """Everyone has declared: fill the chips, return the debts."""
    inside = count_in(game, table)
    debts = settle_early(inside, game, table)
    if debts >= 0.0:
        return debts
    begin_play(inside, game, table)
    return play_out(policy, policy, game, table)
