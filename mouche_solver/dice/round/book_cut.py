"""Cut an opening book from a solution."""

from collections.abc import Callable, Iterator

import numpy as np
from numpy.typing import NDArray

from mouche_solver.dice.round.book import (
    BOOK_RIM,
    VALUE_SCALE,
    BookHeader,
    OpeningBook,
    book_trunk,
)
from mouche_solver.dice.round.kernels_pack import SCALE
from mouche_solver.dice.round.lines import Line, follow
from mouche_solver.dice.round.locate import mixed_size, region_place
from mouche_solver.dice.round.solution import RoundSolution
from mouche_solver.dice.sweep.arrays import BEST_RESPONSE
from mouche_solver.dice.sweep.tree import RoundTree
from mouche_solver.errors import RulesError

# A book from a worse solution would not be worth its name.
MOST_EXPLOITABLE = 1e-3


def cut_book(
    solution: RoundSolution,
    progress: Callable[[int, int], None] | None = None,
    rim: int = BOOK_RIM,
) -> OpeningBook:
    """The trunk of a solution as an opening book.

    Parameters
    ----------
    solution : RoundSolution
    progress : callable, optional
        Receives the histories done and their number.
    rim : int
        Entries below a history that make it part of the book; not below those of the solution's
        own tasks.

    Raises
    ------
    RulesError
        When the solution's exploitability is above 1e-3, or the round needs no book.
    """
    if solution.exploitability > MOST_EXPLOITABLE:
        raise RulesError(
            f"a book needs a solution of exploitability {MOST_EXPLOITABLE:g} or less, "
            f"this one has {solution.exploitability:.2g}"
        )
    tree = solution.tree
    trunk = book_trunk(tree, rim)
    probabilities = np.zeros(trunk.entries, dtype=np.uint16)
    values = tuple(np.zeros(int(size), dtype=np.int16) for size in trunk.vector_size)
    best = [solution.rim_values(player, BEST_RESPONSE) for player in (0, 1)]
    lines = list(trunk_lines(tree, np.asarray(trunk.expand)))
    for done, numbers in enumerate(lines):
        place = region_place(trunk, numbers)
        line = follow(tree, [tree.claims[n] for n in numbers], solution.strategies)  # type: ignore[misc]
        if place.cell in trunk.expand:
            mixed = solution.strategies(numbers)
            block = probabilities[place.start : place.start + mixed_size(tree, place)]
            shape = (*mixed.shape, place.rows)
            block.reshape(shape)[:, :, place.row] = np.rint(mixed * SCALE)
        for player in (0, 1):
            worth = _expected(solution, line, player, best[player])
            at, size = int(trunk.vector[player, place.cell]), len(worth) * place.rows
            vectors = values[player][at : at + size].reshape(len(worth), place.rows)
            vectors[:, place.row] = np.rint(np.clip(worth, -1, 1) * VALUE_SCALE)
        if progress is not None:
            progress(done + 1, len(lines))
    header = solution.header
    return OpeningBook(
        BookHeader(solution.rules, header.algorithm, header.iterations, header.quality, rim),
        probabilities,
        values,
    )


def trunk_lines(tree: RoundTree, expand: NDArray[np.int64]) -> Iterator[tuple[int, ...]]:
    """Every line of claims that ends in the trunk or on its rim, as claim numbers."""
    inside = set(expand.tolist())
    stack: list[tuple[int, ...]] = [()]
    while stack:
        numbers = stack.pop()
        yield numbers
        last = numbers[-1] if numbers else 0
        if 2 * last + len(numbers) % 2 in inside:
            stack.extend((*numbers, claim) for claim in tree.raises[last])


def _expected(
    solution: RoundSolution, line: Line, player: int, best: NDArray[np.float32]
) -> NDArray[np.float64]:
    """What a best response gets each class of the player, against the other's range."""
    flow = line.flow(solution.tree, 1 - player)
    if line.smoothed[1 - player] or not len(best):
        found = solution.best_below(line, player)
    else:
        found = solution.rim_vector(line, player, best)
    return np.asarray(found / flow.sum(), dtype=np.float64)
