"""Under liar's dice rules the game is OpenSpiel's own ``liars_dice``, node by node."""

import pyspiel
import pytest

from mouche_solver.adapters.openspiel import load_dice_game
from mouche_solver.dice import DiceRules

BIDDING = {"quantity-first": "reset-face", "face-first": "reset-quantity"}


def pair(raise_rule: str, dice: int, faces: int) -> tuple[pyspiel.Game, pyspiel.Game]:
    rules = DiceRules(dice=(dice, dice), faces=faces, wild=faces, raise_rule=raise_rule)
    settings = f"numdice={dice},dice_sides={faces},bidding_rule={BIDDING[raise_rule]}"
    return load_dice_game(rules), pyspiel.load_game(f"liars_dice({settings})")


def same(ours: pyspiel.State, theirs: pyspiel.State) -> int:
    """Compare two trees node by node; returns how many nodes there are."""
    assert ours.current_player() == theirs.current_player()
    assert ours.legal_actions() == theirs.legal_actions()
    assert ours.returns() == theirs.returns()
    if ours.is_chance_node():
        assert dict(ours.chance_outcomes()) == pytest.approx(dict(theirs.chance_outcomes()))
    children = ours.legal_actions()
    return 1 + sum(same(ours.child(action), theirs.child(action)) for action in children)


@pytest.mark.parametrize("raise_rule", BIDDING)
@pytest.mark.parametrize("faces", [2, 3])
def test_one_die_each_node_by_node(raise_rule, faces) -> None:
    ours, theirs = pair(raise_rule, 1, faces)
    assert ours.num_distinct_actions() == theirs.num_distinct_actions()
    assert ours.max_game_length() == theirs.max_game_length()
    nodes = same(ours.new_initial_state(), theirs.new_initial_state())
    assert nodes == 1 + faces + faces**2 * (2 * 2 ** (2 * faces) - 1)


@pytest.mark.parametrize("raise_rule", BIDDING)
def test_two_dice_each_have_the_same_value_of_uniform_play(raise_rule) -> None:
    """Their dice roll one by one, so that histories differ while information sets do not."""
    values = [
        pyspiel.expected_returns(
            game.new_initial_state(), pyspiel.UniformRandomPolicy(game), -1, True
        )
        for game in pair(raise_rule, 2, 2)
    ]
    assert values[0] == pytest.approx(values[1], abs=1e-12)
