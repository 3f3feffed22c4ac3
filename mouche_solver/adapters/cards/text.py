"""What players read: actions, states and information states of a game of cards."""

from collections.abc import Collection

from mouche_solver.adapters.cards.position import CardPosition
from mouche_solver.adapters.cards.table import CardTable
from mouche_solver.adapters.cards.view import DealView, Trick, current_view, deal_view
from mouche_solver.adapters.moments import CHANCE, TERMINAL, order_text
from mouche_solver.cards.referee.actions import Exchange, NameTrump, Pass, Play
from mouche_solver.cards.rules.pack import mask_of


def action_text(position: CardPosition, player: int, action: int) -> str:
    """The words of an action: ``pass``, ``exchange 9D 8D``, ``play KC``, ``draw QH`` ..."""
    table, pack = position.table, position.table.rules.pack
    if player == CHANCE:
        if not position.seating:
            return f"dealer p{action}"
        cards = table.cards_text(mask_of(position.outcome_cards(action)))
        verb = "draw" if position.deal else "turn up" if position.turned is None else "deal"
        return f"{verb} {cards}"
    if position.deal is None:
        return str(action)
    act = table.numbers.action(position.deal, action)
    if isinstance(act, Pass):
        return "pass"
    if isinstance(act, NameTrump):
        return f"name {pack.suits[act.suit]}"
    if isinstance(act, Play):
        return f"play {pack.name(act.card)}"
    swap = getattr(act, "swap", None)
    words = "stand" if swap is None else f"swap {pack.name(swap)} and stand"
    if isinstance(act, Exchange):
        return words.replace("stand", f"exchange {table.cards_text(mask_of(act.cards))}")
    return words


def information_state(position: CardPosition, player: int) -> str:
    """All that a player has seen: perfect recall, and nothing hidden.

    Own cards are sets as dealt, laid down and drawn; the order in which they came is forgotten.
    """
    return f"p{player} {recalled(position, (player,))}".rstrip()


def recalled(position: CardPosition, eyes: Collection[int]) -> str:
    """Every deal, with the cards of the players in ``eyes``."""
    table = position.table
    views = [deal_view(*ended) for ended in position.past]
    return " | ".join([deal_text(table, each, eyes) for each in (*views, current_view(position))])


def state_text(position: CardPosition) -> str:
    """All that has happened, hidden things included."""
    return recalled(position, range(position.table.rules.players))


def deal_text(table: CardTable, view: DealView, eyes: Collection[int]) -> str:
    """A deal: seats, cards as dealt, turn-up, declarations, tricks and what was shown."""
    pack = table.rules.pack
    dealt = [
        table.cards_text(hand)
        for player, hand in zip(view.seating, view.dealt, strict=False)
        if player in eyes
    ]
    order = [order_text(view.seating)] if table.many and view.seating else []
    parts = [" ".join([*order, " / ".join(dealt)]).strip()]
    if view.turned is not None:
        turned = pack.name(view.turned)
        named = view.turned == table.rules.pamphile_card and view.trump is not None
        parts.append(f"{turned} trumps {pack.suits[view.trump or 0]}" if named else turned)
    said = [declaration_text(table, view, seat, eyes) for seat in range(len(view.seating))]
    parts += [", ".join(filter(None, said)), tricks_text(table, view.tricks), events(table, view)]
    return " : ".join(filter(None, parts))


def declaration_text(
    table: CardTable, view: DealView, seat: int, eyes: Collection[int] = ()
) -> str:
    """What a seat has declared; which cards, only for those who saw them."""
    said = view.said[seat]
    if said is None:
        return ""
    words = f"exchange {view.counts[seat]}" if said == "exchange" else str(said)
    if said == "exchange" and view.seating[seat] in eyes:
        laid, drawn = table.cards_text(view.laid[seat]), drawn_text(table, view, seat)
        words += f" ({laid} for {drawn})" if drawn else f" ({laid})"
    swapped = seat == len(view.seating) - 1 and view.face_up != view.turned
    if swapped and view.face_up is not None:
        words = f"swap {table.rules.pack.name(view.face_up)} {words}"
    return words


def drawn_text(table: CardTable, view: DealView, seat: int) -> str:
    """What a seat drew: from the stock, and from the pile after the reshuffle."""
    pile = table.cards_text(view.piled[seat])
    stock = table.cards_text(view.drawn[seat] & ~view.piled[seat])
    return ", ".join(filter(None, (stock, f"pile {pile}" if pile else "")))


def tricks_text(table: CardTable, tricks: tuple[Trick, ...]) -> str:
    """Cards in the order played, a trick ending with ``/``."""
    names = table.rules.pack.all_names
    return " / ".join([" ".join([names[card] for _, card in trick]) for trick in tricks])


def events(table: CardTable, view: DealView) -> str:
    """Who was paid for the Pamphile, who held Mushka's Ace, which mouches were shown."""
    seats = view.seating
    parts = []
    if view.pamphile is not None:
        parts.append(f"pamphile p{seats[view.pamphile]}")
    if view.ace is not None:
        parts.append(f"ace p{seats[view.ace]}")
    for seat, hand in enumerate(view.shown):
        if hand:
            parts.append(f"mouche p{seats[seat]} {table.cards_text(hand)}")
    return ", ".join(parts)


def public_now(position: CardPosition) -> str:
    """What lies on the table now, without the past: one needs no memory to see it."""
    table, view = position.table, current_view(position)
    pack = table.rules.pack
    parts = [order_text(view.seating)] if table.many and view.seating else []
    if view.face_up is not None:
        trump = "?" if view.trump is None else pack.suits[view.trump]
        parts.append(f"{pack.name(view.face_up)} trumps {trump}")
    said = [declaration_text(table, view, seat) for seat in range(len(view.seating))]
    parts.append(", ".join(filter(None, said)))
    won = [f"p{who} {n}" for who, n in zip(view.seating, view.won, strict=False) if n]
    parts.append(f"won {' '.join(won)}" if won else "")
    if view.unfinished:
        trick = view.tricks[-1]
        parts.append(f"p{view.seating[trick[0][0]]} leads {tricks_text(table, (trick,))}")
    parts += [events(table, view), money_text(position)]
    return " : ".join(filter(None, parts))


def money_text(position: CardPosition) -> str:
    """Stacks and pot by player, where several deals share them; points in Mushka."""
    game, deal = position.game, position.deal
    if position.table.rules.scoring == "countdown":
        points = game.points if game else deal.points if deal else ()
        if game and deal and position.player != TERMINAL:
            by_player = dict(zip(position.seating, deal.points, strict=True))
            points = tuple(by_player[p] for p in range(len(points)))
        return f"points {' '.join(map(str, points))}" if points else ""
    if game is None:
        return ""
    pot = f"pot {game.pot}" + (f" waiting {sum(game.waiting)}" if game.waiting else "")
    return f"chips {' '.join(map(str, game.stacks))}, {pot}"
