"""Extensive-form games with perfect recall as flat arrays: sequences, information sets, leaves.

A *sequence* of a player is the last own information set and action on the way to a node, or the
empty one. Sequence ``p`` is player p's empty sequence; the actions of information set ``i`` are the
sequences ``start[i]`` to ``start[i + 1] - 1``. Strategies of all players together are one array
over sequences: the probability of each action, and 1 for the empty sequences.
"""

from array import array
from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from mouche_solver.core.trees.game import ExtensiveGame
from mouche_solver.core.trees.tree_size import MAX_NODES, refuse_giant, too_large

S = TypeVar("S")
IntArray = NDArray[np.int64]
FloatArray = NDArray[np.float64]


@dataclass(frozen=True)
class SequenceForm:
    """A game with perfect recall, ready for solvers.

    Attributes
    ----------
    players, nodes : int
        Number of players; nodes of the tree, chance and ends included.
    owner, parent : int64 array, shape (infosets,)
        Who acts; the own sequence that leads there. A set comes after the one that leads to it.
    start : int64 array, shape (infosets + 1,)
        First sequence of each information set; the last entry is the number of sequences.
    leaf_sequence : int32 array, shape (leaves, players)
        Each player's last sequence at a leaf.
    leaf_chance, leaf_payoff : int32 array, shape (leaves,)
        Which of ``chances`` and ``payoffs`` belongs to the leaf.
    chances : tuple of Fraction
        Products of chance probabilities, each once.
    payoffs : tuple of tuple of Fraction
        Payoffs of all players, each vector once.
    index : dict
        Information set of ``(player, key)``.
    actions : tuple of tuple
        The actions of each information set.
    """

    players: int
    nodes: int
    owner: IntArray
    parent: IntArray
    start: IntArray
    leaf_sequence: NDArray[np.int32]
    leaf_chance: NDArray[np.int32]
    leaf_payoff: NDArray[np.int32]
    chances: tuple[Fraction, ...]
    payoffs: tuple[tuple[Fraction, ...], ...]
    index: dict[tuple[int, Hashable], int]
    actions: tuple[tuple[Hashable, ...], ...]

    @property
    def leaves(self) -> int:
        """Number of ends of the game."""
        return len(self.leaf_chance)

    @property
    def sequences(self) -> int:
        """Number of sequences of all players, the empty ones included."""
        return int(self.start[-1])

    @cached_property
    def leaf_reach(self) -> FloatArray:
        """Chance's probability of each leaf, shape (leaves,)."""
        return np.array([float(c) for c in self.chances])[self.leaf_chance]

    @cached_property
    def payoff_table(self) -> FloatArray:
        """``payoffs`` as numbers, shape (players, payoff vectors)."""
        return np.array([[float(x) for x in row] for row in self.payoffs]).T.copy()

    @cached_property
    def sequence_owner(self) -> IntArray:
        """The player of each sequence, shape (sequences,)."""
        return np.concatenate([np.arange(self.players), np.repeat(self.owner, self.action_counts)])

    @property
    def action_counts(self) -> IntArray:
        """Number of actions of each information set."""
        return np.diff(self.start)

    @property
    def zero_sum(self) -> bool:
        """Whether the payoffs of every leaf add up to nothing."""
        return all(sum(row) == 0 for row in self.payoffs)

    def uniform(self) -> FloatArray:
        """The strategy that takes every action equally often, shape (sequences,)."""
        counts = self.action_counts
        return np.concatenate([np.ones(self.players), np.repeat(1.0 / counts, counts)])

    def behaviour(self, strategy: FloatArray, player: int, key: Hashable) -> dict[Hashable, float]:
        """The probability of each action at one information set.

        Raises
        ------
        KeyError
            When the game has no such information set.
        """
        number = self.index[player, key]
        first, last = self.start[number], self.start[number + 1]
        return dict(zip(self.actions[number], strategy[first:last].tolist(), strict=True))


def sequence_form(game: ExtensiveGame[S], max_nodes: int = MAX_NODES) -> SequenceForm:
    """Walk a game's tree and write down its sequences, information sets and leaves.

    Parameters
    ----------
    game : ExtensiveGame
    max_nodes : int
        Nodes that are walked at most.

    Raises
    ------
    TooLargeError
        When the tree has more nodes; the message holds an estimate of its size.
    ValueError
        When the game forgets: two states share a key but not the player's own past or actions.
    """
    refuse_giant(game, max_nodes)
    return _Walk(game, max_nodes).form()


class _Walk:
    """One depth-first walk; only the states on the stack are alive."""

    def __init__(self, game: ExtensiveGame[S], max_nodes: int) -> None:
        self.players = game.players
        self.nodes = 0
        self.sequences = game.players
        self.owner, self.parent, self.start = array("q"), array("q"), array("q")
        self.actions: list[tuple[Hashable, ...]] = []
        self.index: dict[tuple[int, Hashable], int] = {}
        self.leaf_sequence, self.leaf_chance, self.leaf_payoff = array("i"), array("i"), array("i")
        self.chances: dict[Fraction, int] = {}
        self.payoffs: dict[tuple[Fraction, ...], int] = {}
        self._walk(game, max_nodes)

    def _walk(self, game: ExtensiveGame[S], max_nodes: int) -> None:
        empty = tuple(range(self.players))
        stack: list[tuple[S, Fraction, tuple[int, ...]]] = [(game.initial(), Fraction(1), empty)]
        while stack:
            state, chance, own = stack.pop()
            self.nodes += 1
            if self.nodes > max_nodes:
                raise too_large(game, max_nodes)
            if game.is_terminal(state):
                self._leaf(own, chance, game.utilities(state))
            elif game.is_chance(state):
                for action, probability in reversed(game.chance_outcomes(state)):
                    stack.append((game.child(state, action), chance * probability, own))
            else:
                player, actions = game.player(state), tuple(game.actions(state))
                first = self._infoset(player, game.infoset_key(state), own[player], actions)
                for number in range(len(actions) - 1, -1, -1):
                    after = (*own[:player], first + number, *own[player + 1 :])
                    stack.append((game.child(state, actions[number]), chance, after))

    def _leaf(
        self, own: tuple[int, ...], chance: Fraction, utilities: Sequence[Fraction | int]
    ) -> None:
        payoff = tuple(map(Fraction, utilities))
        self.leaf_sequence.extend(own)
        self.leaf_chance.append(self.chances.setdefault(chance, len(self.chances)))
        self.leaf_payoff.append(self.payoffs.setdefault(payoff, len(self.payoffs)))

    def _infoset(
        self, player: int, key: Hashable, parent: int, actions: tuple[Hashable, ...]
    ) -> int:
        """The first sequence of the information set; it is added when it is new."""
        number = self.index.setdefault((player, key), len(self.actions))
        if number == len(self.actions):
            self.owner.append(player)
            self.parent.append(parent)
            self.start.append(self.sequences)
            self.actions.append(actions)
            self.sequences += len(actions)
        elif self.parent[number] != parent or self.actions[number] != actions:
            raise ValueError(
                f"player {player} forgets: the key {key!r} joins states with different own pasts "
                "or actions; add what the player has done to the key"
            )
        return self.start[number]

    def form(self) -> SequenceForm:
        leaf_sequence = np.array(self.leaf_sequence, dtype=np.int32)
        return SequenceForm(
            players=self.players,
            nodes=self.nodes,
            owner=np.array(self.owner, dtype=np.int64),
            parent=np.array(self.parent, dtype=np.int64),
            start=np.array([*self.start, self.sequences], dtype=np.int64),
            leaf_sequence=leaf_sequence.reshape(-1, self.players),
            leaf_chance=np.array(self.leaf_chance, dtype=np.int32),
            leaf_payoff=np.array(self.leaf_payoff, dtype=np.int32),
            chances=tuple(self.chances),
            payoffs=tuple(self.payoffs),
            index=self.index,
            actions=tuple(self.actions),
        )
