"""Solved rounds of dice with DataFrames and files: what a notebook works on."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from mouche_solver.core.minimisers import default_algorithm, default_tremble
from mouche_solver.core.run import Limits, Report
from mouche_solver.dice.round.book import OpeningBook
from mouche_solver.dice.round.solution import RoundSolution
from mouche_solver.dice.round.solve import RoundSolver, finish
from mouche_solver.dice.round.strategy import History, RoundStrategy, all_of
from mouche_solver.dice.rules.hands import Hand
from mouche_solver.dice.rules.notation import format_claims, format_hand
from mouche_solver.dice.rules.rules import Claim, DiceRules
from mouche_solver.storage.dice.books import embedded_book, save_book
from mouche_solver.storage.dice.solutions import save_solution
from mouche_solver.storage.tensors import PathLike

if TYPE_CHECKING:
    import pandas as pd


class DiceFrames(RoundStrategy):
    """DataFrames for any strategy of a round: mix it in before the class of the strategy."""

    def frame(self, history: History = "") -> "pd.DataFrame":
        """Probability of every action for every hand of the player to act.

        Parameters
        ----------
        history : str or sequence of Claim
            Such as ``"3x5 4x5"``.

        Returns
        -------
        DataFrame
            Hands by actions; rows sum to one.

        Raises
        ------
        NotationError, IllegalMoveError
            When the claims cannot be read or are not legal.
        """
        mix = self.mixed(history)
        return hand_frame(mix.hands, mix.actions, mix.history, mix.probabilities)

    def values_frame(self, history: History = "") -> "pd.DataFrame":
        """Expected payoff of every action for every hand, +1 for winning and -1 for losing."""
        table = self.table(history)
        return hand_frame(table.hands, table.actions, table.history, table.values)

    def ranges_frame(self, history: History = "") -> "pd.DataFrame":
        """Probability of every hand of each player given the claims, one row per hand.

        Returns
        -------
        DataFrame
            Columns ``player``, ``hand`` and ``probability``.
        """
        import pandas as pd

        found = self.table(history).ranges
        parts = [
            pd.DataFrame(
                {
                    "player": player,
                    "hand": [format_hand(hand) for hand in all_of(self.rules, player)],
                    "probability": chances,
                }
            )
            for player, chances in enumerate(found)
        ]
        return pd.concat(parts, ignore_index=True)


def hand_frame(
    hands: Sequence[Hand],
    actions: Sequence[str],
    history: Sequence[Claim],
    numbers: NDArray[np.float64],
) -> "pd.DataFrame":
    """Numbers of hands by actions; the columns are named after the claims so far."""
    import pandas as pd

    index = pd.Index([format_hand(hand) for hand in hands], name="hand")
    columns = pd.Index(actions, name=format_claims(history) or "opening")
    return pd.DataFrame(numbers, index=index, columns=columns)


class DiceSolution(DiceFrames, RoundSolution):
    """A solved round with DataFrames; see :class:`mouche_solver.dice.round.solution.RoundSolution`.

    Examples
    --------
    >>> solution = solve_dice(DiceRules(dice=(1, 1), faces=2), target=1e-4)
    >>> solution.frame("1x2").round(2)
    1x2  doubt  2x2
    hand
    1      1.0  0.0
    2      0.0  1.0
    """

    @classmethod
    def of(cls, solution: RoundSolution, threads: int | None = None) -> "DiceSolution":
        """The same solution with DataFrames."""
        return cls(
            solution.header,
            solution.probabilities,
            solution.trunk_values,
            threads,
        )

    def save(self, path: PathLike) -> None:
        """Write the solution to a file that :func:`mouche_solver.load` opens.

        Raises
        ------
        StorageError
            When it cannot be written; an older file is then untouched.
        """
        save_solution(self, path)


class DiceBook(DiceFrames, OpeningBook):
    """An opening book with DataFrames; see :class:`mouche_solver.dice.round.book.OpeningBook`."""

    @classmethod
    def of(cls, book: OpeningBook) -> "DiceBook":
        """The same book with DataFrames."""
        return cls(book.header, book.probabilities, book.values)

    def save(self, path: PathLike) -> None:
        """Write the book to a file that :func:`mouche_solver.load` opens.

        Raises
        ------
        StorageError
            When it cannot be written; an older file is then untouched.
        """
        save_book(self, path)


def solve_dice(  # noqa: PLR0913 (one keyword for each flag of the command)
    rules: DiceRules | None = None,
    *,
    target: float = 1e-3,
    iterations: int | None = None,
    seconds: float | None = None,
    algorithm: str | None = None,
    threads: int | None = None,
    tremble: float | None = None,
    locked: tuple[int, RoundSolution] | None = None,
    report: Report | None = None,
) -> DiceSolution:
    """Solve a two-player round of Dice Mouche.

    Parameters
    ----------
    rules : DiceRules, optional
        Five dice against five by default.
    target : float
        Stop at this exploitability (payoffs +1 and -1); what 16 bits add comes on top.
    iterations, seconds : int and float, optional
        Stop earlier.
    algorithm : {"cfr", "cfr+", "dcfr", "pcfr+", "sapcfr+"}, optional
        By default ``"dcfr"``, and ``"sapcfr+"`` for targets below 1e-4, which takes half as much
        memory again.
    threads : int, optional
        All processors by default; the result does not depend on it.
    tremble : float, optional
        What every action keeps while learning, so that positions off the path are solved; 0 turns
        trembles off. By default 1e-6, and a fiftieth of a target below 5e-5.
    locked : tuple of int and RoundSolution, optional
        A player and the strategy that it sticks to; the other one learns the best reply.
    report : callable, optional
        Receives :class:`mouche_solver.core.run.Progress` events.

    Returns
    -------
    DiceSolution
        Also after Ctrl-C, with the quality that it then has.

    Raises
    ------
    RulesError
        When rules or limits are not possible.
    TooLargeError
        When the round does not fit into memory.

    Examples
    --------
    >>> solution = solve_dice(DiceRules(dice=(1, 1), faces=3), target=1e-4)
    >>> round(solution.value, 3)
    -0.111
    """
    limits = Limits(target, iterations, seconds)
    if tremble is None:
        tremble = default_tremble(target)
    algorithm = algorithm or default_algorithm(target)
    solver = RoundSolver(DiceRules() if rules is None else rules, algorithm, threads, tremble)
    if locked is not None:
        solver.lock(*locked)
    return DiceSolution.of(finish(solver, limits, report).solution, threads)


def dice_strategy(rules: DiceRules | None = None, target: float = 1e-3) -> DiceBook | DiceSolution:
    """The opening book that the package ships for these rules, else a round solved now.

    Parameters
    ----------
    rules : DiceRules, optional
        Five dice against five by default.
    target : float
        Exploitability of a round that is solved.

    Returns
    -------
    DiceBook or DiceSolution

    Raises
    ------
    RulesError
        For other than two players.
    TooLargeError
        When there is no book and the round does not fit into memory.

    Examples
    --------
    >>> strategy = dice_strategy(DiceRules(dice=(1, 1), faces=2))
    >>> strategy.quality.exploitability <= 1.1e-3
    True
    """
    rules = DiceRules() if rules is None else rules
    book = embedded_book(rules)
    return solve_dice(rules, target=target) if book is None else DiceBook.of(book)
