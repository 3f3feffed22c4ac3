"""Counting relative patterns; see :mod:`mouche_solver.cards.odds.kernels_patterns`."""

from itertools import product
from math import factorial

import numpy as np
from numpy.typing import NDArray

from mouche_solver.cards.odds.kernels_patterns import FIELD, LANES, Level
from mouche_solver.cards.rules.rules import CardRules


def new_level(players: int, cards: int, limits: tuple[int, ...]) -> tuple[Level, NDArray[np.int64]]:
    """An empty table for positions with ``cards`` cards a player, and its shapes.

    Returns
    -------
    Level
    numpy.ndarray of int64, shape (shapes, lanes)
        Cards in each lane.
    """
    total = players * cards
    lengths = shapes(total, limits)
    number = np.full((total + 1,) * 3, -1, np.int32)
    for i, shape in enumerate(lengths):
        number[shape[:3]] = i
    level = Level(
        players=players,
        cards=cards,
        strings=strings(players, cards),
        digit=np.array([(cards + 1) ** p for p in range(players)], np.int64),
        before=strings_before(players, cards),
        shape=number,
        packed=vectors(players, cards),
        value=np.zeros(strings(players, cards) * len(lengths), np.uint8),
    )
    return level, np.array(lengths, np.int64)


def lane_limits(rules: CardRules) -> tuple[int, ...]:
    """Most cards of trumps and of each plain suit; suits that do not exist have none."""
    ranks, plain = rules.pack.per_suit, len(rules.pack.suits) - 1
    trumps = ranks + (rules.pamphile_card is not None)
    return (trumps, *([ranks] * plain), *([0] * (LANES - 1 - plain)))


def shapes(total: int, limits: tuple[int, ...]) -> list[tuple[int, ...]]:
    """Cards per lane, plain lanes from long to short, that add up to ``total``."""
    ranges = [range(min(total, limit) + 1) for limit in limits]
    return [
        lengths
        for lengths in product(*ranges)
        if sum(lengths) == total and list(lengths[1:]) == sorted(lengths[1:], reverse=True)
    ]


def strings(players: int, cards: int) -> int:
    """Strings in which each player owns ``cards`` cards."""
    return factorial(players * cards) // int(factorial(cards) ** players)


def strings_before(players: int, cards: int) -> NDArray[np.int32]:
    """``before`` of :class:`Level`: shape ((cards + 1)**players, players)."""
    base = cards + 1
    before = np.zeros((base**players, players), np.int32)
    for counts in product(range(base), repeat=players):
        row = sum(count * base**p for p, count in enumerate(counts))
        smaller = 0
        for owner, count in enumerate(counts):
            before[row, owner] = smaller
            if count:
                rest = [c - (p == owner) for p, c in enumerate(counts)]
                ways = factorial(sum(rest))
                for c in rest:
                    ways //= factorial(c)
                smaller += ways
    return before


def vectors(players: int, cards: int) -> NDArray[np.int64]:
    """All ways to share ``cards`` tricks, packed, in increasing order."""
    packed = [0]
    for _ in range(players):
        packed = [p << FIELD | t for p in packed for t in range(cards + 1)]
        packed = [p for p in packed if _total(p) <= cards]
    return np.array(sorted(p for p in packed if _total(p) == cards), np.int64)


def _total(packed: int) -> int:
    total = 0
    while packed:
        total += packed & ((1 << FIELD) - 1)
        packed >>= FIELD
    return total
