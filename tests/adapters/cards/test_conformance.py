"""OpenSpiel's own checks of the game of cards, over many parameter sets and on small trees."""

import doctest
import importlib
import unittest
from dataclasses import fields
from fractions import Fraction
from pathlib import Path

import pyspiel
import pytest
from absl import flags
from open_spiel.integration_tests import api_test
from open_spiel.python.algorithms import generate_playthrough, get_all_states
from open_spiel.python.observation import make_observation

from mouche_solver.adapters.cards.params import (
    CardSetup,
    parameters_from_setup,
    setup_from_parameters,
)
from mouche_solver.cards import CardRules
from mouche_solver.cards.odds.exact import CardDeal
from mouche_solver.core.trees.extensive import sequence_form
from mouche_solver.errors import RulesError

SIX = "players=2,ranks=K;Q;J,suits=C;D,hand_size=2"
MUSHKA = (
    "deck=mushka,scoring=countdown,mouche=False,must_head=False,must_overtrump=False,"
    "must_undertrump=True"
)
PARAMETERS = [
    "",
    "players=2",
    "players=2,continuation=0.5;0.5",
    "players=3,continuation=1/4;1/4;1/2",
    "players=5",
    "players=6,pamphile=True",
    "players=4,pamphile=True,pamphile_any_suit=True,pamphile_pays=fifth",
    "players=3,dealer_takes_trump=True",
    "players=3,pamphile=True,dealer_takes_trump=True,deals=2",
    "players=4,deck=jeux-de-cartes,must_head=False",
    "players=5,deck=piquet,exchange_cap=2",
    "players=4,cap=5,mouche_order=highest-card,ace_points=1",
    "players=3,reshuffle=False,mouche_must_stand=True",
    "players=3,own_discards_return=True,passed_hands_return=False,mouche_after_exchange=True",
    "players=3,must_follow=False,exchange_cap=0,mouche=False",
    "players=4,must_trump=False,head_when_trumped=True,losing_holders_pay=False,passers_pay=True",
    "players=3,must_overtrump=False,must_undertrump=True,ante=10",
    f"{SIX}",
    f"{SIX},reshuffle=False,continuation=0.5;0.5",
    f"{SIX},deals=0,rounds=2",
    f"{SIX},deals=4,continuation=1/3;2/3,mouches_paid_in=largest-first,sweep=True,cap=4",
    f"{SIX},deals=3,mouches_paid_in=first-in-first-out,first_dealer=0",
    f"{SIX},deals=4,mouches_paid_in=largest-first,one_at_a_time=per-deal",
    "players=3,ranks=K;Q;J;A,suits=C;D;S,hand_size=3,deals=0,debts=False,chips=3;6;9",
    "players=3,ranks=10;,suits=C;D;H;S,hand_size=1",
    "players=2,ranks=K;Q;J;A;10;9;8;7;6;5;4;3;2,suits=S;C,hand_size=10,exchange_cap=1",
    f"players=4,{MUSHKA}",
    f"players=3,{MUSHKA},deals=3,countdown_from=8,ace_instead_of_following=True",
]


def load(parameters: str) -> pyspiel.Game:
    return pyspiel.load_game(f"python_mouche_cards({parameters})")


@pytest.mark.parametrize("parameters", PARAMETERS)
def test_random_simulations(parameters) -> None:
    game = load(parameters)
    pyspiel.random_sim_test(game, num_sims=2, serialize=True, verbose=False, mask_test=True)
    assert str(pyspiel.load_game(str(game))) == str(game)
    zero = "continuation=" in parameters or "deals=0" in parameters
    kind = pyspiel.GameType.Utility
    assert game.get_type().utility == (kind.ZERO_SUM if zero else kind.GENERAL_SUM)
    assert game.utility_sum() == (0 if zero else None)


@pytest.mark.parametrize("parameters", PARAMETERS)
def test_observers_of_every_kind(parameters) -> None:
    game = load(parameters)
    state = game.new_initial_state()
    while not state.is_terminal():
        state.apply_action(state.legal_actions()[-1])
    for public in (False, True):
        for recall in (False, True):
            for private in pyspiel.PrivateInfoType.__members__.values():
                seen = make_observation(game, pyspiel.IIGObservationType(recall, public, private))
                for player in range(game.num_players()):
                    seen.set_from(state, player)
                    assert seen.tensor.sum() == pytest.approx(
                        sum(piece.sum() for piece in seen.dict.values())
                    )
                    seen.string_from(state, player)


def exact_counts(rules: CardRules) -> tuple[tuple[int, int, int], int]:
    """(chance, decision, terminal) nodes and information sets, counted on the exact game.

    Draws of all that is left have one outcome there; OpenSpiel's tree has no node for them.
    """
    exact = CardDeal(rules)
    chance = decisions = ends = 0
    stack = [exact.initial()]
    while stack:
        state = stack.pop()
        if exact.is_terminal(state):
            ends += 1
        elif exact.is_chance(state):
            outcomes = exact.chance_outcomes(state)
            chance += len(outcomes) > 1
            stack += [exact.child(state, action) for action, _ in outcomes]
        else:
            decisions += 1
            stack += [exact.child(state, action) for action in exact.actions(state)]
    return (chance, decisions, ends), len(sequence_form(exact).owner)


TINY = CardRules(players=2, ranks=("K", "Q"), suits=("C", "D"), hand_size=1, reshuffle=False)
TREES = [
    TINY.replace(mouche=False),
    TINY.replace(dealer_takes_trump=True),
    TINY.replace(ranks=("K", "J"), pamphile=True, mouche=False, pamphile_pays="fifth"),
]


@pytest.mark.parametrize("rules", TREES, ids=["plain", "swap", "pamphile"])
def test_api_on_full_tree(rules, monkeypatch) -> None:
    parameters = parameters_from_setup(CardSetup(rules))
    name = str(pyspiel.load_game("python_mouche_cards", parameters))
    nodes, sets = exact_counts(rules)
    monkeypatch.setitem(api_test.TOTAL_NUM_STATES, name, nodes)
    monkeypatch.setitem(api_test.PERFECT_RECALL_NUM_STATES, name, sets)
    passes(case(api_test.EnforceAPIOnFullTreeBase, name))


@pytest.mark.parametrize("parameters", [PARAMETERS[0], *PARAMETERS[7:9], *PARAMETERS[17:23]])
def test_api_on_sampled_states(parameters) -> None:
    passes(case(api_test.EnforceAPIOnPartialTreeBase, f"python_mouche_cards({parameters})"))


def case(base: type, name: str) -> unittest.TestSuite:
    """OpenSpiel's test class for one of our games, as its own loader would make it."""
    made = type(base.__name__, (base,), {"game_name": name, "game": pyspiel.load_game(name)})
    return unittest.defaultTestLoader.loadTestsFromTestCase(made)


def passes(suite: unittest.TestSuite) -> None:
    result = unittest.TestResult()
    suite.run(result)
    problems = [text for _, text in result.errors + result.failures]
    assert result.testsRun > 4
    assert not problems, "\n".join(problems)


@pytest.mark.parametrize("deals", [1, 2])
def test_perfect_recall_and_unique_states(deals) -> None:
    game = load(
        "players=2,ranks=K;Q,suits=C;D,hand_size=1,exchange_cap=0,mouche=False,first_dealer=0,"
        f"deals={deals}"
    )
    api_test._assert_is_perfect_recall(game)
    states = get_all_states.get_all_states(
        game,
        include_terminals=True,
        include_chance_states=True,
        to_string=lambda s: s.history_str(),
    )
    assert len({str(state) for state in states.values()}) == len(states)
    assert len(states) > 100 * deals


@pytest.mark.parametrize("name", ["cards_deal", "cards_deals"])
def test_playthrough(name) -> None:
    """Made by ``open_spiel.python.algorithms.generate_playthrough``; replay shows what changed."""
    flags.FLAGS.mark_as_parsed()  # OpenSpiel reads a flag
    path = Path(__file__).parent / "data" / f"playthrough_{name}.txt"
    expected, actual = generate_playthrough.replay(str(path))
    assert actual == expected


def test_registered_once_and_listed() -> None:
    importlib.reload(importlib.import_module("mouche_solver.adapters.openspiel"))
    assert pyspiel.registered_names().count("python_mouche_cards") == 1
    assert pyspiel.load_game("python_mouche_cards").num_players() == 4


@pytest.mark.parametrize(
    "parameters, message",
    [
        ({"players": 1}, "players=1: allowed are 2 to 51"),
        ({"players": 7}, "is for 2 to 6 players, not 7"),
        ({"deck": "tarot"}, "allowed are lalanne, jeux-de-cartes"),
        ({"ranks": "K;X"}, "'X' is not one of K Q J A"),
        ({"suits": "C;C"}, "each once"),
        ({"hand_size": 9, "ranks": "K;Q"}, "the deck is too small: 4 players x 9 cards"),
        ({"players": 2, "hand_size": 11}, "hand_size=11: allowed are 1 to 10 here"),
        ({"exchange_cap": 6}, "exchange_cap=6: allowed are 0 to 5"),
        ({"ante": 7}, "multiple of the 5 tricks"),
        ({"chips": "x;"}, "write whole numbers apart by ';'"),
        ({"chips": "5;5"}, "one for each of the 4 players"),
        ({"question": "on"}, "question='on': allowed is off"),
        ({"pamphile": True, "ranks": "K;Q;A;10;9;8"}, "no Jack of clubs"),
        ({"deals": -1}, "deals=-1: allowed are 1 to 1000"),
        ({"deals": 0, "rounds": 251}, "1004 deals"),
        ({"continuation": "0.5;0.5"}, "4 shares that add up to 1"),
        ({"continuation": "a;b;c;d"}, "4 shares that add up to 1"),
        ({"continuation": "2;0;0;-1"}, "shares of at least 0"),
        ({"continuation": "1;0;0;0", "deals": 0}, "the rules split what a whole game leaves"),
        ({"continuation": "1;0;0;0", "deals": 2, "debts": False}, "without debts"),
        ({"deals": 2, "debts": False, "chips": "9;4;4;4"}, "two players must be able to pay"),
        ({"scoring": "countdown", "mouche": False, "deals": 0}, "Mushka may last forever"),
    ],
)
def test_bad_parameters(parameters, message) -> None:
    with pytest.raises(RulesError, match=message) as caught:
        pyspiel.load_game("python_mouche_cards", parameters)
    assert "\n" not in str(caught.value)


def test_parameters_and_rules_are_the_same() -> None:
    rules = CardRules(
        players=2,
        ranks="K Q J",
        suits="H S",
        hand_size=2,
        exchange_cap=0,
        ante=4,
        cap=2,
        first_dealer=1,
        chips=(7, 8),
        mouches_paid_in="largest-first",
    )
    for setup in (
        CardSetup(rules),
        CardSetup(rules.replace(chips=9, first_dealer=None), 5, (Fraction(1, 3), Fraction(2, 3))),
        CardSetup(CardRules(players=3, ranks=("10",), suits="C D H S", hand_size=1), 0),
    ):
        parameters = parameters_from_setup(setup)
        assert setup_from_parameters(parameters) == setup
        game = pyspiel.load_game("python_mouche_cards", parameters)
        assert game.get_parameters() == parameters
        assert game.table.setup == setup
    names = {field.name for field in fields(CardRules)}
    assert set(parameters) == names | {"deals", "continuation"}


def test_the_documented_examples() -> None:
    page = Path(__file__).parents[3] / "docs" / "openspiel-cards.md"
    result = doctest.testfile(str(page), module_relative=False)
    assert result.attempted > 4
    assert result.failed == 0
    sizes = pyspiel.load_game("python_mouche_cards")
    assert sizes.num_distinct_actions() == 69
    assert sizes.information_state_tensor_size() == 1080
    assert sizes.observation_tensor_size() == 404
