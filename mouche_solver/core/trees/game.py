"""What the solvers of small games ask of a game."""

from collections.abc import Hashable, Sequence
from fractions import Fraction
from typing import Protocol, TypeVar

S = TypeVar("S")


class ExtensiveGame(Protocol[S]):
    """What a game must tell; states are immutable, and nothing else is assumed about them."""

    @property
    def players(self) -> int:
        """Number of players, counted from 0."""

    def initial(self) -> S:
        """The state at the start."""

    def is_terminal(self, state: S) -> bool:
        """Whether the game is over."""

    def is_chance(self, state: S) -> bool:
        """Whether chance moves."""

    def chance_outcomes(self, state: S) -> Sequence[tuple[Hashable, Fraction]]:
        """Chance's actions with exact probabilities that sum to one."""

    def player(self, state: S) -> int:
        """Who acts."""

    def actions(self, state: S) -> Sequence[Hashable]:
        """What the player may do; the same in all states of an information set."""

    def child(self, state: S, action: Hashable) -> S:
        """The state after an action of a player or of chance."""

    def infoset_key(self, state: S) -> Hashable:
        """Everything the player to act has seen; must not forget own actions."""

    def utilities(self, state: S) -> Sequence[Fraction | int]:
        """What each player gets at the end."""
