"""Contexts: the turn-ups and trumps that a strategy has to tell apart, and the way into them.

Where the turn-up's rank does not matter the lowest card of the suit stands for all of them: with
the turn-up gone, trumps are ordered cards and nothing else. The rank matters when the dealer may
take the turn-up, and in packs so small that two mouches of trumps with different points may meet.
The suit of a special card, clubs with the Pamphile and spades in Mushka, is told apart. See
docs/decisions/0018.
"""

from collections import defaultdict
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache

from mouche_solver.cards.compiled.arrays import compile_play, effective_order
from mouche_solver.cards.compiled.hands import HandClasses
from mouche_solver.cards.kernels.deal import count_first_named
from mouche_solver.cards.rules.pack import cards_of, mask_of
from mouche_solver.cards.rules.rules import CardRules
from mouche_solver.core.checks import whole
from mouche_solver.errors import IllegalMoveError

SMALL_HAND = 3  # mouches of trumps meet often enough to matter


@dataclass(frozen=True)
class Context:
    """A turn-up and the trump suit.

    Attributes
    ----------
    turned, trump : int
        The face-up card and the trump suit.
    apart : tuple of int
        More suits that must not be renamed.
    chance : float
        How likely a deal belongs to this context.
    kind : int
        0; 1 when there is a special card whose suit is not trumps.
    named : bool
        Whether the dealer named trumps, the Pamphile lying face up.
    """

    turned: int
    trump: int
    apart: tuple[int, ...]
    chance: float
    ranks: int
    kind: int = 0
    named: bool = False

    @property
    def fixed(self) -> tuple[int, ...]:
        """The suits that keep their names."""
        return (self.trump, self.turned // self.ranks, *self.apart)


def rank_matters(rules: CardRules) -> bool:
    """Whether the turn-up's rank has to be told apart."""
    meet = 2 * rules.hand_size < rules.pack.per_suit + (rules.pamphile_card is not None)
    compared = _points_differ(rules)
    if rules.mouche_order == "highest-card":  # the Pamphile keeps its rank, other trumps close up
        compared = rules.pamphile_card is not None
    mouches = rules.mouche and compared and meet and rules.hand_size <= SMALL_HAND
    ace_inside = rules.scoring == "countdown" and rules.pack.ranks[-1] != "A"
    return rules.dealer_takes_trump or ace_inside or mouches


def _points_differ(rules: CardRules) -> bool:
    return rules.ace_points == 1 or any(rank.isdigit() for rank in rules.pack.ranks)


@lru_cache(maxsize=64)
def contexts(rules: CardRules) -> tuple[Context, ...]:
    """All contexts of some rules, with chances that add up to one.

    Examples
    --------
    >>> [c.turned for c in contexts(CardRules(players=3))]
    [0]
    >>> len(contexts(CardRules(players=3, dealer_takes_trump=True)))
    7
    >>> [round(28 * c.chance, 3) for c in contexts(CardRules(players=3, pamphile=True))]
    [6.0, 21.0, 0.205, 0.795]
    """
    pack, special = rules.pack, special_suit(rules)
    ways: defaultdict[tuple[int, int], Fraction] = defaultdict(Fraction)
    for turned in range(pack.size):
        if turned == rules.pamphile_card:
            for trump, share in enumerate(_naming(rules, turned)):
                ways[_label(rules, turned, trump)] = share
        else:
            ways[_label(rules, turned, pack.suit(turned))] += 1
    apart = () if special is None else (special,)
    found = []
    for (kind, rank), cards in sorted(ways.items()):
        trump = int(special == 0) if kind & 1 else special or 0
        turned = _stands_for(rules, kind, rank, trump)
        chance = float(cards / pack.size)
        found.append(Context(turned, trump, apart, chance, pack.per_suit, kind & 1, kind > 1))
    return tuple(found)


def special_suit(rules: CardRules) -> int | None:
    """The suit of the Pamphile, or of Mushka's Ace of spades."""
    if rules.pamphile_card is not None:
        return rules.pack.suit(rules.pamphile_card)
    return rules.pack.suits.index("S") if rules.scoring == "countdown" else None


def _label(rules: CardRules, turned: int, trump: int) -> tuple[int, int]:
    """What contexts tell apart: kind (2 or 3 for a Pamphile turned up), rank."""
    kind = int(special_suit(rules) not in (None, trump))
    if turned == rules.pamphile_card:
        return kind + 2, 0
    if rank_matters(rules):
        return kind, rules.pack.rank(turned)
    return kind, int(_is_trump_ace(rules, turned))


def _is_trump_ace(rules: CardRules, turned: int) -> bool:
    """In Mushka, whether the Ace of trumps lies face up."""
    return rules.scoring == "countdown" and rules.pack.rank(turned) == rules.pack.per_suit - 1


def _stands_for(rules: CardRules, kind: int, rank: int, trump: int) -> int:
    """The turn-up of a context."""
    if kind > 1:
        assert rules.pamphile_card is not None
        return rules.pamphile_card
    order = effective_order(rules, trump)[trump]
    if rank_matters(rules):
        return trump * rules.pack.per_suit + rank
    return order[-1] if rank else order[0]


def _naming(rules: CardRules, turned: int) -> list[Fraction]:
    """How likely clubs, and another suit, are named."""
    pack = rules.pack
    classes = HandClasses(pack, rules.hand_size, turned)
    first = count_first_named(
        classes.hands(), turned, len(pack.suits), pack.per_suit, compile_play(rules)
    )
    clubs = Fraction(int(first), classes.n_hands)
    return [clubs] if len(pack.suits) == 1 else [clubs, 1 - clubs]


class Frame:
    """A real deal renamed into its context.

    Parameters
    ----------
    rules : CardRules
    turned : int
        The real turn-up.
    named : int, optional
        The suit that the dealer named, when the Pamphile is turned up.

    Attributes
    ----------
    turned : int
        As given.
    trump : int
        The real trump suit.
    context : int
        Which of :func:`contexts`.

    Raises
    ------
    IllegalMoveError
        When the turn-up is not in the pack, or trumps are named where they must not be or not
        named where they must.

    Examples
    --------
    >>> rules = CardRules(players=3)
    >>> pack = rules.pack
    >>> frame = Frame(rules, pack.card("10H"))
    >>> pack.mask_names(frame.inside(pack.hand("KH 9H 8C")))
    ['KC', '10C', '8H']
    >>> frame.outside(frame.inside(pack.hand("KH 9H 8C"))) == pack.hand("KH 9H 8C")
    True
    """

    def __init__(self, rules: CardRules, turned: int, named: int | None = None) -> None:
        pack, known = rules.pack, contexts(rules)
        turned = whole("turned", turned, IllegalMoveError)
        named = None if named is None else whole("named", named, IllegalMoveError)
        self.turned, self.trump = turned, _trump(rules, turned, named)
        label = _label(rules, turned, self.trump)
        self.context = [_label(rules, c.turned, c.trump) for c in known].index(label)
        there = known[self.context]
        name = {s: s for s in range(len(pack.suits))}
        name[self.trump], name[there.trump] = there.trump, self.trump
        here, target = effective_order(rules, self.trump), effective_order(rules, there.trump)
        self._inside = {turned: there.turned}
        for suit, cards in enumerate(here):
            real = [card for card in cards if card != turned]
            renamed = [card for card in target[name[suit]] if card != there.turned]
            self._inside.update(zip(real, renamed, strict=True))
        self._outside = {new: old for old, new in self._inside.items()}

    def inside(self, mask: int) -> int:
        """Real cards in the names of the context."""
        return mask_of(self._inside[card] for card in cards_of(mask))

    def outside(self, mask: int) -> int:
        """Cards of the context in their real names."""
        return mask_of(self._outside[card] for card in cards_of(mask))


def _trump(rules: CardRules, turned: int, named: int | None) -> int:
    pack = rules.pack
    if not 0 <= turned < pack.size:
        raise IllegalMoveError("the turn-up is not in the pack")
    if turned != rules.pamphile_card:
        if named is not None:
            raise IllegalMoveError(
                f"{pack.name(turned)} is turned up: trumps are named only under the Pamphile"
            )
        return pack.suit(turned)
    if named is None or not 0 <= named < len(pack.suits):
        raise IllegalMoveError(
            "the Pamphile is turned up: say which suit the dealer named, one of "
            + " ".join(pack.suits)
        )
    return named
