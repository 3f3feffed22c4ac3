"""Naming trumps, declarations and exchanges, and the mouche that follows them."""

from itertools import combinations

from mouche_solver.cards.referee.actions import Exchange, NameTrump, Pass, Shuffle, Stand
from mouche_solver.cards.referee.deal import CHANCE, Deal, Declared, replace, with_entry
from mouche_solver.cards.referee.mushka import hold_ace, score_alone
from mouche_solver.cards.referee.payment import pay_alone, pay_mouche, pay_pamphile
from mouche_solver.cards.rules.mouche import best_mouche, mouche_suit
from mouche_solver.cards.rules.pack import cards_of, mask_of
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


def may_swap(deal: Deal, seat: int) -> bool:
    """Whether the player may take the turn-up (Balzac); a Pamphile turned up stays there."""
    rules = deal.rules
    return rules.dealer_takes_trump and seat == deal.dealer and deal.turned != rules.pamphile_card


def holds_mouche(deal: Deal, seat: int) -> bool:
    """Whether what the player holds counts as a mouche, if he stands or has declared."""
    swapped = seat == deal.dealer and deal.face_up != deal.turned
    if not deal.rules.mouche or (swapped and not deal.rules.mouche_after_swap):
        return False
    if deal.declared[seat] == "exchange" and not deal.rules.mouche_after_exchange:
        return False
    return mouche_suit(deal.rules, deal.trump, deal.hands[seat]) is not None


def legal_declarations(deal: Deal) -> list[Pass | Stand | Exchange]:
    """Everything the player to declare may do."""
    seat = deal.turn
    stands: list[Stand] = [Stand(seat)]
    if _must_stand(deal, seat):
        return list(stands)
    if may_swap(deal, seat):
        stands += [Stand(seat, swap=card) for card in cards_of(deal.hands[seat])]
    result: list[Pass | Stand | Exchange] = [] if _must_not_pass(deal, seat) else [Pass(seat)]
    result += stands
    for stand in stands:
        hand = cards_of(_swapped(deal, stand).hands[seat] & ~kept_cards(deal))
        for count in range(1, exchangeable(deal) + 1):
            result += [Exchange(seat, laid, stand.swap) for laid in combinations(hand, count)]
    return result


def _must_not_pass(deal: Deal, seat: int) -> bool:
    return bool(deal.hands[seat] & kept_cards(deal))


def _must_stand(deal: Deal, seat: int) -> bool:
    return deal.rules.mouche_must_stand and holds_mouche(deal, seat)


def _swapped(deal: Deal, action: Stand | Exchange) -> Deal:
    """The deal after the dealer's swap, if there is one."""
    if action.swap is None:
        return deal
    seat = action.seat
    if not may_swap(deal, seat):
        raise IllegalMoveError("only the dealer may take the turn-up, where the rules say so")
    check_held(deal, seat, (action.swap,))
    hand = deal.hands[seat] ^ (1 << action.swap) ^ (1 << deal.turned)
    return replace(deal, hands=with_entry(deal.hands, seat, hand), face_up=action.swap)


def name_trump(deal: Deal, action: NameTrump) -> Deal:
    """The dealer names trumps before the first hand speaks."""
    suits = deal.rules.pack.suits
    if not 0 <= action.suit < len(suits):
        raise IllegalMoveError(f"suit {action.suit}: allowed are 0 to {len(suits) - 1}")
    return replace(deal, trump=action.suit, phase="declare", turn=0)


def declare(deal: Deal, action: Pass | Stand | Exchange) -> Deal:
    """One player's only declaration."""
    seat = action.seat
    if _must_stand(deal, seat) and action != Stand(seat):
        raise IllegalMoveError("a player who was dealt a mouche must stand on it")
    if isinstance(action, Pass):
        if _must_not_pass(deal, seat):
            raise IllegalMoveError("the holder of the Ace of spades may not pass")
        back = deal.hands[seat] if deal.rules.passed_hands_return else 0
        deal = replace(
            deal,
            pile=deal.pile | back,
            laid=with_entry(deal.laid, seat, deal.hands[seat]),
            hands=with_entry(deal.hands, seat, 0),
        )
        return _next(_say(deal, seat, "pass"))
    deal = _swapped(deal, action)
    if isinstance(action, Exchange):
        deal = exchange_cards(_say(deal, seat, "exchange"), seat, action.cards)
        return deal if deal.phase == "shuffle" else _next(deal)
    return _next(_say(deal, seat, "stand"))


def _say(deal: Deal, seat: int, said: Declared) -> Deal:
    return replace(deal, declared=with_entry(deal.declared, seat, said))


def shuffle(deal: Deal, action: Shuffle) -> Deal:
    """The pile becomes the stock; the player in exchange draws the rest."""
    if sorted(action.cards) != list(cards_of(deal.pile)):
        names = " ".join(deal.rules.pack.mask_names(deal.pile))
        raise IllegalMoveError(f"the cards to shuffle are those laid aside, each once: {names}")
    seat = last_speaker(deal)
    back = 0 if deal.rules.own_discards_return else deal.laid[seat]
    deal = draw(replace(deal, stock=action.cards), seat, deal.draws_left)
    return _next(replace(deal, pile=back, draws_left=0))


def last_speaker(deal: Deal) -> int:
    """The last seat that has declared; during a shuffle, the one that draws."""
    return max(s for s, said in enumerate(deal.declared) if said is not None)


def _next(deal: Deal) -> Deal:
    """Pass the word on; the dealer is not asked when everybody else has passed."""
    following = last_speaker(deal) + 1
    if following == deal.dealer and not deal.inside:
        return _alone(_say(deal, deal.dealer, "stand"), deal.dealer)
    if following < deal.seats:
        return replace(deal, phase="declare", turn=following)
    if len(deal.inside) == 1:
        return _alone(deal, deal.inside[0])
    return _reveal(deal)


def _alone(deal: Deal, seat: int) -> Deal:
    if deal.rules.scoring == "countdown":
        return score_alone(deal, seat)
    if deal.rules.pamphile_alone:
        deal = pay_pamphile(deal)
    return pay_alone(deal, seat, sweeps=deal.rules.sweep_alone and holds_mouche(deal, seat))


def _reveal(deal: Deal) -> Deal:
    """All have declared: the Pamphile is paid, a mouche is shown, or the first player in leads."""
    if deal.rules.scoring == "countdown":
        deal = hold_ace(deal)
    deal = pay_pamphile(deal)
    holders = [seat for seat in deal.inside if holds_mouche(deal, seat)]
    if holders:
        assert deal.trump is not None
        return pay_mouche(deal, best_mouche(deal.rules, deal.trump, deal.hands, holders), holders)
    return replace(deal, phase="play", turn=deal.inside[0])
