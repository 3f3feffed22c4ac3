"""Opening books and safe re-solving, on a round small enough to answer every question exactly."""

import numpy as np
import pytest

from mouche_solver.core.run import Limits
from mouche_solver.dice.round.book import OpeningBook, cut_book, trunk_lines
from mouche_solver.dice.round.line import locate, mixed_size
from mouche_solver.dice.round.solution import RoundSolution
from mouche_solver.dice.round.solve import solve_round
from mouche_solver.dice.rules.rules import DiceRules
from mouche_solver.dice.sweep.arrays import BEST_RESPONSE
from mouche_solver.errors import RulesError
from mouche_solver.storage.dice.books import load_book, save_book

RULES = [
    DiceRules(dice=(2, 2), faces=3),
    DiceRules(dice=(2, 1), faces=4, wild=1),
    DiceRules(dice=(1, 2), faces=3, raise_rule="quantity-first"),
]


@pytest.fixture(scope="module", params=RULES, ids=lambda rules: f"{rules.dice}-{rules.raise_rule}")
def solution(request: pytest.FixtureRequest) -> RoundSolution:
    return solve_round(request.param, limits=Limits(2e-5), threads=1)


@pytest.fixture(scope="module")
def book(solution: RoundSolution) -> OpeningBook:
    return cut_book(solution, rim=120)


def test_the_trunk_plays_as_the_solution_does(solution: RoundSolution, book: OpeningBook) -> None:
    inside = list(trunk_lines(book.tree, book.trunk.expand))
    for numbers in inside:
        claims = [book.tree.claims[n] for n in numbers]
        if locate(solution.layout, numbers).cell not in book.trunk.expand:
            continue
        ours, theirs = book.table(claims), solution.table(claims)
        np.testing.assert_allclose(ours.probabilities, theirs.probabilities, atol=3e-5)
        assert ours.actions == theirs.actions


def test_every_row_sums_to_one_everywhere(book: OpeningBook) -> None:
    for numbers in trunk_lines(book.tree, np.arange(2 * len(book.tree.claims))):
        if len(numbers) > 3:
            continue
        table = book.table([book.tree.claims[n] for n in numbers])
        np.testing.assert_allclose(table.probabilities.sum(axis=1), 1.0, atol=1e-9)
        assert (np.abs(table.values) <= 1 + 1e-6).all()


@pytest.mark.parametrize("protect", [0, 1])
def test_book_and_resolving_lose_little_to_a_best_response(
    solution: RoundSolution, book: OpeningBook, protect: int
) -> None:
    # Replace the protected player's stored strategy by the book's answer at every history, then
    # let the other player respond exactly.
    replaced = solution.probabilities[0 : solution.layout.entries].copy()
    stack: list[tuple[int, ...]] = [()]
    while stack:
        numbers = stack.pop()
        last = numbers[-1] if numbers else 0
        stack.extend((*numbers, claim) for claim in book.tree.raises[last])
        if len(numbers) % 2 != protect or not book.tree.raises[last]:
            continue
        place = locate(solution.layout, numbers)
        table = book.table([book.tree.claims[n] for n in numbers])
        classes = book.tree.classes[protect]
        of_hand = classes.of_hand[book.tree.level[last]]
        first = [int(np.flatnonzero(of_hand == k)[0]) for k in range(of_hand.max() + 1)]
        mixed = table.probabilities[first].T
        block = replaced[place.start : place.start + mixed_size(book.tree, place)]
        block.reshape(*mixed.shape, place.rows)[:, :, place.row] = np.rint(mixed * 65535)
    answered = RoundSolution(solution.header, replaced)
    other = 1 - protect
    gain = answered.root_value(other, BEST_RESPONSE) - solution.root_value(other, BEST_RESPONSE)
    assert gain <= 2e-3


def test_a_book_survives_its_file(book: OpeningBook, tmp_path) -> None:  # type: ignore[no-untyped-def]
    save_book(book, tmp_path / "book.npz")
    again = load_book(tmp_path / "book.npz")
    assert again.header == book.header
    np.testing.assert_array_equal(again.probabilities, book.probabilities)
    first = np.concatenate(again.values), np.concatenate(book.values)
    np.testing.assert_array_equal(*first)


def test_a_poor_solution_makes_no_book() -> None:
    poor = solve_round(RULES[0], limits=Limits(1e-9, iterations=2), threads=1)
    with pytest.raises(RulesError, match=r"exploitability 0\.001 or less"):
        cut_book(poor)


def test_a_small_round_needs_no_book(solution: RoundSolution) -> None:
    with pytest.raises(RulesError, match="needs no book"):
        cut_book(solution)
