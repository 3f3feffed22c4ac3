"""How much the advised mix loses against the best of its own actions, wherever people stand.

Exploitability sees only positions that good play reaches. Here every position counts alike, and
every hand of the player to act: a *position-hand*.
"""

from dataclasses import dataclass

import numpy as np

from mouche_solver.core.minimisers import DEFAULT_TREMBLE
from mouche_solver.dice.round.book import OpeningBook, trunk_lines
from mouche_solver.dice.round.kernels_losses import losses_region
from mouche_solver.dice.round.solution import RoundSolution
from mouche_solver.dice.sweep.tree import HandClasses


@dataclass(frozen=True)
class OwnLosses:
    """Losses of the advised mixes against the best of their own actions, as payoffs of +1 and -1.

    Attributes
    ----------
    positions : int
        Position-hands that were looked at.
    mean, worst : float
        Loss of a position-hand.
    above_hundredth, above_tenth : float
        Shares of the position-hands that lose more than 0.01, and more than 0.1.
    unreached : int
        Position-hands left out because no hand of the other player gets there.
    """

    positions: int
    mean: float
    worst: float
    above_hundredth: float
    above_tenth: float
    unreached: int = 0

    @property
    def text(self) -> str:
        """The losses in one line, for people."""
        return (
            f"Stored mixes, at every position with every hand ({self.positions:,}): they lose "
            f"{self.mean:.4f} on average against the best of their own actions, {self.worst:.2f} "
            f"at worst; {self.above_hundredth:.1%} lose more than 0.01, {self.above_tenth:.1%} "
            "more than 0.1"
        )


def own_losses(strategy: RoundSolution | OpeningBook, tremble: float | None = None) -> OwnLosses:
    """Losses over all positions of a solution, or over those in a book.

    Parameters
    ----------
    strategy : RoundSolution or OpeningBook
    tremble : float, optional
        What the other player's actions keep when ranges are reckoned, in a solution; by default
        what the solution was made with, 1e-6 where it was made without. A book's ranges and
        values are those that it lists.

    Returns
    -------
    OwnLosses

    Notes
    -----
    The mixes of a locked player are given and not advised: they do not count.

    Examples
    --------
    >>> from mouche_solver.core.run import Limits
    >>> from mouche_solver.dice.round.solve import solve_round
    >>> from mouche_solver.dice.rules.rules import DiceRules
    >>> found = own_losses(solve_round(DiceRules(dice=(1, 1), faces=3), limits=Limits(1e-5)))
    >>> found.positions, found.mean < 0.01
    (48, True)
    """
    if isinstance(strategy, OpeningBook):
        return _book_losses(strategy)
    if tremble is None:
        tremble = strategy.header.tremble or DEFAULT_TREMBLE
    tally = np.zeros(6)
    for player in (0, 1):
        if player == strategy.header.locked:
            continue
        hands = hands_of_classes(strategy.tree.classes[player])
        for part, entries, vectors in strategy.visit(player, tremble):
            losses_region(strategy.game, part, player, entries, vectors, hands, tally)
    count = max(tally[0], 1.0)
    return OwnLosses(
        int(tally[0]),
        float(tally[1] / count),
        float(tally[4]),
        float(tally[2] / count),
        float(tally[3] / count),
        int(tally[5]),
    )


def hands_of_classes(classes: HandClasses) -> np.ndarray[tuple[int, int], np.dtype[np.int64]]:
    """Number of hands of every class, shape (levels, hands)."""
    found = np.zeros((len(classes.size), len(classes.hands)), dtype=np.int64)
    for level, of_hand in enumerate(classes.of_hand):
        np.add.at(found[level], of_hand, 1)
    return found


def _book_losses(book: OpeningBook) -> OwnLosses:
    tree, losses = book.tree, []
    for numbers in trunk_lines(tree, np.asarray(book.trunk.expand)):
        line = [claim for n in numbers if (claim := tree.claims[n]) is not None]
        if not book.holds(line):
            continue
        table = book.table(line)
        mixed = (table.probabilities * table.values).sum(axis=1)
        losses.append(table.values.max(axis=1) - mixed)
    found = np.concatenate(losses)
    return OwnLosses(
        len(found),
        float(found.mean()),
        float(found.max()),
        float((found > 0.01).mean()),
        float((found > 0.1).mean()),
    )
