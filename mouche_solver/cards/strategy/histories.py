"""Public histories of the declarations, exact and by class.

A declaration is a digit: 0 pass, 1 stand, ``1 + k`` an exchange of k cards. The histories before
seat s are the numbers ``first[s]`` to ``first[s + 1] - 1``, the first speaker's digit the highest.
"""

from collections.abc import Sequence
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from mouche_solver.cards.rules.rules import CardRules

FEW = 2  # an exchange of at most so many cards is a small one
MOST_LAST = 400  # histories of the last seat that are told apart exactly; more by kind in order


class Histories:
    """All public histories before a declaration.

    Attributes
    ----------
    digits : int
        Different declarations.
    first : int64 array, shape (players + 1,)
        First number of each seat's histories.

    Examples
    --------
    >>> histories = Histories(CardRules(players=3))
    >>> histories.number, histories.classes
    (57, 15)
    >>> histories.index(["pass", 3])
    12
    """

    def __init__(self, rules: CardRules) -> None:
        self.players = rules.players
        self.digits = rules.max_exchange + 2
        sizes = [self.digits**seat for seat in range(rules.players)]
        self.first: NDArray[np.int64] = np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64)

    @cached_property
    def _classes(self) -> tuple[tuple[tuple[int, ...], ...], NDArray[np.int32]]:
        known: dict[tuple[int, ...], int] = {}
        of = [known.setdefault(_said_counts(self.said(n)), len(known)) for n in range(self.number)]
        return tuple(known), np.array(of, np.int32)

    @property
    def counts(self) -> tuple[tuple[int, ...], ...]:
        """Of each class, how many passed, stood, exchanged few and more cards."""
        return self._classes[0]

    @property
    def class_of(self) -> NDArray[np.int32]:
        """The class of each exact history."""
        return self._classes[1]

    @cached_property
    def rough_of(self) -> NDArray[np.int32]:
        """The rough class of each exact history."""
        known: dict[tuple[int, ...], int] = {}
        of_class = [known.setdefault(_rough(counts), len(known)) for counts in self.counts]
        return np.array(of_class, np.int32)[self.class_of]

    @cached_property
    def last_of(self) -> NDArray[np.int32]:
        """The class of each exact history where the last seat's are told apart.

        Exactly when they are few, else each declaration by its kind: pass, stand, at most two
        cards, more. Histories of the other seats have the classes of ``class_of``.
        """
        of: NDArray[np.int64] = self.class_of.astype(np.int64)
        first, number = int(self.first[-2]), self.number
        kinds = np.arange(number - first)
        if number - first > MOST_LAST:
            kind = np.array([0, 1] + [2 if k <= FEW else 3 for k in range(1, self.digits - 1)])
            rest, kinds = kinds, np.zeros_like(kinds)
            for seat in range(self.players - 1):
                kinds += kind[rest % self.digits] * 4**seat
                rest = rest // self.digits
        of[first:] = of.max() + 1 + kinds
        return np.unique(of, return_inverse=True)[1].astype(np.int32)

    @property
    def last(self) -> int:
        """Classes where the last seat's histories are told apart."""
        return int(self.last_of.max()) + 1

    @property
    def rough(self) -> int:
        """Rough classes: the seat, how many are in, whether one of them stood."""
        return int(self.rough_of.max()) + 1

    @property
    def number(self) -> int:
        """Exact histories."""
        return int(self.first[-1])

    @property
    def classes(self) -> int:
        """Classes: how many passed, stood, exchanged at most two and more."""
        return len(self.counts)

    def index(self, said: Sequence[str | int]) -> int:
        """The number of a history: ``"pass"``, ``"stand"`` or the number of cards, in turn."""
        value = 0
        for word in said:
            digit = 0 if word == "pass" else 1 if word == "stand" else 1 + int(word)
            value = value * self.digits + digit
        return int(self.first[len(said)]) + value

    def said(self, number: int) -> tuple[int, ...]:
        """The declarations of a history: -1 pass, 0 stand, else the number of cards."""
        seat = int(np.searchsorted(self.first, number, side="right")) - 1
        value = number - int(self.first[seat])
        digits = []
        for _ in range(seat):
            digits.append(value % self.digits - 1)
            value //= self.digits
        return tuple(reversed(digits))


def _said_counts(said: tuple[int, ...]) -> tuple[int, ...]:
    return (
        sum(s < 0 for s in said),
        sum(s == 0 for s in said),
        sum(0 < s <= FEW for s in said),
        sum(s > FEW for s in said),
    )


def _rough(counts: tuple[int, ...]) -> tuple[int, ...]:
    """The seat, how many are in (up to 3), whether one of them stood."""
    passed, stood, few, more = counts
    inside = stood + few + more
    return passed + inside, min(inside, 3), min(stood, 1)
