"""OpenSpiel's own checks, over many parameter sets and on whole small trees."""

import doctest
import importlib
import unittest
from collections import defaultdict
from dataclasses import fields
from pathlib import Path

import pyspiel
import pytest
from absl import flags
from open_spiel.integration_tests import api_test
from open_spiel.python.algorithms import generate_playthrough, get_all_states
from open_spiel.python.observation import make_observation

from mouche_solver.adapters.dice.params import parameters_from_rules, rules_from_parameters
from mouche_solver.dice import DiceRules
from mouche_solver.errors import RulesError

PARAMETERS = [
    "",
    "dice=1;1,faces=2",
    "dice=2;1,faces=4",
    "dice=1;5,wild=1",
    "dice=3;3,faces=3,raise_rule=quantity-first",
    "dice=2;2,wild=6,raise_rule=quantity-first",
    "dice=2;3,faces=5,raise_rule=face-first,wild=3",
    "dice=2;2,truth=exactly",
    "dice=3;1,truth=exactly,wild=1,raise_rule=face-first",
    "dice=4;4,minimum_opening=3",
    "dice=2;2,minimum_opening=4,raise_rule=face-first",
    "dice=5;5;5,wild=1",
    "dice=1;2;3;4,faces=3",
    "dice=1;1;1;1;1;1,faces=12,raise_rule=quantity-first",
    "dice=10;1,faces=2",
    "dice=10;10",
    "dice=9;2;4,faces=12,wild=12",
    "dice=1;1,faces=3,match=True",
    "dice=2;1,match=True,points=1;2,next_starter=loser",
    "dice=5;5,match=True,wild=1",
    "dice=2;1;3,faces=4,match=True,points=2;1;3,next_starter=winner",
    "dice=1;1;1;1,match=True,points=2;,next_starter=after-loser,minimum_opening=3",
    "dice=7;7,match=True,points=2;,truth=exactly",
    "dice=1;1,faces=2,match=True,points=10;",
    "dice=2;2;2;2;2,match=True,points=1;,raise_rule=face-first",
]


def load(parameters: str) -> pyspiel.Game:
    return pyspiel.load_game(f"python_mouche_dice({parameters})")


@pytest.mark.parametrize("parameters", PARAMETERS)
def test_random_simulations(parameters) -> None:
    game = load(parameters)
    pyspiel.random_sim_test(game, num_sims=3, serialize=True, verbose=False, mask_test=True)
    assert str(pyspiel.load_game(str(game))) == str(game)


@pytest.mark.parametrize("parameters", PARAMETERS)
def test_observers_of_every_kind(parameters) -> None:
    game = load(parameters)
    state = pyspiel.serialize_game_and_state(game, game.new_initial_state())
    _, state = pyspiel.deserialize_game_and_state(state)
    while not state.is_terminal():
        state.apply_action(state.legal_actions()[-1])
        for public in (False, True):
            for recall in (False, True):
                for private in pyspiel.PrivateInfoType.__members__.values():
                    kind = pyspiel.IIGObservationType(recall, public, private)
                    seen = make_observation(game, kind)
                    seen.set_from(state, game.num_players() - 1)
                    assert seen.tensor.sum() == sum(piece.sum() for piece in seen.dict.values())
                    seen.string_from(state, 0)


# (chance, playable, terminal) nodes and information sets, by arithmetic. The lines of claims, the
# empty one included, are 12 with two dice and two faces, 32 with three faces or three dice; under
# quantity-first all sets of the six claims are lines.
TREES = {
    "dice=1;1,faces=2": ((3, 4 * 12, 4 * 11), 2 * 12),
    "dice=1;1,faces=3,wild=1": ((4, 9 * 32, 9 * 31), 3 * 32),
    "dice=2;1,faces=2,raise_rule=quantity-first": ((4, 6 * 64, 6 * 63), (3 + 2) * 32),
    "dice=1;1;1,faces=2": ((7, 8 * 32, 8 * 31), 2 * 32),
}


def case(base: type, parameters: str) -> unittest.TestSuite:
    """OpenSpiel's test class for one of our games, as its own loader would make it."""
    name = f"python_mouche_dice({parameters})"
    made = type(base.__name__, (base,), {"game_name": name, "game": load(parameters)})
    return unittest.defaultTestLoader.loadTestsFromTestCase(made)


def passes(suite: unittest.TestSuite) -> None:
    result = unittest.TestResult()
    suite.run(result)
    problems = [text for _, text in result.errors + result.failures]
    assert result.testsRun > 4
    assert not problems, "\n".join(problems)


@pytest.mark.parametrize("parameters", TREES)
def test_api_on_full_tree(parameters, monkeypatch) -> None:
    nodes, sets = TREES[parameters]
    name = f"python_mouche_dice({parameters})"
    monkeypatch.setitem(api_test.TOTAL_NUM_STATES, name, nodes)
    monkeypatch.setitem(api_test.PERFECT_RECALL_NUM_STATES, name, sets)
    passes(case(api_test.EnforceAPIOnFullTreeBase, parameters))


@pytest.mark.parametrize("parameters", PARAMETERS[:5] + PARAMETERS[-6:])
def test_api_on_sampled_states(parameters) -> None:
    passes(case(api_test.EnforceAPIOnPartialTreeBase, parameters))


def test_a_match_has_perfect_recall() -> None:
    game = load("dice=1;1,faces=2,match=True,points=2;1")
    api_test._assert_is_perfect_recall(game)
    states = get_all_states.get_all_states(
        game,
        include_terminals=True,
        include_chance_states=True,
        to_string=lambda s: s.history_str(),
    )
    assert len({str(state) for state in states.values()}) == len(states)


def test_a_match_hides_the_cups_of_this_round() -> None:
    game = load("dice=1;1,faces=2,match=True,points=2;1")
    hidden = defaultdict(set)
    states = [game.new_initial_state()]
    while states:
        state = states.pop()
        states += [state.child(action) for action in state.legal_actions()]
        if not state.is_chance_node() and not state.is_terminal():
            seat = state.current_player()
            other = state.position.cup(1 - seat)
            hidden[state.information_state_string()].add(other)
            hidden[seat, tuple(state.information_state_tensor())].add(other)
            hidden[seat, tuple(state.observation_tensor())].add(other)
    assert set(map(frozenset, hidden.values())) == {frozenset({(1,), (2,)})}


@pytest.mark.parametrize("name", ["round", "match"])
def test_playthrough(name) -> None:
    """Made by ``open_spiel.python.algorithms.generate_playthrough``; replay shows what changed."""
    flags.FLAGS.mark_as_parsed()  # OpenSpiel reads a flag
    path = Path(__file__).parent / "data" / f"playthrough_{name}.txt"
    expected, actual = generate_playthrough.replay(str(path))
    assert actual == expected


def test_registered_once_and_listed() -> None:
    importlib.reload(importlib.import_module("mouche_solver.adapters.openspiel"))
    assert pyspiel.registered_names().count("python_mouche_dice") == 1
    assert pyspiel.load_game("python_mouche_dice").num_players() == 2


@pytest.mark.parametrize(
    "parameters, message",
    [
        ({"dice": "2;0"}, "dice=0: allowed are 1 to 10"),
        ({"dice": "2"}, "at least two players"),
        ({"dice": "2;x"}, "write whole numbers apart by ';'"),
        ({"dice": "1;" * 101}, "up to 100"),
        ({"faces": 13}, "allowed are 2 to 12"),
        ({"wild": 7}, "allowed are 1 to 6, or 0 for no wild face"),
        ({"raise_rule": "poker"}, "face-locked, quantity-first, face-first"),
        ({"truth": "maybe"}, "at-least, exactly"),
        ({"minimum_opening": 11}, "allowed are 1 to 10"),
        ({"points": "1;2;3"}, "2 players need one number, or 2"),
        ({"next_starter": "me"}, "next-seat, loser, winner, after-loser"),
    ],
)
def test_bad_parameters(parameters, message) -> None:
    with pytest.raises(RulesError, match=message):
        pyspiel.load_game("python_mouche_dice", parameters)


def test_parameters_and_rules_are_the_same() -> None:
    rules = DiceRules(dice=(2, 1), faces=4, wild=4, points=(1, 2), next_starter="loser")
    for match in (False, True):
        parameters = parameters_from_rules(rules, match)
        assert rules_from_parameters(parameters) == rules
        game = pyspiel.load_game("python_mouche_dice", parameters)
        assert game.get_parameters() == parameters
    assert set(parameters) == {field.name for field in fields(DiceRules)} | {"match"}


def test_the_documented_examples() -> None:
    page = Path(__file__).parents[3] / "docs" / "openspiel-dice.md"
    result = doctest.testfile(str(page), module_relative=False)
    assert result.attempted > 4
    assert result.failed == 0
    sizes = pyspiel.load_game("python_mouche_dice")
    assert sizes.information_state_tensor_size() == 80
    assert sizes.observation_tensor_size() == 82
