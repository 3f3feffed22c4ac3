"""Levels: which situations a card strategy tells apart, and what it may do in them.

The lossless level joins hands with the same future [1]_; that a finer level plays better must be
measured [2]_. Declarations have a chain of levels, each a pair (hands, histories) of ``rough``,
``coarse``, for hands ``medium``, or ``lossless``; a later level refines the earlier ones. The play
has one level. See docs/decisions/0010, 0019 and 0021.

Two hands share a coarse class when they hold equally many trumps with the same numbers of unseen
higher trumps, as many best, second best and lower cards of plain suits, an equally long longest
plain suit, and are both or neither of one suit (a mouche, of trumps or not). They share a medium
class when they also hold the same trumps and have plain suits of the same lengths. A rough class
only counts trumps, those with at most one unseen higher trump, and the best plain cards; a
``best-trump`` class counts trumps and best plain cards and knows the kind of the best trump.
Hands with and without a special card are never joined, nor are hands of contexts of two kinds.

References
----------
.. [1] Gilpin and Sandholm, Lossless abstraction of imperfect information games, Journal of the
   ACM 54, 2007.
.. [2] Waugh, Schnizlein, Bowling and Szafron, Abstraction pathologies in extensive games, AAMAS
   8, 2009: a finer abstraction need not play better; what a strategy is worth is measured.
"""

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from mouche_solver.cards.compiled.arrays import effective_order
from mouche_solver.cards.compiled.hands import SUITS, HandClasses
from mouche_solver.cards.kernels.records import TRICKS
from mouche_solver.cards.rules.rules import CardRules
from mouche_solver.cards.strategy.contexts import Context, contexts
from mouche_solver.cards.strategy.histories import Histories
from mouche_solver.errors import RulesError

CAP = 3  # unseen higher trumps are counted up to this
PLAIN_CAP = 2  # and unseen higher plain cards
KINDS = ("", "plain", "trump")
_BITS = 4  # of a count in a key
_COUNTS = CAP + 1 + PLAIN_CAP + 1
_MASK = (1 << _BITS) - 1
_TRUMP_BITS = 16  # places of trumps: at most 13 and the Pamphile

Ints = NDArray[np.int64]


class Action(NamedTuple):
    """One declaration of a strategy: pass, stand or exchange.

    Attributes
    ----------
    size : int
        Cards laid down.
    subset : int
        Which: a mask of places in the hand when every subset is an action, else a rule's number.
    swap : int
        -1, or the place of the card that the dealer gives for the turn-up.
    """

    size: int
    subset: int
    swap: int


class Feature(NamedTuple):
    """What a coarse class knows of a hand.

    Attributes
    ----------
    mouche : {"", "plain", "trump"}
        Whether all cards are of one suit, and of which kind.
    trumps : tuple of int
        Trumps with 0, 1, 2 and more unseen higher trumps.
    plain : tuple of int
        Plain cards with 0, 1 and more unseen higher cards of their suit.
    longest : int
        Length of the longest plain suit.
    """

    mouche: str
    trumps: tuple[int, ...]
    plain: tuple[int, ...]
    longest: int

    def __str__(self) -> str:
        kind = f"mouche ({self.mouche}), " if self.mouche else ""
        trumps = "/".join(map(str, self.trumps))
        plain = "/".join(map(str, self.plain))
        return f"{kind}trumps {trumps}, plain {plain}, longest {self.longest}"


def rough(feature: Feature) -> tuple[int, ...]:
    """What a rough class knows: kind of mouche, trumps, high trumps, best plain cards.

    Examples
    --------
    >>> rough(Feature("", (1, 0, 0, 1), (2, 0, 1), 2))
    (0, 2, 1, 2)
    """
    return (
        KINDS.index(feature.mouche),
        sum(feature.trumps),
        min(feature.trumps[0] + feature.trumps[1], 2),
        min(feature.plain[0], 2),
    )


def best_trump(feature: Feature) -> tuple[int, ...]:
    """What a best-trump class knows: kind of mouche, trumps, kind of the best, best plain cards.

    Examples
    --------
    >>> best_trump(Feature("", (0, 1, 0, 1), (2, 0, 1), 2))
    (0, 2, 1, 2)
    """
    best = next((i for i, held in enumerate(feature.trumps) if held), len(feature.trumps))
    return KINDS.index(feature.mouche), sum(feature.trumps), best, min(2, feature.plain[0])


def hand_feature(rules: CardRules, trump: int, turned: int, hand: int) -> Feature:
    """The feature of one hand.

    Examples
    --------
    >>> rules = CardRules(players=3)
    >>> pack = rules.pack
    >>> feature = hand_feature(rules, 0, pack.card("8C"), pack.hand("KC 9C KD QD 8H"))
    >>> print(feature)
    trumps 1/0/0/1, plain 2/0/1, longest 2
    """
    return decode(int(feature_keys(rules, trump, turned, np.array([hand], np.int64))[0]))


def feature_keys(rules: CardRules, trump: int, turned: int, hands: Ints) -> Ints:
    """The features of many hands as numbers; same shape as ``hands``."""
    counts, longest = np.zeros_like(hands), np.zeros_like(hands)
    for suit, order in enumerate(effective_order(rules, trump)):
        own = _held(hands, order)
        beside = order.index(turned) if turned in order else -1
        of_suit, length = _suit_table(len(order), beside, suit == trump)
        counts += of_suit[own]
        if suit != trump:
            longest = np.maximum(longest, length[own])
    kinds = _mouche_kinds(rules, trump, hands) << _BITS * _COUNTS
    return (kinds | counts) << _BITS | longest


def _held(hands: Ints, order: list[int]) -> Ints:
    """The cards of one suit in each hand, the lowest card the lowest bit."""
    if order == list(range(order[0], order[0] + len(order))):
        field: Ints = hands >> order[0] & ((1 << len(order)) - 1)
        return field
    held = np.zeros_like(hands)
    for place, card in enumerate(order):
        held |= (hands >> card & 1) << place
    return held


def _suit_table(ranks: int, beside: int, trump: bool) -> tuple[Ints, Ints]:
    """What each holding of one suit adds to the counts of a key, and its length."""
    own = np.arange(1 << ranks)
    counts, higher, length = np.zeros_like(own), np.zeros_like(own), np.zeros_like(own)
    first, cap = (0, CAP) if trump else (CAP + 1, PLAIN_CAP)
    for place in reversed(range(ranks)):
        held = own >> place & 1
        bucket = first + np.minimum(higher, cap)
        counts += held << _BITS * (_COUNTS - 1 - bucket)
        length += held
        if place != beside:
            higher += 1 - held
    return counts, length


def _mouche_kinds(rules: CardRules, trump: int, hands: Ints) -> Ints:
    """Index into ``KINDS`` of each hand."""
    kinds = np.zeros_like(hands)
    if not rules.mouche:
        return kinds
    free = rules.pamphile_any_suit and rules.pamphile_card is not None
    counted = hands & ~(1 << rules.pamphile_card) if free else hands  # type: ignore[operator]
    for suit in range(len(rules.pack.suits)):
        of_one_suit = counted & ~rules.pack.suit_mask(suit) == 0
        kinds[of_one_suit] = np.maximum(kinds[of_one_suit], 2 if suit == trump else 1)
    return kinds


def decode(key: int) -> Feature:
    """The feature of a number of :func:`feature_keys`."""
    digits = []
    for _ in range(_COUNTS + 1):
        digits.append(key & _MASK)
        key >>= _BITS
    *counts, longest = reversed(digits)
    return Feature(KINDS[key], tuple(counts[: CAP + 1]), tuple(counts[CAP + 1 :]), longest)


def class_keys(rules: CardRules, classes: HandClasses) -> Ints:
    """The feature number of every hand class; shape (classes.n_classes,)."""
    hands = classes.hand_of(np.arange(classes.n_classes))
    return feature_keys(rules, classes.trump, classes.turned, hands)


def _medium_rows(rules: CardRules, classes: HandClasses) -> tuple[list[Ints], Ints]:
    """Lengths of the plain suits, all but the shortest, and the trumps held, of every class."""
    hands = classes.hand_of(np.arange(classes.n_classes))
    order = effective_order(rules, classes.trump)
    masks = [sum(1 << card for card in cards) for cards in order]
    plain = [
        np.bitwise_count(hands & mask) for suit, mask in enumerate(masks) if suit != classes.trump
    ]
    lengths = np.sort(np.array(plain or [np.zeros_like(hands)]), axis=0)
    held = np.zeros_like(hands)
    for position, card in enumerate(order[classes.trump]):
        held |= (hands >> card & 1) << position
    return list(lengths[1:]), held  # the shortest follows from the others


def _medium_key(first: NDArray[np.int32], classes: Sequence[HandClasses], rules: CardRules) -> Ints:
    """A number for what a medium class knows beyond ``first``, which tells it apart too."""
    lengths, held = zip(*(_medium_rows(rules, hands) for hands in classes), strict=True)
    keys = first.astype(np.int64)
    for row in zip(*lengths, strict=True):
        keys = keys << _BITS | np.concatenate(row)
    found: Ints = keys << _TRUMP_BITS | np.concatenate(held)
    return found


def _numbered(keys: Ints) -> NDArray[np.int32]:
    """A gapless number for each different key, in the order of the keys."""
    return np.unique(keys, return_inverse=True)[1].astype(np.int32)


Level = Literal["rough", "coarse", "last", "lossless"]
HandLevel = Literal["rough", "coarse", "medium", "lossless"]
Chain = tuple[tuple[HandLevel, Level], ...]

ROUGH: Chain = (("rough", "rough"),)
COARSE: Chain = (*ROUGH, ("coarse", "coarse"))
MEDIUM: Chain = (*COARSE, ("medium", "coarse"))
HANDS: Chain = (*COARSE, ("lossless", "coarse"))
EXACT: Chain = (*HANDS, ("lossless", "lossless"))
# Coarse hands with the last seat's histories apart, and finer hands beside them.
LAST: Chain = (*COARSE, ("coarse", "last"))
HANDS_LAST: Chain = (*LAST, ("lossless", "coarse"))
MEDIUM_LAST: Chain = (*LAST, ("medium", "coarse"))
CHAINS = {
    "coarse": COARSE,
    "medium": MEDIUM,
    "hands": HANDS,
    "exact": EXACT,
    "hands-last": HANDS_LAST,
    "medium-last": MEDIUM_LAST,
}
_FINENESS = ("rough", "coarse", "medium", "last", "lossless")

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
    declarations : name of a chain or tuple of pairs
        Levels (hands, histories) from rough to fine. ``medium`` and ``hands`` end with medium and
        lossless hands and history classes, ``exact`` with lossless hands and exact histories.
        ``hands-last`` and ``medium-last`` have coarse hands with the last seat's histories told
        apart beside their finest level.
    play : {"coarse", "lossless"}
    laying : {"rule", "every"}
        One set of cards for each number of an exchange, or every subset of the hand.
    prior : float
        Visits at which a finer cell of the finished strategy counts as much as the coarser ones.
    medium : {"refined", "joined"}
        How medium classes are numbered: inside the coarse ones, or as in files of version 0.1.

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
    medium: Literal["refined", "joined"] = "refined"

    def __post_init__(self) -> None:
        if self.rules.players > 7 or len(self.rules.pack.suits) > SUITS:
            raise RulesError(f"players={self.rules.players}: strategies are for 2 to 7 players")
        if self.rules.hand_size > TRICKS:
            raise RulesError(
                f"hand_size={self.rules.hand_size}: strategies are for hands of 1 to {TRICKS} cards"
            )
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
    def beside(self) -> list[bool]:
        """Which levels do not refine the one before: both then correct the coarser ones."""
        rank = _FINENESS.index
        pairs = zip(self.levels, self.levels[1:], strict=False)
        return [False] + [rank(a[0]) > rank(b[0]) or rank(a[1]) > rank(b[1]) for a, b in pairs]

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
        names = dict.fromkeys(("coarse", *(hands for hands, _ in self.levels)))
        maps: dict[str, NDArray[np.int32]] = {name: self.hands_of(name) for name in names}
        if "medium" in maps and self.medium == "joined":
            maps["medium"] = self._joined_medium
        return maps

    def hands_of(self, level: str) -> NDArray[np.int32]:
        """The class of each hand class at a level; every finer class lies inside one coarser.

        Parameters
        ----------
        level : {"rough", "best-trump", "coarse", "medium", "lossless"}

        Returns
        -------
        int32 array, shape (hand_count,)
        """
        if level == "lossless":
            return np.arange(self.hand_count, dtype=np.int32)
        if level == "coarse":
            return self.coarse_of
        if level == "medium":
            return self._medium
        summary = {"rough": rough, "best-trump": best_trump}[level]
        seen: dict[tuple[int, ...], int] = {}
        of = [seen.setdefault(summary(feature), len(seen)) for feature in self.features]
        return np.array(of, np.int32)[self.coarse_of]

    @cached_property
    def _medium(self) -> NDArray[np.int32]:
        return _numbered(_medium_key(self.coarse_of, self.hands, self.rules))

    @cached_property
    def _joined_medium(self) -> NDArray[np.int32]:
        """Medium classes as files of version 0.1 number them.

        The hands of each context are numbered by themselves and then taken together, which joins
        some of different coarse classes when there are several contexts.
        """
        keys = []
        for hands in self.hands:
            lengths, held = _medium_rows(self.rules, hands)
            first = class_keys(self.rules, hands)
            for row in lengths:
                first = first << _BITS | row
            keys.append(_numbered(first).astype(np.int64) << _TRUMP_BITS | held)
        return _numbered(np.concatenate(keys) | self._marks)

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
    def actions(self) -> tuple[Action, ...]:
        """All actions; the first passes, the second stands."""
        most, size = self.rules.max_exchange, self.rules.hand_size
        if self.laying == "every":
            subsets = [s for s in range(1 << size) if s.bit_count() <= most]
            kept = [Action(s.bit_count(), s, -1) for s in subsets]
            swaps = [Action(s.bit_count(), s, given) for given in range(size) for s in subsets]
        else:
            kept = [Action(k, 0, -1) for k in range(most + 1)]
            swaps = [Action(k, 0, 0) for k in range(most + 1)]
        return (
            Action(0, 0, -1),
            *kept,
            *(swaps if self.rules.dealer_takes_trump else []),
        )

    @cached_property
    def layout_hash(self) -> str:
        """A hash of how cells are numbered; files with another one are not understood."""
        digest = hashlib.sha256(b"mouche-cards-2")
        for numbers in (self.coarse_of, self.histories.class_of, self.starts, self.cells):
            digest.update(np.asarray(numbers, "<i8").tobytes())
        actions = tuple(map(tuple, self.actions))
        digest.update(repr((self.levels, self.play, actions)).encode())
        if any(said == "last" for _, said in self.levels):
            digest.update(self.histories.last_of.astype("<i8").tobytes())
        if self._medium_moved:
            digest.update(self._medium.astype("<i8").tobytes())
        return digest.hexdigest()[:16]

    def with_layout(self, layout: str) -> "Abstraction | None":
        """The abstraction with its cells numbered as a file has them; None when it cannot be.

        Parameters
        ----------
        layout : str
            The :attr:`layout_hash` of the file.
        """
        return next(
            (book for book in (self, replace(self, medium="joined")) if book.layout_hash == layout),
            None,
        )

    @property
    def _medium_moved(self) -> bool:
        """Whether refined medium classes are numbered in another way than files of version 0.1."""
        used = any(hands == "medium" for hands, _ in self.levels) and len(self.contexts) > 1
        return used and self.medium == "refined"

    @cached_property
    def cells(self) -> tuple[int, ...]:
        """Declaration cells of each level."""
        hands = {name: int(of.max()) + 1 for name, of in self.hand_maps.items()}
        histories = self.histories
        said = {
            "rough": histories.rough,
            "coarse": histories.classes,
            "last": histories.last,
            "lossless": histories.number,
        }
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
