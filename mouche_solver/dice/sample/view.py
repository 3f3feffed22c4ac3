"""What a sampled strategy remembers of the claims, and the automaton that keeps it.

A *view* forgets most of a line of claims. Lines that leave the same view are one *state*, with one
strategy for each class of hands: the abstraction of the sampled solver. What is merged:

- of the last claim nothing: it stays as it is;
- of each of the ``claims - 1`` claims before it, the face stays, and how far its quantity lies
  below the last one, counted up to ``gap``;
- of each of the ``faces`` claims before those, the face alone;
- everything older is forgotten, and so is who opened the round, unless the line is so short that
  an open place shows it.

Players act in turn, so a claim's place says who made it relative to the player to act: the last one
the player before, the one before that the player two before. Which seat acts is kept only as far
as seats differ in dice.
"""

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from functools import lru_cache

import numpy as np

from mouche_solver.core.checks import check_int
from mouche_solver.dice.rules.rules import Claim
from mouche_solver.dice.sample.arrays import IntArray, Machine
from mouche_solver.dice.sweep.tree import RoundTree


@dataclass(frozen=True)
class View:
    """How much of a line of claims is remembered.

    Parameters
    ----------
    claims : int
        Claims of which face and quantity are remembered, 1 to 4; the last one exactly.
    gap : int
        How far below the last claim an older quantity is told apart, 0 to 60.
    faces : int
        Claims before those of which the face is remembered, 0 to 4.

    Raises
    ------
    RulesError

    Examples
    --------
    >>> View(2, 3, 1).older
    2
    """

    claims: int = 2
    gap: int = 3
    faces: int = 1

    def __post_init__(self) -> None:
        for name, low, high in (("claims", 1, 4), ("gap", 0, 60), ("faces", 0, 4)):
            value = check_int(f"view {name}", getattr(self, name), low, high)
            object.__setattr__(self, name, value)

    @property
    def older(self) -> int:
        """Claims before the last one that leave a trace."""
        return self.claims - 1 + self.faces

    def to_dict(self) -> dict[str, int]:
        """All fields."""
        return asdict(self)


def seat_period(dice: Sequence[int]) -> int:
    """After how many seats the dice repeat; seats that far apart are alike.

    Examples
    --------
    >>> seat_period((5, 5, 5)), seat_period((5, 4, 5, 4)), seat_period((5, 5, 4))
    (1, 2, 3)
    """
    players = len(dice)
    shifts = (p for p in range(1, players + 1) if players % p == 0)
    return next(p for p in shifts if tuple(dice[p:]) + tuple(dice[:p]) == tuple(dice))


@lru_cache(maxsize=8)
def build_machine(tree: RoundTree, view: View) -> Machine:
    """The automaton of a view: every state that a line of claims can lead to.

    Parameters
    ----------
    tree : RoundTree
    view : View

    Returns
    -------
    Machine

    Examples
    --------
    >>> from mouche_solver.dice.rules.rules import DiceRules
    >>> machine = build_machine(RoundTree(DiceRules(dice=(1, 1), faces=2)), View(1, 0, 0))
    >>> machine.last.tolist(), machine.entries
    ([0, 1, 2, 3, 4], 24)
    """
    return _Builder(tree, view).machine()


def state_of(machine: Machine, tree: RoundTree, numbers: Sequence[int]) -> int:
    """The state after a line of claim numbers.

    Parameters
    ----------
    machine : Machine
    tree : RoundTree
    numbers : sequence of int
        Claims as numbers of the tree.

    Returns
    -------
    int
    """
    state = 0
    for number in numbers:
        place = tree.raises[int(machine.last[state])].index(number)
        state = int(machine.after[machine.step[state] + place])
    return state


class _Builder:
    """States grouped by last claim. A raise has the larger number, so one ascending pass does."""

    def __init__(self, tree: RoundTree, view: View) -> None:
        self.tree, self.view = tree, view
        self.period = seat_period(tree.rules.dice)
        self.faces = tree.rules.faces
        # A digit of the code: 0 for no claim, else 1 + face and gap or 1 + face alone.
        wide, narrow = 1 + self.faces * (view.gap + 1), 1 + self.faces
        self.radix = [self.period, *[wide] * (view.claims - 1), *[narrow] * view.faces]

    def machine(self) -> Machine:
        claims = range(len(self.tree.claims))
        arriving: list[list[IntArray]] = [[] for _ in claims]
        arriving[0].append(np.zeros(1, dtype=np.int64))
        codes: list[IntArray] = []
        for claim in claims:
            found = arriving[claim]
            codes.append(np.unique(np.concatenate(found)) if found else np.zeros(0, np.int64))
            for after in self.tree.raises[claim]:
                arriving[after].append(self._advance(codes[claim], claim, after))
        first = np.cumsum([0, *map(len, codes)])
        last = np.repeat(np.arange(len(codes)), [len(each) for each in codes])
        raises = np.array([len(each) for each in self.tree.raises])[last]
        after_parts = [
            self._after(codes, first, claim) for claim in claims if self.tree.raises[claim]
        ]
        code = np.concatenate(codes)
        return Machine(
            last=last,
            begin=np.concatenate([[0], np.cumsum(self._sizes(last, code, raises))]),
            step=np.cumsum(raises) - raises,
            after=np.concatenate(after_parts).astype(np.int32),
            code=code,
        )

    def _after(self, codes: list[IntArray], first: IntArray, claim: int) -> IntArray:
        """The states after each state of a claim and each raise, raises innermost."""
        columns = [
            first[after] + np.searchsorted(codes[after], self._advance(codes[claim], claim, after))
            for after in self.tree.raises[claim]
        ]
        return np.stack(columns, axis=1).ravel()

    def _sizes(self, last: IntArray, code: IntArray, raises: IntArray) -> IntArray:
        size = np.stack([classes.size for classes in self.tree.classes])
        width = size[code % self.period, self.tree.level[last]]
        return np.where(raises > 0, width * (raises + (last > 0)), 0)

    def _advance(self, codes: IntArray, claim: int, after: int) -> IntArray:
        """The codes after a raise from ``claim`` to ``after``."""
        digits, rest = [], codes
        for radix in self.radix:
            rest, digit = np.divmod(rest, radix)
            digits.append(digit)
        moved = [(digits[0] + 1) % self.period]
        before, now = self.tree.claims[claim], self.tree.claims[after]
        assert now is not None
        rise = now.quantity - before.quantity if before is not None else 0
        face, gap = self._newest(before, rise, codes)
        for place, digit in enumerate(digits[1:]):
            exact = place < self.view.claims - 1
            moved.append(
                np.where(face < 0, 0, 1 + (face * (self.view.gap + 1) + gap if exact else face))
            )
            if exact:
                face, gap = np.divmod(digit - 1, self.view.gap + 1)
                gap = np.clip(gap + rise, 0, self.view.gap)
            else:
                face = digit - 1
        total = np.zeros_like(codes)
        for radix, digit in zip(reversed(self.radix), reversed(moved), strict=True):
            total = total * radix + digit
        return total

    def _newest(
        self, before: Claim | None, rise: int, codes: IntArray
    ) -> tuple[IntArray, IntArray]:
        """Face, from 0, and gap of the claim that is no longer the last; -1 for none."""
        if before is None:
            return np.full_like(codes, -1), np.zeros_like(codes)
        gap = min(max(rise, 0), self.view.gap)
        return np.full_like(codes, before.face - 1), np.full_like(codes, gap)
