"""Laying cards down and drawing from the stock."""

from mouche_solver.cards.referee.deal import CHANCE, Deal, replace, with_entry
from mouche_solver.cards.rules.pack import mask_of
from mouche_solver.errors import IllegalMoveError


def exchangeable(deal: Deal) -> int:
    """Most cards that the player to declare may exchange: the cap, and what can be drawn."""
    rules = deal.rules
    if not rules.reshuffle:
        return min(rules.max_exchange, len(deal.stock))
    if rules.own_discards_return:
        return rules.max_exchange
    return min(rules.max_exchange, len(deal.stock) + deal.pile.bit_count())


def kept_cards(deal: Deal) -> int:
    """Cards that may not be laid down: Mushka's Ace of spades."""
    return 1 << deal.rules.pack.card("AS") if deal.rules.scoring == "countdown" else 0


def check_held(deal: Deal, seat: int, cards: tuple[int, ...]) -> None:
    """Refuse cards that are not in the player's hand."""
    pack = deal.rules.pack
    for card in cards:
        if not 0 <= card < pack.size or not deal.hands[seat] >> card & 1:
            name = pack.name(card) if 0 <= card < pack.size else str(card)
            held = " ".join(pack.mask_names(deal.hands[seat]))
            raise IllegalMoveError(f"{name} is not in the hand, which is {held}")


def exchange_cards(deal: Deal, seat: int, cards: tuple[int, ...]) -> Deal:
    """Lay cards down and draw: what is left of the stock first, then the reshuffled pile."""
    rules, count = deal.rules, len(cards)
    check_held(deal, seat, cards)
    if len(set(cards)) != count:
        raise IllegalMoveError("the same card cannot be laid down twice")
    if not 1 <= count <= rules.max_exchange:
        raise IllegalMoveError(f"{count} cards: an exchange is 1 to {rules.max_exchange} cards")
    if count > exchangeable(deal):
        raise IllegalMoveError(
            f"{count} cards: only {exchangeable(deal)} can be drawn from the stock"
            f"{' and the cards laid aside' if rules.reshuffle else ''}"
        )
    laid = mask_of(cards)
    if laid & kept_cards(deal):
        raise IllegalMoveError("the Ace of spades may not be laid down")
    deal = replace(
        deal,
        hands=with_entry(deal.hands, seat, deal.hands[seat] & ~laid),
        laid=with_entry(deal.laid, seat, laid),
        pile=deal.pile | (laid if rules.own_discards_return else 0),
    )
    short = max(0, count - len(deal.stock))
    deal = draw(deal, seat, count - short)
    if short:
        return replace(deal, phase="shuffle", turn=CHANCE, draws_left=short)
    return replace(deal, pile=deal.pile | laid)


def draw(deal: Deal, seat: int, count: int) -> Deal:
    """Move cards from the top of the stock into a hand."""
    drawn = mask_of(deal.stock[:count])
    hand = deal.hands[seat] | drawn
    return replace(deal, hands=with_entry(deal.hands, seat, hand), stock=deal.stock[count:])
