"""The value of the trick play when all hands lie open.

Every player maximises his own chips, ``tricks / hand_size - [no trick]``, which grow strictly with
his own tricks. **Ties** are broken by the outcome: of moves that are equal for himself a player
takes the one that leaves the next seat in playing order the fewest tricks, then the one after
that, and so on. So each player has a strict order over outcomes, and the value depends neither on
the order in which moves are tried nor on anything but the relative ranks of the cards. For two
players it is minimax.
"""

from itertools import product
from math import comb, factorial
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from mouche_solver.cards.compiled.arrays import play_flags
from mouche_solver.cards.odds.kernels_open import (
    FIELD,
    LANE,
    LANES,
    Level,
    Work,
    fill_level,
    value_deals,
)
from mouche_solver.cards.rules.rules import CardRules
from mouche_solver.core.checks import whole
from mouche_solver.errors import RulesError, TooLargeError


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


USUAL_ENTRIES = 40_000_000  # one byte each: what is built when nothing is asked for
MOST_ENTRIES = 1_000_000_000
MOST_VECTORS = 256  # a table entry is one byte


class OpenHands:
    """Open-hand values of deals with a given number of players in.

    Building the tables takes from milliseconds (two players) to a minute (four).

    Parameters
    ----------
    rules : CardRules
        Which cards are legal; the pack; the Pamphile.
    active : int
        Players who are in.
    table_cards : int or None
        Look positions up once everyone has so many cards left; 0 searches to the end. None takes
        the largest table of at most 40 million entries.

    Attributes
    ----------
    entries : int
        Entries of the largest table, one byte each.

    Raises
    ------
    RulesError
        Under Mushka (its Ace of spades beats one particular card), or for a number of players or
        cards that does not fit.
    TooLargeError
        When the table asked for is too large; the message holds the size.

    Examples
    --------
    >>> rules = CardRules(players=2, ranks="K Q J", suits="C D", hand_size=2)
    >>> pack, play = rules.pack, OpenHands(rules, active=2)
    >>> play.tricks([[pack.hand("KC JD"), pack.hand("QC KD")]], pack.suit_number("C"))
    array([[1, 1]], dtype=int8)
    """

    def __init__(self, rules: CardRules, active: int, table_cards: int | None = None) -> None:
        if rules.scoring == "countdown":
            raise RulesError("open hands: Mushka's Ace of spades beats one card only; use chips")
        active = whole("active", active)
        if table_cards is not None:
            table_cards = whole("table_cards", table_cards)
        if not 2 <= active <= rules.players:
            raise RulesError(f"active={active}: allowed are 2 to {rules.players}")
        if active * FIELD > 60:
            raise RulesError(f"active={active}: at most {60 // FIELD} players fit")
        self.rules, self.active = rules, active
        self._limits = lane_limits(rules)
        self.table_cards = self._usual_table() if table_cards is None else table_cards
        self._check_size(self.table_cards)
        self._work = _work(active, rules.hand_size)
        self._level = self._build(0, None)
        for cards in range(1, self.table_cards + 1):
            self._level = self._build(cards, self._level)
        self.entries = len(self._level.value)

    @property
    def level(self) -> Level:
        """The largest table, for kernels that look positions up themselves."""
        return self._level

    def tricks(self, hands: ArrayLike, trump: ArrayLike) -> NDArray[np.int8]:
        """Tricks that each player wins.

        Parameters
        ----------
        hands : array_like of int, shape (deals, active)
            Masks in playing order from the leader.
        trump : int or array_like of int, shape (deals,)
            Trump suits.

        Returns
        -------
        numpy.ndarray of int8, shape (deals, active)

        Raises
        ------
        RulesError
            When hands overlap or have the wrong size.
        """
        masks = np.ascontiguousarray(hands, np.int64)
        rules, pack = self.rules, self.rules.pack
        suits = np.broadcast_to(np.asarray(trump, np.int64), masks.shape[:1]).copy()
        self._check(masks, suits)
        out = np.empty(masks.shape, np.int8)
        pamphile = -1 if rules.pamphile_card is None else rules.pamphile_card
        searched = rules.hand_size - self.table_cards
        value_deals(
            masks,
            suits,
            pack.per_suit,
            len(pack.suits),
            pamphile,
            searched,
            play_flags(rules),
            self._level,
            self._work,
            out,
        )
        return out

    def chips(self, hands: ArrayLike, trump: ArrayLike) -> NDArray[np.float64]:
        """Like :meth:`tricks`, in pots: ``tricks / hand_size - [no trick]``."""
        won = self.tricks(hands, trump)
        shares: NDArray[np.float64] = won / self.rules.hand_size
        shares[won == 0] -= 1
        return shares

    def _check(self, masks: NDArray[np.int64], suits: NDArray[np.int64]) -> None:
        pack, size = self.rules.pack, self.rules.hand_size
        if masks.ndim != 2 or masks.shape[1] != self.active:
            raise RulesError(f"hands have the shape (deals, {self.active}), not {masks.shape}")
        if not np.isin(suits, range(len(pack.suits))).all():
            raise RulesError(f"trump suits are 0 to {len(pack.suits) - 1}")
        everything = np.bitwise_or.reduce(masks, axis=1)
        whole = np.bitwise_count(everything) == size * self.active
        each = (np.bitwise_count(masks) == size).all(axis=1)
        if not (whole & each & (everything < 1 << pack.size) & (everything >= 0)).all():
            raise RulesError(f"each player holds {size} cards of the pack, no card is held twice")

    def _size(self, cards: int) -> int:
        """Entries of a table of positions with so many cards a player."""
        count = len(shapes(self.active * cards, self._limits))
        return strings(self.active, cards) * count

    def _usual_table(self) -> int:
        sizes = range(self.rules.hand_size + 1)
        return max(k for k in sizes if self._size(k) <= USUAL_ENTRIES and self._fits(k))

    def _fits(self, cards: int) -> bool:
        vectors = comb(cards + self.active - 1, cards)
        return vectors <= MOST_VECTORS and self._size(cards) <= MOST_ENTRIES

    def _check_size(self, cards: int) -> None:
        if not 0 <= cards <= self.rules.hand_size:
            raise RulesError(f"table_cards={cards}: allowed are 0 to {self.rules.hand_size}")
        if not self._fits(cards):
            raise TooLargeError(
                f"table_cards={cards} needs {self._size(cards):,} entries; at most "
                f"{MOST_ENTRIES:,} of {MOST_VECTORS} different vectors are built: try "
                f"{self._usual_table()}"
            )

    def _build(self, cards: int, below: Level | None) -> Level:
        """The table for ``cards`` cards a player, from the one for a card less."""
        level, lengths = new_level(self.active, cards, self._limits)
        if below is not None:
            fill_level(lengths, 0, len(lengths), play_flags(self.rules), level, below, self._work)
        return level


def _work(players: int, hand_size: int) -> Work:
    fields: dict[str, Any] = {
        name: np.zeros(players * hand_size + 1, np.int64) for name in Work._fields
    }
    owner = np.zeros(LANES * LANE + 4, np.int8)
    return Work(**(fields | {"hands": np.zeros(players, np.int64), "owner": owner}))
