"""States: clones, text and pickled forms, illegal actions, strings and tensors."""

import gc
import pickle
import tracemalloc

import numpy as np
import pyspiel
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from open_spiel.python.observation import INFO_STATE_OBS_TYPE, make_observation

from mouche_solver.adapters.dice.position import Position
from mouche_solver.adapters.dice.table import dice_table
from mouche_solver.adapters.dice.text import round_key
from mouche_solver.dice import DiceRules
from mouche_solver.errors import IllegalMoveError, NotationError

GAMES = [
    "python_mouche_dice",
    "python_mouche_dice(dice=9;2;4,faces=12)",  # die by die
    "python_mouche_dice(dice=2;1;3,faces=4,match=True,points=2;1;2,next_starter=loser)",
]


def played(game: pyspiel.Game, *actions: int) -> pyspiel.State:
    state = game.new_initial_state()
    for action in actions:
        state.apply_action(action)
    return state


@settings(max_examples=40, deadline=None)
@given(data=st.data())
def test_every_moment_survives_every_way_of_copying(data) -> None:
    game = pyspiel.load_game(data.draw(st.sampled_from(GAMES)))
    state = game.new_initial_state()
    for _ in range(data.draw(st.integers(0, 60))):
        if state.is_terminal():
            break
        state.apply_action(data.draw(st.sampled_from(state.legal_actions())))
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


def test_a_clone_goes_its_own_way() -> None:
    state = played(pyspiel.load_game("python_mouche_dice(dice=1;1,faces=2)"), 0, 1)
    clone = state.clone()
    clone.apply_action(0)
    assert (str(state), str(clone)) == ("1 / 2 :", "1 / 2 : 1x1")


def test_illegal_actions_are_refused() -> None:
    game = pyspiel.load_game("python_mouche_dice(dice=1;1,faces=2)")
    for actions in [(2,), (0, 2), (0, 0, 4), (0, 0, 1, 0), (0, 0, 5)]:
        with pytest.raises(IllegalMoveError, match=str(actions[-1])):
            played(game, *actions)
        with pytest.raises(IllegalMoveError, match=str(actions[-1])):
            game.deserialize_state("\n".join(map(str, actions)))
    with pytest.raises(NotationError, match="line 2"):
        game.deserialize_state("0\nx")
    with pytest.raises(NotationError, match="line 1"):
        game.deserialize_state("9" * 5000)


def test_rolling_die_by_die_forgets_the_order() -> None:
    game = pyspiel.load_game("python_mouche_dice(dice=7;1,faces=12)")
    assert game.max_chance_outcomes() == 12
    first, second = played(game, 3, 0, 1, 1, 1, 9, 2, 5), played(game, 9, 2, 1, 0, 1, 3, 1, 5)
    assert str(first) == str(second) == "1,2,2,2,3,4,10 / 6 :"
    assert first.information_state_string(0) == second.information_state_string(0)


def test_cups_are_rolled_whole_up_to_a_thousand_hands() -> None:
    seven, eight = (dice_table(DiceRules(dice=(dice, 1)), False) for dice in (7, 8))
    assert (seven.die_by_die, seven.most_rolls) == (False, 792)
    assert (eight.die_by_die, eight.most_rolls) == (True, 6)  # 1,287 hands


def test_information_state_strings() -> None:
    game = pyspiel.load_game("python_mouche_dice(dice=2;1,faces=3)")
    state = played(game, 4, 0, 1, 2)
    assert (
        state.information_state_string(0) == "p0 2,3 : 2x1 3x1" == round_key(0, (2, 3), "2x1 3x1")
    )
    assert state.information_state_string(1) == "p1 1 : 2x1 3x1"
    assert state.observation_string(1) == "p1 1 : 3x1 by p1"
    assert [state.action_to_string(a) for a in state.legal_actions()] == ["3x2", "3x3", "doubt"]
    state.apply_action(9)
    assert state.information_state_string(0) == "p0 2,3 : 2x1 3x1 doubt 2,3 / 1"
    assert state.returns() == [1.0, -1.0]


def test_information_states_of_a_match() -> None:
    game = pyspiel.load_game("python_mouche_dice(dice=1;1,faces=2,match=True,points=2;1)")
    state = played(game, 0, 1, 1, 4, 1, 0, 0)
    assert state.information_state_string(1) == (
        "p1 2 : [0 1] 1 / 2 : 2x1 doubt | points 1 1 | [1 0] 1x1"
    )
    assert state.observation_string(0) == "p0 1 : doubt 1 / 2 | points 1 1 | [1 0] 1x1 by p1"


def test_tensor_of_a_round() -> None:
    game = pyspiel.load_game("python_mouche_dice(dice=2;1,faces=3)")
    state, seen = played(game, 3, 0, 1, 2), make_observation(game, INFO_STATE_OBS_TYPE)
    seen.set_from(state, 0)
    assert list(seen.dict) == ["player", "cup", "claims", "revealed"]
    assert seen.dict["player"].tolist() == [1, 0]
    assert seen.dict["cup"].tolist() == [0, 2, 0]
    assert np.flatnonzero(seen.dict["claims"]).tolist() == [1, 2]
    assert not seen.dict["revealed"].any()
    state.apply_action(9)
    seen.set_from(state, 0)
    assert np.flatnonzero(seen.dict["claims"]).tolist() == [1, 2]
    assert seen.dict["revealed"].tolist() == [[0, 2, 0], [1, 0, 0]]
    assert game.information_state_tensor_size() == seen.tensor.size == 2 + 3 + 9 + 6


def test_tensors_of_a_match() -> None:
    game = pyspiel.load_game("python_mouche_dice(dice=1;1,faces=2,match=True,points=2;1)")
    state, seen = played(game, 0, 1, 1, 4, 1, 0, 0), make_observation(game, INFO_STATE_OBS_TYPE)
    seen.set_from(state, 1)
    assert {name: piece.tolist() for name, piece in seen.dict.items()} == {
        "player": [0, 1],
        "cup": [0, 1],
        "points": [1, 1],
        "starter": [0, 1],
        "claims": [1, 0, 0, 0],
        "revealed": [[1, 0], [0, 1]],
        "past_claims": [[0, 1, 0, 0]],
        "past_cups": [[[1, 0], [0, 1]]],
    }
    now = make_observation(game)
    now.set_from(state, 0)
    assert now.dict["last_claim"].tolist() == [1, 0, 0, 0]
    assert now.dict["claimant"].tolist() == [0, 1]


def test_five_dice_each_stay_small() -> None:
    """A thousand playouts with every tensor keep nothing behind."""
    game = pyspiel.load_game("python_mouche_dice")
    rng = np.random.default_rng(1)

    def playouts(count: int) -> None:
        for _ in range(count):
            state = game.new_initial_state()
            while not state.is_terminal():
                if not state.is_chance_node():
                    state.information_state_tensor()
                    state.observation_tensor()
                state.apply_action(int(rng.choice(state.legal_actions())))

    playouts(100)
    tracemalloc.start()
    playouts(1000)
    _, peak = tracemalloc.get_traced_memory()
    gc.collect()  # what is kept is what a collection leaves
    kept, _ = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert kept < 200_000
    assert peak < 1_000_000


def test_a_position_pickles_as_its_actions() -> None:
    position = Position.start(DiceRules(), match=True)
    for action in (0, 7, 3, 60):
        position = position.after(action)
    assert b"numpy" not in pickle.dumps(position)
    assert len(pickle.dumps(position)) < 500
    assert pickle.loads(pickle.dumps(position)).actions() == [0, 7, 3, 60]


@pytest.mark.parametrize("action", [-1, 99, 10**6])
def test_no_words_for_an_action_that_is_none(action: int) -> None:
    state = pyspiel.load_game("python_mouche_dice(dice=1;1)").new_initial_state()
    for player in (pyspiel.PlayerId.CHANCE, 0):
        with pytest.raises(IllegalMoveError, match="there is none of this number"):
            state.action_to_string(player, action)
