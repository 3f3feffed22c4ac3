"""How large a game's tree is, before it is walked."""

import random
from collections.abc import Callable, Sequence
from math import sqrt
from typing import Any, NamedTuple, TypeVar

from mouche_solver.core.trees.game import ExtensiveGame
from mouche_solver.errors import TooLargeError

S = TypeVar("S")

MAX_NODES = 4_000_000

# Of memory per node of the tree, keys of information sets included: the most that was measured.
BYTES_PER_NODE = 450
# A tree is refused unwalked when its estimate is this many times too large, or too large by this
# many standard errors. Few walks meet the long lines of a large tree: estimates are rather too low,
# and their errors wide.
_TIMES, _ERRORS = 10, 4


class Size(NamedTuple):
    """An estimate of a tree's nodes, and its standard error."""

    nodes: float
    error: float

    def surely_above(self, limit: int) -> bool:
        """Whether the tree has more nodes than ``limit``, as far as an estimate can say.

        Examples
        --------
        >>> Size(1e6, 1e5).surely_above(500_000), Size(1e6, 2e5).surely_above(500_000)
        (True, False)
        """
        return self.nodes > _TIMES * limit or self.nodes - _ERRORS * self.error > limit


def estimate_size(
    root: S,
    actions: Callable[[S], Sequence[Any]],
    child: Callable[[S, Any], S],
    walks: int = 200,
    seed: int = 0,
) -> Size:
    """Estimate the nodes of a tree from random walks [1]_.

    The estimate is unbiased: each walk adds the products of the branching numbers along it.

    Parameters
    ----------
    root : object
        The state at the start.
    actions : callable
        Actions of players or of chance in a state; none at an end.
    child : callable
        The state after an action.
    walks : int
        Number of random walks, at least 2.
    seed : int
        The same seed walks the same ways.

    References
    ----------
    .. [1] Knuth, Estimating the efficiency of backtrack programs, 1975.

    Examples
    --------
    >>> estimate_size(0, lambda depth: [1, 2] if depth < 3 else [], lambda depth, _: depth + 1)
    Size(nodes=15.0, error=0.0)
    """
    rng = random.Random(seed)
    found = []
    for _ in range(walks):
        state, total, width = root, 1.0, 1.0
        while options := actions(state):
            width *= len(options)
            total += width
            state = child(state, rng.choice(options))
        found.append(total)
    mean = sum(found) / walks
    spread = sum((each - mean) ** 2 for each in found) / (walks - 1)
    return Size(mean, sqrt(spread / walks))


def estimate_nodes(game: ExtensiveGame[Any], walks: int = 200, seed: int = 0) -> float:
    """Estimate the nodes of a game's tree; see :func:`estimate_size`."""
    return _size(game, walks, seed).nodes


def _size(game: ExtensiveGame[Any], walks: int = 200, seed: int = 0) -> Size:
    def actions(state: Any) -> Sequence[Any]:
        if game.is_terminal(state):
            return ()
        if game.is_chance(state):
            return [action for action, _ in game.chance_outcomes(state)]
        return list(game.actions(state))

    return estimate_size(game.initial(), actions, game.child, walks, seed)


def refuse_giant(game: ExtensiveGame[Any], max_nodes: int) -> None:
    """Raise :class:`TooLargeError` when the tree is surely beyond ``max_nodes``."""
    size = _size(game)
    if size.surely_above(max_nodes):
        raise refusal(size.nodes, max_nodes)


def too_large(game: ExtensiveGame[Any], max_nodes: int) -> TooLargeError:
    """The error for a tree that does not fit, with an estimate of its size."""
    return refusal(max(estimate_nodes(game), max_nodes + 1), max_nodes)


def refusal(nodes: float, max_nodes: int) -> TooLargeError:
    """The error for a tree of so many nodes."""
    return TooLargeError(
        f"the game tree has about {nodes:.2g} nodes ({nodes * BYTES_PER_NODE / 2**30:.2g} GiB); "
        f"at most {max_nodes:,} are allowed here: take a smaller game"
    )
