"""Contexts: the turn-ups and trumps that a strategy has to tell apart, and the way into them.

Where the turn-up's rank does not matter the lowest card of the first suit stands for all of them:
with the turn-up gone, trumps are ordered cards and nothing else. The rank matters when the dealer
may take the turn-up, and in packs so small that two mouches of trumps with different points may
meet.
"""

from dataclasses import dataclass

from mouche_solver.cards.cards import cards_of, mask_of
from mouche_solver.cards.rules import CardRules
from mouche_solver.errors import RulesError

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
    """

    turned: int
    trump: int
    apart: tuple[int, ...]
    chance: float
    ranks: int

    @property
    def fixed(self) -> tuple[int, ...]:
        """The suits that keep their names."""
        return (self.trump, self.turned // self.ranks, *self.apart)


def rank_matters(rules: CardRules) -> bool:
    """Whether the turn-up's rank has to be told apart."""
    meet = 2 * rules.hand_size < rules.pack.per_suit + (rules.pamphile_card is not None)
    by_points = rules.mouche and rules.mouche_order == "points" and _points_differ(rules)
    return rules.dealer_takes_trump or (meet and by_points and rules.hand_size <= SMALL_HAND)


def _points_differ(rules: CardRules) -> bool:
    return rules.ace_points == 1 or any(rank.isdigit() for rank in rules.pack.ranks)


def contexts(rules: CardRules) -> tuple[Context, ...]:
    """All contexts of some rules, with chances that add up to one.

    Examples
    --------
    >>> [c.turned for c in contexts(CardRules(players=3))]
    [0]
    >>> len(contexts(CardRules(players=3, dealer_takes_trump=True)))
    7
    """
    if rules.pamphile_card is not None:
        raise RulesError("pamphile=True: strategies are not made for it yet")
    pack = rules.pack
    turned = range(pack.per_suit) if rank_matters(rules) else range(1)
    return tuple(Context(t, 0, (), 1 / len(turned), pack.per_suit) for t in turned)


class Frame:
    """A real deal renamed into its context.

    Parameters
    ----------
    rules : CardRules
    turned : int
        The real turn-up.

    Attributes
    ----------
    turned : int
        As given.
    context : int
        Which of :func:`contexts`.

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

    def __init__(self, rules: CardRules, turned: int) -> None:
        pack = rules.pack
        suit, rank = pack.suit(turned), pack.rank(turned)
        keep = rank_matters(rules)
        self.turned = turned
        self.context = rank if keep else 0
        name = {suit: 0, 0: suit}
        self._inside: dict[int, int] = {}
        for card in range(pack.size):
            r = pack.rank(card)
            if pack.suit(card) == suit and not keep:
                r = 0 if r == rank else r + (r < rank)
            where = name.get(pack.suit(card), pack.suit(card))
            self._inside[card] = where * pack.per_suit + r
        self._outside = {there: here for here, there in self._inside.items()}

    def inside(self, mask: int) -> int:
        """Real cards in the names of the context."""
        return mask_of(self._inside[card] for card in cards_of(mask))

    def outside(self, mask: int) -> int:
        """Cards of the context in their real names."""
        return mask_of(self._outside[card] for card in cards_of(mask))
