"""Exact odds of trumps, draws and cards against me.

Draws come from the stock as it was dealt. What earlier players drew is as unseen as the stock
itself, so it changes nothing. Once the cards laid aside are reshuffled this ends: what comes then
depends on what the others throw away, that is, on how they play.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import product
from math import comb, prod

from mouche_solver.cards.odds.unseen import (
    NOTHING,
    Seen,
    hits,
    mix,
    trump_mask,
    trump_suit,
    unseen,
)
from mouche_solver.cards.rules.rules import CardRules
from mouche_solver.core.checks import whole
from mouche_solver.errors import NotationError, RulesError, TooLargeError

MOST_CASES = 1_000_000


def trumps_dealt(
    rules: CardRules, seen: Seen = NOTHING, trump: int | None = None
) -> tuple[Fraction, ...]:
    """Chances that a given player was dealt 0, 1, ..., ``hand_size`` trumps.

    With a hand in ``seen`` it is a given other player. Without a turn-up it is averaged over the
    turn-ups; the Pamphile turned up is left out of that average, as trumps are then named.

    Examples
    --------
    >>> [str(p) for p in trumps_dealt(CardRules(players=3))][0]
    '2261/8970'
    """
    if seen.turned is not None or trump is not None:
        out = unseen(rules, seen)
        good = out & trump_mask(rules, trump_suit(rules, seen, trump))
        return hits(out.bit_count(), good.bit_count(), rules.hand_size)
    size = rules.pack.size
    turn_ups = [c for c in range(size) if c != rules.pamphile_card and not seen.hand >> c & 1]
    each = Fraction(1, len(turn_ups))
    alike = Counter(trumps_dealt(rules, Seen(hand=seen.hand, turned=card)) for card in turn_ups)
    return mix([(each * count, part) for part, count in alike.items()])


def trumps_after_exchange(
    rules: CardRules, seen: Seen, trump: int | None = None
) -> tuple[Fraction, ...]:
    """Chances of 0, 1, ..., ``hand_size`` trumps after laying down ``seen.laid`` of ``seen.hand``.

    Examples
    --------
    >>> rules = CardRules(players=4)
    >>> pack = rules.pack
    >>> seen = Seen(pack.hand("KS QH 9H 8H 6H"), pack.card("7S"), laid=pack.hand("8H 6H"))
    >>> [str(p) for p in trumps_after_exchange(rules, seen)]
    ['0', '253/435', '161/435', '7/145', '0', '0']
    """
    kept = _kept(rules, seen)
    out = unseen(rules, seen)
    trumps = trump_mask(rules, trump_suit(rules, seen, trump))
    drawn = hits(out.bit_count(), (out & trumps).bit_count(), seen.laid.bit_count())
    return _shift(drawn, (kept & trumps).bit_count(), rules.hand_size)


def trumps_exchanging(rules: CardRules, count: int) -> tuple[Fraction, ...]:
    """Chances of 0, 1, ... trumps for a player who exchanges ``count`` cards, trumps last.

    Before the deal: averaged over his hands. He lays plain cards down as long as he has any.

    Examples
    --------
    >>> trumps_exchanging(CardRules(players=3), 0) == trumps_dealt(CardRules(players=3))
    True
    """
    count = whole("count", count)
    _check_stock(rules, count)
    if rules.pamphile_card is None:
        return _exchanging(rules, rules.pack.per_suit - 1, count)
    # Of the turn-ups that show a suit, those of clubs leave the Jack among R - 1 trumps.
    ranks, size = rules.pack.per_suit, rules.pack.size
    clubs = Fraction(ranks - 1, size - 1)
    parts = [(clubs, ranks - 1), (1 - clubs, ranks)]
    return mix([(p, _exchanging(rules, trumps, count)) for p, trumps in parts if p])


def _exchanging(rules: CardRules, trumps: int, count: int) -> tuple[Fraction, ...]:
    size, out = rules.hand_size, rules.pack.size - 1
    parts = []
    for held, chance in enumerate(hits(out, trumps, size)):
        if chance:
            kept = min(held, size - count)
            drawn = hits(out - size, trumps - held, count)
            parts.append((chance, _shift(drawn, kept, size)))
    return mix(parts)


@dataclass(frozen=True)
class Want:
    """A holding: at least ``least`` and at most ``most`` cards of the mask ``cards``."""

    cards: int
    least: int = 1
    most: int | None = None

    def __post_init__(self) -> None:
        for name, value in vars(self).items():
            if value is not None or name != "most":
                object.__setattr__(self, name, whole(name, value))

    def met(self, count: int) -> bool:
        """Whether so many of the cards do."""
        return count >= self.least and (self.most is None or count <= self.most)


def improves(rules: CardRules, seen: Seen, wants: Sequence[Want]) -> Fraction:
    """Chance that the hand meets every want after ``seen.laid`` has been exchanged.

    The unseen cards fall into kinds by the wants they serve; all ways to draw so many of each kind
    are counted (a multivariate hypergeometric), never single hands.

    Raises
    ------
    TooLargeError
        When there are more than a million such ways.
    RulesError
        When the stock has fewer cards than are exchanged.

    Examples
    --------
    >>> rules = CardRules(players=4)
    >>> pack = rules.pack
    >>> seen = Seen(pack.hand("KH QH 9H 8D 6C"), pack.card("7S"), laid=pack.hand("8D 6C"))
    >>> print(improves(rules, seen, [Want(pack.suit_mask(pack.suit_number("H")), 5)]))
    1/29
    """
    kept, out = _kept(rules, seen), unseen(rules, seen)
    count = seen.laid.bit_count()
    kinds: Counter[tuple[bool, ...]] = Counter(
        tuple(bool(want.cards >> card & 1) for want in wants)
        for card in range(rules.pack.size)
        if out >> card & 1
    )
    sizes = list(kinds.values())
    cases = prod(min(size, count) + 1 for size in sizes)
    if cases > MOST_CASES:
        raise TooLargeError(
            f"{len(wants)} wants make {cases:,} ways to draw; at most {MOST_CASES:,} are counted: "
            "ask for fewer at once"
        )
    held = [(kept & want.cards).bit_count() for want in wants]
    ways = 0
    for drawn in product(*(range(min(size, count) + 1) for size in sizes)):
        if sum(drawn) != count:
            continue
        got = [
            sum(n for n, kind in zip(drawn, kinds, strict=True) if kind[i])
            for i in range(len(wants))
        ]
        if all(want.met(h + g) for want, h, g in zip(wants, held, got, strict=True)):
            ways += prod(comb(size, n) for size, n in zip(sizes, drawn, strict=True))
    return Fraction(ways, comb(out.bit_count(), count))


def cards_out(rules: CardRules, seen: Seen, cards: int, opponents: int) -> tuple[Fraction, ...]:
    """Chances that 0, 1, 2, ... of ``cards`` are in the hands of so many opponents.

    Their hands as dealt; after exchanges it still holds if they lay cards down without looking.
    Cards that are seen are against nobody.

    Returns
    -------
    tuple of Fraction
        One entry more than there are unseen cards among ``cards``; ``1 - result[0]`` is the
        chance that any is out.

    Examples
    --------
    >>> rules = CardRules(players=4)
    >>> pack = rules.pack
    >>> seen = Seen(pack.hand("QS JS 9H 8D 6C"), pack.card("7S"))
    >>> print(cards_out(rules, seen, pack.hand("KS"), opponents=2)[1])
    1/3
    """
    cards, opponents = whole("cards", cards), whole("opponents", opponents)
    if not 1 <= opponents <= rules.players - 1:
        raise RulesError(f"opponents={opponents}: allowed are 1 to {rules.players - 1}")
    out = unseen(rules, seen)
    return hits(out.bit_count(), opponents * rules.hand_size, (out & cards).bit_count())


def _kept(rules: CardRules, seen: Seen) -> int:
    if not seen.hand:
        raise NotationError("an exchange needs the hand")
    _check_stock(rules, seen.laid.bit_count())
    return seen.hand & ~seen.laid


def _check_stock(rules: CardRules, count: int) -> None:
    """Refuse a draw that the stock alone cannot serve: no exact odds without the others' play."""
    most = min(rules.max_exchange, rules.stock_size)
    if not 0 <= count <= most:
        raise RulesError(
            f"{count} cards: exact odds are for draws of at most {most}, as the stock has "
            f"{rules.stock_size} cards and an exchange at most {rules.max_exchange}; what comes "
            "after a reshuffle depends on what the others lay down"
        )


def _shift(drawn: tuple[Fraction, ...], kept: int, size: int) -> tuple[Fraction, ...]:
    """The distribution of kept + drawn, on 0 to ``size``."""
    after = [Fraction(0)] * kept + list(drawn)
    return tuple(after + [Fraction(0)] * (size + 1 - len(after)))[: size + 1]
