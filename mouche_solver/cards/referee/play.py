"""Playing the cards of a deal, trick by trick."""

from mouche_solver.cards.referee.actions import Play
from mouche_solver.cards.referee.deal import Deal, replace, with_entry
from mouche_solver.cards.referee.mushka import score_no_trick, score_trick
from mouche_solver.cards.referee.payment import pay_tricks
from mouche_solver.cards.rules.pack import cards_of
from mouche_solver.cards.rules.tricks import legal_cards, trick_winner
from mouche_solver.errors import IllegalMoveError


def legal_mask(deal: Deal) -> int:
    """Bit mask of the cards that the player to act may play."""
    assert deal.trump is not None
    cards = [card for _, card in deal.trick]
    return legal_cards(deal.rules, deal.trump, cards, deal.hands[deal.turn])


def legal_plays(deal: Deal) -> list[Play]:
    """The cards that may be played; a revoke is never offered."""
    return [Play(deal.turn, card) for card in cards_of(legal_mask(deal))]


def play(deal: Deal, action: Play) -> Deal:
    """Play one card; the last one of a trick also decides and scores it."""
    seat, card = action.seat, action.card
    _check_card(deal, action)
    deal = replace(
        deal,
        hands=with_entry(deal.hands, seat, deal.hands[seat] & ~(1 << card)),
        trick=(*deal.trick, (seat, card)),
        revoked=deal.revoked | {seat} if action.revoke else deal.revoked,
    )
    if len(deal.trick) < len(deal.inside):
        place = deal.inside.index(seat) + 1
        return replace(deal, turn=deal.inside[place % len(deal.inside)])
    return _finish_trick(deal)


def _check_card(deal: Deal, action: Play) -> None:
    pack, hand = deal.rules.pack, deal.hands[action.seat]
    if not 0 <= action.card < pack.size or not hand >> action.card & 1:
        name = pack.name(action.card) if 0 <= action.card < pack.size else str(action.card)
        raise IllegalMoveError(
            f"{name} is not in the hand, which is {' '.join(pack.mask_names(hand))}"
        )
    legal = legal_mask(deal)
    allowed = bool(legal >> action.card & 1)
    name = pack.name(action.card)
    if action.revoke and deal.rules.scoring == "countdown":
        raise IllegalMoveError("Mushka has no penalty for a revoke; the card is refused")
    if action.revoke and allowed:
        raise IllegalMoveError(f"{name} is allowed here, so it is no revoke")
    if not allowed and not action.revoke:
        names = " ".join(pack.mask_names(legal))
        raise IllegalMoveError(f"{name} may not be played: {_duty(deal, legal)}; legal: {names}")


def _duty(deal: Deal, legal: int) -> str:
    """The rule that the legal cards come from."""
    assert deal.trump is not None
    pack = deal.rules.pack
    led, card = deal.trick[0][1], cards_of(legal)[0]
    pamphile = deal.rules.pamphile_card
    follows = deal.trump if led == pamphile else pack.suit(led)
    suit = deal.trump if card == pamphile else pack.suit(card)
    if suit == follows:
        return "follow suit if you can, and beat the best card if you must and can"
    return "if you cannot follow you must trump, and overtrump if you must and can"


def _finish_trick(deal: Deal) -> Deal:
    """The winner takes the trick and leads; after the last one the deal is paid."""
    assert deal.trump is not None
    place = trick_winner(deal.rules, deal.trump, [card for _, card in deal.trick])
    winner = deal.trick[place][0]
    deal = replace(
        deal,
        tricks=with_entry(deal.tricks, winner, deal.tricks[winner] + 1),
        history=(*deal.history, deal.trick),
        trick=(),
        turn=winner,
    )
    countdown = deal.rules.scoring == "countdown"
    if countdown:
        deal = score_trick(deal, winner)
    if deal.outcome is not None or len(deal.history) < deal.rules.hand_size:
        return deal
    return score_no_trick(deal) if countdown else pay_tricks(deal)
