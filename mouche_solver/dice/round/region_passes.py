"""Passes over one region with one root row, in numpy alone: an answer must not wait for a compiler.

They do what :func:`mouche_solver.dice.sweep.kernels_push.push_region` and
:func:`mouche_solver.dice.sweep.kernels_pull.pull_region` do, a cell at a time: all actions,
classes and rows of a cell are one block. Regions that are solved for an answer have a few hundred
cells, so numpy's own loops do nearly all of the work.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from mouche_solver.dice.sweep.arrays import BEST_RESPONSE, NOTHING, UPDATE, Floats, Step
from mouche_solver.dice.sweep.layout import Region
from mouche_solver.dice.sweep.tree import RoundTree


@dataclass(frozen=True)
class _Children:
    """Neighbouring raises of a cell after which the same faces matter.

    ``first`` and ``last`` bound their places among the actions. For each player ``merge`` has
    the class of each class one claim later, None where nothing merges, and ``join`` the same as a
    matrix. ``flow`` and ``value`` are, for each player and raise, the columns of the child's
    vectors that belong to the cell.
    """

    first: int
    last: int
    merge: tuple[NDArray[np.int64] | None, ...]
    join: tuple[Floats, ...]
    flow: tuple[list[Floats], ...]
    value: tuple[list[Floats], ...]


@dataclass(frozen=True)
class _Doubt:
    """What a doubt pays, by dice that match the claim.

    ``pay[a]`` has shape (dice of player a, dice of the other), +1 where the claim is true,
    ``count`` each class's dice and ``group`` the same as a matrix.
    """

    pay: tuple[Floats, ...]
    count: tuple[NDArray[np.int64], ...]
    group: tuple[Floats, ...]

    def of(self, player: int, flow: Floats) -> Floats:
        """What each class of a player has when the claim is called, against the other's flow.

        Positive where the claim is true.
        """
        table = self.pay[player] @ (self.group[1 - player] @ flow)
        return np.asarray(table[self.count[player]])


@dataclass(frozen=True)
class _Cell:
    player: int
    start: int
    shape: tuple[int, int, int]
    doubt: _Doubt | None
    raises: list[_Children]
    flow: tuple[Floats, ...]
    value: tuple[Floats, ...]

    def block(self, entries: Floats) -> Floats:
        """The cell's entries, shape (actions, classes, rows)."""
        size = self.shape[0] * self.shape[1] * self.shape[2]
        return entries[self.start : self.start + size].reshape(self.shape)


class RegionPasses:
    """Passes over a region below one history.

    Parameters
    ----------
    tree : RoundTree
        Of two players.
    region : Region
        Nothing cut off.

    Attributes
    ----------
    flow, value : tuple of float32 array
        For each player, his vectors of the region: ``region.vector`` says where a cell's are.
    """

    def __init__(self, tree: RoundTree, region: Region) -> None:
        self.region = region
        sizes = [int(size) for size in region.vector_size]
        self.flow = tuple(np.zeros(size, dtype=np.float32) for size in sizes)
        self.value = tuple(np.zeros(size, dtype=np.float32) for size in sizes)
        self._tree = tree
        self._doubts: dict[int, _Doubt] = {}
        self._joins: dict[tuple[int, int, int], Floats] = {}
        self._cells = [self._cell(int(cell)) for cell in region.expand]
        widest = max(int(np.prod(cell.shape)) for cell in self._cells)
        self._scratch = tuple(np.empty(widest, dtype=np.float32) for _ in range(2))
        self._described: dict[int, tuple[Floats, Floats]] = {}

    # BLAS may raise the flag of an invalid operation for numbers beyond the end of a vector.
    @np.errstate(invalid="ignore")
    def run(
        self,
        player: int,
        flow: Floats,
        source: tuple[Floats, Floats],
        regret: Floats,
        average: Floats,
        step: Step,
        mode: int,
    ) -> Floats:
        """One pass: the other player's flow down, the player's values back.

        Parameters
        ----------
        player : int
            The updated, evaluated or answering player.
        flow : float array, shape (classes of the other,)
            The other player's range at the root.
        source : tuple of float32 array, shape (entries,)
            What each player plays by.
        regret, average : float32 array, shape (entries,)
            Take the updates of a learning pass: regrets of the player, the other's average.
        step : Step
        mode : {UPDATE, EVALUATE, BEST_RESPONSE}

        Returns
        -------
        float32 array, shape (classes of the player,)
            Counterfactual values at the root.
        """
        self._push(1 - player, flow, source[1 - player], average, step)
        if 1 - player in self._described:
            known, answers = self._described[1 - player]
            self.flow[1 - player][...] += known
            self.value[player][...] += answers
        for cell in reversed(self._cells):
            if cell.player == player:
                self._pull_acting(cell, player, source[player], regret, step, mode)
            else:
                self._pull_waiting(cell, player)
        return self._cells[0].value[player][:, 0].copy()

    @np.errstate(invalid="ignore")
    def describe(self, player: int, flow: Floats, entries: Floats, step: Step) -> None:
        """Let a part of a player play by given entries in every pass from now on.

        It comes on top of the flow that a pass is given, and learns nothing.

        Parameters
        ----------
        player : int
        flow : float array, shape (classes,)
            That part's range at the root; the last one that was given counts.
        entries : float32 array, shape (entries,)
            What it plays, in any scale.
        step : Step
            Without weight.
        """
        answers = self.value[1 - player]
        answers[...] = 0.0
        self._push(player, flow, entries, entries, step)
        self._described[player] = self.flow[player].copy(), answers.copy()

    def _push(self, pusher: int, flow: Floats, source: Floats, average: Floats, step: Step) -> None:
        self._cells[0].flow[pusher][:, 0] = flow
        for cell in self._cells:
            if cell.player == pusher:
                self._push_acting(cell, pusher, source, average, step)
            else:
                self._push_waiting(cell, pusher)

    def _push_waiting(self, cell: _Cell, pusher: int) -> None:
        own = cell.flow[pusher]
        for children in cell.raises:
            held = own if children.merge[pusher] is None else children.join[pusher] @ own
            for slot in children.flow[pusher]:
                slot[...] = held

    def _push_acting(
        self, cell: _Cell, pusher: int, source: Floats, average: Floats, step: Step
    ) -> None:
        own, answer = cell.flow[pusher], cell.value[1 - pusher]
        if not cell.raises:
            assert cell.doubt is not None
            answer[...] = cell.doubt.of(1 - pusher, own)
            return
        played, _ = self._mixed(cell, source)
        actions = cell.shape[0]
        played *= own
        if step.weight > 0:
            added = self._scratch[1][: played.size].reshape(cell.shape)
            np.multiply(played, step.weight, out=added)
            total = cell.block(average)
            total += added
        tremble = min(step.tremble, 0.5 / actions)
        if tremble > 0:
            played *= np.float32(1.0 - tremble * actions)
            played += np.float32(tremble) * own
        if cell.doubt is not None:
            answer[...] = cell.doubt.of(1 - pusher, played[0])
        else:
            answer[...] = 0.0
        for children in cell.raises:
            held = played[children.first : children.last]
            if children.merge[pusher] is not None:
                held = children.join[pusher] @ held
            for each, slot in zip(held, children.flow[pusher], strict=True):
                slot[...] = each

    def _pull_waiting(self, cell: _Cell, player: int) -> None:
        value = cell.value[player]
        for children in cell.raises:
            found = children.value[player]
            merge = children.merge[player]
            if merge is None:
                for each in found:
                    value += each
            else:
                total = found[0].copy()
                for each in found[1:]:
                    total += each
                value += total[merge]

    def _pull_acting(
        self, cell: _Cell, player: int, source: Floats, regret: Floats, step: Step, mode: int
    ) -> None:
        value = cell.value[player]
        if not cell.raises:
            assert cell.doubt is not None
            np.negative(cell.doubt.of(player, cell.flow[1 - player]), out=value)
            return
        size = int(np.prod(cell.shape))
        worth = self._scratch[1][:size].reshape(cell.shape)
        if cell.doubt is not None:
            np.negative(cell.doubt.of(player, cell.flow[1 - player]), out=worth[0])
        for children in cell.raises:
            merge = children.merge[player]
            block = worth[children.first : children.last]
            for target, found in zip(block, children.value[player], strict=True):
                target[...] = found if merge is None else found[merge]
        actions = cell.shape[0]
        tremble = min(step.own_tremble, 0.5 / actions)
        plain = worth.sum(axis=0) if tremble > 0 else None
        if mode == BEST_RESPONSE:
            worth.max(axis=0, out=value)
        else:
            mixed, positive = self._mixed(cell, source, keep=mode == UPDATE)
            mixed *= worth
            mixed.sum(axis=0, out=value)
            if mode == UPDATE:
                old = cell.block(regret)
                worth -= value
                old *= step.negative
                if positive is not None:
                    positive *= step.positive - step.negative
                    old += positive
                old += worth
        if plain is not None:
            value *= np.float32(1.0 - tremble * actions)
            value += np.float32(tremble) * plain

    def _mixed(
        self, cell: _Cell, source: Floats, keep: bool = False
    ) -> tuple[Floats, Floats | None]:
        """Regret matching, shape (actions, classes, rows), and the positive parts where kept."""
        entries = cell.block(source)
        mixed = self._scratch[0][: entries.size].reshape(cell.shape)
        np.maximum(entries, 0.0, out=mixed)
        positive = mixed.copy() if keep else None
        total = mixed.sum(axis=0)
        empty = total <= NOTHING
        if empty.any():
            mixed[:, empty] = 1.0
            total[empty] = cell.shape[0]
        mixed /= total
        return mixed, positive

    def _cell(self, number: int) -> _Cell:
        tree, region = self._tree, self.region
        claim, player = divmod(number, 2)
        raises = tree.raises[claim]
        actions = len(raises) + (claim > 0)
        classes = int(tree.classes[player].size[tree.level[claim]])
        flow, value = (
            tuple(self._view(vectors[each], number, each) for each in (0, 1))
            for vectors in (self.flow, self.value)
        )
        return _Cell(
            player,
            int(region.entry[number]),
            (actions, classes, int(region.rows[number])),
            self._doubt(claim) if claim else None,
            self._children(number) if raises else [],
            flow,
            value,
        )

    def _view(self, vector: Floats, cell: int, player: int) -> Floats:
        """A player's numbers in a cell, shape (classes, rows)."""
        classes = int(self._tree.classes[player].size[self._tree.level[cell // 2]])
        rows, at = int(self.region.rows[cell]), int(self.region.vector[player, cell])
        return vector[at : at + classes * rows].reshape(classes, rows)

    def _children(self, number: int) -> list[_Children]:
        tree = self._tree
        claim, _player = divmod(number, 2)
        doubts = int(claim > 0)
        raises = tree.raises[claim]
        found: list[_Children] = []
        first = 0
        while first < len(raises):
            level = int(tree.level[raises[first]])
            last = first
            while last < len(raises) and tree.level[raises[last]] == level:
                last += 1
            among = raises[first:last]
            above = int(tree.level[claim])
            merges = [self._merge(each, above, level) for each in (0, 1)]
            flow, value = (
                tuple(
                    [self._slot(vectors[each], number, after, each) for after in among]
                    for each in (0, 1)
                )
                for vectors in (self.flow, self.value)
            )
            joins = tuple(self._join(each, above, level) for each in (0, 1))
            found.append(
                _Children(doubts + first, doubts + last, tuple(merges), joins, flow, value)
            )
            first = last
        return found

    def _slot(self, vector: Floats, cell: int, claim: int, player: int) -> Floats:
        """The columns of a child's vectors that belong to a cell."""
        region = self.region
        child = 2 * claim + 1 - cell % 2
        first = int(region.child_row[cell, claim])
        return self._view(vector, child, player)[:, first : first + int(region.rows[cell])]

    def _merge(self, player: int, above: int, below: int) -> NDArray[np.int64] | None:
        classes = self._tree.classes[player]
        merge = classes.merge[above, below, : classes.size[above]]
        same = classes.size[above] == classes.size[below]
        return None if same and np.array_equal(merge, np.arange(len(merge))) else merge

    def _join(self, player: int, above: int, below: int) -> Floats:
        key = (player, above, below)
        if key not in self._joins:
            classes = self._tree.classes[player]
            merge = classes.merge[above, below, : classes.size[above]]
            matrix = np.zeros((int(classes.size[below]), len(merge)), dtype=np.float32)
            matrix[merge, np.arange(len(merge))] = 1.0
            self._joins[key] = matrix
        return self._joins[key]

    def _doubt(self, claim: int) -> _Doubt:
        if claim not in self._doubts:
            tree = self._tree
            stated = tree.claims[claim]
            assert stated is not None
            level = tree.level[claim]
            counts = [
                tree.own_count[each][claim][: tree.classes[each].size[level]] for each in (0, 1)
            ]
            ranges = [np.arange(dice + 1) for dice in tree.rules.dice]
            pay = []
            for player in (0, 1):
                dice = ranges[player][:, None] + ranges[1 - player][None, :]
                exactly = tree.rules.truth == "exactly"
                true = dice == stated.quantity if exactly else dice >= stated.quantity
                pay.append(np.where(true, 1.0, -1.0).astype(np.float32))
            group = tuple(
                (ranges[each][:, None] == counts[each][None, :]).astype(np.float32)
                for each in (0, 1)
            )
            self._doubts[claim] = _Doubt(tuple(pay), (counts[0], counts[1]), group)
        return self._doubts[claim]
