"""All hands for one turn-up, and their classes.

Two hands belong to the same class when renaming plain suits turns one into the other. The
turn-up is no card of any hand, so its suit has a hole, which is closed up.
"""

from functools import cached_property
from itertools import product
from math import comb

import numpy as np
from numpy.typing import ArrayLike, NDArray

from mouche_solver.cards.kernels import classes as k
from mouche_solver.cards.kernels.classes import HandNumbering
from mouche_solver.cards.rules.pack import Pack
from mouche_solver.core.checks import plain, whole
from mouche_solver.errors import RulesError

Ints = NDArray[np.int64]

SUITS = 4  # kernels see four suits; those a pack lacks are empty
EMPTY = 62  # where an empty suit begins: no card has so high a number


class HandClasses:
    """A gapless numbering of hand classes, and the way back.

    Parameters
    ----------
    pack : Pack
        The cards.
    hand_size : int
        Cards in a hand.
    turned : int
        The turn-up, a card number.
    trump : int or None
        The trump suit; None is the turn-up's suit (it differs only under a turned-up Pamphile).
    apart : tuple of int
        More suits that must not be interchanged: clubs with Pamphile, spades in Mushka. With
        trumps named away from the turn-up, the turn-up's suit is always set apart.

    Attributes
    ----------
    n_hands, n_classes : int
        How many hands and classes there are.

    Raises
    ------
    RulesError
        When the turn-up is no card of the pack or a hand needs more cards than there are.

    Examples
    --------
    >>> from mouche_solver.cards import CardRules
    >>> rules = CardRules(players=2, ranks="K Q J", suits="C D H", hand_size=2)
    >>> classes = HandClasses(rules.pack, rules.hand_size, turned=rules.pack.card("JC"))
    >>> classes.n_hands, classes.n_classes
    (28, 16)
    >>> first, second = rules.pack.hand("KC QD"), rules.pack.hand("KC QH")
    >>> one, other = classes.class_of([first, second])
    >>> bool(one == other), int(classes.weights()[one])
    (True, 2)
    """

    def __init__(
        self,
        pack: Pack,
        hand_size: int,
        turned: int,
        trump: int | None = None,
        apart: tuple[int, ...] = (),
    ) -> None:
        hand_size, turned = whole("hand_size", hand_size), whole("turned", turned)
        if not 0 <= turned < pack.size:
            raise RulesError(f"turned={turned}: the cards are 0 to {pack.size - 1}")
        if not 1 <= hand_size < pack.size:
            raise RulesError(f"hand_size={hand_size}: allowed are 1 to {pack.size - 1}")
        self.pack, self.hand_size, self.turned = pack, hand_size, turned
        self.trump = pack.suit(turned) if trump is None else whole("trump", trump)
        fixed = dict.fromkeys((self.trump, pack.suit(turned), *plain(tuple(apart))))
        loose = [s for s in range(len(pack.suits)) if s not in fixed]
        self._apart = len(fixed)
        shifts = [s * pack.per_suit for s in (*fixed, *loose)]
        self._shifts = np.array(shifts + [EMPTY] * (SUITS - len(shifts)), np.int64)
        self.n_hands = comb(pack.size - 1, hand_size)
        self._number_suits()
        self._number_shapes()

    def _number_suits(self) -> None:
        ranks, size = self.pack.per_suit, self.hand_size
        most = max(comb(ranks, k) for k in range(min(ranks, size) + 1))
        self._key = np.empty(1 << ranks, np.int16)
        self._mask_of = np.zeros((size + 1, most), np.int64)
        k.suit_keys(ranks, size, self._key, self._mask_of)

    def _number_shapes(self) -> None:
        """Lay the blocks of the shapes end to end."""
        base, n = self.hand_size + 1, SUITS
        count = base**n
        self._offset = np.full(count, -1, np.int64)
        self._stride = np.zeros((count, n), np.int64)
        self._run = np.ones((count, n), np.int64)
        self._lengths = np.zeros((count, n), np.int64)
        blocks, starts, total = [], [], 0
        for lengths in product(range(base), repeat=n):
            loose = lengths[self._apart :]
            if any(lengths[len(self.pack.suits) :]):
                continue
            if sum(lengths) != self.hand_size or list(loose) != sorted(loose, reverse=True):
                continue
            shape = sum(length * base ** (n - 1 - i) for i, length in enumerate(lengths))
            size = self._number_block(shape, lengths)
            if size:
                blocks.append(shape)
                starts.append(total)
                self._offset[shape] = total
                total += size
        self.n_classes = total
        self._blocks = np.array(blocks, np.int64)
        self._starts = np.array(starts, np.int64)

    def _number_block(self, shape: int, lengths: tuple[int, ...]) -> int:
        """Strides and runs of one shape; returns how many classes it has."""
        size, end = 1, len(lengths)
        self._lengths[shape] = lengths
        while end:  # from the last suit back, a run of equally long interchangeable suits at a time
            start = end - 1
            while start > self._apart and lengths[start - 1] == lengths[start]:
                start -= 1
            for i in range(start, end):
                self._stride[shape, i] = size
                self._run[shape, i] = end - i
            size *= comb(self._holdings(start, lengths[start]) + end - start - 1, end - start)
            end = start
        return size

    def _holdings(self, i: int, length: int) -> int:
        hole = self.pack.suit(self.turned) * self.pack.per_suit == self._shifts[i]
        return comb(self.pack.per_suit - int(hole), length)

    def hands(self) -> Ints:
        """Every hand as a bit mask, in increasing order; shape (n_hands,).

        Numbers from :meth:`hand_number` index this array.
        """
        out = np.empty(self.n_hands, np.int64)
        k.all_hands(self.hand_size, self.turned, out)
        return out

    def hand_number(self, hands: ArrayLike) -> Ints:
        """Position of each hand in :meth:`hands`, by arithmetic; same shape as ``hands``."""
        masks = self._checked(hands)
        table = [[comb(n, k) for k in range(self.hand_size + 1)] for n in range(self.pack.size)]
        out = np.empty(masks.size, np.int64)
        k.hand_number(masks.ravel(), self.turned, np.array(table, np.int64), out)
        return out.reshape(masks.shape)

    def class_of(self, hands: ArrayLike) -> Ints:
        """Class number of each hand, 0 to ``n_classes - 1``; same shape as ``hands``.

        Raises
        ------
        RulesError
            When a mask is no hand: wrong size, cards not in the pack, or the turn-up.
        """
        masks = self._checked(hands)
        out = np.empty(masks.size, np.int64)
        k.class_of(masks.ravel(), self.numbering, out)
        return out.reshape(masks.shape)

    def classes_of_all(self) -> Ints:
        """Class number of every hand of :meth:`hands`; shape (n_hands,)."""
        out = np.empty(self.n_hands, np.int64)
        k.classes_of_all(self.hand_size, self.numbering, out)
        return out

    @cached_property
    def numbering(self) -> HandNumbering:
        """What the classifying kernels read."""
        return HandNumbering(
            ranks=self.pack.per_suit,
            suits=len(self.pack.suits),
            shifts=self._shifts,
            apart=self._apart,
            turned=self.turned,
            base=self.hand_size + 1,
            key=self._key,
            offset=self._offset,
            stride=self._stride,
            run=self._run,
            lengths=self._lengths,
            blocks=self._blocks,
            starts=self._starts,
            mask_of=self._mask_of,
        )

    def hand_of(self, classes: ArrayLike) -> Ints:
        """The representative hand of each class; same shape as ``classes``.

        Raises
        ------
        RulesError
            When a class number is out of range.
        """
        return self._unrank(classes)[0]

    def weights(self) -> Ints:
        """How many hands each class holds; shape (n_classes,), summing to ``n_hands``."""
        return self._unrank(np.arange(self.n_classes))[1]

    def _unrank(self, classes: ArrayLike) -> tuple[Ints, Ints]:
        numbers = np.asarray(classes, np.int64)
        if numbers.size and not 0 <= numbers.min() <= numbers.max() < self.n_classes:
            raise RulesError(f"class numbers are 0 to {self.n_classes - 1}")
        hands, weights = np.empty(numbers.size, np.int64), np.empty(numbers.size, np.int64)
        k.hand_of(numbers.ravel(), self.numbering, hands, weights)
        return hands.reshape(numbers.shape), weights.reshape(numbers.shape)

    def _checked(self, hands: ArrayLike) -> Ints:
        masks = np.asarray(hands, np.int64)
        outside = ~((1 << self.pack.size) - 1) | (1 << self.turned)
        if (masks & outside).any():
            raise RulesError("a hand holds the turn-up or a card that is not in the pack")
        if (np.bitwise_count(masks) != self.hand_size).any():
            raise RulesError(f"a hand has {self.hand_size} cards")
        return masks
