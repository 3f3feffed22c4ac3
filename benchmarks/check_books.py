"""What a book lists, against the full solution that it was cut from.

``python benchmarks/check_books.py SOLUTION BOOK`` looks at every position of the book's trunk that
good play reaches, and at the openings below it that are solved again. For each it prints the
largest differences over the hands that come there: of what a hand is worth, and of the values of
actions that it takes by both; then what the mix loses by the solution's values. Actions that a hand
does not take may differ: equilibria disagree about them.
"""

import argparse
from collections.abc import Iterator
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from mouche_solver.dice.round.advisor import Advisor
from mouche_solver.dice.round.book import OpeningBook, trunk_lines
from mouche_solver.dice.round.strategy import HandTable
from mouche_solver.storage.dice.books import load_book
from mouche_solver.storage.dice.solutions import load_solution

# Positions, hands and actions that good play comes to this often are compared.
REACH, SHARE, PLAYED = 1e-3, 1e-4, 0.02


def lines(book: OpeningBook) -> Iterator[str]:
    """The positions of the trunk on the path, then the openings that are no part of it."""
    held = [
        [book.tree.claims[n] for n in line] for line in trunk_lines(book.tree, book.trunk.expand)
    ]
    held = [claims for claims in held if book.holds(claims)]
    for claims in held:
        table = book.table(claims)
        if not table.assumed and table.reach > REACH:
            yield " ".join(map(str, claims))
    start = book.table()
    shares = start.ranges[0] @ start.probabilities
    names = {" ".join(map(str, claims)) for claims in held}
    for action, share in zip(start.actions, shares, strict=True):
        if share > REACH and action not in names:
            yield action


def aligned(numbers: NDArray[np.float64], table: HandTable, like: HandTable) -> NDArray[np.float64]:
    """Columns in the order of another table's actions, zero for those that are missing."""
    found = np.zeros((len(like.hands), len(like.actions)))
    for column, action in enumerate(like.actions):
        if action in table.actions:
            found[:, column] = numbers[:, table.actions.index(action)]
    return found


def worth_of(table: HandTable) -> NDArray[np.float64]:
    """What each hand has by its own mix: an action that nobody takes may have had no answer yet."""
    return np.asarray((table.probabilities * table.values).sum(axis=1))


def main() -> None:
    """Print a line for each position."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("solution", type=Path)
    parser.add_argument("book", type=Path)
    wanted = parser.parse_args()
    solution, book = load_solution(wanted.solution), load_book(wanted.book)
    advisor = Advisor(book)
    print(f"{'position':14} {'reach':>7} {'worth':>7} {'values':>7} {'loss':>9}")
    for line in lines(book):
        full, told = solution.table(line), advisor.table(line)
        own = full.ranges[full.player]
        values, mix = aligned(told.values, told, full), aligned(told.probabilities, told, full)
        worth = np.abs(worth_of(told) - worth_of(full))[own > SHARE]
        played = (own > SHARE)[:, None] & (full.probabilities > PLAYED) & (mix > PLAYED)
        values = np.abs(values - full.values)[played]
        loss = float(own @ ((full.probabilities - mix) * full.values).sum(axis=1))
        most = f"{worth.max():7.4f} {values.max():7.4f}"
        print(f"{line or 'start':14} {full.reach:7.4f} {most} {loss:9.6f}")


if __name__ == "__main__":
    main()
