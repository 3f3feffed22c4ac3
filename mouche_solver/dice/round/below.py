"""The value of every raise at a history, by evaluating the subgame below it."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from mouche_solver.dice.round.lines import Line
from mouche_solver.dice.round.locate import Place, cut_subgame
from mouche_solver.dice.round.subgame import RegionGame
from mouche_solver.dice.sweep.tree import RoundTree


def values_by_cut(
    tree: RoundTree, place: Place, entries: NDArray[Any], line: Line
) -> list[NDArray[Any]]:
    """For each raise at a place, counterfactual values of the mover's classes.

    The subgame below is cut out and evaluated with the line's ranges.
    """
    cut = cut_subgame(tree, place)
    game = RegionGame(tree, cut.region, entries[cut.index])
    game.evaluate(line.player, line.flow(tree, 1 - line.player).astype(np.float32))
    return [game.child_values(line.player, claim) for claim in tree.raises[place.cell // 2]]
