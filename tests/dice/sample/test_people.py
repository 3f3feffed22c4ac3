"""Human-like players at the tables of tournaments."""

import numpy as np
import pytest

from mouche_solver.dice.people.players import PEOPLE
from mouche_solver.dice.rules.rules import DiceRules
from mouche_solver.dice.sample.odds_player import ODDS_VIEW, person_entries
from mouche_solver.dice.sample.tournament import human_player, play_tournament, random_player
from mouche_solver.dice.sample.view import build_machine, state_of
from mouche_solver.dice.sweep.tree import round_tree


@pytest.mark.parametrize("name", sorted(PEOPLE))
@pytest.mark.parametrize("wild", [None, 1])
def test_merged_hands_lose_nothing_of_a_person(name: str, wild: int | None) -> None:
    """Hands of one class do the same, so the entries of classes are the rule itself."""
    rules = DiceRules(dice=(2, 3), faces=4, wild=wild)
    tree = round_tree(rules)
    machine, entries = build_machine(tree, ODDS_VIEW), person_entries(tree, PEOPLE[name])
    for number in range(1, len(tree.claims)):
        claim = tree.claims[number]
        assert claim is not None
        if not tree.raises[number]:
            continue
        mix = PEOPLE[name].mix(rules, [claim])
        state = state_of(machine, tree, [number])
        block = entries[machine.begin[state] : machine.begin[state + 1]].reshape(-1, mix.shape[1])
        np.testing.assert_allclose(
            block[tree.classes[1].of_hand[tree.level[number]]], mix, atol=1e-6
        )


def test_a_tournament_with_people() -> None:
    rules = DiceRules(dice=(2, 2, 2))
    table = [human_player(rules, PEOPLE["honest"]), random_player(rules), random_player(rules)]
    _, (low, _) = play_tournament(rules, table, deals=2000, threads=1).margin("honest", "random")
    assert low > 0
