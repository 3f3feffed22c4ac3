"""Kuhn poker, whose solution is known, as the smallest game with every feature."""

from collections.abc import Hashable
from fractions import Fraction
from itertools import permutations
from typing import NamedTuple

import pytest


class KuhnState(NamedTuple):
    cards: tuple[int, ...] | None = None
    bets: str = ""


class Kuhn:
    """Two players, three cards, one chip each; ``p`` passes, ``b`` bets or calls one chip."""

    players = 2
    ends = ("pp", "bp", "bb", "pbp", "pbb")

    def initial(self) -> KuhnState:
        return KuhnState()

    def is_terminal(self, state: KuhnState) -> bool:
        return state.bets in self.ends

    def is_chance(self, state: KuhnState) -> bool:
        return state.cards is None

    def chance_outcomes(self, state: KuhnState) -> list[tuple[Hashable, Fraction]]:
        return [(cards, Fraction(1, 6)) for cards in permutations(range(3), 2)]

    def player(self, state: KuhnState) -> int:
        return len(state.bets) % 2

    def actions(self, state: KuhnState) -> str:
        return "pb"

    def child(self, state: KuhnState, action: Hashable) -> KuhnState:
        if state.cards is None:
            return KuhnState(action)
        return KuhnState(state.cards, state.bets + str(action))

    def infoset_key(self, state: KuhnState) -> tuple[int, str]:
        return state.cards[self.player(state)], state.bets

    def utilities(self, state: KuhnState) -> tuple[int, int]:
        higher = 1 if state.cards[0] > state.cards[1] else -1
        won = {"pp": higher, "bp": 1, "bb": 2 * higher, "pbp": -1, "pbb": 2 * higher}[state.bets]
        return won, -won


@pytest.fixture
def kuhn() -> Kuhn:
    return Kuhn()
