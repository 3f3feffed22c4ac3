"""How large a game's tree is, before it is walked."""

import random
from typing import Any

from mouche_solver.core.trees.game import ExtensiveGame
from mouche_solver.errors import TooLargeError

MAX_NODES = 4_000_000

# Of memory per node of the tree, keys of information sets included: the most that was measured.
BYTES_PER_NODE = 450
# An estimate may be wrong; only what is this many times too large is refused unwalked.
DOUBT = 10


def estimate_nodes(game: ExtensiveGame[Any], walks: int = 200, seed: int = 0) -> float:
    """Estimate the nodes of a tree from random walks [1]_.

    The estimate is unbiased: each walk adds the products of the branching numbers along it.

    Parameters
    ----------
    game : ExtensiveGame
    walks : int
        Number of random walks.
    seed : int
        The same seed walks the same ways.

    References
    ----------
    .. [1] Knuth, Estimating the efficiency of backtrack programs, 1975.
    """
    rng = random.Random(seed)
    return sum(_walk(game, rng) for _ in range(walks)) / walks


def _walk(game: ExtensiveGame[Any], rng: random.Random) -> float:
    state = game.initial()
    total, width = 1.0, 1.0
    while not game.is_terminal(state):
        if game.is_chance(state):
            actions = [action for action, _ in game.chance_outcomes(state)]
        else:
            actions = list(game.actions(state))
        width *= len(actions)
        total += width
        state = game.child(state, rng.choice(actions))
    return total


def refuse_giant(game: ExtensiveGame[Any], max_nodes: int) -> None:
    """Raise :class:`TooLargeError` when the tree is far beyond ``max_nodes``."""
    if estimate_nodes(game, walks=50) > DOUBT * max_nodes:
        raise too_large(game, max_nodes)


def too_large(game: ExtensiveGame[Any], max_nodes: int) -> TooLargeError:
    """The error for a tree that does not fit, with an estimate of its size."""
    nodes = max(estimate_nodes(game), max_nodes + 1)
    return TooLargeError(
        f"the game tree has about {nodes:.2g} nodes ({nodes * BYTES_PER_NODE / 2**30:.2g} GiB); "
        f"at most {max_nodes:,} are allowed here: take a smaller game"
    )
