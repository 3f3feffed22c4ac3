"""Words of a card game's dialog: reading a person's actions, naming actions, asking a strategy."""

from collections.abc import Sequence

from mouche_solver.cards.referee.actions import Action, Exchange, NameTrump, Pass, Play, Stand
from mouche_solver.cards.referee.deal import Deal
from mouche_solver.cards.referee.declare import exchangeable
from mouche_solver.cards.referee.play import legal_mask
from mouche_solver.cards.referee.referee import apply, legal_actions
from mouche_solver.cards.rules.pack import Pack
from mouche_solver.cards.strategy.results import CardChoice, Declaration
from mouche_solver.cards.strategy.situation import Declared
from mouche_solver.cards.strategy.strategy import CardStrategy
from mouche_solver.cli.cards.strategy import read_suit
from mouche_solver.errors import NotationError


def read_action(words: Sequence[str], deal: Deal) -> Action:
    """The action that some words name.

    Raises
    ------
    NotationError, IllegalMoveError
        When they name none, or it is not legal.
    """
    seat = deal.turn
    if deal.phase == "play":
        cards = deal.rules.pack.cards(" ".join(words))
        if len(cards) != 1:
            raise NotationError(f"{len(cards)} cards: play one")
        action: Action = Play(seat, cards[0])
    elif deal.phase == "name-trump":
        action = NameTrump(seat, read_suit(deal.rules.pack, " ".join(words)))
    else:
        swap = None
        if len(words) > 1 and words[0].lower() == "give":
            swap, words = deal.rules.pack.card(words[1]), words[2:]
        action = _declaration(words, deal, swap)
    apply(deal, action)
    return action


def _declaration(words: Sequence[str], deal: Deal, swap: int | None) -> Action:
    word, seat = " ".join(words[:1]).lower(), deal.turn
    if word == "pass" and len(words) == 1 and swap is None:
        return Pass(seat)
    if word == "stand" and len(words) == 1:
        return Stand(seat, swap)
    if word == "exchange" and len(words) > 1:
        return Exchange(seat, deal.rules.pack.cards(" ".join(words[1:])), swap)
    raise NotationError(f"{' '.join(words)!r} is no declaration")


def describe_legal(deal: Deal) -> str:
    """What may be answered now."""
    if deal.phase == "play":
        return f"Legal: {' '.join(deal.rules.pack.mask_names(legal_mask(deal)))}"
    if deal.phase == "name-trump":
        return f"Legal: a suit, {' '.join(deal.rules.pack.suits)}"
    legal = legal_actions(deal)
    words = [w for w, kind in (("pass", Pass), ("stand", Stand)) if _any(legal, kind)]
    if _any(legal, Exchange):
        words.append(f"exchange and 1 to {exchangeable(deal)} of your cards, as exchange 9C 8D")
    text = f"Legal: {'; '.join(words)}"
    if any(isinstance(a, Stand) and a.swap is not None for a in legal):
        text += "; give and a card before stand or exchange, to take the turn-up for it"
    return text


def shown(pack: Pack, action: Action) -> str:
    """An action in full."""
    names = pack.names
    if isinstance(action, Play):
        return pack.name(action.card)
    if isinstance(action, NameTrump):
        return f"trumps {pack.suits[action.suit]}"
    swap = getattr(action, "swap", None)
    given = "" if swap is None else f"give {pack.name(swap)} "
    if isinstance(action, Exchange):
        return f"{given}exchange {' '.join(names(action.cards))}"
    return f"{given}{type(action).__name__.lower()}"


def told(pack: Pack, action: Action) -> str:
    """What the others learn of an action."""
    if isinstance(action, Play):
        return f"plays {pack.name(action.card)}"
    if isinstance(action, NameTrump):
        return f"names trumps: {pack.suits[action.suit]}"
    swap = getattr(action, "swap", None)
    given = "" if swap is None else f"gives {pack.name(swap)} for the turn-up and "
    if isinstance(action, Exchange):
        return f"{given}exchanges {len(action.cards)}"
    return f"{given}{'passes' if isinstance(action, Pass) else 'stands'}"


def advice(strategy: CardStrategy, deal: Deal) -> list[Declaration] | list[CardChoice]:
    """What the strategy knows of the seat that is to act, from what that seat sees."""
    seat = deal.turn
    said: list[Declared] = []
    for word, laid in zip(deal.declared, deal.laid, strict=True):
        if word is not None:
            said.append(laid.bit_count() if word == "exchange" else word)
    named = deal.trump if deal.turned == deal.rules.pamphile_card else None
    if deal.phase != "play":
        return strategy.declaration(deal.hands[seat], deal.turned, seat, said, named)
    tricks = [[card for _, card in trick] for trick in (*deal.history, deal.trick) if trick]
    swapped = None if deal.face_up == deal.turned else deal.face_up
    return strategy.play(
        deal.hands[seat], deal.turned, seat, said, deal.laid[seat], tricks, swapped, named,
        _paid_for_pamphile(deal),
    )  # fmt: skip


def _paid_for_pamphile(deal: Deal) -> int | None:
    """The seat that all have seen paid."""
    card = deal.rules.pamphile_card
    shown = {c: seat for trick in (*deal.history, deal.trick) for seat, c in trick}
    held = [seat for seat in deal.inside if card is not None and deal.hands[seat] >> card & 1]
    return held[0] if held else shown.get(-1 if card is None else card)


def action_of(deal: Deal, option: Declaration | CardChoice) -> Action:
    """The referee's action for an option of the strategy."""
    seat = deal.turn
    if isinstance(option, CardChoice):
        return Play(seat, option.card)
    if option.action == "pass":
        return Pass(seat)
    if option.action == "stand":
        return Stand(seat, option.swap)
    return Exchange(seat, option.cards, option.swap)


def _any(legal: Sequence[Action], kind: type[Action]) -> bool:
    return any(isinstance(action, kind) for action in legal)
