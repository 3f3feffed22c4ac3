"""Following a line of claims: who can hold what, and what a doubt is worth there."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mouche_solver.dice.round.strategy import HandMix, HandTable
from mouche_solver.dice.rules.notation import DOUBT
from mouche_solver.dice.rules.rules import Claim
from mouche_solver.dice.sweep.tree import RoundTree

Floats = NDArray[Any]
# Probabilities, shape (actions, classes), after a line of claim numbers.
Strategies = Callable[[tuple[int, ...]], NDArray[np.float64]]


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
        For each player, whether that was necessary.
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
        """A player's reach summed over the classes that still matter."""
        level = tree.level[self.last]
        classes = tree.classes[player]
        summed = np.zeros(int(classes.size[level]))
        np.add.at(summed, classes.of_hand[level], self.reach[player])
        return summed


def follow(tree: RoundTree, claims: Sequence[Claim], strategies: Strategies) -> Line:
    """Follow a legal line of claims."""
    numbers = tuple(tree.index[claim] for claim in claims)
    reach = [classes.prior.copy() for classes in tree.classes]
    smoothed = [False, False]
    last = 0
    for done, claim in enumerate(numbers):
        player = done % 2
        mixed = strategies(numbers[:done])
        column = tree.raises[last].index(claim) + (last > 0)
        played = mixed[column][tree.classes[player].of_hand[tree.level[last]]]
        spoken = reach[player] * played
        if spoken.sum() > 0:
            reach[player] = spoken
        else:
            smoothed[player] = True
        last = claim
    return Line(tuple(claims), numbers, tuple(reach), (smoothed[0], smoothed[1]))


def hand_mix(tree: RoundTree, claims: Sequence[Claim], mixed: NDArray[np.float64]) -> HandMix:
    """What every hand does after a line of claims, from probabilities (actions, classes)."""
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
    """What a doubt pays each class of the player, given the other's range over classes."""
    level = tree.level[claim]
    stated = tree.claims[claim]
    assert stated is not None
    own = tree.own_count[player][claim][: tree.classes[player].size[level]]
    other = tree.own_count[1 - player][claim][: len(flow)]
    total = own[:, None] + other[None, :]
    true = total == stated.quantity if tree.rules.truth == "exactly" else total >= stated.quantity
    return np.where(true, -1.0, 1.0) @ flow
