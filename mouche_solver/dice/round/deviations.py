"""Solve what good play never reaches: every claim of the trunk that a solution hardly ever makes.

Learning moves a strategy as fast as flow reaches it, so behind claims that good play does not make
the mixes stay what the first iterations left. Here the path is fixed, and every deviation from it
is a game of its own, at full scale. Whoever left the path errs the rather, the less it costs his
hand, and some of his hands come on purpose: the new strategy is to win most from the players who
err, and no hand may get more than it was worth before it left the path [1]_ [2]_. Weights of the
hands that come on purpose are the multipliers of that condition, found by dual ascent. Both players
learn below with trembles [3]_, and all deviations learn in the same sweeps. A claim that is rare
inside such a game gets a least share of flow, which does not count for the player who suffers it;
and flow behind a rare claim is scaled up, since regrets from iterations that brought much of it
would outweigh later ones for thousands of iterations.

References
----------
.. [1] Burch, Johanson and Bowling, Solving imperfect information games using decomposition, 2014.
.. [2] Moravčík, Schmid, Ha, Hladík and Gaukrodger, Refining subgames in large imperfect
   information games, 2016.
.. [3] Farina, Kroer and Sandholm, Regret minimization in behaviorally-constrained zero-sum games,
   2017.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from mouche_solver.core.minimisers import Schedule, schedule
from mouche_solver.dice.people.slips import erring
from mouche_solver.dice.round.learned import CompactLearned, Learned
from mouche_solver.dice.round.line import region_place, vector_at
from mouche_solver.dice.round.solution import RoundSolution
from mouche_solver.dice.sweep.arrays import EVALUATE, UPDATE
from mouche_solver.dice.sweep.estimate import estimate, refuse_if_too_large
from mouche_solver.dice.sweep.holders import Order
from mouche_solver.dice.sweep.layout import plan_layout
from mouche_solver.errors import RulesError

Floats = NDArray[np.float64]
Numbers = tuple[int, ...]

# A player's claims are on the path when his hands make them this often.
ON_PATH = 1e-5
# Least share of flow behind a claim inside a deviation, and the share that less is scaled to.
_LEAST, _SCALED = 1e-3, 0.5
# Every hand is kept in every range, so that each is solved.
_KEPT = 1e-6
# Ranges follow the values every so many iterations.
_EVERY = 10
# What actions keep: the first divided by the iteration, the second at least.
_TREMBLE, _LEAST_TREMBLE = 0.1, 1e-4
# Dual ascent: the step, the iteration from which it falls as 1/t (as learning slows down), and how
# far it looks ahead along the last change.
_ASCENT, _FALLING, _AHEAD = 0.3, 100, 2.0
_COMPACT = "--compact takes less, --deviations 0 next to nothing; "


@dataclass(frozen=True, eq=False)
class Node:
    """A line of claims in the trunk of a book, or on its rim.

    Attributes
    ----------
    numbers : tuple of int
        Claim numbers of the tree.
    cell, row : int
        Where it lies in the solution's trunk.
    up : Node or None
        One claim earlier.
    flow : tuple of float64 array, shape (classes,)
        Each player's own reach by the solution, prior included; of no meaning below a deviation.
    chances : float64 array, shape (classes of the claimer before,)
        How often each class makes the last claim.
    state : {"path", "root", "inner"}
        Of good play, the first claim off the path, or below such a claim.
    """

    numbers: Numbers
    cell: int
    row: int
    up: "Node | None"
    flow: tuple[Floats, Floats]
    chances: Floats
    state: str


class _Cell:
    """The deviations that end in one cell of the trunk, side by side: arrays (classes, nodes).

    ``own`` is the range of the player to act behind a root, ``model`` that of a claimer who errs,
    ``extra`` the weights of the claimer's hands that come on purpose, ``promised`` what these may
    have. ``learned`` and ``worth`` are sums of ranges and of expected payoffs over the iterations.
    """

    def __init__(self, nodes: list[Node], priors: tuple[Floats, Floats]) -> None:
        count, sizes = len(nodes), [len(prior) for prior in priors]
        self.nodes = nodes
        self.rows = np.array([node.row for node in nodes])
        self.root = np.array([node.state == "root" for node in nodes])
        self.claimer = 1 - nodes[0].cell % 2
        self.priors = priors
        self.own = np.zeros((sizes[1 - self.claimer], count))
        self.model = np.repeat(priors[self.claimer][:, None], count, axis=1)
        self.extra = np.zeros((sizes[self.claimer], count))
        self.promised = np.zeros((sizes[self.claimer], count))
        self.gain = np.zeros((sizes[self.claimer], count))
        self.natural = np.zeros(count)
        self.mass = [np.zeros(count), np.zeros(count)]
        self.learned = [np.zeros((size, count)) for size in sizes]
        self.worth = [np.zeros((size, count)) for size in sizes]


class Deviations:
    """The games behind the claims that a solution hardly makes, and the sweeps that solve them.

    Parameters
    ----------
    solution : RoundSolution
        Of a round with a trunk.
    rim : int
        Histories with more entries than this below them, and claims from these, are solved.
    threads : int, optional
        All processors by default; the result does not depend on it.
    compact : bool
        Keep regrets and averages below the trunk in 16 bits: less than half of the memory.

    Raises
    ------
    RulesError
        When the round is so small that it has no trunk.
    TooLargeError
        When it does not fit into memory, before anything is allocated.
    """

    def __init__(
        self,
        solution: RoundSolution,
        rim: int,
        threads: int | None = None,
        *,
        compact: bool = False,
    ) -> None:
        if solution.layout.trunk is None:
            raise RulesError("this round is solved on the spot in seconds; it has no trunk")
        need = estimate(solution.rules, compact=compact)
        refuse_if_too_large(solution.rules, need, lambda room: "" if compact else _COMPACT)
        self.solution, self.tree = solution, solution.tree
        self.trunk = solution.layout.trunk
        kind = CompactLearned if compact else Learned
        self.learned: Learned | CompactLearned = kind(self.tree, solution.layout, threads)
        self.rule: Schedule = schedule("dcfr")
        self.done, self.weight = 0, 0.0
        self.nodes = {node.numbers: node for node in self._walk(rim)}
        self._cells: dict[int, _Cell] = {}
        self._place: dict[Numbers, tuple[_Cell, int]] = {}
        self._path_worth: dict[Numbers, Floats] = {}
        self._gather()

    # Lines of claims.

    def _walk(self, rim: int) -> Iterator[Node]:
        short = plan_layout(self.tree, rim).trunk
        inside = set() if short is None else set(short.expand.tolist())
        start = self.tree.classes[0].prior, self.tree.classes[1].prior
        queue = [Node((), 0, 0, None, start, np.ones(1), "path")]
        while queue:
            node = queue.pop(0)
            yield node
            if node.cell in inside:
                mixed = self.solution.strategies(node.numbers)[-len(self._raises(node)) :]
                queue += map(self._child, [node] * len(mixed), self._raises(node), mixed)

    def _raises(self, node: Node) -> tuple[int, ...]:
        return self.tree.raises[node.cell // 2]

    def _child(self, node: Node, claim: int, spoken: Floats) -> Node:
        player = node.cell % 2
        place = region_place(self.trunk, (*node.numbers, claim))
        levels = self._levels(node.cell, place.cell)
        heard = [node.flow[p] * spoken if p == player else node.flow[p] for p in (0, 1)]
        flow = [self.tree.classes[p].summed(levels, heard[p]) for p in (0, 1)]
        state = "path" if flow[player].sum() >= ON_PATH else "root"
        return Node(
            (*node.numbers, claim),
            place.cell,
            place.row,
            node,
            (flow[0], flow[1]),
            spoken,
            state if node.state == "path" else "inner",
        )

    def _levels(self, *cells: int) -> tuple[int, int]:
        first, second = (int(self.tree.level[cell // 2]) for cell in cells)
        return first, second

    def _gather(self) -> None:
        """Nodes cell by cell, and what stands fast at the first claim off the path."""
        groups: dict[int, list[Node]] = {}
        for node in self.nodes.values():
            if node.state != "path":
                groups.setdefault(node.cell, []).append(node)
        values = [self.solution.rim_values(player, EVALUATE) for player in (0, 1)]
        for cell, nodes in groups.items():
            levels = self._levels(0, cell)
            priors = [classes.summed(levels, classes.prior) for classes in self.tree.classes]
            here = _Cell(nodes, (priors[0], priors[1]))
            self._cells[cell] = here
            for n, node in enumerate(nodes):
                self._place[node.numbers] = here, n
                if node.state == "root":
                    self._fix(here, n, values[here.claimer])

    def _fix(self, here: _Cell, n: int, values: NDArray[np.float32]) -> None:
        node, claimer = here.nodes[n], here.claimer
        up = node.up
        assert up is not None
        if up.numbers not in self._path_worth:
            worth = vector_at(self.tree, region_place(self.trunk, up.numbers), values, claimer)
            self._path_worth[up.numbers] = worth / up.flow[1 - claimer].sum()
        worth = self._path_worth[up.numbers]
        levels = self._levels(up.cell, node.cell)
        here.promised[:, n] = self.tree.classes[claimer].least(levels, worth)
        own = node.flow[1 - claimer]
        here.own[:, n] = own / own.sum() + _KEPT * here.priors[1 - claimer]

    # Sweeps.

    def run(
        self,
        iterations: int,
        progress: Callable[[int, int], None] | None = None,
        stop: Callable[[], bool] = lambda: False,
    ) -> None:
        """Do so many iterations more.

        Parameters
        ----------
        iterations : int
        progress : callable, optional
            Receives the iterations done and their number.
        stop : callable
            Asked before each iteration whether to leave it at what was learned so far.
        """
        until = self.done + iterations
        while self.done < until and not stop():
            self.done += 1
            self.weight += self.rule.weight(self.done)
            for player in (0, 1):
                self._sweep(player)
            if self.done % _EVERY == 0:
                self._follow_values()
            if progress is not None:
                progress(self.done, until)

    def _sweep(self, player: int) -> None:
        positive, negative = self.rule.factors(self.done)
        tremble = max(_TREMBLE / self.done, _LEAST_TREMBLE)
        weight = self.rule.weight(self.done)
        step = self.learned.passes.step(positive, negative, weight, 0.0, (tremble, tremble))
        self.learned.run(
            Order(player, step, UPDATE, ("source", "source"), self.done),
            lambda cell, flow: self._send(cell, flow, 1 - player),
            lambda cell, value: self._receive(cell, value, player),
        )

    def _send(self, cell: int, flow: NDArray[np.float32], pusher: int) -> None:
        """Put the ranges where deviations begin; ``flow`` is the cell's, (classes, rows)."""
        here = self._cells.get(cell)
        if here is None:
            return
        found = flow[:, here.rows].astype(np.float64)
        if pusher != here.claimer:
            found[:, here.root] = here.own[:, here.root]
        else:
            here.natural = np.where(here.root, 0.0, found.sum(axis=0))
            above = np.array([self._mass(node.up, pusher) for node in here.nodes])
            found += np.maximum(_LEAST * above - here.natural, 0.0) * here.model
            found *= np.maximum(_SCALED * above / np.maximum(found.sum(axis=0), 1e-30), 1.0)
            found[:, here.root] = (here.model + here.extra)[:, here.root]
        flow[:, here.rows] = found
        here.mass[pusher] = found.sum(axis=0)
        here.learned[pusher] += self.rule.weight(self.done) * found

    def _mass(self, node: Node | None, player: int) -> float:
        if node is None or node.state == "path":
            return 0.0
        here, n = self._place[node.numbers]
        return float(here.mass[player][n])

    def _receive(self, cell: int, value: NDArray[np.float32], player: int) -> None:
        """Note what classes get, and keep least shares out of what is handed up."""
        here = self._cells.get(cell)
        if here is None:
            return
        found = value[:, here.rows].astype(np.float64)
        mass = np.maximum(here.mass[1 - player], 1e-30)
        here.worth[player] += self.rule.weight(self.done) * found / mass
        if player != here.claimer:
            value[:, here.rows] = found * (here.natural / mass)
            return
        gain = found / mass - here.promised
        step = _ASCENT * min(1.0, _FALLING / self.done)
        here.extra += step * (gain + _AHEAD * (gain - here.gain))
        here.extra = np.maximum(here.extra, 0.0)
        here.gain = gain

    def _follow_values(self) -> None:
        """Ranges of players who err, from what their hands lose by it on average so far."""
        for here in self._cells.values():
            prior = here.priors[here.claimer]
            for n, node in enumerate(here.nodes):
                erring = self._erring(here, n, node)
                total = erring.sum()
                here.model[:, n] = (erring / total if total > 0 else prior) + _KEPT * prior

    def _erring(self, here: _Cell, n: int, node: Node) -> Floats:
        up, claimer = node.up, here.claimer
        assert up is not None
        before, classes = self.range(up.numbers, claimer), self.tree.classes[claimer]
        levels = self._levels(up.cell, node.cell)
        merge = classes.merge[levels][: len(before)]
        if up.state == "path":
            kept = self._path_worth[up.numbers]
        else:
            above, at = self._place[up.numbers]
            kept = above.worth[claimer][:, at] / self.weight
        loss = np.maximum(kept - (here.worth[claimer][:, n] / self.weight)[merge], 0.0)
        spoken = node.chances if node.state == "root" else np.zeros(len(before))
        return classes.summed(levels, before * erring(spoken, loss))

    # Results.

    def range(self, numbers: Numbers, player: int) -> Floats:
        """A player's range after a line of claims, adding up to 1.

        Parameters
        ----------
        numbers : tuple of int
        player : int

        Returns
        -------
        float64 array, shape (classes,)
            On the path that of the solution; behind a deviation that of the sweeps.
        """
        node = self.nodes[numbers]
        found = node.flow[player]
        if node.state != "path":
            here, n = self._place[numbers]
            found = here.learned[player][:, n]
        return np.asarray(found / found.sum())

    def mended(self) -> RoundSolution:
        """The solution with what was learned below every deviation; measured anew.

        Returns
        -------
        RoundSolution
        """
        merged = self.learned.merged(self.solution.probabilities)
        threads = self.learned.passes.threads
        return RoundSolution(self.solution.header, merged, threads=threads).remeasured()
