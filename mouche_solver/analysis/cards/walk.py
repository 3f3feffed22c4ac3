"""Declarations seat by seat: what is said next, and how likely it comes to that.

Hands depend on each other, since who passes leaves good cards to the rest. So hands are drawn for
all seats together, and each deal counts with the probability that the strategy declares so.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from mouche_solver.analysis.cards.actions import by_declaration
from mouche_solver.cards.rules.rules import CardRules
from mouche_solver.cards.strategy.contexts import Context, Frame
from mouche_solver.cards.strategy.situation import Declared, draw_counts, said_numbers
from mouche_solver.cards.strategy.strategy import CardStrategy
from mouche_solver.errors import IllegalMoveError

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]
Key = tuple[int, int, int]

DEALS = 1 << 15  # a history of one deal in a hundred is known to some three percent of itself


class DealtHands:
    """Sampled hands of all seats, and what the strategy declares with them.

    Parameters
    ----------
    strategy : CardStrategy
    deals : int
        How many deals are drawn, about.
    seed : int
        The same seed gives the same deals.
    """

    def __init__(self, strategy: CardStrategy, deals: int = DEALS, seed: int = 1) -> None:
        self.strategy = strategy
        rng = np.random.default_rng(seed)
        self._hands = [
            (context, _draw(strategy.rules, context, max(1, round(deals * context.chance)), rng))
            for context in strategy.abstraction.contexts
            if not context.named
        ]
        self._known: dict[Key, NDArray[np.float32]] = {}

    @property
    def number(self) -> int:
        """Deals drawn."""
        return sum(len(hands) for _, hands in self._hands)

    def mixes(self, said: Sequence[Declared]) -> NDArray[np.float32]:
        """What the next seat declares in each deal.

        Returns
        -------
        float32 array, shape (deals, max_exchange + 2)
            Probabilities of pass, stand and exchanges of 1, 2, ... cards.
        """
        key = history_key(self.strategy, said)
        if key not in self._known:
            parts = [
                self._ask(context, hands[:, len(said)], said) for context, hands in self._hands
            ]
            self._known[key] = np.concatenate(parts)
        return self._known[key]

    def _ask(self, context: Context, hands: Ints, said: Sequence[Declared]) -> NDArray[np.float32]:
        strategy = self.strategy
        chances = strategy.mixes(Frame(strategy.rules, context.turned), hands, said)
        return by_declaration(strategy, chances).astype(np.float32)


def _draw(rules: CardRules, context: Context, deals: int, rng: np.random.Generator) -> Ints:
    """Hands of all seats in the names of a context, as masks; shape (deals, players)."""
    size, pack = rules.hand_size, rules.pack.size
    cards = np.delete(np.arange(pack), context.turned)
    order = rng.random((deals, pack - 1)).argsort(axis=1)[:, : rules.players * size]
    bits = np.left_shift(1, cards[order]).reshape(deals, rules.players, size)
    return np.asarray(bits.sum(axis=2), np.int64)


def history_key(strategy: CardStrategy, said: Sequence[Declared]) -> Key:
    """What the strategy, and the rules of the draw, tell apart of a history before a seat."""
    histories = strategy.abstraction.histories
    number = histories.index(said)
    exact = any(level == "lossless" for _, level in strategy.abstraction.levels)
    return len(said), number if exact else int(histories.class_of[number]), _most(strategy, said)


def _most(strategy: CardStrategy, said: Sequence[Declared]) -> int:
    """The most cards that the next seat can exchange."""
    rules = strategy.rules
    numbers = said_numbers(rules, said)
    for most in range(rules.max_exchange, 0, -1):
        try:
            draw_counts(rules, [*numbers, most])
        except IllegalMoveError:
            continue
        return most
    return 0


@dataclass(frozen=True)
class CardWalk:
    """A history of declarations with a seat to declare.

    Attributes
    ----------
    hands : DealtHands
    said : tuple of "pass", "stand" or int
        What the seats before have declared.
    reach, error : float
        Probability of the history, and its standard error.
    chances : float64 array, shape (actions,)
        Probability of each declaration given the history; with hands as dealt where nobody comes
        to it.
    """

    hands: DealtHands
    said: tuple[Declared, ...]
    reach: float
    error: float
    chances: Floats

    @classmethod
    def to(cls, hands: DealtHands, said: tuple[Declared, ...] = ()) -> "CardWalk":
        """The position after some declarations.

        Raises
        ------
        IllegalMoveError
            When the rules do not lead there.
        """
        draw_counts(hands.strategy.rules, said_numbers(hands.strategy.rules, said))
        flow = np.ones(hands.number)
        for seat, word in enumerate(said):
            flow *= hands.mixes(said[:seat])[:, _column(word)]
        mixes, reach = hands.mixes(said), float(flow.mean())
        weights = flow / flow.sum() if reach > 0 else np.full(len(flow), 1 / len(flow))
        actions = 2 + _most(hands.strategy, said)
        chances = np.asarray(weights @ mixes[:, :actions], np.float64)
        return cls(hands, said, reach, float(flow.std() / np.sqrt(len(flow))), chances)

    @property
    def player(self) -> int:
        """The seat that declares."""
        return len(self.said)

    @property
    def actions(self) -> tuple[str, ...]:
        """What it may declare: ``pass``, ``stand``, ``exchange1``, ..."""
        return ("pass", "stand", *(f"exchange{k}" for k in range(1, len(self.chances) - 1)))

    @property
    def leads(self) -> tuple[int, ...]:
        """The places of the declarations after which another seat is asked."""
        after = len(self.said) + 1
        players = self.hands.strategy.rules.players
        if after == players:
            return ()
        # A dealer whom all leave alone takes the pot and declares nothing.
        alone = after == players - 1 and all(word == "pass" for word in self.said)
        return tuple(range(int(alone), len(self.actions)))

    def down(self, place: int) -> "CardWalk":
        """The history with one more declaration."""
        words: tuple[Declared, ...] = ("pass", "stand")
        word = words[place] if place < 2 else place - 1
        return CardWalk.to(self.hands, (*self.said, word))


def _column(word: Declared) -> int:
    return {"pass": 0, "stand": 1}[word] if isinstance(word, str) else word + 1
