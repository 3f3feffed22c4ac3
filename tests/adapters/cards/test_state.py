"""States of the game of cards: clones, text and pickled forms, what is hidden, tensors."""

import pickle
import random
import tracemalloc
from dataclasses import replace

import numpy as np
import pyspiel
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from open_spiel.python.observation import INFO_STATE_OBS_TYPE, make_observation

from mouche_solver.adapters.cards.params import CardSetup
from mouche_solver.adapters.cards.position import CardPosition
from mouche_solver.adapters.cards.table import card_table
from mouche_solver.cards import CardRules
from mouche_solver.cards.referee.actions import Action, Exchange
from mouche_solver.errors import IllegalMoveError, NotationError

SIX = "players=2,ranks=K;Q;J,suits=C;D,hand_size=2"
EIGHT = "ranks=K;Q;J;A,suits=C;D,hand_size=2"
GAMES = [
    "",
    "players=3,pamphile=True,dealer_takes_trump=True,deals=2,own_discards_return=True",
    f"{SIX},deals=0",
    "players=3,deck=mushka,scoring=countdown,mouche=False,deals=2",
]
UNSEEN = ["", "players=3,pamphile=True,own_discards_return=True", "players=5", "players=2"]


def load(parameters: str = "") -> pyspiel.Game:
    return pyspiel.load_game(f"python_mouche_cards({parameters})")


def played(game: pyspiel.Game, *words: str) -> pyspiel.State:
    """The state after actions given in words."""
    state = game.new_initial_state()
    for text in words:
        actions = {state.action_to_string(action): action for action in state.legal_actions()}
        state.apply_action(actions[text])
    return state


def after(game: pyspiel.Game, actions: list[int]) -> pyspiel.State:
    """The state after actions given as numbers."""
    state = game.new_initial_state()
    for action in actions:
        state.apply_action(action)
    return state


@settings(max_examples=25, deadline=None)
@given(data=st.data())
def test_every_moment_survives_every_way_of_copying(data) -> None:
    game = load(data.draw(st.sampled_from(GAMES)))
    rng = random.Random(data.draw(st.integers(0, 10**6)))
    state = game.new_initial_state()
    for _ in range(data.draw(st.integers(0, 90))):
        if state.is_terminal():
            break
        state.apply_action(rng.choice(state.legal_actions()))
    copies = [
        state.clone(),
        game.deserialize_state(state.serialize()),
        pyspiel.deserialize_game_and_state(pyspiel.serialize_game_and_state(game, state))[1],
        pickle.loads(pickle.dumps(state)),
    ]
    for copy in copies:
        assert (str(copy), copy.history()) == (str(state), state.history())
        assert copy.legal_actions() == state.legal_actions()
        assert copy.information_state_string(0) == state.information_state_string(0)
        while not copy.is_terminal():
            copy.apply_action(copy.legal_actions()[-1])
    assert len({str(copy) for copy in copies}) == 1
    assert len({tuple(copy.returns()) for copy in copies}) == 1


def test_illegal_actions_are_refused() -> None:
    game = load(f"{SIX},exchange_cap=1,dealer_takes_trump=True")
    numbers = game.table.numbers
    start = [5, 0, 0]  # KD is turned up, p0 gets the Jack and Queen of clubs
    for actions, message in [
        ([6], "outcome 6 is not possible"),
        ([5, 10], "outcome 10 is not possible"),
        ([*start, 99], "action 99: there is none of this number"),
        ([*start, numbers.card], "nobody plays now"),
        ([*start, 4], "an exchange is 1 to 1 cards"),
        ([*start, numbers.swap], "only the dealer may take the turn-up"),
        ([*start, 0, 0], "the game is over"),
        ([*start, 2, 1, 1], "nobody declares now"),
        ([*start, 2, 1, numbers.card + 5], "KD is not in the hand"),
    ]:
        with pytest.raises(IllegalMoveError, match=message):
            after(game, actions)
    with pytest.raises(NotationError, match="line 2"):
        game.deserialize_state("0\nx")
    with pytest.raises(NotationError, match="line 1"):
        game.deserialize_state("9" * 5000)
    with pytest.raises(IllegalMoveError):
        game.deserialize_state("5\n10")


def test_dealing_card_by_card_forgets_the_order() -> None:
    game, rng = load(), random.Random(1)
    assert game.table.card_by_card
    cards = rng.sample(range(36), 21)
    first, second = game.new_initial_state(), game.new_initial_state()
    hands = [cards[1 + 5 * seat : 6 + 5 * seat] for seat in range(4)]
    for card in cards:
        first.apply_action(card)
    for card in [cards[0], *(card for hand in hands for card in reversed(hand))]:
        second.apply_action(card)
    assert str(first) == str(second)
    for seat in range(4):
        assert first.information_state_string(seat) == second.information_state_string(seat)


def test_hands_are_dealt_whole_up_to_a_thousand() -> None:
    twelve, thirteen = (
        card_table(CardSetup(CardRules(players=2, ranks=ranks, suits="C D H", hand_size=size)))
        for ranks, size in (("K Q J A", 4), ("K Q J A 10", 4))
    )
    assert (twelve.card_by_card, twelve.most_outcomes) == (False, 330)  # 495 hands, one turned up
    assert (thirteen.card_by_card, thirteen.most_outcomes) == (True, 15)  # 1,365 hands


@settings(max_examples=40, deadline=None)
@given(st.integers(0, 10**6), st.sampled_from(UNSEEN))
def test_cards_that_a_player_has_not_seen_are_in_no_key(seed, parameters) -> None:
    """Two cards that a player has never seen change places: the player sees the same game.

    That holds until the first card is played; what is dealt and drawn comes card by card here.
    """
    game, rng = load(parameters), random.Random(seed)
    state, steps = game.new_initial_state(), []
    while not state.is_terminal() and not (state.position.deal and state.position.deal.trick):
        action, deal = rng.choice(state.legal_actions()), state.position.deal
        chance = state.is_chance_node()
        steps.append(action if chance else game.table.numbers.action(deal, action))
        state.apply_action(action)
        player, deal = rng.randrange(game.num_players()), state.position.deal
        if deal is None or state.is_terminal():
            continue
        view = seen(state, player)
        hidden = [card for card in range(game.table.rules.pack.size) if card not in view]
        one, two = rng.sample(hidden, 2)
        other = with_cards_swapped(game, steps, {one: two, two: one})
        if other.is_terminal():  # a hand has become a mouche, which is shown
            continue
        assert other.information_state_string(player) == state.information_state_string(player)
        assert other.information_state_tensor(player) == state.information_state_tensor(player)
        assert other.observation_tensor(player) == state.observation_tensor(player)


def with_cards_swapped(
    game: pyspiel.Game, steps: list[int | Action], swap: dict[int, int]
) -> pyspiel.State:
    """The same game with two cards in each other's place."""
    state = game.new_initial_state()
    for step in steps:
        if isinstance(step, int):
            state.apply_action(swap.get(step, step))
            continue
        if isinstance(step, Exchange):
            step = replace(step, cards=tuple(swap.get(card, card) for card in step.cards))
        state.apply_action(game.table.numbers.number(state.position.deal, step))
    return state


def seen(state: pyspiel.State, player: int) -> set[int]:
    """Cards that a player has seen, and the Pamphile and the Ace, which make others act."""
    pack = state.get_game().table.rules.pack
    words = state.information_state_string(player).replace("(", " ").replace(")", " ").split()
    words += ["JC", "AS"]
    return {pack.card(word) for word in words if word in pack.all_names}


def test_a_discard_is_the_discarders_secret() -> None:
    game = load(f"players=2,{EIGHT},mouche=False")
    words = ["turn up KD", "deal KC QC", "deal AC AD"]
    one = played(game, *words, "exchange KC", "draw JC")
    two = played(game, *words, "exchange QC", "draw JC")
    three = played(game, *words, "exchange QC", "draw QD")
    assert one.information_state_string(0) == "p0 KC QC : KD : exchange 1 (KC for JC)"
    assert two.information_state_string(0) == "p0 KC QC : KD : exchange 1 (QC for JC)"
    for state in (one, two, three):
        assert state.information_state_string(1) == "p1 AC AD : KD : exchange 1"
    assert one.information_state_tensor(1) == three.information_state_tensor(1)
    assert one.information_state_tensor(0) != two.information_state_tensor(0)


def test_strings_of_a_deal() -> None:
    game = load(f"players=2,{EIGHT},dealer_takes_trump=True")
    words = ["turn up KD", "deal KC JD", "deal AC AD", "stand", "swap AC and exchange AD"]
    state = played(game, *words, "draw QC", "play KC")
    assert state.information_state_string(0) == "p0 KC JD : KD : stand, swap AC exchange 1 : KC"
    assert state.information_state_string(1) == (
        "p1 AC AD : KD : stand, swap AC exchange 1 (AD for QC) : KC"
    )
    assert state.observation_string(1) == (
        "p1 QC KD : AC trumps D : stand, swap AC exchange 1 : p0 leads KC"
    )
    assert str(state) == "KC JD / AC AD : KD : stand, swap AC exchange 1 (AD for QC) : KC"
    state.apply_action(state.legal_actions()[0])
    assert state.observation_string(0) == (
        "p0 JD : AC trumps D : stand, swap AC exchange 1 : won p0 1"
    )


def test_shown_and_paid_cards_are_public() -> None:
    game = load(
        "players=3,ranks=K;Q;J;A,suits=C;D,hand_size=2,pamphile=True,deals=2,first_dealer=0"
    )
    words = ["turn up KD", "deal JC QD", "deal KC AC", "deal QC JD"]
    state = played(game, *words, "stand", "pass", "stand")
    assert state.information_state_string(2) == (
        "p2 [1 2 0] KC AC : KD : stand, pass, stand : pamphile p1"
    )
    state = played(game, *words, "stand", "stand", "pass")
    assert state.information_state_string(0) == (
        "p0 [1 2 0] QC JD : KD : stand, stand, pass : pamphile p1, mouche p2 KC AC | [2 0 1]"
    )
    assert state.observation_string(0) == "p0 : [2 0 1] : chips 47 50 51, pot 0 waiting 2"


def test_action_numbers_are_the_documented_ones() -> None:
    game = load(f"players=2,{EIGHT},dealer_takes_trump=True,pamphile=True,mouche=False")
    # A J Q K of clubs are the cards 0 to 3, those of diamonds 4 to 7.
    words = ["turn up AC", "deal JC JD", "deal QC KD"]
    first = played(game, *words)
    number = {first.action_to_string(action): action for action in first.legal_actions()}
    assert number == {
        "pass": 0,
        "stand": 1,
        "exchange JC": 1 + 0b01,
        "exchange JD": 1 + 0b10,
        "exchange JC JD": 1 + 0b11,
    }
    dealer = played(game, *words, "stand")
    number = {dealer.action_to_string(action): action for action in dealer.legal_actions()}
    assert number["exchange KD"] == 1 + 0b10
    # Swaps begin at 1 + 4: QC is the first card, KD the second; the hand then holds AC.
    assert number["swap QC and stand"] == 5
    assert number["swap QC and exchange AC"] == 5 + 0b01
    assert number["swap KD and stand"] == 5 + 4
    assert number["swap KD and exchange AC"] == 5 + 4 + 0b01
    assert number["swap KD and exchange QC"] == 5 + 4 + 0b10
    play = played(game, *words, "stand", "stand")
    number = {play.action_to_string(action): action for action in play.legal_actions()}
    assert number == {"play JC": 5 + 8 + 2 + 1, "play JD": 5 + 8 + 2 + 5}
    named = played(game, "turn up JC", "deal KC QC", "deal KD QD")
    assert [named.action_to_string(a) for a in (13, 14)] == ["name C", "name D"]
    assert named.legal_actions() == [13, 14]


def test_payoffs_worked_by_hand() -> None:
    six = f"{SIX},mouche=False"
    words = ["turn up KD", "deal KC QC", "deal JC JD", "stand", "stand"]
    tricks = ["play KC", "play JC", "play QC", "play JD"]  # one trick each: the Jack trumps
    assert played(load(six), *words, *tricks).returns() == [0.5, 0.5]
    words = ["turn up QD", "deal KC KD", "deal QC JC", "stand", "stand"]
    tricks = ["play KD", "play JC", "play KC", "play QC"]  # the dealer makes the mouche
    assert played(load(six), *words, *tricks).returns() == [1.0, -1.0]
    # The dealer is first hand in the next deal; the pot of a single deal is paid by halves.
    shared = load(f"{six},continuation=1/4;3/4")
    assert played(shared, *words, *tricks).returns() == [1 + 3 / 4 - 1 / 2, -1 + 1 / 4 - 1 / 2]
    capped = load(f"{six},ante=4,cap=2")
    assert played(capped, *words, *tricks).returns() == [1.0, -0.5]
    # Two deals: p1 deals first and puts 2 in, then p0, who gets what p1 paid.
    two = load(f"{six},deals=2,first_dealer=1")
    second = ["turn up KD", "deal QC JC", "deal KC QD", "pass"]
    state = played(two, *words, *tricks, *second)
    assert state.returns() == [1 + 1, -2]
    assert state.observation_string(0).endswith("chips 54 46, pot 0")


def test_tensor_of_a_deal() -> None:
    game = load(f"players=2,{EIGHT},mouche=False")
    words = ["turn up KD", "deal KC JD", "deal AC AD", "stand", "exchange AD", "draw QC"]
    state, seen = played(game, *words, "play KC"), make_observation(game, INFO_STATE_OBS_TYPE)
    seen.set_from(state, 1)
    pack = game.table.rules.pack
    cards = {
        name: [pack.name(card) for card in np.flatnonzero(seen.dict[name])]
        for name in ("hand", "dealt", "laid", "drawn", "turned")
    }
    assert cards == {
        "hand": ["AC", "QC"],
        "dealt": ["AC", "AD"],
        "laid": ["AD"],
        "drawn": ["QC"],
        "turned": ["KD"],
    }
    assert seen.dict["player"].tolist() == [0, 1]
    assert seen.dict["trump"].tolist() == [0, 1]
    assert seen.dict["declared"].tolist() == [[0, 1, 0, 0], [0, 0, 1, 0]]
    assert np.argwhere(seen.dict["played"]).tolist() == [[0, 0, pack.card("KC")]]
    assert game.information_state_tensor_size() == seen.tensor.size == 2 + 5 * 8 + 2 + 8 + 32
    now = make_observation(game)
    now.set_from(state, 0)
    assert list(now.dict) == [
        "player",
        "hand",
        "face_up",
        "trump",
        "declared",
        "trick",
        "leader",
        "won",
    ]
    assert now.dict["leader"].tolist() == [1, 0]


def test_tensors_of_several_deals() -> None:
    game = load(f"{SIX},mouche=False,deals=3,first_dealer=1")
    words = ["turn up QD", "deal KC KD", "deal QC JC", "pass", "turn up KD", "deal QC QD"]
    state, seen = played(game, *words), make_observation(game, INFO_STATE_OBS_TYPE)
    seen.set_from(state, 0)
    pack = game.table.rules.pack
    assert seen.dict["past"].shape == (2, 3 * 6 + 4 + 6 + 2 + 2 * 4 + 2 * 2 * 6)
    assert [pack.name(c) for c in np.flatnonzero(seen.dict["past"][0][:6])] == ["KC", "KD"]
    assert not seen.dict["past"][1].any()
    assert seen.dict["seats"].tolist() == [[0, 1], [1, 0]]
    assert not seen.dict["dealt"].any()  # p0 deals, p1 got the first hand
    now = make_observation(game)
    now.set_from(state, 0)
    assert now.dict["money"].tolist() == [25, 25, 0, 0]  # in antes of 2


def test_four_players_stay_small() -> None:
    """A thousand playouts with every tensor keep nothing behind."""
    game = load()
    rng = random.Random(1)
    kinds = [
        pyspiel.IIGObservationType(recall, public, private)
        for public in (False, True)
        for recall in (False, True)
        for private in pyspiel.PrivateInfoType.__members__.values()
    ]
    observers = [make_observation(game, kind) for kind in kinds]

    def playouts(count: int) -> None:
        for number in range(count):
            state = game.new_initial_state()
            while not state.is_terminal():
                if not state.is_chance_node() and rng.random() < 0.2:
                    state.information_state_tensor()
                    state.observation_tensor()
                state.apply_action(rng.choice(state.legal_actions()))
            for observer in observers:
                observer.set_from(state, number % 4)

    playouts(900)
    tracemalloc.start()
    playouts(20)
    before = tracemalloc.get_traced_memory()[0]
    playouts(80)
    kept, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert kept - before < 300_000
    assert peak < 2_000_000


def test_a_position_pickles_as_its_actions() -> None:
    position = CardPosition.start(CardSetup(CardRules(), deals=2))
    for action in (2, 7, 3, 30):
        position = position.after(action)
    assert len(pickle.dumps(position)) < 1500
    assert pickle.loads(pickle.dumps(position)).trail == (2, 7, 3, 30)


def by_words(state: pyspiel.State, *words: str) -> pyspiel.State:
    """The state after actions in words, the cards of each in any order."""
    for text in words:
        named = {frozenset(state.action_to_string(a).split()): a for a in state.legal_actions()}
        state.apply_action(named[frozenset(text.split())])
    return state


def exchanged(stock: str, pile: str, deals: int = 1) -> pyspiel.State:
    """p1 exchanges KC AD for one card of the stock and one of p0's hand, which he laid aside."""
    game = load(f"players=3,{EIGHT},deals={deals},first_dealer=2,mouche=False")
    turned, hands = "turn up QC", (f"deal {pile} JD", "deal KC AD", "deal QD AC")
    start = game.new_initial_state()
    return by_words(start, turned, *hands, "pass", "exchange KC AD", f"draw {pile}")


def test_the_stock_is_told_from_the_pile() -> None:
    one, two = exchanged("JC", "KD"), exchanged("KD", "JC")
    assert "(KC AD for JC, pile KD)" in one.information_state_string(1)
    assert "(KC AD for KD, pile JC)" in two.information_state_string(1)
    tensors = [state.information_state_tensor(1) for state in (one, two)]
    assert tensors[0] != tensors[1]
    # The others see that there was a reshuffle, and not with which cards.
    assert one.information_state_string(2) == two.information_state_string(2)
    assert one.information_state_tensor(2) == two.information_state_tensor(2)
    copy = pickle.loads(pickle.dumps(one))
    assert copy.information_state_string(1) == one.information_state_string(1)


def test_the_next_deal_remembers_the_pile() -> None:
    state = exchanged("JC", "KD", deals=2)
    while len(state.position.past) < 1:
        state.apply_action(state.legal_actions()[0])
    assert "(KC AD for JC, pile KD)" in state.information_state_string(1)


@settings(max_examples=60, deadline=None)
@given(data=st.data())
def test_any_number_is_an_action_or_refused(data) -> None:
    game = load(data.draw(st.sampled_from(GAMES)))
    rng = random.Random(data.draw(st.integers(0, 10**6)))
    state = game.new_initial_state()
    for _ in range(data.draw(st.integers(0, 60))):
        if state.is_terminal():
            break
        state.apply_action(rng.choice(state.legal_actions()))
    position = state.position
    count = game.num_distinct_actions()
    numbers = rng.sample(range(count), min(count, 20))
    for number in [-1, *numbers, count, 10**9]:
        if state.is_terminal() or number not in state.legal_actions():
            with pytest.raises(IllegalMoveError):
                position.after(number)
        else:
            position.after(number)
