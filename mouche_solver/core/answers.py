"""What a strategy answers: one shape for every game, solved or sampled."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

ActionName = TypeVar("ActionName")


@dataclass(frozen=True)
class Option(Generic[ActionName]):
    """One action that a strategy may take.

    Attributes
    ----------
    action : str
        In the game's notation; a game may use a type of its own.
    probability : float
        How often the strategy takes it.
    value : float or None
        Expected payoff of taking it, in the unit of the strategy; None where it was not measured.

    Examples
    --------
    >>> Option("doubt", 0.25)
    Option(action='doubt', probability=0.25, value=None)
    """

    action: ActionName
    probability: float
    value: float | None = None


AnyOption = TypeVar("AnyOption", bound=Option[Any], covariant=True)


@dataclass(frozen=True, eq=False)
class Advice(Mapping[Any, float], Generic[AnyOption]):
    """What to do in one position: every option, and what following the mix is worth.

    It reads as a mapping from actions to probabilities too.

    Attributes
    ----------
    value : float or None
        Expected payoff of mixing the options as advised; None where it was not measured.
    actions : tuple of Option
    trained : bool
        False where training hardly met the position, so that a simpler rule speaks.

    Examples
    --------
    >>> advice = Advice(None, (Option("doubt", 0.25), Option("2x2", 0.75)))
    >>> advice["2x2"], dict(advice)
    (0.75, {'doubt': 0.25, '2x2': 0.75})
    """

    value: float | None
    actions: tuple[AnyOption, ...]
    trained: bool = True

    def __getitem__(self, action: object) -> float:
        for option in self.actions:
            if option.action == action:
                return option.probability
        raise KeyError(action)

    def __iter__(self) -> Iterator[Any]:
        return (option.action for option in self.actions)

    def __len__(self) -> int:
        return len(self.actions)

    def __eq__(self, other: object) -> bool:
        if isinstance(other, Advice):
            mine, theirs = vars(self), vars(other)
            return mine == theirs
        return Mapping.__eq__(self, other)

    def __hash__(self) -> int:
        return hash((self.value, self.actions, self.trained))
