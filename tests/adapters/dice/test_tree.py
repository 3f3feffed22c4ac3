"""The tree that OpenSpiel walks is the referee's tree, on small games of every kind.

The referee's tree is enumerated without the adapter: rolls by counting ordered dice, moments by
asking the referee.
"""

import random
from collections import Counter, defaultdict
from collections.abc import Iterator
from fractions import Fraction
from itertools import product

import pyspiel
import pytest

from mouche_solver.adapters.openspiel import load_dice_game
from mouche_solver.dice import DiceRules, Match, Round, all_claims
from mouche_solver.dice.rules.notation import format_claims, format_cups, format_hand

# Small rules of every kind: each option, equal and unequal cups, two and three players.
SMALL = [
    DiceRules(dice=(1, 1), faces=2),
    DiceRules(dice=(1, 1), faces=3, wild=1),
    DiceRules(dice=(1, 1), faces=3, wild=3, raise_rule="quantity-first"),
    DiceRules(dice=(1, 1), faces=3, raise_rule="face-first", truth="exactly"),
    DiceRules(dice=(2, 1), faces=2, raise_rule="quantity-first", wild=2),
    DiceRules(dice=(1, 2), faces=3, minimum_opening=2),
    DiceRules(dice=(1, 3), faces=2, raise_rule="face-first", minimum_opening=3),
    DiceRules(dice=(2, 2), faces=2, truth="exactly", wild=1),
    DiceRules(dice=(1, 1, 1), faces=2),
    DiceRules(dice=(1, 2, 1), faces=2, wild=2),
]


def deals(rules: DiceRules) -> dict[tuple[tuple[int, ...], ...], Fraction]:
    """Probability of every combination of sorted cups, counted over all ordered rolls."""
    counts: Counter[tuple[tuple[int, ...], ...]] = Counter()
    for roll in product(range(1, rules.faces + 1), repeat=rules.total_dice):
        cups, start = [], 0
        for dice in rules.dice:
            cups.append(tuple(sorted(roll[start : start + dice])))
            start += dice
        counts[tuple(cups)] += 1
    return {cups: Fraction(n, rules.faces**rules.total_dice) for cups, n in counts.items()}


def moments(state: Round) -> Iterator[Round]:
    """A round and all that may follow."""
    yield state
    for action in state.legal_actions():
        yield from moments(state.play(action))


def number(rules: DiceRules, action: object) -> int:
    """The adapter's number of a claim or doubt."""
    claims = all_claims(rules)
    return len(claims) if action == "doubt" else claims.index(action)


def describe(state: Round) -> tuple[object, ...]:
    """Player, actions, payoffs and the information state of a moment."""
    rules = state.rules
    legal = tuple(sorted(number(rules, action) for action in state.legal_actions()))
    if state.reveal is not None:
        share = 1.0 / (rules.players - 1)
        payoffs = [share] * rules.players
        payoffs[state.reveal.loser] = -1.0
        return -4, legal, tuple(payoffs), None
    key = f"p{state.to_act} {format_hand(state.cups[state.to_act])} : "
    key = (key + format_claims(state.history)).rstrip()
    return state.to_act, legal, (0.0,) * rules.players, key


def referee_tree(rules: DiceRules) -> dict[tuple[object, ...], tuple[object, ...]]:
    """Every moment after the rolls, by cups and actions."""
    tree = {}
    for cups in deals(rules):
        for state in moments(Round(rules, cups)):
            actions = [*state.history, *(["doubt"] if state.doubted else [])]
            tree[cups, tuple(number(rules, action) for action in actions)] = describe(state)
    return tree


def walk(
    state: pyspiel.State, reach: Fraction = Fraction(1)
) -> Iterator[tuple[pyspiel.State, float]]:
    """Every state under one, with its chance probability."""
    yield state, reach
    if state.is_chance_node():
        for action, probability in state.chance_outcomes():
            yield from walk(state.child(action), reach * probability)
    else:
        for action in state.legal_actions():
            yield from walk(state.child(action), reach)


ids = [str(rules.to_json()) for rules in SMALL]


@pytest.fixture(params=SMALL, ids=ids, scope="module")
def small(request):
    game = load_dice_game(request.param)
    return request.param, game, list(walk(game.new_initial_state()))


def test_every_node_is_the_referees(small) -> None:
    rules, _, states = small
    seen, chances = {}, {}
    for state, reach in states:
        if state.is_chance_node():
            continue
        history = state.history()
        _, cups, _ = state.position.shown
        node = cups, tuple(history[len(rules.dice) :])
        assert node not in seen
        player = int(state.current_player())
        key = None if state.is_terminal() else state.information_state_string()
        seen[node] = player, tuple(state.legal_actions()), tuple(state.returns()), key
        chances[cups] = reach
    assert seen == referee_tree(rules)
    assert chances == pytest.approx({cups: float(p) for cups, p in deals(rules).items()})


def test_lengths_are_reached(small) -> None:
    _, game, states = small
    ends = [state for state, _ in states if state.is_terminal()]
    chance_nodes = game.max_chance_nodes_in_history()
    assert max(len(state.history()) for state in ends) == game.max_game_length() + chance_nodes
    assert {len(state.history()) - state.move_number() for state in ends} == {0}
    chances = [len(s.chance_outcomes()) for s, _ in states if s.is_chance_node()]
    assert max(chances) == game.max_chance_outcomes()
    payoffs = [payoff for state in ends for payoff in state.returns()]
    assert (min(payoffs), max(payoffs)) == (game.min_utility(), game.max_utility())


def test_keys_tell_what_was_seen_and_no_more(small) -> None:
    """A key leaves open every combination of other cups; it and the tensor say the same."""
    rules, game, states = small
    hidden, tensors, strings = defaultdict(set), defaultdict(set), defaultdict(set)
    for state, _ in states:
        if state.is_chance_node() or state.is_terminal():
            continue
        for seat in range(game.num_players()):
            key = state.information_state_string(seat)
            _, cups, _ = state.position.shown
            hidden[key].add(cups[:seat] + cups[seat + 1 :])
            tensors[tuple(state.information_state_tensor(seat))].add(key)
            strings[key].add(tuple(state.information_state_tensor(seat)))
    for key, others in hidden.items():
        seat = int(key[1])
        assert len(others) == len({cups[:seat] + cups[seat + 1 :] for cups in deals(rules)})
    assert {len(keys) for keys in tensors.values()} == {1}
    assert {len(values) for values in strings.values()} == {1}


def test_state_strings_are_unique(small) -> None:
    states = [str(state) for state, _ in small[2]]
    assert len(set(states)) == len(states)


MATCHES = [
    DiceRules(dice=(2, 1, 3), faces=3, points=(1, 2, 1), next_starter="next-seat"),
    DiceRules(dice=(2, 1, 1, 1), faces=2, points=2, next_starter="loser", minimum_opening=4),
    DiceRules(dice=(5, 5), points=3, next_starter="winner", wild=1, raise_rule="quantity-first"),
    DiceRules(dice=(1, 2, 1), faces=4, points=2, next_starter="after-loser", truth="exactly"),
    DiceRules(dice=(7, 6), faces=12, points=2, raise_rule="face-first"),
]


@pytest.mark.parametrize("rules", MATCHES, ids=lambda rules: rules.next_starter)
@pytest.mark.parametrize("seed", range(8))
def test_random_matches_follow_the_referee(rules, seed) -> None:
    rng = random.Random(seed)
    game = load_dice_game(rules, match=True)
    state, match = game.new_initial_state(), Match.start(rules)
    while match.winner is None:
        while state.is_chance_node():
            state.apply_action(rng.choice(state.legal_actions()))
        moment = Round(match.round_rules, state.position.cups)
        while not moment.doubted:
            assert state.current_player() == match.seats[moment.to_act]
            words = {state.action_to_string(action): action for action in state.legal_actions()}
            assert set(words) == {str(action) for action in moment.legal_actions()}
            action = rng.choice(moment.legal_actions())
            state.apply_action(words[str(action)])
            moment = moment.play(action)
        assert format_cups(moment.cups) in state.information_state_string(match.seats[0])
        match = match.after(moment.reveal)
    share = 1 / (rules.players - 1)
    assert state.returns() == [
        1.0 if seat == match.winner else -share for seat in range(rules.players)
    ]


def test_length_of_a_match_is_reached_by_two_players() -> None:
    game = load_dice_game(DiceRules(dice=(1, 2), faces=2, points=(1, 2)), match=True)
    state, rolls = game.new_initial_state(), 0
    while not state.is_terminal():  # only ones are rolled, and the claims rise by the least
        rolls += state.is_chance_node()
        state.apply_action(state.legal_actions()[0])
    assert rolls == game.max_chance_nodes_in_history() == 4
    assert len(state.history()) == game.max_game_length() + rolls == 2 * 5 + 4
