"""An opening book: the trunk of a solution, and what each hand is worth on its rim.

:func:`cut_book` makes one. Within the trunk the book answers by itself. Below it the position is
re-solved on the spot; the values on the rim are what the other player's hands may keep.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from mouche_solver.core.minimisers import DEFAULT_TREMBLE
from mouche_solver.core.quality import Quality
from mouche_solver.dice.round.kernels_solution import SCALE
from mouche_solver.dice.round.line import (
    Line,
    Place,
    follow,
    hand_mix,
    hand_table,
    mixed_at,
    mixed_size,
    region_place,
    vector_at,
)
from mouche_solver.dice.round.resolve import Resolved, Subproblem, resolve, trust_in
from mouche_solver.dice.round.solution import RoundSolution
from mouche_solver.dice.round.strategy import ERRING, HandMix, HandTable, History, RoundStrategy
from mouche_solver.dice.round.subgame import values_by_cut
from mouche_solver.dice.rules.rules import DiceRules
from mouche_solver.dice.sweep.arrays import BEST_RESPONSE
from mouche_solver.dice.sweep.layout import Region, plan_layout
from mouche_solver.dice.sweep.tree import RoundTree, round_tree
from mouche_solver.errors import RulesError

if TYPE_CHECKING:
    from mouche_solver.dice.round.deviations import Deviations

Floats = NDArray[np.float64]

# Below a history with fewer entries re-solving takes a second or two.
BOOK_RIM = 1 << 20
# A payoff of one in a book's 16-bit values.
VALUE_SCALE = 32767
# A book from a worse solution would not be worth its name.
MOST_EXPLOITABLE = 1e-3


@dataclass(frozen=True)
class BookHeader:
    """Where a book comes from: the rules, and the solution's algorithm and quality.

    Histories with more than ``rim`` entries below them are in the book. Ranges count with the
    ``tremble`` of the solution.
    """

    rules: DiceRules
    algorithm: str
    iterations: int
    quality: Quality
    rim: int = BOOK_RIM
    tremble: float = 0.0


def book_trunk(tree: RoundTree, rim: int = BOOK_RIM) -> Region:
    """The trunk that a book of these rules holds.

    Raises
    ------
    RulesError
        When the round is so small that it is solved on the spot.
    """
    trunk = plan_layout(tree, rim).trunk
    if trunk is None:
        raise RulesError("this round is solved on the spot in seconds; it needs no book")
    return trunk


@dataclass
class OpeningBook(RoundStrategy):
    """A strategy that fits into a package.

    Parameters
    ----------
    header : BookHeader
    probabilities : uint16 array, shape (entries of the trunk,)
    values : tuple of int16 array
        For each player, the expected payoff of each hand class on trunk and rim by a best
        response, times 32,767.
    erring : tuple of uint16 array, optional
        For each player, the range of each hand class behind claims that good play does not make,
        of 65,535 for the likeliest; 0 in the rest of the trunk and on the rim. None in books that
        were not solved there.
    """

    header: BookHeader
    probabilities: NDArray[np.uint16]
    values: tuple[NDArray[np.int16], ...]
    erring: tuple[NDArray[np.uint16], ...] | None = None
    resolved: dict[tuple[tuple[int, ...], int], Resolved] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.rules = self.header.rules
        self.tree = round_tree(self.rules)
        self.trunk = book_trunk(self.tree, self.header.rim)

    @property
    def quality(self) -> Quality:
        """Value and exploitability, in payoffs of +1 and -1."""
        return self.header.quality

    @property
    def quality_text(self) -> str:
        """The quality in one line, for people."""
        found = self.header.quality.exploitability
        return (
            f"opening book from a solution of exploitability {found:.1e} (payoffs +1 and -1); "
            "deeper positions are re-solved on the spot"
        )

    def table(self, history: History = "") -> HandTable:
        """The strategy of every hand; see :class:`RoundStrategy`."""
        claims = self.read_history(history)
        numbers = tuple(self.tree.index[claim] for claim in claims)
        inside = trunk_length(self.trunk, numbers)
        opening = follow(self.tree, claims[:inside], self.strategy, self.header.tremble)
        if inside == len(claims) and self._in_trunk(numbers):
            mixed = self.strategy(numbers)
            erring = self._erring_line(opening)
            line = opening if erring is None else erring
            table = hand_table(self.tree, line, mixed, self._trunk_values(line))
            return table if erring is None else replace(table, assumed=ERRING)
        resolved = self.resolve(opening, len(claims) % 2)
        return self._below(opening, claims, resolved)

    def _erring_line(self, opening: Line) -> Line | None:
        """A line in the trunk with the ranges stored there; None where good play leads."""
        if self.erring is None:
            return None
        place = region_place(self.trunk, opening.numbers)
        stored = [vector_at(self.tree, place, self.erring[player], player) for player in (0, 1)]
        if not stored[0].any():
            return None
        told = follow(self.tree, opening.claims, self.strategy, DEFAULT_TREMBLE).reach
        level = self.tree.level[opening.last]
        reach = []
        for classes, found, spoken in zip(self.tree.classes, stored, told, strict=True):
            # Hands that are alike from here on share their range as they came here.
            of_hand = classes.of_hand[level]
            weight = spoken / spoken.sum() + DEFAULT_TREMBLE * classes.prior
            alike = np.bincount(of_hand, weight)[of_hand]
            reach.append(found[of_hand] / found.sum() * weight / alike)
        return replace(opening, reach=(reach[0], reach[1]), smoothed=(True, True))

    @property
    def solved_everywhere(self) -> bool:
        """Whether positions of the trunk that good play never reaches were solved too."""
        return self.erring is not None

    def mixed(self, history: History = "") -> HandMix:
        """Probabilities alone; see :class:`RoundStrategy`."""
        claims = self.read_history(history)
        numbers = tuple(self.tree.index[claim] for claim in claims)
        if trunk_length(self.trunk, numbers) < len(claims) or not self._in_trunk(numbers):
            return self.table(claims)
        return hand_mix(self.tree, claims, self.strategy(numbers))

    def holds(self, history: History = "") -> bool:
        """Whether a position is in the book, so that nothing has to be re-solved for it."""
        claims = self.read_history(history)
        numbers = tuple(self.tree.index[claim] for claim in claims)
        return trunk_length(self.trunk, numbers) == len(claims) and self._in_trunk(numbers)

    def resolve(self, opening: Line, protect: int) -> Resolved:
        """Re-solve below a line that ends on the rim; kept for the next question.

        Parameters
        ----------
        opening : Line
            Ends on the rim.
        protect : int
            The player whose strategy below is wanted.

        Returns
        -------
        Resolved
        """
        key = (opening.numbers, protect)
        if key not in self.resolved:
            other = 1 - protect
            reach = 0.0 if opening.smoothed[other] else float(opening.reach[other].sum())
            problem = Subproblem(
                self.tree,
                region_place(self.trunk, opening.numbers).cell,
                (opening.flow(self.tree, 0), opening.flow(self.tree, 1)),
                self._promised(other, opening),
                protect,
                trust_in(reach),
            )
            self.resolved[key] = resolve(problem)
        return self.resolved[key]

    def _promised(self, player: int, opening: Line) -> Floats:
        """What each class of a player may get below the rim without gaining by going there.

        When the player made the last claim, a class may get what it could have had before it.
        """
        promised = self.expected(player, opening.numbers)
        if len(opening.numbers) % 2 == player:
            return promised
        before = self.expected(player, opening.numbers[:-1])
        last = opening.numbers[-2] if len(opening.numbers) > 1 else 0
        levels = int(self.tree.level[last]), int(self.tree.level[opening.last])
        return np.maximum(promised, self.tree.classes[player].least(levels, before))

    def strategy(self, numbers: tuple[int, ...]) -> Floats:
        """Probabilities at a history of the trunk, shape (actions, classes).

        Parameters
        ----------
        numbers : tuple of int
            Claim numbers of the tree.

        Returns
        -------
        float64 array, shape (actions, classes)
        """
        return mixed_at(self.tree, region_place(self.trunk, numbers), self.probabilities)

    def expected(self, player: int, numbers: tuple[int, ...]) -> Floats:
        """Expected payoff of a player's classes at a history of trunk or rim.

        Parameters
        ----------
        player : int
        numbers : tuple of int
            Claim numbers of the tree.

        Returns
        -------
        float64 array, shape (classes,)
            By a best response against the solution that the book was cut from, +1 for winning.
        """
        place = region_place(self.trunk, numbers)
        return vector_at(self.tree, place, self.values[player], player) / VALUE_SCALE

    def _in_trunk(self, numbers: tuple[int, ...]) -> bool:
        return region_place(self.trunk, numbers).cell in self.trunk.expand

    def _trunk_values(self, line: Line) -> list[Floats]:
        player = line.player
        mass = line.flow(self.tree, 1 - player).sum()
        level = self.tree.level[line.last]
        classes = self.tree.classes[player]
        found = []
        for claim in self.tree.raises[line.last]:
            merge = classes.merge[level, self.tree.level[claim], : classes.size[level]]
            found.append(self.expected(player, (*line.numbers, claim))[merge] * mass)
        return found

    def _below(self, opening: Line, claims: tuple[object, ...], resolved: Resolved) -> HandTable:
        game = resolved.game
        top = len(opening.numbers)

        def strategies(numbers: tuple[int, ...]) -> Floats:
            if len(numbers) < top:
                return self.strategy(numbers)
            place = region_place(game.region, numbers[top:])
            return mixed_at(self.tree, place, game.average)

        line = follow(self.tree, claims, strategies, self.header.tremble)  # type: ignore[arg-type]
        place = region_place(game.region, line.numbers[top:])
        values = values_by_cut(self.tree, place, game.average, line)
        return hand_table(self.tree, line, strategies(line.numbers), values)


def trunk_length(trunk: Region, numbers: tuple[int, ...]) -> int:
    """How many claims of a line lead through the trunk, the one to the rim included."""
    cell = 0
    for done, claim in enumerate(numbers):
        if cell not in trunk.expand:
            return done
        cell = 2 * claim + 1 - cell % 2
    return len(numbers)


def cut_book(
    solution: RoundSolution,
    progress: Callable[[int, int], None] | None = None,
    rim: int = BOOK_RIM,
    deviations: "Deviations | None" = None,
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
    deviations : Deviations, optional
        What made the solution sound behind claims that good play does not make, with the same rim;
        the book then holds the ranges there.

    Raises
    ------
    RulesError
        When the solution's exploitability is above 1e-3, or the round needs no book.
    """
    check_solution(solution)
    tree = solution.tree
    trunk = book_trunk(tree, rim)
    probabilities = np.zeros(trunk.entries, dtype=np.uint16)
    values = tuple(np.zeros(int(size), dtype=np.int16) for size in trunk.vector_size)
    ranges = tuple(np.zeros(int(size), dtype=np.uint16) for size in trunk.vector_size)
    tremble = solution.header.tremble if deviations is None else 0.0
    lines = [
        _reached(solution, numbers, tremble, deviations)
        for numbers in trunk_lines(tree, np.asarray(trunk.expand))
    ]
    worth = [_worth(solution, lines, player) for player in (0, 1)]
    for done, here in enumerate(lines):
        place = region_place(trunk, here.numbers)
        inside = place.cell in trunk.expand
        if inside:
            mixed = solution.strategies(here.numbers)
            block = probabilities[place.start : place.start + mixed_size(tree, place)]
            shape = (*mixed.shape, place.rows)
            block.reshape(shape)[:, :, place.row] = np.rint(mixed * SCALE)
        for player in (0, 1):
            found = worth[player][here.numbers] * VALUE_SCALE
            _put(values[player], trunk, place, player, found)
            if here.erring and inside:
                chances = here.flows[player] / here.flows[player].max() * SCALE
                _put(ranges[player], trunk, place, player, chances)
        if progress is not None:
            progress(done + 1, len(lines))
    header = solution.header
    about = BookHeader(
        solution.rules,
        header.algorithm,
        header.iterations,
        header.quality,
        rim,
        tremble,
    )
    return OpeningBook(about, probabilities, values, None if deviations is None else ranges)


def check_solution(solution: RoundSolution) -> None:
    """Refuse a solution that no book can be cut from.

    Raises
    ------
    RulesError
        When its exploitability is above 1e-3.
    """
    if solution.exploitability > MOST_EXPLOITABLE:
        raise RulesError(
            f"a book needs a solution of exploitability {MOST_EXPLOITABLE:g} or less, "
            f"this one has {solution.exploitability:.2g}"
        )


class _Reached(NamedTuple):
    """A line of the trunk, each player's flow there, and whether a deviation leads to it."""

    line: Line
    flows: tuple[Floats, Floats]
    erring: bool

    @property
    def numbers(self) -> tuple[int, ...]:
        return self.line.numbers


def _reached(
    solution: RoundSolution,
    numbers: tuple[int, ...],
    tremble: float,
    deviations: "Deviations | None",
) -> _Reached:
    tree = solution.tree
    claims = [claim for n in numbers if (claim := tree.claims[n]) is not None]
    line = follow(tree, claims, solution.strategies, tremble)
    if deviations is not None and deviations.nodes[numbers].state != "path":
        return _Reached(
            line, (deviations.range(numbers, 0), deviations.range(numbers, 1)), erring=True
        )
    return _Reached(line, (line.flow(tree, 0), line.flow(tree, 1)), erring=False)


def _worth(
    solution: RoundSolution, lines: list[_Reached], player: int
) -> dict[tuple[int, ...], Floats]:
    """What a best response gets each class of the player, against the other's flow."""
    other = 1 - player
    best = solution.rim_values(player, BEST_RESPONSE)
    apart = {
        here.numbers: here.flows[other]
        for here in lines
        if here.erring or here.line.smoothed[other] or not len(best)
    }
    found = solution.best_replies(apart, player)
    for here in lines:
        if here.numbers not in found:
            found[here.numbers] = solution.rim_vector(here.line, player, best)
        found[here.numbers] = found[here.numbers] / here.flows[other].sum()
    return found


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


def _put(vectors: NDArray[Any], trunk: Region, place: Place, player: int, scaled: Floats) -> None:
    """Round one history's numbers into the vectors of the trunk, as whole numbers of their type."""
    most = np.iinfo(vectors.dtype).max
    at, size = int(trunk.vector[player, place.cell]), len(scaled) * place.rows
    block = vectors[at : at + size].reshape(len(scaled), place.rows)
    block[:, place.row] = np.rint(np.clip(scaled, -most, most))
