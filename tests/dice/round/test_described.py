"""A player whose later moves are known, inside a subgame that is solved again."""

import numpy as np
import pytest

from mouche_solver.core.run import Limits
from mouche_solver.dice.people.players import PEOPLE
from mouche_solver.dice.people.sight import look
from mouche_solver.dice.people.slips import prior
from mouche_solver.dice.round.advisor import Advisor, by_class
from mouche_solver.dice.round.described import described_entries
from mouche_solver.dice.round.line import mixed_at, region_place
from mouche_solver.dice.round.resolve import (
    Described,
    Subproblem,
    against_described,
    resolve,
)
from mouche_solver.dice.round.solve import solve_round
from mouche_solver.dice.round.subgame import RegionGame
from mouche_solver.dice.rules.notation import parse_history
from mouche_solver.dice.rules.rules import Claim, DiceRules
from mouche_solver.dice.sweep.layout import subgame_region
from mouche_solver.dice.sweep.tree import RoundTree, round_tree

RULES = [
    DiceRules(dice=(2, 2), faces=3),
    DiceRules(dice=(1, 2), faces=3, wild=1),
    DiceRules(dice=(2, 1), faces=3, raise_rule="quantity-first", truth="exactly"),
]


def root(rules: DiceRules) -> tuple[RoundTree, int]:
    """The position after the opening 1x1, as a cell."""
    tree = round_tree(rules)
    return tree, 2 * tree.index[Claim(1, 1)] + 1


def whole(game: RegionGame, player: int, entries: np.ndarray) -> np.ndarray:
    """A region's averages with one player's information sets replaced."""
    region, tree = game.region, game.tree
    both = game.average.copy()
    for cell in map(int, region.expand):
        claim, mover = divmod(cell, 2)
        if mover == player and tree.raises[claim]:
            actions = len(tree.raises[claim]) + (claim > 0)
            size = int(tree.classes[player].size[tree.level[claim]])
            at, size = int(region.entry[cell]), actions * size * int(region.rows[cell])
            both[at : at + size] = entries[at : at + size]
    return both


@pytest.mark.parametrize("rules", RULES, ids=str)
@pytest.mark.parametrize("name", PEOPLE)
def test_the_mixes_are_those_of_the_player(rules: DiceRules, name: str) -> None:
    """At every history below the opening, whatever was claimed on the way there."""
    tree, cell = root(rules)
    region = subgame_region(tree, cell)
    entries = described_entries(PEOPLE[name], tree, region, 0, slips=False)
    lines = ["1x1 2x1", "1x1 1x2", "1x1 2x2 2x3 3x3", "1x1 1x3 2x3 3x3"]
    met = 0
    for text in lines:
        try:
            claims = parse_history(rules, text)
        except ValueError:
            continue  # another rule of raising
        if len(claims) % 2 or not look(rules, claims).raises:
            continue
        numbers = tuple(tree.index[each] for each in claims[1:])
        mixed = mixed_at(tree, region_place(region, numbers), entries)
        of_hand = tree.classes[0].of_hand[tree.level[numbers[-1]]]
        np.testing.assert_allclose(mixed[:, of_hand].T, PEOPLE[name].mix(rules, claims), atol=1e-6)
        met += 1
    assert met


@pytest.mark.parametrize("rules", RULES, ids=str)
def test_a_part_that_is_known_adds_its_values(rules: DiceRules) -> None:
    """Values are linear in the range: those of both parts, each on its own, add up."""
    tree, cell = root(rules)
    random = np.random.default_rng(5)
    region = subgame_region(tree, cell)
    average = random.random(region.entries).astype(np.float32)
    entries = described_entries(PEOPLE["casual"], tree, region, 0)
    size = int(tree.classes[0].size[tree.level[cell // 2]])
    free, known = (random.random(size).astype(np.float32) for _ in range(2))
    game = RegionGame(tree, region, average)
    expected = game.evaluate(1, free)
    expected = expected + RegionGame(tree, region, whole(game, 0, entries)).evaluate(1, known)
    game.describe(0, known, entries)
    for _ in range(2):  # a pass leaves the part as it is
        np.testing.assert_allclose(game.evaluate(1, free), expected, atol=1e-5)
    # His own values do not hang on what is known of him.
    own = random.random(int(tree.classes[1].size[tree.level[cell // 2]])).astype(np.float32)
    plain = RegionGame(tree, region, average)
    np.testing.assert_array_equal(game.evaluate(0, own), plain.evaluate(0, own))


@pytest.mark.parametrize("rules", RULES, ids=str)
def test_a_player_who_is_known_altogether_meets_a_best_response(rules: DiceRules) -> None:
    tree, cell = root(rules)
    region = subgame_region(tree, cell)
    entries = described_entries(PEOPLE["honest"], tree, region, 0)
    ranges = tuple(by_class(tree, cell // 2, each, prior(rules, each)) for each in (0, 1))
    known = Described(1.0, ranges[0], entries)
    problem = Subproblem(tree, cell, (ranges[0], ranges[1]), None, 1, 0.5, known)
    resolved = resolve(problem, least=1000)
    found = against_described(problem, resolved).game.evaluate(1, np.zeros(len(ranges[0])))
    game = RegionGame(tree, region)
    best = RegionGame(tree, region, whole(game, 0, entries)).best_response(1, ranges[0])
    assert np.all(found <= best + 1e-5)
    np.testing.assert_allclose(found, best, atol=2e-3)


def test_trust_wins_more_from_him_and_costs_safety() -> None:
    """The mean over all hands, after an opening that good play does not make."""
    rules = DiceRules(dice=(2, 2), faces=3)
    strategy = solve_round(rules, limits=Limits(1e-4), threads=1)
    claims = (Claim(1, 1),)
    assert not Advisor(strategy).sound(claims)
    won, risks = [], []
    for trust in (0.25, 0.5, 1.0):
        reply = Advisor(strategy, PEOPLE["honest"], trust).reply(claims)
        won.append(float(prior(rules, 1) @ reply.gain))
        risks.append(reply.risk)
    assert won == sorted(won)
    assert won[-1] > 0.01
    assert risks == sorted(risks)
