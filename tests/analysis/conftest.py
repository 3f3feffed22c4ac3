"""Small strategies of every kind: a solution, one with a wild face, an opening book."""

import pytest

from mouche_solver.analysis import DiceSolution, solve_dice
from mouche_solver.dice import DiceRules
from mouche_solver.dice.book_cut import cut_book
from mouche_solver.dice.strategy import RoundStrategy

KINDS = ["plain", "wild", "exactly", "quantity-first", "book"]


@pytest.fixture(scope="session")
def plain() -> DiceSolution:
    """Two dice against one; every table of it is small."""
    return solve_dice(DiceRules(dice=(2, 1), faces=3), target=1e-3, threads=1)


@pytest.fixture(scope="session", params=KINDS)
def strategy(request: pytest.FixtureRequest, plain: DiceSolution) -> RoundStrategy:
    """Anything that the tables must work on."""
    if request.param == "plain":
        return plain
    if request.param == "book":
        solved = solve_dice(DiceRules(dice=(2, 2), faces=3), target=1e-3, threads=1)
        return cut_book(solved, rim=120)
    rules = {
        "wild": DiceRules(dice=(1, 2), faces=3, wild=1),
        "exactly": DiceRules(dice=(2, 1), faces=3, truth="exactly", minimum_opening=2),
        "quantity-first": DiceRules(dice=(1, 2), faces=3, raise_rule="quantity-first"),
    }[request.param]
    return solve_dice(rules, target=1e-3, threads=1)
