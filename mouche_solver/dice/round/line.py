"""Lines of claims: where their strategies lie, who can hold what, what a doubt is worth."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mouche_solver.dice.round.strategy import HandMix, HandTable
from mouche_solver.dice.rules.notation import DOUBT
from mouche_solver.dice.rules.rules import Claim
from mouche_solver.dice.sweep.layout import Layout, Region, Task
from mouche_solver.dice.sweep.tree import RoundTree

Floats = NDArray[Any]
# Probabilities, shape (actions, classes), after a line of claim numbers.
Strategies = Callable[[tuple[int, ...]], NDArray[np.float64]]


@dataclass(frozen=True)
class Place:
    """Where one public history lies.

    Attributes
    ----------
    cell, row : int
        Its cell, and its row there within the trunk or the task.
    region : Region
        The trunk, or the template of the task.
    many, base : int
        Root rows of the region and where its entries start.
    task : Task or None
        None in the trunk.
    rim_row : int
        Row of the task's root on which the history depends; 0 in the trunk.
    """

    cell: int
    row: int
    region: Region
    many: int
    base: int
    task: Task | None
    rim_row: int

    @property
    def rows(self) -> int:
        """Rows of the cell in its region."""
        return int(self.region.rows[self.cell]) * self.many

    @property
    def start(self) -> int:
        """Where the entries of the cell start."""
        return self.base + int(self.region.entry[self.cell]) * self.many


def locate(layout: Layout, claims: tuple[int, ...]) -> Place:
    """The place of a line of claims, given as claim numbers of the tree.

    Parameters
    ----------
    layout : Layout
    claims : tuple of int

    Returns
    -------
    Place
        In the trunk, or in the task that holds the line.
    """
    first = layout.tasks[0]
    if layout.trunk is None:
        place = Place(0, 0, first.region, 1, first.base, first, 0)
    else:
        place = Place(0, 0, layout.trunk, 1, 0, None, 0)
    for claim in claims:
        place = _step(layout, place, claim)
    return place


def next_cell(region: Region, cell: int, claim: int) -> int:
    """The cell after a raise: the next player, of any number of them, is to act.

    Parameters
    ----------
    region : Region
    cell : int
        ``players * claim + player`` of the claim that stands and the player to act.
    claim : int
        The raise, as a number of the tree.

    Returns
    -------
    int
    """
    cells, claims = region.child_row.shape
    players = int(cells // claims)
    return players * claim + (cell + 1) % players


def _step(layout: Layout, place: Place, claim: int) -> Place:
    cell = next_cell(place.region, place.cell, claim)
    row = int(place.region.child_row[place.cell, claim]) * place.many + place.row
    region, many, base, task = place.region, place.many, place.base, place.task
    if task is not None or cell in region.expand:
        return Place(cell, row, region, many, base, task, place.rim_row)
    found = next(
        t for t in layout.tasks if t.region.root == cell and t.first <= row < t.first + t.rows
    )
    local = row - found.first
    return Place(cell, local, found.region, found.rows, found.base, found, local)


def region_place(region: Region, numbers: tuple[int, ...]) -> Place:
    """The place of a line of claims that starts at the region's root, with one root row.

    Parameters
    ----------
    region : Region
    numbers : tuple of int
        Claim numbers of the tree, all of them inside the region or on its rim.

    Returns
    -------
    Place
    """
    cell, row = region.root, 0
    for claim in numbers:
        row += int(region.child_row[cell, claim])
        cell = next_cell(region, cell, claim)
    return Place(cell, row, region, 1, 0, None, 0)


def mixed_size(tree: RoundTree, place: Place) -> int:
    """Entries of a place's cell; 0 where the doubt is forced."""
    claim, player = divmod(place.cell, tree.rules.players)
    raises = len(tree.raises[claim])
    classes = int(tree.classes[player].size[tree.level[claim]])
    return (raises + (claim > 0)) * classes * place.rows if raises else 0


def mixed_at(tree: RoundTree, place: Place, entries: NDArray[Any]) -> NDArray[np.float64]:
    """Probabilities at a place, from entries in any scale; shape (actions, classes).

    Parameters
    ----------
    tree : RoundTree
    place : Place
    entries : array of any number type, shape (entries,)
        In the order of the place's layout, ``place.start`` being an index into it.

    Returns
    -------
    float64 array, shape (actions, classes)
        Doubt first where there is a claim; columns add up to 1, equal where all entries are 0.
    """
    claim, player = divmod(place.cell, tree.rules.players)
    classes = int(tree.classes[player].size[tree.level[claim]])
    if not tree.raises[claim]:
        return np.ones((1, classes))
    actions = len(tree.raises[claim]) + (claim > 0)
    block = entries[place.start : place.start + mixed_size(tree, place)]
    mixed = block.reshape(actions, classes, place.rows)[:, :, place.row].astype(np.float64)
    total = mixed.sum(axis=0)
    return np.where(total > 0, mixed / np.where(total > 0, total, 1.0), 1.0 / actions)


def vector_at(
    tree: RoundTree, place: Place, vectors: NDArray[Any], player: int
) -> NDArray[np.float64]:
    """One history's numbers per class of a player, from the vectors of a region.

    Parameters
    ----------
    tree : RoundTree
    place : Place
    vectors : float array
        One player's vectors of the place's region, as a pass leaves them.
    player : int

    Returns
    -------
    float64 array, shape (classes,)
    """
    classes = int(tree.classes[player].size[tree.level[place.cell // 2]])
    at = int(place.region.vector[player, place.cell])
    block = vectors[at : at + classes * place.rows].reshape(classes, place.rows)
    return block[:, place.row].astype(np.float64)


@dataclass(frozen=True)
class Line:
    """A line of claims and what it says about the hands.

    Attributes
    ----------
    claims : tuple of Claim
    numbers : tuple of int
        The claims as numbers of the tree.
    reach : tuple of float64 array, shape (hands,)
        For each player, prior times the probability of own claims. Where no hand of a player
        speaks so, the impossible claim is taken to say nothing.
    smoothed : tuple of bool
        For each player, whether that was necessary, or the range counts on trembles.
    """

    claims: tuple[Claim, ...]
    numbers: tuple[int, ...]
    reach: tuple[NDArray[np.float64], ...]
    smoothed: tuple[bool, ...]

    @property
    def player(self) -> int:
        """The player to act."""
        return len(self.claims) % 2

    @property
    def last(self) -> int:
        """The number of the claim that stands; 0 before any."""
        return self.numbers[-1] if self.numbers else 0

    def flow(self, tree: RoundTree, player: int) -> NDArray[np.float64]:
        """A player's reach summed over the classes that still matter.

        Parameters
        ----------
        tree : RoundTree
        player : int

        Returns
        -------
        float64 array, shape (classes,)
            At the level of the last claim.
        """
        return tree.classes[player].summed((0, int(tree.level[self.last])), self.reach[player])


# A line is on the path when a strategy speaks so this many times as often as its trembles do.
_CLEAR = 100.0


def follow(
    tree: RoundTree, claims: Sequence[Claim], strategies: Strategies, tremble: float = 0.0
) -> Line:
    """Follow a legal line of claims.

    Parameters
    ----------
    tree : RoundTree
    claims : sequence of Claim
    strategies : callable
        Gives the probabilities after a line of claim numbers, shape (actions, classes).
    tremble : float
        What every action keeps beside its strategy. Where that is not far less than what the
        strategy says, it counts: such a line has the range of whoever errs.

    Returns
    -------
    Line
    """
    numbers = tuple(tree.index[claim] for claim in claims)
    reach = [classes.prior.copy() for classes in tree.classes]
    erring = [classes.prior.copy() for classes in tree.classes]
    smoothed = [False, False]
    last = 0
    for done, claim in enumerate(numbers):
        player = done % 2
        mixed = strategies(numbers[:done])
        column = tree.raises[last].index(claim) + (last > 0)
        played = mixed[column][tree.classes[player].of_hand[tree.level[last]]]
        kept = min(tremble, 0.5 / len(mixed))
        erring[player] *= played * (1.0 - kept * len(mixed)) + kept
        spoken = reach[player] * played
        if spoken.sum() > 0:
            reach[player] = spoken
        else:
            smoothed[player] = True
        last = claim
    for player in (0, 1) if tremble > 0 else ():
        errors = erring[player].sum() - reach[player].sum()
        if smoothed[player] or reach[player].sum() < _CLEAR * errors:
            reach[player], smoothed[player] = erring[player], True
    return Line(tuple(claims), numbers, tuple(reach), (smoothed[0], smoothed[1]))


def hand_mix(tree: RoundTree, claims: Sequence[Claim], mixed: NDArray[np.float64]) -> HandMix:
    """What every hand does after a line of claims, from probabilities (actions, classes).

    Parameters
    ----------
    tree : RoundTree
    claims : sequence of Claim
    mixed : float64 array, shape (actions, classes)

    Returns
    -------
    HandMix
        Every hand with the probabilities of its class.
    """
    last, classes = tree.index[claims[-1]] if claims else 0, tree.classes[len(claims) % 2]
    actions = [str(tree.claims[claim]) for claim in tree.raises[last]]
    if claims:
        actions.insert(0, DOUBT)
    of_hand = classes.of_hand[tree.level[last]]
    return HandMix(tuple(claims), len(claims) % 2, classes.hands, tuple(actions), mixed.T[of_hand])


def hand_table(
    tree: RoundTree, line: Line, mixed: NDArray[np.float64], raises: Sequence[Floats]
) -> HandTable:
    """The table of every hand, from the mixed strategy and the values of the raises.

    ``mixed`` has shape (actions, classes); ``raises`` holds counterfactual values per class.

    Parameters
    ----------
    tree : RoundTree
    line : Line
    mixed : float64 array, shape (actions, classes)
        Of the player to act; columns add up to 1.
    raises : sequence of float array, shape (classes,)
        For each raise, counterfactual values of the player's classes: weighed by the other
        player's flow.

    Returns
    -------
    HandTable
        Values divided by that flow: expected payoffs, +1 for winning the round.
    """
    player, level = line.player, tree.level[line.last]
    flow = line.flow(tree, 1 - player)
    mass = float(flow.sum())
    columns = [np.asarray(value, dtype=np.float64) / mass for value in raises]
    if line.last > 0:
        columns.insert(0, doubt_values(tree, line.last, player, flow / mass))
    of_hand = tree.classes[player].of_hand[level]
    reach = 0.0 if any(line.smoothed) else float(np.prod([r.sum() for r in line.reach]))
    mix = hand_mix(tree, line.claims, mixed)
    return HandTable(
        **vars(mix),
        values=np.stack(columns, axis=1)[of_hand],
        ranges=tuple(r / r.sum() for r in line.reach),
        reach=reach,
    )


def doubt_values(
    tree: RoundTree, claim: int, player: int, flow: NDArray[np.float64]
) -> NDArray[np.float64]:
    """What a doubt pays each class of the player, given the other's range over classes.

    Parameters
    ----------
    tree : RoundTree
    claim : int
        The doubted claim, not 0.
    player : int
        Who doubts.
    flow : float64 array, shape (classes of the other,)

    Returns
    -------
    float64 array, shape (classes of the player,)
        Flow against which the doubt wins, less flow against which it loses.
    """
    level = tree.level[claim]
    stated = tree.claims[claim]
    assert stated is not None
    own = tree.own_count[player][claim][: tree.classes[player].size[level]]
    other = tree.own_count[1 - player][claim][: len(flow)]
    total = own[:, None] + other[None, :]
    true = total == stated.quantity if tree.rules.truth == "exactly" else total >= stated.quantity
    return np.where(true, -1.0, 1.0) @ flow
