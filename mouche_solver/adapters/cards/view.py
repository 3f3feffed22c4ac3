"""One deal as it looks from the table: who holds, laid down and drew what, and what is public."""

from typing import NamedTuple

from mouche_solver.adapters.cards.position import CardPosition, last_declared
from mouche_solver.cards.referee.deal import Deal, Declared
from mouche_solver.cards.referee.declare import holds_mouche
from mouche_solver.cards.rules.pack import mask_of

Trick = tuple[tuple[int, int], ...]


class DealView(NamedTuple):
    """A deal at one moment; masks of cards by seat, ``None`` where there is nothing yet.

    Attributes
    ----------
    seating : tuple of int
        The player in each seat.
    dealt, laid, drawn, hands : tuple of int
        Cards as dealt, laid down in an exchange, drawn in it, and held now.
    piled : tuple of int
        Of the cards drawn, those that came from the reshuffled pile.
    said : tuple
        Declarations by seat.
    counts : tuple of int
        Cards exchanged by seat.
    turned, face_up : int or None
        The card turned up, and the one that lies there after a swap.
    trump : int or None
        The trump suit.
    tricks : tuple of tuple
        ``(seat, card)`` pairs of each trick, the unfinished one included.
    won : tuple of int
        Tricks won by seat.
    unfinished : bool
        Whether the last of the tricks lies on the table.
    pamphile, ace : int or None
        The seats that the Pamphile was paid to, and that Mushka's Ace of spades was counted for.
    shown : tuple of int
        Mouches that were shown.
    """

    seating: tuple[int, ...]
    dealt: tuple[int, ...]
    laid: tuple[int, ...]
    drawn: tuple[int, ...]
    hands: tuple[int, ...]
    piled: tuple[int, ...]
    said: tuple[Declared | None, ...]
    counts: tuple[int, ...]
    turned: int | None
    face_up: int | None
    trump: int | None
    tricks: tuple[Trick, ...] = ()
    won: tuple[int, ...] = ()
    unfinished: bool = False
    pamphile: int | None = None
    ace: int | None = None
    shown: tuple[int, ...] = ()


def current_view(position: CardPosition) -> DealView:
    """The deal that runs; at the end the last one."""
    if position.deal is None:
        return _dealing(position)
    view = deal_view(position.seating, position.deal, position.piled)
    if position.drawing is None and not position.drawn:
        return view
    return _drawing(position, position.deal, view)


def deal_view(seating: tuple[int, ...], deal: Deal, piled: tuple[int, ...] = ()) -> DealView:
    """A deal as the referee has it; ``piled`` is what each seat drew from the pile."""
    laid = [mask if _exchanged(deal, s) else 0 for s, mask in enumerate(deal.laid)]
    drawn = [
        _ever_held(deal, s) & ~(_before_exchange(deal, s) & ~laid[s]) if _exchanged(deal, s) else 0
        for s in range(deal.seats)
    ]
    trick = (deal.trick,) if deal.trick else ()
    return DealView(
        seating,
        deal.dealt,
        tuple(laid),
        tuple(drawn),
        deal.hands,
        piled or (0,) * deal.seats,
        deal.declared,
        tuple(mask.bit_count() for mask in laid),
        deal.turned,
        deal.face_up,
        deal.trump,
        deal.history + trick,
        deal.tricks,
        bool(trick),
        _paid_pamphile(deal),
        _counted_ace(deal),
        _shown(deal),
    )


def _dealing(position: CardPosition) -> DealView:
    seats = max(len(position.seating), 1)
    hands = position.hands + (0,) * (seats - len(position.hands))
    nothing = (0,) * seats
    silent: tuple[Declared | None, ...] = (None,) * seats
    turned, pack = position.turned, position.table.rules.pack
    named = turned is None or turned == position.table.rules.pamphile_card
    trump = None if turned is None or named else pack.suit(turned)
    return DealView(
        position.seating,
        hands,
        nothing,
        nothing,
        hands,
        nothing,
        silent,
        nothing,
        turned,
        turned,
        trump,
    )


def _drawing(position: CardPosition, deal: Deal, view: DealView) -> DealView:
    """The view with an exchange that the referee has not heard of, or a draw from the pile."""
    action = position.drawing
    if action is None:
        seat = last_declared(deal)
        drawn = view.drawn[seat] | position.drawn
        return view._replace(
            drawn=_with(view.drawn, seat, drawn),
            piled=_with(view.piled, seat, view.piled[seat] | position.drawn),
            hands=_with(view.hands, seat, view.hands[seat] | position.drawn),
        )
    seat, hand, laid = action.seat, view.hands[action.seat], mask_of(action.cards)
    if action.swap is not None:
        hand ^= (1 << action.swap) ^ (1 << deal.turned)
        view = view._replace(face_up=action.swap)
    said: Declared = "exchange"
    return view._replace(
        said=(*view.said[:seat], said, *view.said[seat + 1 :]),
        counts=_with(view.counts, seat, len(action.cards)),
        laid=_with(view.laid, seat, laid),
        drawn=_with(view.drawn, seat, position.drawn),
        hands=_with(view.hands, seat, hand & ~laid | position.drawn),
    )


def _with(values: tuple[int, ...], index: int, value: int) -> tuple[int, ...]:
    return (*values[:index], value, *values[index + 1 :])


def _exchanged(deal: Deal, seat: int) -> bool:
    return deal.declared[seat] == "exchange"


def _before_exchange(deal: Deal, seat: int) -> int:
    """The hand as dealt, after the dealer's swap."""
    swapped = seat == deal.dealer and deal.face_up != deal.turned
    return deal.dealt[seat] ^ ((1 << deal.face_up) ^ (1 << deal.turned) if swapped else 0)


def _ever_held(deal: Deal, seat: int) -> int:
    """The hand, and what the seat has played from it."""
    tricks = (*deal.history, deal.trick)
    played = mask_of([card for trick in tricks for each, card in trick if each == seat])
    return deal.hands[seat] | played


def _paid_pamphile(deal: Deal) -> int | None:
    """It is paid once all have declared, unless one player is alone."""
    card = deal.rules.pamphile_card
    alone = deal.outcome is not None and deal.outcome.how == "alone"
    if card is None or deal.phase not in ("play", "over") or alone:
        return None
    holders = [seat for seat in deal.inside if _ever_held(deal, seat) >> card & 1]
    return holders[0] if holders else None


def _counted_ace(deal: Deal) -> int | None:
    """Points tell who holds it at the holder's first trick, or at the end."""
    seat = deal.ace_holder
    if seat is None or not (deal.tricks[seat] or deal.outcome):
        return None
    return seat


def _shown(deal: Deal) -> tuple[int, ...]:
    if deal.outcome is None or deal.outcome.how != "mouche":
        return ()
    return tuple(
        hand if seat in deal.inside and holds_mouche(deal, seat) else 0
        for seat, hand in enumerate(deal.hands)
    )
