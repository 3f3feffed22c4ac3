"""Positions behind claims that good play does not make, solved at full scale."""

import numpy as np
import pytest

from mouche_solver.core.run import Limits
from mouche_solver.dice.round.advisor import ERROR, Advisor
from mouche_solver.dice.round.book import OpeningBook, cut_book, trunk_lines
from mouche_solver.dice.round.deviations import Deviations
from mouche_solver.dice.round.line import follow, locate
from mouche_solver.dice.round.losses import own_losses
from mouche_solver.dice.round.solution import RoundSolution
from mouche_solver.dice.round.solve import solve_round
from mouche_solver.dice.rules.rules import DiceRules
from mouche_solver.dice.sweep.arrays import BEST_RESPONSE
from mouche_solver.errors import RulesError
from mouche_solver.storage.dice.books import load_book, save_book

RIM = 1 << 15


@pytest.fixture(scope="module")
def solution() -> RoundSolution:
    return solve_round(DiceRules(dice=(3, 3), faces=5), limits=Limits(5e-5), tremble=0.0)


@pytest.fixture(scope="module")
def deviations(solution: RoundSolution) -> Deviations:
    found = Deviations(solution, RIM)
    found.run(120)
    return found


@pytest.fixture(scope="module")
def mended(deviations: Deviations) -> RoundSolution:
    return deviations.mended()


@pytest.fixture(scope="module")
def book(mended: RoundSolution, deviations: Deviations) -> OpeningBook:
    return cut_book(mended, rim=RIM, deviations=deviations)


def claims_of(deviations: Deviations, numbers: tuple[int, ...]) -> list[object]:
    return [deviations.tree.claims[n] for n in numbers]


def test_the_path_stays_as_it_was(
    solution: RoundSolution, deviations: Deviations, mended: RoundSolution
) -> None:
    states = {node.state for node in deviations.nodes.values()}
    assert states == {"path", "root", "inner"}
    for node in deviations.nodes.values():
        if node.state == "path":
            np.testing.assert_array_equal(
                mended.strategies(node.numbers), solution.strategies(node.numbers)
            )
    assert mended.value == pytest.approx(solution.value, abs=1e-6)


def test_no_hand_gains_much_by_leaving_the_path(
    solution: RoundSolution, mended: RoundSolution
) -> None:
    # Exact best responses to everything that is stored, the mended positions included.
    assert solution.exploitability <= 5e-5
    assert mended.exploitability <= 3e-4


def test_the_mended_mixes_lose_far_less_where_nobody_goes(
    solution: RoundSolution, book: OpeningBook
) -> None:
    before, after = own_losses(cut_book(solution, rim=RIM)), own_losses(book)
    assert after.positions == before.positions
    assert after.mean < before.mean / 15
    assert after.mean < 0.007
    assert after.above_tenth == 0


def test_ranges_and_values_are_those_of_the_table(
    book: OpeningBook, deviations: Deviations
) -> None:
    errs = 0
    for node in deviations.nodes.values():
        claims = claims_of(deviations, node.numbers)
        if not book.holds(claims):
            continue
        table = book.table(claims)
        for chances in table.ranges:
            assert chances.sum() == pytest.approx(1.0)
            assert (chances >= 0).all()
        assert bool(table.assumed) == (node.state != "path")
        errs += bool(table.assumed)
        assert (np.abs(table.values) <= 1 + 1e-12).all()
    assert errs


@pytest.mark.parametrize("compact", [False, True])
def test_threads_change_nothing(solution: RoundSolution, compact: bool) -> None:
    found = []
    for threads in (1, 3):
        deviations = Deviations(solution, RIM, threads, compact=compact)
        deviations.run(12)
        found.append(deviations)
    np.testing.assert_array_equal(found[0].learned.average, found[1].learned.average)
    np.testing.assert_array_equal(*(f.mended().probabilities[:] for f in found))


def test_compact_deviations_are_as_good(
    solution: RoundSolution, mended: RoundSolution, book: OpeningBook
) -> None:
    deviations = Deviations(solution, RIM, compact=True)
    deviations.run(120)
    found = deviations.mended()
    assert found.exploitability <= 1.5 * mended.exploitability
    # What is asked for slice by slice is what lies in the file.
    whole = np.asarray(found.probabilities[0 : len(found.probabilities)])
    np.testing.assert_array_equal(found.probabilities[50_000:900_000:7], whole[50_000:900_000:7])
    again = RoundSolution(found.header, whole, threads=1)
    assert again.measure() == found.quality
    for node in deviations.nodes.values():
        if node.state == "path":
            np.testing.assert_array_equal(
                found.strategies(node.numbers), solution.strategies(node.numbers)
            )
    cut = own_losses(cut_book(found, rim=RIM, deviations=deviations))
    assert cut.mean < 1.5 * own_losses(book).mean
    assert cut.above_tenth == 0


def test_a_file_keeps_the_ranges(book: OpeningBook, tmp_path) -> None:
    path = tmp_path / "book.npz"
    save_book(book, path)
    again = load_book(path)
    assert again.solved_everywhere
    for mine, theirs in zip(book.erring, again.erring, strict=True):
        np.testing.assert_array_equal(mine, theirs)


def test_the_advisor_answers_from_it_without_solving(
    book: OpeningBook, deviations: Deviations
) -> None:
    said: list[str] = []
    advisor = Advisor(book, notify=said.append)
    for node in deviations.nodes.values():
        claims = claims_of(deviations, node.numbers)
        if book.holds(claims):
            table = advisor.table(claims)
            best = table.values.max(axis=1)
            assert ((best - (table.probabilities * table.values).sum(axis=1)) <= ERROR).all()
            assert advisor.sound(claims) == (node.state == "path")
    assert said == []


def test_a_small_round_has_no_deviations_to_solve() -> None:
    small = solve_round(DiceRules(dice=(1, 1), faces=3), limits=Limits(1e-2))
    with pytest.raises(RulesError, match="no trunk"):
        Deviations(small, RIM)


def test_replies_side_by_side_are_those_of_a_pass_over_the_round(
    solution: RoundSolution, deviations: Deviations
) -> None:
    for player in (0, 1):
        best = solution.rim_values(player, BEST_RESPONSE)
        flows = {n.numbers: n.flow[1 - player] for n in deviations.nodes.values()}
        together = solution.best_replies(flows, player)
        assert together.keys() == flows.keys()
        for node in deviations.nodes.values():
            if node.state == "path":
                line = follow(
                    solution.tree, claims_of(deviations, node.numbers), solution.strategies
                )
                expected = solution.rim_vector(line, player, best)
                np.testing.assert_allclose(together[node.numbers], expected, atol=1e-6)
        some = list(flows)[:: max(1, len(flows) // 5)]
        for numbers in some:
            alone = solution.best_replies({numbers: flows[numbers]}, player)
            np.testing.assert_array_equal(alone[numbers], together[numbers])


def advised(book: OpeningBook, mended: RoundSolution) -> RoundSolution:
    """The solution with what is advised, at the book's positions off the path, in place."""
    advisor = Advisor(book)
    packed = np.array(mended.probabilities[0 : mended.layout.entries])
    for numbers in trunk_lines(book.tree, np.asarray(book.trunk.expand)):
        claims = tuple(book.tree.claims[number] for number in numbers)
        if not numbers or not book.holds(claims) or not book.table(claims).assumed:
            continue
        place, player = locate(mended.layout, numbers), len(numbers) % 2
        of_hand = book.tree.classes[player].of_hand[book.tree.level[numbers[-1]]]
        mixed = mended.strategies(numbers)
        mixed[:, of_hand] = advisor.table(claims).probabilities.T
        block = packed[place.start : place.start + mixed.size * place.rows]
        block.reshape((*mixed.shape, place.rows))[:, :, place.row] = np.rint(mixed * 65535)
    return RoundSolution(mended.header, packed).remeasured()


@pytest.mark.parametrize(("leans", "limit"), [(0.0, 1e-3), (0.5, 0.02)])
def test_who_knows_the_advice_wins_little_by_leaving_the_path(
    book: OpeningBook,
    mended: RoundSolution,
    monkeypatch: pytest.MonkeyPatch,
    leans: float,
    limit: float,
) -> None:
    # With the best listed action alone, as was advised before, it was 0.096.
    monkeypatch.setattr("mouche_solver.dice.round.advisor.LEANS", leans)
    found = advised(book, mended)
    assert found.exploitability <= limit
    assert (found.exploitability > mended.exploitability) == (leans > 0)
