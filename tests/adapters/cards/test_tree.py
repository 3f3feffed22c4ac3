"""The tree that OpenSpiel walks is that of the small exact games, node by node."""

from collections import defaultdict
from collections.abc import Hashable
from dataclasses import dataclass, field

import pyspiel
import pytest

from mouche_solver.adapters.openspiel import load_cards_game
from mouche_solver.cards import CardRules
from mouche_solver.cards.odds.exact import CardDeal, DealState
from mouche_solver.cards.rules.pack import cards_of

SIX = CardRules(players=2, ranks=("K", "Q", "J"), suits=("C", "D"), hand_size=2, reshuffle=False)
THREE = SIX.replace(players=3, hand_size=1)
# (rules, continuation, turn-up): every kind of option, with and without shares.
SMALL = [
    (SIX, "none", "KC"),
    (SIX, "1/2,1/2", "QD"),
    (SIX.replace(must_head=False), "1/3,2/3", "JC"),
    (SIX.replace(dealer_takes_trump=True, exchange_cap=1), "1/2,1/2", "QC"),
    (SIX.replace(pamphile=True), "1/2,1/2", "JC"),  # the dealer names trumps
    (SIX.replace(pamphile=True, pamphile_any_suit=True, pamphile_pays="fifth"), "none", "QD"),
    (SIX.replace(mouche_must_stand=True, passers_pay=True), "1/2,1/2", "KD"),
    (SIX.replace(mouche=False, must_follow=False, exchange_cap=0), "none", "JD"),
    (SIX.replace(mouche_after_exchange=True, mouche_order="highest-card"), "none", "KC"),
    (THREE, "1/4,1/4,1/2", "QC"),
    (THREE.replace(mouche=False, losing_holders_pay=False), "none", "KD"),
]


@dataclass
class Walk:
    """Two trees walked together."""

    exact: CardDeal
    nodes: dict[str, int] = field(default_factory=lambda: defaultdict(int))
    keys: dict[Hashable, set[str]] = field(default_factory=lambda: defaultdict(set))
    strings: dict[str, set[Hashable]] = field(default_factory=lambda: defaultdict(set))
    tensors: dict[Hashable, set[str]] = field(default_factory=lambda: defaultdict(set))
    texts: set[str] = field(default_factory=set)
    payoffs: list[float] = field(default_factory=list)

    def walk(self, state: pyspiel.State, other: DealState) -> None:
        """Compare a node and everything under it."""
        exact = self.exact
        while exact.is_chance(other) and len(exact.chance_outcomes(other)) == 1:
            # A draw of all that is left: OpenSpiel's tree has no node for it.
            other = exact.child(other, exact.chance_outcomes(other)[0][0])
        assert str(state) not in self.texts
        self.texts.add(str(state))
        assert state.is_terminal() == exact.is_terminal(other)
        if exact.is_terminal(other):
            self.nodes["end"] += 1
            self.payoffs += state.returns()
            assert state.returns() == pytest.approx(list(map(float, exact.utilities(other))))
        elif exact.is_chance(other):
            self.chance(state, other)
        else:
            self.decision(state, other)

    def chance(self, state: pyspiel.State, other: DealState) -> None:
        assert state.is_chance_node()
        self.nodes["chance"] += 1
        theirs = self.exact.chance_outcomes(other)
        ours = state.chance_outcomes()
        assert [p for _, p in ours] == pytest.approx([float(p) for _, p in theirs])
        for (action, _), (cards, _) in zip(ours, theirs, strict=True):
            self.walk(state.child(action), self.exact.child(other, cards))

    def decision(self, state: pyspiel.State, other: DealState) -> None:
        self.nodes["decision"] += 1
        seat = state.current_player()
        assert seat == self.exact.player(other)
        key, string = (seat, self.exact.infoset_key(other)), state.information_state_string()
        self.keys[key].add(string)
        self.strings[string].add(key)
        self.tensors[seat, tuple(state.information_state_tensor())].add(string)
        actions = {words(self.exact.rules, action): action for action in self.exact.actions(other)}
        ours = {state.action_to_string(action): action for action in state.legal_actions()}
        assert set(ours) == set(actions)
        for text, action in ours.items():
            self.walk(state.child(action), self.exact.child(other, actions[text]))


def words(rules: CardRules, action: object) -> str:
    """A referee's action as the adapter writes it."""
    pack = rules.pack
    kind = type(action).__name__
    if kind == "NameTrump":
        return f"name {pack.suits[action.suit]}"
    if kind == "Play":
        return f"play {pack.name(action.card)}"
    if kind == "Pass":
        return "pass"
    text = ""
    if action.swap is not None:
        text = f"swap {pack.name(action.swap)} and "
    if kind == "Stand":
        return text + "stand"
    return f"{text}exchange {' '.join(pack.mask_names(sum(1 << c for c in action.cards)))}"


@pytest.mark.parametrize("rules, shares, turned", SMALL)
def test_every_node_is_that_of_the_exact_game(rules, shares, turned) -> None:
    game = load_cards_game(rules, continuation=shares)
    exact = CardDeal(rules, shares, turned=turned)
    state = game.new_initial_state()
    state.apply_action(rules.pack.card(turned))
    walk = Walk(exact)
    walk.walk(state, exact.initial())
    assert {len(strings) for strings in walk.keys.values()} == {1}
    assert {len(keys) for keys in walk.strings.values()} == {1}
    assert {len(strings) for strings in walk.tensors.values()} == {1}
    assert len(walk.tensors) == len(walk.strings)
    assert game.min_utility() <= min(walk.payoffs)
    assert max(walk.payoffs) <= game.max_utility()


def test_number_of_ends_is_the_known_one() -> None:
    walk = Walk(CardDeal(SIX, turned="KC"))
    state = load_cards_game(SIX).new_initial_state()
    state.apply_action(SIX.pack.card("KC"))
    walk.walk(state, walk.exact.initial())
    assert walk.nodes["end"] == 374


def test_lengths_and_outcomes_are_reached() -> None:
    rules = SIX.replace(mouche=False)
    game = load_cards_game(rules)
    longest, chances, outcomes = 0, 0, 0
    stack = [(game.new_initial_state(), 0, 0)]
    while stack:
        state, moves, rolls = stack.pop()
        longest, chances = max(longest, moves), max(chances, rolls)
        if state.is_chance_node():
            outcomes = max(outcomes, len(state.chance_outcomes()))
        for action in state.legal_actions():
            drawn = state.is_chance_node()
            stack.append((state.child(action), moves + (not drawn), rolls + drawn))
    assert longest == game.max_game_length() == 6
    assert chances <= game.max_chance_nodes_in_history() == 4
    assert outcomes == game.max_chance_outcomes() == 10


def test_ends_of_play_hold_every_card() -> None:
    """All cards are somewhere, each once: hands, tricks, laid down, the turn-up and the stock."""
    rules = SIX.replace(reshuffle=True)
    stack = [load_cards_game(rules).new_initial_state()]
    ends = 0
    while stack:
        state = stack.pop()
        stack += [state.child(action) for action in state.legal_actions()[:3]]
        if state.is_terminal():
            ends += 1
            deal = state.position.deal
            played = [card for trick in deal.history for _, card in trick]
            held = [card for hand in deal.hands for card in cards_of(hand)]
            aside = list(cards_of(deal.pile))
            everything = sorted([*played, *held, *aside, *deal.stock, deal.face_up])
            assert everything == list(range(rules.pack.size))
    assert ends > 50
