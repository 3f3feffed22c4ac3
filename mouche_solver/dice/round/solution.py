"""A solved two-player round: 16-bit probabilities, in memory or in a file, and their quality."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from mouche_solver.core.quality import Quality
from mouche_solver.dice.round.kernels_solution import fill_region
from mouche_solver.dice.round.line import (
    Line,
    Place,
    follow,
    hand_mix,
    hand_table,
    locate,
    mixed_at,
    mixed_size,
    region_place,
    vector_at,
)
from mouche_solver.dice.round.strategy import HandMix, HandTable, History, RoundStrategy
from mouche_solver.dice.round.subgame import (
    RegionGame,
    child_values,
    cut_subgame,
    rows_within,
    values_by_cut,
)
from mouche_solver.dice.rules.rules import DiceRules
from mouche_solver.dice.sweep.arrays import (
    BEST_RESPONSE,
    EVALUATE,
    Entries,
    GameArrays,
    Packed,
    Part,
    Vectors,
)
from mouche_solver.dice.sweep.holders import Holders, Order
from mouche_solver.dice.sweep.layout import Region, Task, plan_layout
from mouche_solver.dice.sweep.passes import Floats, RoundPasses
from mouche_solver.dice.sweep.tree import RoundTree, round_tree


@dataclass(frozen=True)
class Header:
    """What a solution says about itself.

    Attributes
    ----------
    rules : DiceRules
    algorithm : str
    iterations : int
    quality : Quality
        Of the strategies as they are stored, from exact best responses.
    unrounded : Quality
        Of the strategies before they were rounded to 16 or 32 bits.
    locked : int or None
        A player whose strategy was given, not solved.
    tremble : float
        What every action kept at the end of the solve: ranges and values count with it, the
        quality does not. 0 in files that say nothing of it.
    """

    rules: DiceRules
    algorithm: str
    iterations: int
    quality: Quality
    unrounded: Quality
    locked: int | None = None
    tremble: float = 0.0


class Store(Protocol):
    """Where probabilities lie: an array, or what reads those that are asked for."""

    @property
    def dtype(self) -> np.dtype[Any]:
        """uint16, or float32 in fine solutions."""
        ...

    @property
    def nbytes(self) -> int:
        """Bytes of all of them."""
        ...

    def __len__(self) -> int: ...

    def __getitem__(self, where: slice, /) -> Packed:
        """The stored numbers of a slice."""
        ...


# Expected payoffs are kept for histories with more entries than this below them, and found by
# evaluating the strategies below smaller ones.
VALUE_RIM = 1 << 18


def value_region(tree: RoundTree) -> Region | None:
    """The trunk whose values a solution keeps; None in rounds that are small altogether.

    Parameters
    ----------
    tree : RoundTree

    Returns
    -------
    Region or None
    """
    return plan_layout(tree, VALUE_RIM).trunk


class RoundSolution(RoundStrategy):
    """Strategies of both players after every line of claims.

    Parameters
    ----------
    header : Header
    probabilities : array-like of uint16 or float32, shape (entries,)
        65535 times a probability, or the probability, in the order of
        :func:`mouche_solver.dice.sweep.layout.plan_layout`.
    trunk_values : tuple of float32 array, optional
        Each player's counterfactual values in :func:`value_region`; measured when left out.
    threads : int, optional
        For passes over the whole round; None takes all processors.
    holders : Holders, optional
        Hold the probabilities below the trunk, packed, and sweep them.

    Examples
    --------
    >>> from mouche_solver.core.run import Limits
    >>> from mouche_solver.dice.round.solve import solve_round
    >>> rules = DiceRules(dice=(1, 1), faces=2)
    >>> solution = solve_round(rules, limits=Limits(1e-5))
    >>> advice = solution.policy("2", "1x2")
    >>> [(a.action, round(a.probability, 2)) for a in advice.actions]
    [('doubt', 0.0), ('2x2', 1.0)]
    """

    def __init__(
        self,
        header: Header,
        probabilities: Store,
        trunk_values: tuple[Floats, ...] | None = None,
        threads: int | None = 1,
        holders: Holders | None = None,
    ) -> None:
        self.header, self.probabilities = header, probabilities
        self._holders = holders
        self.rules = header.rules
        self.tree = round_tree(header.rules)
        self.layout = plan_layout(self.tree)
        self._passes = RoundPasses(self.tree, self.layout, np.float32, threads)
        self.values_kept = value_region(self.tree)
        self.trunk_values = trunk_values

    @property
    def quality(self) -> Quality:
        """Value and exploitability, in payoffs of +1 and -1."""
        return self.header.quality

    @property
    def value(self) -> float:
        """First player's expected payoff, +1 for winning the round and -1 for losing it."""
        return self.header.quality.value

    @property
    def exploitability(self) -> float:
        """NashConv / 2 of the stored strategies, by exact best responses."""
        return self.header.quality.exploitability

    @property
    def quality_text(self) -> str:
        """The quality in one line, for people."""
        return f"exploitability {self.exploitability:.1e} (payoffs +1 and -1)"

    def table(self, history: History = "") -> HandTable:
        """The strategy of every hand; see :class:`RoundStrategy`."""
        claims = self.read_history(history)
        line = follow(self.tree, claims, self.strategies, self.header.tremble)
        place = locate(self.layout, line.numbers)
        return hand_table(self.tree, line, self._mixed(place), self._raise_values(place, line))

    def mixed(self, history: History = "") -> HandMix:
        """Probabilities alone; see :class:`RoundStrategy`."""
        claims = self.read_history(history)
        numbers = tuple(self.tree.index[claim] for claim in claims)
        return hand_mix(self.tree, claims, self.strategies(numbers))

    def measure(self) -> Quality:
        """Recompute the exact quality of what is stored.

        With a locked player, only the other one's best response counts.
        """
        value = self.root_value(0, EVALUATE)
        locked = self.header.locked
        low = value if locked == 1 else -self.root_value(1, BEST_RESPONSE)
        high = value if locked == 0 else self.root_value(0, BEST_RESPONSE)
        return Quality(value, low, high)

    def root_value(self, player: int, mode: int) -> float:
        """Expected payoff of a player who plays by ``mode``, the other one as stored.

        Parameters
        ----------
        player : int
        mode : {EVALUATE, BEST_RESPONSE}
            Of :mod:`mouche_solver.dice.sweep.arrays`.

        Returns
        -------
        float
            +1 for winning the round, -1 for losing it.
        """
        step = self._passes.step(1, 1, 0, False)
        below = None
        if self._holders is not None:
            order = Order(player, step, mode, ("packed", "packed"))
            below = partial(self._holders.sweep, order)
        values = self._passes.run(player, step, mode, self._take, below)
        return float(values @ self.tree.classes[player].prior)

    @property
    def game(self) -> GameArrays:
        """The round as flat arrays."""
        return self._passes.game

    def visit(self, player: int, tremble: float) -> Iterator[tuple[Part, Entries, Vectors]]:
        """Every part of the round, with the player's values as stored against trembles.

        Parameters
        ----------
        player : int
        tremble : float
            What every action of the other player keeps.

        Yields
        ------
        tuple of Part, Entries and Vectors
            As :meth:`mouche_solver.dice.sweep.passes.RoundPasses.visit` gives them.
        """
        step = self._passes.step(1, 1, 0, False, (tremble, 0.0))
        return self._passes.visit(player, step, self._take)

    def rim_values(self, player: int, mode: int) -> Floats:
        """The trunk's vectors of the player after a pass over the whole round.

        Parameters
        ----------
        player : int
        mode : {EVALUATE, BEST_RESPONSE}

        Returns
        -------
        float32 array, shape (trunk.vector_size[player],)
            Counterfactual values; empty in a round without a trunk.
        """
        self.root_value(player, mode)
        vectors = self._passes.trunk_vectors
        return np.zeros(0, dtype=np.float32) if vectors is None else vectors.value.copy()

    def rim_vector(self, line: Line, player: int, vectors: Floats) -> NDArray[np.float64]:
        """A player's classes at a history of trunk or rim, from the trunk's vectors.

        Parameters
        ----------
        line : Line
            Ends in the trunk or on its rim.
        player : int
        vectors : float array
            As :meth:`rim_values` gives them.

        Returns
        -------
        float64 array, shape (classes,)
        """
        assert self.layout.trunk is not None
        return vector_at(self.tree, region_place(self.layout.trunk, line.numbers), vectors, player)

    def best_replies(
        self, ranges: Mapping[tuple[int, ...], NDArray[np.float64]], player: int
    ) -> dict[tuple[int, ...], NDArray[np.float64]]:
        """What a best response gets each class of the player below some histories.

        The other player has a given range at each, which the stored strategy need not reach.
        Histories with as many claims lie side by side, so one pass answers for all of them.

        Parameters
        ----------
        ranges : mapping of tuple of int to float64 array, shape (classes of the other,)
            By claim numbers of the tree, in trunk or rim where the round has a trunk; in any scale.
        player : int

        Returns
        -------
        dict of tuple of int to float64 array, shape (classes,)
            Counterfactual values, weighed by the other player's range.
        """
        if self.layout.trunk is None:
            return {line: self._best_below(line, flow, player) for line, flow in ranges.items()}
        found: dict[tuple[int, ...], NDArray[np.float64]] = {}
        for claims in sorted({len(line) for line in ranges}):
            together = {line: flow for line, flow in ranges.items() if len(line) == claims}
            found |= self._best_side_by_side(together, player)
        return found

    def _best_side_by_side(
        self, ranges: Mapping[tuple[int, ...], NDArray[np.float64]], player: int
    ) -> dict[tuple[int, ...], NDArray[np.float64]]:
        assert self.layout.trunk is not None
        at: dict[int, list[tuple[int, tuple[int, ...]]]] = {}
        for line in ranges:
            place = region_place(self.layout.trunk, line)
            at.setdefault(place.cell, []).append((place.row, line))
        found = {}

        def send(cell: int, flow: Floats) -> None:
            for row, line in at.get(cell, ()):
                flow[:, row] = ranges[line]

        def receive(cell: int, value: Floats) -> None:
            for row, line in at.get(cell, ()):
                found[line] = value[:, row].astype(np.float64)

        how = self._passes.step(1, 1, 0, 0), BEST_RESPONSE, self._take
        self._passes.run_stepwise(player, how, send, receive)
        return found

    def _best_below(
        self, numbers: tuple[int, ...], flow: NDArray[np.float64], player: int
    ) -> NDArray[np.float64]:
        place = locate(self.layout, numbers)
        assert place.task is not None
        cut = cut_subgame(self.tree, place)
        game = RegionGame(self.tree, cut.region, self._task_entries(place.task)[cut.index])
        return game.best_response(player, flow.astype(np.float32)).astype(np.float64)

    def remeasured(self) -> "RoundSolution":
        """The same solution with its quality as stored and the values of its trunk."""
        header = replace(self.header, quality=self.measure())
        values = self._measured_values()
        threads, holders = self._passes.threads, self._holders
        return RoundSolution(header, self.probabilities, values, threads, holders)

    def _measured_values(self) -> tuple[Floats, ...]:
        trunk, kept = self.layout.trunk, self.values_kept
        if trunk is None or kept is None:
            return (np.zeros(0, dtype=np.float32),) * 2
        rows = rows_within(self.tree, kept, region_place(trunk, ()))
        found = []
        for player in (0, 1):
            vectors = self.rim_values(player, EVALUATE)
            values = np.zeros(int(kept.vector_size[player]), dtype=np.float32)
            for cell, there in rows.items():
                classes = int(self.tree.classes[player].size[self.tree.level[cell // 2]])
                at, size = int(trunk.vector[player, cell]), classes * int(trunk.rows[cell])
                block = vectors[at : at + size].reshape(classes, -1)[:, there]
                start = int(kept.vector[player, cell])
                values[start : start + block.size] = block.ravel()
            found.append(values)
        return tuple(found)

    def fill(self, average: Floats, player: int) -> None:
        """Copy one player's probabilities into a sweep's averages.

        Parameters
        ----------
        average : float array, shape (entries,)
            Modified in place.
        player : int
        """
        stored = np.asarray(self.probabilities[0 : self.layout.entries])
        for part, where in self._passes.parts():
            fill_region(self._passes.game, part, player, stored[where], average[where])

    def _take(self, where: slice) -> Entries:
        part = np.asarray(self.probabilities[where]).astype(np.float32)
        return Entries(part, part, part, part)

    def _task_entries(self, task: Task) -> Floats:
        return self._take(slice(task.base, task.base + task.entries)).average

    def strategies(self, numbers: tuple[int, ...]) -> NDArray[np.float64]:
        """Probabilities after a line of claim numbers, shape (actions, classes).

        Parameters
        ----------
        numbers : tuple of int

        Returns
        -------
        float64 array, shape (actions, classes)
            Doubt first where there is a claim; columns add up to 1.
        """
        return self._mixed(locate(self.layout, numbers))

    def _mixed(self, place: Place) -> NDArray[np.float64]:
        """Probabilities at a history, shape (actions, classes)."""
        size = mixed_size(self.tree, place)
        block = np.asarray(self.probabilities[place.start : place.start + size])
        return mixed_at(self.tree, replace(place, base=place.base - place.start), block)

    def _raise_values(self, place: Place, line: Line) -> list[Floats]:
        """For each raise, the counterfactual values of the mover's classes."""
        player, cell = line.player, place.cell
        flow = line.flow(self.tree, 1 - player)
        raises = self.tree.raises[cell // 2]
        if place.task is not None:
            entries = self._task_entries(place.task)
            return values_by_cut(self.tree, place, entries, line)
        kept = self.values_kept
        if kept is None or cell not in kept.expand or line.smoothed[1 - player]:
            vectors = self._passes.run_below(
                player, cell, place.row, flow.astype(np.float32), self._take, EVALUATE
            )
            region, values, row = place.region, vectors.value, place.row
        else:
            if self.trunk_values is None:
                self.trunk_values = self._measured_values()
            region, values = kept, self.trunk_values[player]
            row = region_place(kept, line.numbers).row
        return [
            child_values(self.tree, region, values, player, cell, row, claim) for claim in raises
        ]
