"""Hands of dice as sorted tuples, and how many rolls show each."""

from collections.abc import Iterable
from functools import cache
from itertools import combinations_with_replacement
from math import factorial

from mouche_solver.core.checks import whole
from mouche_solver.errors import NotationError

Hand = tuple[int, ...]


@cache
def all_hands(dice: int, faces: int) -> tuple[tuple[Hand, ...], tuple[int, ...]]:
    """Every sorted hand of ``dice`` dice and the number of rolls that show it.

    Examples
    --------
    >>> all_hands(2, 2)
    (((1, 1), (1, 2), (2, 2)), (1, 2, 1))
    """
    hands = tuple(combinations_with_replacement(range(1, faces + 1), dice))
    return hands, tuple(rolls(hand) for hand in hands)


def as_hand(faces: Iterable[int]) -> Hand:
    """Faces as plain ints in ascending order.

    Raises
    ------
    NotationError
        When a face is not a whole number.

    Examples
    --------
    >>> as_hand([5, 1])
    (1, 5)
    """
    return tuple(sorted(whole("die", face, NotationError) for face in faces))


def rolls(hand: Hand) -> int:
    """How many ordered rolls show the sorted hand (its multinomial weight)."""
    ways = factorial(len(hand))
    for face in set(hand):
        ways //= factorial(hand.count(face))
    return ways


def matches(hand: Hand, face: int, wild: int | None) -> int:
    """How many dice of the hand count as ``face``; a claim on the wild face takes real ones only.

    Examples
    --------
    >>> matches((1, 1, 3, 5, 5), 5, wild=1), matches((1, 1, 3, 5, 5), 1, wild=1)
    (4, 2)
    """
    count = hand.count(face)
    return count if wild is None or wild == face else count + hand.count(wild)
