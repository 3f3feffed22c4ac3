"""Which situations a card strategy tells apart, and what it may do in them.

Declarations have a chain of levels, each a pair (hands, histories) of ``rough``, ``coarse``, for
hands ``medium``, or ``lossless``; a later level refines the earlier ones. The play has one level.
See docs/decisions/0010 and 0019.
"""

import hashlib
from dataclasses import dataclass
from functools import cached_property
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from mouche_solver.cards.compiled.hands import SUITS, HandClasses
from mouche_solver.cards.rules.rules import CardRules
from mouche_solver.cards.strategy.contexts import Context, contexts
from mouche_solver.cards.strategy.levels_hands import (
    Feature,
    class_keys,
    decode,
    medium_keys,
    rough,
)
from mouche_solver.cards.strategy.levels_histories import Histories
from mouche_solver.errors import RulesError

Level = Literal["rough", "coarse", "lossless"]
HandLevel = Literal["rough", "coarse", "medium", "lossless"]
Chain = tuple[tuple[HandLevel, Level], ...]

ROUGH: Chain = (("rough", "rough"),)
COARSE: Chain = (*ROUGH, ("coarse", "coarse"))
MEDIUM: Chain = (*COARSE, ("medium", "coarse"))
HANDS: Chain = (*COARSE, ("lossless", "coarse"))
EXACT: Chain = (*HANDS, ("lossless", "lossless"))
CHAINS = {"coarse": COARSE, "medium": MEDIUM, "hands": HANDS, "exact": EXACT}

USUAL_CELLS = 3_000_000  # finer levels with more cells do not get enough visits

# Bits above the numbers of coarse and medium classes.
MARK_SHIFT = 60
MARKS = 3 << MARK_SHIFT

# Visits at which a level counts as much as the coarser ones. While training, what is blended are
# mean advantages: hands of one coarse class differ less than those of a rough class, so it takes
# more visits to tell their differences from noise. In the average each visit brings a whole mix.
LEARNING_PRIOR = {"rough": 0.0, "coarse": 200.0, "medium": 500.0, "lossless": 1000.0}
PRIOR = 20.0


@dataclass(frozen=True)
class Abstraction:
    """The information and the actions of a strategy.

    Parameters
    ----------
    rules : CardRules
    declarations : {"coarse", "medium", "hands", "exact"} or tuple of pairs
        Levels (hands, histories) from rough to fine. ``medium`` and ``hands`` end with medium and
        lossless hands and history classes, ``exact`` with lossless hands and exact histories.
    play : {"coarse", "lossless"}
    laying : {"rule", "every"}
        One set of cards for each number of an exchange, or every subset of the hand.
    prior : float
        Visits at which a finer cell of the finished strategy counts as much as the coarser ones.

    Raises
    ------
    RulesError
        For rules that strategies are not made for, or unknown levels.

    Examples
    --------
    >>> book = Abstraction(CardRules(players=3), "hands")
    >>> book.levels
    (('rough', 'rough'), ('coarse', 'coarse'), ('lossless', 'coarse'))
    >>> book.hand_count, book.histories.classes
    (15273, 15)
    """

    rules: CardRules
    declarations: str | Chain = "hands"
    play: Level = "coarse"
    laying: Literal["rule", "every"] = "rule"
    prior: float = PRIOR

    def __post_init__(self) -> None:
        if self.rules.players > 7 or len(self.rules.pack.suits) > SUITS:
            raise RulesError(f"players={self.rules.players}: strategies are for 2 to 7 players")
        if isinstance(self.declarations, str) and self.declarations not in CHAINS:
            raise RulesError(f"declarations={self.declarations!r}: allowed are {', '.join(CHAINS)}")
        if self.play not in ("coarse", "lossless"):
            raise RulesError(f"play={self.play!r}: allowed are coarse, lossless")
        if self.laying not in ("rule", "every"):
            raise RulesError(f"laying={self.laying!r}: allowed are rule, every")
        if self.laying == "every" and len(self.actions) > 62:
            raise RulesError(
                f"laying='every': {len(self.actions)} declarations of a hand, at most 62 fit; "
                "use laying='rule'"
            )

    @property
    def levels(self) -> Chain:
        """The chain, from coarse to fine."""
        chain = self.declarations
        return CHAINS[chain] if isinstance(chain, str) else chain

    @property
    def learning_priors(self) -> list[float]:
        """Visits at which each level counts as much as the coarser ones: of noisy values."""
        return [0.0, *(LEARNING_PRIOR[hands] for hands, _ in self.levels[1:])]

    @property
    def priors(self) -> list[float]:
        """The same of probabilities, in the finished strategy."""
        return [0.0] + [self.prior] * (len(self.levels) - 1)

    @cached_property
    def contexts(self) -> tuple[Context, ...]:
        """The turn-ups and trumps that are told apart."""
        return contexts(self.rules)

    @cached_property
    def hands(self) -> tuple[HandClasses, ...]:
        """The hand classes of each context."""
        rules = self.rules
        return tuple(
            HandClasses(rules.pack, rules.hand_size, c.turned, c.trump, c.apart)
            for c in self.contexts
        )

    @cached_property
    def starts(self) -> NDArray[np.int64]:
        """First class number of each context, and the number of all."""
        return np.cumsum([0, *(h.n_classes for h in self.hands)])

    @property
    def hand_count(self) -> int:
        """Lossless hand classes of all contexts."""
        return int(self.starts[-1])

    @cached_property
    def histories(self) -> Histories:
        """The public histories."""
        return Histories(self.rules)

    @cached_property
    def features(self) -> tuple[Feature, ...]:
        """The coarse classes of hands, in the order of their numbers."""
        return self._coarse[0]

    @cached_property
    def coarse_of(self) -> NDArray[np.int32]:
        """Coarse class of each hand class."""
        return self._coarse[1]

    @cached_property
    def hand_maps(self) -> dict[str, NDArray[np.int32]]:
        """For each level of the chain, the class of each hand class."""
        used = {hands for hands, _ in self.levels}
        maps = {"coarse": self.coarse_of}
        if "rough" in used:
            seen: dict[tuple[int, ...], int] = {}
            of = [seen.setdefault(rough(feature), len(seen)) for feature in self.features]
            maps["rough"] = np.array(of, np.int32)[self.coarse_of]
        if "medium" in used:
            keys = np.concatenate([medium_keys(self.rules, hands) for hands in self.hands])
            keys |= self._marks
            maps["medium"] = np.unique(keys, return_inverse=True)[1].astype(np.int32)
        if "lossless" in used:
            maps["lossless"] = np.arange(self.hand_count, dtype=np.int32)
        return maps

    @cached_property
    def _coarse(self) -> tuple[tuple[Feature, ...], NDArray[np.int32]]:
        keys = np.concatenate([class_keys(self.rules, hands) for hands in self.hands])
        known, number = np.unique(keys | self._marks, return_inverse=True)
        return tuple(decode(int(key) & ~MARKS) for key in known), number.astype(np.int32)

    @cached_property
    def _marks(self) -> NDArray[np.int64]:
        """What classes of different contexts, or with a special card, may not be joined by."""
        marks = [
            np.full(h.n_classes, c.kind) for c, h in zip(self.contexts, self.hands, strict=True)
        ]
        found = np.concatenate(marks).astype(np.int64)
        if self.rules.scoring == "countdown":  # the Ace of spades may not be passed
            ace = self.rules.pack.card("AS")
            held = [h.hand_of(np.arange(h.n_classes)) >> ace & 1 for h in self.hands]
            found |= np.concatenate(held) << 1
        return found << MARK_SHIFT

    @cached_property
    def actions(self) -> tuple[tuple[int, int, int], ...]:
        """(cards, subset or rule, swap) of each action; the first passes, the second stands."""
        most, size = self.rules.max_exchange, self.rules.hand_size
        if self.laying == "every":
            subsets = [s for s in range(1 << size) if s.bit_count() <= most]
            kept = [(s.bit_count(), s, -1) for s in subsets]
            swaps = [(s.bit_count(), s, given) for given in range(size) for s in subsets]
        else:
            kept = [(k, 0, -1) for k in range(most + 1)]
            swaps = [(k, 0, 0) for k in range(most + 1)]
        return (
            (0, 0, -1),
            *kept,
            *(swaps if self.rules.dealer_takes_trump else []),
        )

    @cached_property
    def layout_hash(self) -> str:
        """A hash of how cells are numbered; files with another one are not understood."""
        digest = hashlib.sha256(b"mouche-cards-2")
        for numbers in (self.coarse_of, self.histories.class_of, self.starts, self.cells):
            digest.update(np.asarray(numbers, "<i8").tobytes())
        digest.update(repr((self.levels, self.play, self.actions)).encode())
        return digest.hexdigest()[:16]

    @cached_property
    def cells(self) -> tuple[int, ...]:
        """Declaration cells of each level."""
        hands = {name: int(of.max()) + 1 for name, of in self.hand_maps.items()}
        histories = self.histories
        said = {
            "rough": histories.rough, "coarse": histories.classes, "lossless": histories.number,
        }  # fmt: skip
        return tuple(hands[h] * said[s] for h, s in self.levels)


def usual_abstraction(rules: CardRules) -> Abstraction:
    """The finest chain whose cells a training of minutes can visit.

    Examples
    --------
    >>> usual_abstraction(CardRules(players=6)).declarations
    'medium'
    """
    hands = Abstraction(rules, "hands")
    return hands if sum(hands.cells) <= USUAL_CELLS else Abstraction(rules, "medium")
