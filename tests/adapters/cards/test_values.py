"""Solvers and evaluators of OpenSpiel, Gambit and the exact linear program agree on small games."""

import io
from collections.abc import Iterator
from typing import Any

import numpy as np
import pyspiel
import pytest
from open_spiel.python.algorithms import expected_game_score, exploitability
from open_spiel.python.policy import TabularPolicy

from mouche_solver.adapters.cards.params import CardSetup
from mouche_solver.adapters.gambit import export_cards_efg
from mouche_solver.adapters.openspiel import load_cards_game
from mouche_solver.cards import CardRules
from mouche_solver.cards.odds.exact import CardDeal, DealState
from mouche_solver.cards.rules.objective import seat_shares
from mouche_solver.cli import main
from mouche_solver.core.trees.best_response import evaluate
from mouche_solver.core.trees.extensive import sequence_form
from mouche_solver.core.trees.lp import solve_zero_sum
from mouche_solver.errors import RulesError, TooLargeError

# Gambit has no wheel for every Python that we run on.
pygambit = pytest.importorskip("pygambit")

Decision = tuple[pyspiel.State, DealState, dict[int, Any]]
TINY = CardRules(players=2, ranks=("K", "Q"), suits=("C", "D"), hand_size=1, reshuffle=False)
FIVE = TINY.replace(ranks=("K", "Q", "J"), mouche=False)
SIX = CardRules(players=2, ranks=("K", "Q", "J"), suits=("C", "D"), hand_size=2, reshuffle=False)
HALVES = "1/2,1/2"
GAMES = [
    FIVE,
    FIVE.replace(must_head=False, exchange_cap=0),
    FIVE.replace(ranks=("K", "J"), pamphile=True),
    FIVE.replace(ranks=("K", "J"), pamphile=True, must_head=False, dealer_takes_trump=True),
    SIX,
    SIX.replace(must_head=False),
    SIX.replace(pamphile=True),
]


def solved(game: pyspiel.Game, iterations: int) -> tuple[list[float], float]:
    """Values and NashConv of CFR+'s average strategies."""
    solver = pyspiel.CFRPlusSolver(game)
    for _ in range(iterations):
        solver.evaluate_and_update_policy()
    policy = solver.average_policy()
    values = pyspiel.expected_returns(game.new_initial_state(), policy, -1, True)
    return values, pyspiel.nash_conv(game, policy, True)


@pytest.mark.parametrize("rules", GAMES)
def test_cfr_plus_finds_the_value_of_the_linear_program(rules) -> None:
    """On the tree that is written for OpenSpiel, which it walks faster than a Python game."""
    exact = solve_zero_sum(sequence_form(CardDeal(rules, HALVES)))
    setup = CardSetup(rules, 1, seat_shares(2, HALVES))
    values, gap = solved(pyspiel.load_efg_game(export_cards_efg(setup)), 60)
    assert gap < 0.01
    assert abs(values[0] - exact.value) <= gap + 1e-9
    assert values[0] == pytest.approx(-values[1])


@pytest.mark.parametrize("rules", [TINY, TINY.replace(mouche=False, dealer_takes_trump=True)])
def test_cfr_plus_on_the_game_itself(rules) -> None:
    exact = solve_zero_sum(sequence_form(CardDeal(rules, HALVES)))
    values, gap = solved(load_cards_game(rules, continuation=HALVES), 25)
    assert gap < 0.05
    assert abs(values[0] - exact.value) <= gap + 1e-9


def decisions(exact: CardDeal, state: pyspiel.State, other: DealState) -> Iterator[Decision]:
    """Every decision of both trees: OpenSpiel's state, the exact one, actions by number."""
    if exact.is_terminal(other):
        return
    if exact.is_chance(other):
        outcomes = [cards for cards, _ in exact.chance_outcomes(other)]
        # A draw of all that is left is no node of OpenSpiel's tree.
        forced = other.drawing is not None and len(outcomes) == 1
        numbers = [None] if forced else state.legal_actions()
        pairs = zip(numbers, outcomes, strict=True)
    else:
        number = state.get_game().table.numbers.number
        actions = {number(other.deal, action): action for action in exact.actions(other)}
        assert sorted(actions) == state.legal_actions()
        yield state, other, actions
        pairs = actions.items()
    for action, theirs in pairs:
        child = state if action is None else state.child(action)
        yield from decisions(exact, child, exact.child(other, theirs))


@pytest.mark.parametrize(
    "rules, shares",
    [
        (TINY, "none"),
        (TINY.replace(mouche=False, must_head=False), HALVES),
        (TINY.replace(mouche=False, dealer_takes_trump=True), "1/3,2/3"),
        (TINY.replace(ranks=("K", "J"), pamphile=True, pamphile_pays="fifth"), HALVES),
        (TINY.replace(players=3, mouche=False, exchange_cap=0), "1/4,1/4,1/2"),
    ],
)
def test_our_strategies_in_their_measure(rules, shares) -> None:
    exact, game = CardDeal(rules, shares), load_cards_game(rules, continuation=shares)
    form = sequence_form(exact)
    weights = np.random.default_rng(1).random(form.sequences) ** 2
    weights[form.players :] /= np.repeat(
        np.add.reduceat(weights[form.players :], form.start[:-1] - form.players),
        form.action_counts,
    )
    policy = TabularPolicy(game)
    for state, other, actions in decisions(exact, game.new_initial_state(), exact.initial()):
        player = state.current_player()
        behaviour = form.behaviour(weights, player, exact.infoset_key(other))
        row = policy.action_probability_array[policy.state_lookup[state.information_state_string()]]
        for number, action in actions.items():
            row[number] = behaviour[action]
    ours = evaluate(form, weights)
    assert exploitability.nash_conv(game, policy) == pytest.approx(ours.nash_conv, abs=1e-9)
    scores = expected_game_score.policy_value(
        game.new_initial_state(), [policy] * game.num_players()
    )
    assert list(scores) == pytest.approx(list(ours.values), abs=1e-9)


def test_python_and_c_plus_plus_measure_the_same() -> None:
    game = load_cards_game(TINY.replace(mouche=False), continuation=HALVES)
    uniform = TabularPolicy(game)
    ours = exploitability.nash_conv(game, uniform)
    assert ours == pytest.approx(pyspiel.nash_conv(game, pyspiel.UniformRandomPolicy(game), True))
    scores = expected_game_score.policy_value(game.new_initial_state(), [uniform] * 2)
    assert list(scores) == pytest.approx(uniform_values(game))


def uniform_values(game: pyspiel.Game) -> list[float]:
    policy = pyspiel.UniformRandomPolicy(game)
    return pyspiel.expected_returns(game.new_initial_state(), policy, -1, True)


SETUPS = [
    CardSetup(TINY, 1, seat_shares(2, "1/3,2/3")),
    CardSetup(TINY.replace(mouche=False, dealer_takes_trump=True)),
    CardSetup(TINY.replace(ranks=("J", "A"), pamphile=True, reshuffle=True)),
    CardSetup(
        CardRules(players=3, ranks="K Q", suits="C D", hand_size=1, mouche=False, exchange_cap=0)
    ),
]


@pytest.mark.parametrize("setup", SETUPS, ids=range(len(SETUPS)))
def test_openspiel_and_gambit_read_the_same_game(setup) -> None:
    text = export_cards_efg(setup)
    ours = load_cards_game(setup.rules, setup.deals, setup.shares or "none")
    assert text == export_cards_efg(ours)
    read = pyspiel.load_efg_game(text)
    assert uniform_values(read) == pytest.approx(uniform_values(ours), abs=1e-12)
    tree = pygambit.read_efg(io.StringIO(text))
    assert tree.is_const_sum == setup.zero_sum
    assert tree.is_perfect_recall
    behaviour = tree.mixed_behavior_profile(rational=True)
    values = [float(behaviour.payoff(player)) for player in tree.players]
    assert values == pytest.approx(uniform_values(ours), abs=1e-12)
    assert len(export_cards_efg(setup, len(text.splitlines()) - 2)) == len(text)
    with pytest.raises(TooLargeError, match="take fewer cards"):
        export_cards_efg(setup, len(text.splitlines()) - 3)


def test_gambit_finds_the_value_of_the_linear_program() -> None:
    rules = TINY.replace(mouche=False)
    exact = solve_zero_sum(sequence_form(CardDeal(rules, HALVES)))
    text = export_cards_efg(CardSetup(rules, 1, seat_shares(2, HALVES)))
    profile = pygambit.nash.lp_solve(pygambit.read_efg(io.StringIO(text)), rational=False)
    assert float(profile.equilibria[0].payoff("p0")) == pytest.approx(exact.value, abs=1e-9)


def test_large_games_are_refused() -> None:
    with pytest.raises(TooLargeError, match=r"can fall in about 10\^\d+ ways"):
        export_cards_efg(CardSetup(CardRules()))
    with pytest.raises(RulesError, match="allowed is off"):
        export_cards_efg(CardSetup(TINY.replace(question="on")))


def test_command_line(capsys, tmp_path) -> None:
    words = ["cards", "export-efg", "--players", "2", "--ranks", "K,Q", "--suits", "C,D"]
    words += ["--hand-size", "1"]
    rules = tmp_path / "rules.json"
    rules.write_text('{"reshuffle": false}')
    words += ["--rules", str(rules), "--continuation", "1/3,2/3"]
    assert main(words) == 0
    assert capsys.readouterr().out == export_cards_efg(SETUPS[0])
    out = tmp_path / "deal.efg"
    assert main([*words, "--out", str(out)]) == 0
    assert out.read_text() == export_cards_efg(SETUPS[0])
    assert main(["cards", "export-efg"]) == 2
    assert "nodes" in capsys.readouterr().err
    assert main([*words[:-1], "1/3,1/3"]) == 2
    assert "add up to 1" in capsys.readouterr().err
