"""The books that the package ships: what they say of themselves holds."""

from importlib.resources import files

import numpy as np
import pytest

from mouche_solver.dice.round.advisor import ERROR, Advisor, losses
from mouche_solver.dice.round.book import OpeningBook, trunk_lines
from mouche_solver.dice.round.line import region_place
from mouche_solver.dice.round.losses import own_losses
from mouche_solver.dice.rules.rules import DiceRules
from mouche_solver.dice.sweep.layout import subgame_region
from mouche_solver.storage.dice.books import embedded_book

SHIPPED = [DiceRules(), DiceRules(wild=1)]


@pytest.fixture(scope="module", params=SHIPPED, ids=["plain", "ones wild"])
def book(request: pytest.FixtureRequest) -> OpeningBook:
    found = embedded_book(request.param)
    assert found is not None
    return found


def test_they_come_from_good_solutions_and_are_small(book: OpeningBook) -> None:
    assert book.header.quality.exploitability <= (5e-5 if book.rules.wild is None else 1.5e-4)
    data = files("mouche_solver").joinpath("data")
    sizes = [len(f.read_bytes()) for f in data.iterdir() if f.name.startswith("dice-book-")]
    assert sum(sizes) <= 12_000_000


def test_stored_mixes_lose_little_at_every_position(book: OpeningBook) -> None:
    assert book.solved_everywhere
    found, plain = own_losses(book), book.rules.wild is None
    assert found.mean <= (0.005 if plain else 0.013)
    assert found.above_hundredth <= (0.12 if plain else 0.26)
    assert found.above_tenth <= (0.004 if plain else 0.02)


def test_advice_loses_little_at_every_position(book: OpeningBook) -> None:
    advisor = Advisor(book)
    lines = [
        [book.tree.claims[n] for n in line] for line in trunk_lines(book.tree, book.trunk.expand)
    ]
    lost = np.concatenate([losses(advisor.table(line)) for line in lines if book.holds(line)])
    plain = book.rules.wild is None
    assert lost.mean() <= (0.002 if plain else 0.003)
    assert (lost > 0.01).mean() <= (0.065 if plain else 0.11)
    assert lost.max() <= ERROR


def test_the_opening_is_worth_what_the_header_says(book: OpeningBook) -> None:
    table = book.table()
    worth = table.ranges[0] @ (table.probabilities * table.values).sum(axis=1)
    assert worth == pytest.approx(book.header.quality.value, abs=1e-3)
    np.testing.assert_allclose(table.probabilities.sum(axis=1), 1.0, atol=1e-9)


def positions(book: OpeningBook, wanted: int, entries: int) -> list[tuple[int, ...]]:
    """Lines to the rim that the book itself plays, with a small game below them."""
    random = np.random.default_rng(1718)
    found: list[tuple[int, ...]] = []
    while len(found) < wanted:
        numbers: tuple[int, ...] = ()
        cell = 0
        while cell in book.trunk.expand:
            table = book.table([book.tree.claims[n] for n in numbers])
            weights = table.ranges[table.player] @ table.probabilities
            action = table.actions[int(random.choice(len(weights), p=weights / weights.sum()))]
            if action == "doubt":
                break
            numbers = (*numbers, book.tree.index[book.read_claim(action)])
            cell = region_place(book.trunk, numbers).cell
        small = 0 < subgame_region(book.tree, cell).entries <= entries
        if cell not in book.trunk.expand and small and numbers not in found:
            found.append(numbers)
    return found


def test_resolving_loses_little_to_a_best_response(book: OpeningBook) -> None:
    for numbers in positions(book, wanted=6, entries=60_000):
        claims = [book.tree.claims[n] for n in numbers]
        table = book.table(claims)
        np.testing.assert_allclose(table.probabilities.sum(axis=1), 1.0, atol=1e-9)
    assert len(book.resolved) >= 6
    for resolved in book.resolved.values():
        assert resolved.loss <= 2e-3


def test_six_against_six_come_from_a_solution_of_a_thousandth() -> None:
    book = embedded_book(DiceRules(dice=(6, 6)))
    assert book is not None
    assert book.header.quality.exploitability <= 1e-3
    name = f"dice-book-{book.rules.round_hash}.npz"
    assert len(files("mouche_solver").joinpath("data", name).read_bytes()) < 2_000_000
    table = book.table()
    worth = table.ranges[0] @ (table.probabilities * table.values).sum(axis=1)
    assert worth == pytest.approx(book.header.quality.value, abs=2e-3)
    for numbers in positions(book, wanted=2, entries=60_000):
        book.table([book.tree.claims[n] for n in numbers])
    for resolved in book.resolved.values():
        assert resolved.loss <= 5e-3
    sure = Advisor(book).policy("1,2,5,5,6,6", "1x1")
    assert sure.actions[0].action == "doubt"
    assert sure.actions[0].probability == 0.0


def test_a_round_without_a_book_has_none() -> None:
    assert embedded_book(DiceRules(dice=(4, 4))) is None


def test_resolving_knows_what_a_claim_costs_that_is_never_made() -> None:
    """Ones wild: 5x6 after 3x6 was listed above the 4x6 that is always played."""
    found = embedded_book(DiceRules(wild=1))
    assert found is not None
    table = found.table("3x6")
    losses = table.values.max(axis=1) - (table.probabilities * table.values).sum(axis=1)
    assert losses.max() < 2e-3
    row = table.hands.index((1, 2, 5, 5, 6))
    best = table.actions.index("4x6")
    assert table.probabilities[row, best] > 0.99
    assert table.values[row].argmax() == best
