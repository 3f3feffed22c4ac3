"""One deal as an immutable value, and how it begins."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal, TypeVar

from mouche_solver.cards.rules.html import deal_html
from mouche_solver.cards.rules.pack import mask_of
from mouche_solver.cards.rules.rules import CardRules
from mouche_solver.core.checks import whole
from mouche_solver.errors import IllegalMoveError

Phase = Literal["name-trump", "declare", "shuffle", "play", "over"]
Declared = Literal["pass", "stand", "exchange"]
How = Literal["alone", "mouche", "tricks", "zero"]
CHANCE = -1
T = TypeVar("T")


@dataclass(frozen=True)
class Outcome:
    """How a deal ended.

    ``winner`` is the seat that was alone, won with a mouche or reached 0; None after tricks.
    ``mouches`` are the seats that made the mouche, each once.
    """

    how: How
    winner: int | None = None
    mouches: tuple[int, ...] = ()


@dataclass(frozen=True)
class Deal:
    """A deal at one moment; every step makes a new one.

    Hands, piles and what was laid down are bit masks. Tuples without further note have one entry
    per seat; seat 0 is the first hand, the last seat the dealer.

    Attributes
    ----------
    turned, face_up : int
        The card turned up, and the card that lies there now (another after a swap).
    trump : int or None
        The trump suit; None until the dealer has named it.
    stock : tuple of int
        Cards to be drawn, the next one first.
    pile : int
        Cards laid aside that a reshuffle would bring back.
    stake, pot : int
        The pot that is played for, and the chips in the basket now; ``waiting`` are the mouches
        paid for later pots, the first ``older`` of them before this deal.
    turn : int
        The seat that must act, -1 for chance.
    draws_left : int
        Cards that the player in exchange still gets after the shuffle.
    trick, history : tuple
        ``(seat, card)`` pairs of the unfinished trick; the finished tricks.
    broke : frozenset of int
        Seats that could not pay in full.
    points : tuple of int
        Mushka's points; empty under chips.
    """

    rules: CardRules
    dealt: tuple[int, ...]
    hands: tuple[int, ...]
    turned: int
    face_up: int
    stock: tuple[int, ...]
    trump: int | None
    phase: Phase
    turn: int
    stacks: tuple[int, ...]
    stake: int
    pot: int
    waiting: tuple[int, ...]
    points: tuple[int, ...]
    declared: tuple[Declared | None, ...]
    laid: tuple[int, ...]
    tricks: tuple[int, ...]
    pile: int = 0
    draws_left: int = 0
    asked: frozenset[int] = frozenset()
    question: int | None = None
    trick: tuple[tuple[int, int], ...] = ()
    history: tuple[tuple[tuple[int, int], ...], ...] = ()
    revoked: frozenset[int] = frozenset()
    broke: frozenset[int] = frozenset()
    ace_holder: int | None = None
    older: int = 0
    outcome: Outcome | None = None

    @property
    def seats(self) -> int:
        """Number of players in this deal."""
        return len(self.hands)

    @property
    def dealer(self) -> int:
        """The dealer's seat."""
        return len(self.hands) - 1

    @property
    def inside(self) -> tuple[int, ...]:
        """The seats that are in so far."""
        return tuple(s for s, said in enumerate(self.declared) if said in ("stand", "exchange"))

    @property
    def chips(self) -> int:
        """All chips: stacks, pot and waiting mouches. No step changes this sum."""
        return sum(self.stacks) + self.pot + sum(self.waiting)

    def _repr_html_(self) -> str:
        return deal_html(self)


def start_deal(
    rules: CardRules,
    order: Sequence[int],
    *,
    stacks: Sequence[int] | None = None,
    pot: int | None = None,
    waiting: Sequence[int] = (),
    points: Sequence[int] | None = None,
) -> Deal:
    """Deal hands, turn-up and stock from a shuffled pack.

    Parameters
    ----------
    rules : CardRules
    order : sequence of int
        Every card of the pack once: the hands in seat order, the turn-up, then the stock.
    stacks, points : sequence of int, optional
        One entry for each seat of this deal; their number is the number of seats.
    pot : int, optional
        Chips in the pot; by default a simple mouche, the ante.
    waiting : sequence of int
        Mouches that wait for later pots, oldest first.

    Raises
    ------
    IllegalMoveError
        When ``order`` is not the pack, each card once.
    RulesError
        When an amount is no whole number.
    """
    pack, size = rules.pack, rules.hand_size
    order = tuple(whole("card", card, IllegalMoveError) for card in order)
    if sorted(order) != list(range(pack.size)):
        raise IllegalMoveError(f"a deal uses each of the {pack.size} cards of the pack once")
    stacks = rules.starting_chips if stacks is None else _wholes("stacks", stacks)
    seats = len(stacks)
    hands = tuple(mask_of(order[s * size : (s + 1) * size]) for s in range(seats))
    turned = order[seats * size]
    # A turned-up Pamphile shows no suit: the dealer names trumps (Académie universelle, 1758).
    named = turned == rules.pamphile_card
    countdown = rules.scoring == "countdown"
    if pot is None:
        pot = 0 if countdown else rules.ante_chips
    pot = whole("pot", pot)
    if points is None:
        points = (rules.countdown_from,) * seats if countdown else ()
    return Deal(
        rules=rules,
        dealt=hands,
        hands=hands,
        turned=turned,
        face_up=turned,
        stock=tuple(order[seats * size + 1 :]),
        trump=None if named else pack.suit(turned),
        phase="name-trump" if named else "declare",
        turn=seats - 1 if named else 0,
        stacks=stacks,
        stake=pot,
        pot=pot,
        waiting=_wholes("waiting", waiting),
        older=len(waiting),
        points=_wholes("points", points),
        declared=(None,) * seats,
        laid=(0,) * seats,
        tricks=(0,) * seats,
    )


def _wholes(name: str, values: Sequence[int]) -> tuple[int, ...]:
    return tuple(whole(name, value) for value in values)


def replace(deal: Deal, **changes: Any) -> Deal:
    """The deal with some fields changed; ten times as fast as :func:`dataclasses.replace`.

    A deal is replaced over a hundred times from its first card to its last.
    """
    copy = object.__new__(Deal)
    values = vars(copy)
    values.update(vars(deal))
    values.update(changes)
    return copy


def with_entry(values: tuple[T, ...], index: int, value: T) -> tuple[T, ...]:
    """The tuple with one entry changed."""
    return (*values[:index], value, *values[index + 1 :])
