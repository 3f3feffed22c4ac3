"""Rules, hands, deals and strategies as HTML: plain text, for notebooks and the report."""

from collections.abc import Iterable, Sequence
from html import escape
from typing import Any, Protocol

from mouche_solver.cards.rules.pack import Pack, cards_of
from mouche_solver.core.markup import all_fields, facts, likeliest

SYMBOLS = {"C": "♣", "D": "♦", "H": "♥", "S": "♠"}
# Symbols differ by shape as well as by colour, and a card is white whatever it lies on.
_COLOURS = {"C": "#111", "D": "#b3001b", "H": "#b3001b", "S": "#111"}
_ROWS = 12  # hands that a strategy shows of itself

_SAID_ELSEWHERE = ("players", "deck", "ranks", "suits", "hand_size")
_MONEY = ("chips", "debts", "rounds", "first_dealer", "ante")  # of games, not of deals


class _Rules(Protocol):
    """What is read of ``CardRules``."""

    @property
    def players(self) -> int: ...

    @property
    def hand_size(self) -> int: ...

    @property
    def pack(self) -> Pack: ...

    def to_dict(self) -> dict[str, Any]: ...


class _Outcome(Protocol):
    """What is read of ``Outcome``."""

    @property
    def how(self) -> str: ...

    @property
    def winner(self) -> int | None: ...

    @property
    def mouches(self) -> tuple[int, ...]: ...


class _Deal(Protocol):
    """What is read of ``Deal``."""

    @property
    def rules(self) -> _Rules: ...

    @property
    def trump(self) -> int | None: ...

    @property
    def seats(self) -> int: ...

    @property
    def dealer(self) -> int: ...

    @property
    def hands(self) -> tuple[int, ...]: ...

    @property
    def laid(self) -> tuple[int, ...]: ...

    @property
    def declared(self) -> tuple[str | None, ...]: ...

    @property
    def tricks(self) -> tuple[int, ...]: ...

    @property
    def stacks(self) -> tuple[int, ...]: ...

    @property
    def face_up(self) -> int: ...

    @property
    def stock(self) -> tuple[int, ...]: ...

    @property
    def pot(self) -> int: ...

    @property
    def trick(self) -> tuple[tuple[int, int], ...]: ...

    @property
    def phase(self) -> str: ...

    @property
    def turn(self) -> int: ...

    @property
    def question(self) -> int | None: ...

    @property
    def outcome(self) -> _Outcome | None: ...


class _Game(Protocol):
    """What is read of ``Game``."""

    @property
    def rules(self) -> _Rules: ...

    @property
    def dealer(self) -> int: ...

    @property
    def stacks(self) -> tuple[int, ...]: ...

    @property
    def alive(self) -> tuple[int, ...]: ...

    @property
    def deals(self) -> tuple[int, ...]: ...

    @property
    def winners(self) -> tuple[int, ...]: ...

    @property
    def over(self) -> bool: ...

    @property
    def deal(self) -> _Deal | None: ...


class _Strategy(Protocol):
    """What is read of ``CardStrategy``."""

    @property
    def rules(self) -> _Rules: ...

    @property
    def quality_text(self) -> str: ...

    @property
    def training(self) -> Any: ...

    @property
    def abstraction(self) -> Any: ...

    def declaration(
        self, hand: int, turned: int, seat: int, declared: Sequence[Any]
    ) -> Sequence[Any]: ...


def cards_svg(pack: Pack, cards: Iterable[int], trump: int | None = None, height: int = 40) -> str:
    """Some cards in their order; trumps have a dark foot.

    Parameters
    ----------
    pack : Pack
    cards : iterable of int
    trump : int, optional
        The trump suit.
    height : int
        Of a card in pixels.

    Returns
    -------
    str
        One ``svg`` element with the cards' names as its label.

    Examples
    --------
    >>> from mouche_solver.cards import CardRules
    >>> drawn = cards_svg(CardRules(players=3).pack, [6, 13], trump=0)
    >>> drawn.count("♣"), drawn.count("♦"), 'aria-label="KC KD; trumps C"' in drawn
    (1, 1, True)
    """
    shown = list(cards)
    width = round(height * 0.7)
    drawn = "".join(
        f'<g transform="translate({n * (width + 3) + 1},1)">'
        f"{_card(pack, card, trump, width, height)}</g>"
        for n, card in enumerate(shown)
    )
    label = " ".join(pack.names(shown)) or "no card"
    if trump is not None:
        label += f"; trumps {pack.suits[trump]}"
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" role="img" aria-label="{label}" '
        f'width="{max(len(shown), 1) * (width + 3)}" height="{height + 2}">{drawn}</svg>'
    )


def hand_svg(pack: Pack, hand: int, trump: int | None = None, height: int = 40) -> str:
    """A hand, given as a bit mask, drawn suit by suit, trumps and high cards first."""
    order = sorted(cards_of(hand), key=lambda c: (pack.suit(c) != trump, pack.suit(c), -c))
    return cards_svg(pack, order, trump, height)


def _card(pack: Pack, card: int, trump: int | None, width: int, height: int) -> str:
    suit = pack.suits[pack.suit(card)]
    rank = pack.ranks[pack.rank(card)]
    text = f'text-anchor="middle" font-family="sans-serif" fill="{_COLOURS[suit]}"'
    foot = ""
    if pack.suit(card) == trump:
        foot = f'<rect x="3" y="{height - 6}" width="{width - 6}" height="4" fill="#111"/>'
    return (
        f'<rect width="{width}" height="{height}" rx="3" fill="#fff" stroke="#333"/>{foot}'
        f'<text x="{width / 2:g}" y="{height * 0.42:g}" font-size="{height * 0.38:g}" {text}>'
        f'{rank}</text><text x="{width / 2:g}" y="{height * 0.78:g}" '
        f'font-size="{height * 0.38:g}" {text}>{SYMBOLS[suit]}</text>'
    )


def rules_text(rules: _Rules) -> str:
    """The rules of a deal in a line: what is usual stays unsaid.

    Examples
    --------
    >>> from mouche_solver.cards import CardRules
    >>> rules_text(CardRules(players=3, must_head=False))
    '3 players, 28 cards (K Q J A 10 9 8), 5 in a hand, must head: no'
    """
    pack = rules.pack
    words = [
        f"{rules.players} players",
        f"{pack.size} cards ({' '.join(reversed(pack.ranks))})",
        f"{rules.hand_size} in a hand",
    ]
    usual = type(rules)().to_dict()
    for name, value in rules.to_dict().items():
        if name not in _SAID_ELSEWHERE + _MONEY and value != usual.get(name):
            spoken = ("no", "yes")[value] if isinstance(value, bool) else value
            words.append(f"{name.replace('_', ' ')}: {spoken}")
    return ", ".join(words)


def rules_html(rules: _Rules) -> str:
    """A table of all rules."""
    pack = rules.pack
    cards = {"cards": f"{pack.size}: {' '.join(reversed(pack.ranks))} of {' '.join(pack.suits)}"}
    return f"<b>Card Mouche</b>{all_fields(cards | rules.to_dict())}"


def deal_html(deal: _Deal) -> str:
    """The hands, drawn, what each seat has declared and taken, and what happens now."""
    pack, trump = deal.rules.pack, deal.trump
    heads = ("seat", "hand", "declared", "laid down", "tricks", "chips")
    rows = "".join(_seat(deal, seat) for seat in range(deal.seats))
    head = "".join(f"<th>{name}</th>" for name in heads)
    trick = ""
    if deal.trick:
        played = cards_svg(pack, [card for _, card in deal.trick], trump)
        trick = f"<p>trick led by seat {deal.trick[0][0]}: {played}</p>"
    return (
        f"<b>{escape(rules_text(deal.rules))}</b>"
        f"<p>turned up: {cards_svg(pack, [deal.face_up], trump)} pot {deal.pot}, "
        f"{len(deal.stock)} cards in the stock</p>"
        f"<table><tr>{head}</tr>{rows}</table>{trick}<p>{escape(_now(deal))}</p>"
    )


def _seat(deal: _Deal, seat: int) -> str:
    pack, trump = deal.rules.pack, deal.trump
    laid = hand_svg(pack, deal.laid[seat], trump, height=28) if deal.laid[seat] else ""
    name = f"{seat} (dealer)" if seat == deal.dealer else str(seat)
    return (
        f"<tr><th>{name}</th><td>{hand_svg(pack, deal.hands[seat], trump)}</td>"
        f"<td>{deal.declared[seat] or ''}</td><td>{laid}</td>"
        f"<td>{deal.tricks[seat]}</td><td>{deal.stacks[seat]}</td></tr>"
    )


def _now(deal: _Deal) -> str:
    found = deal.outcome
    if found is not None:
        seats = ", ".join(map(str, found.mouches)) or "none"
        won = "" if found.winner is None else f"; seat {found.winner} won"
        return f"over by {found.how}{won}; mouches made by seats: {seats}"
    if deal.question is not None:
        return f"seat {deal.question} was asked for the mouche and answers"
    who = "chance" if deal.turn < 0 else f"seat {deal.turn}"
    return f"{who} is to act: {deal.phase}"


def game_html(game: _Game) -> str:
    """The table of a game between or during deals; the deal below it."""
    table = facts(
        {
            "dealer": game.dealer,
            "stacks": game.stacks if game.deal is None else game.deal.stacks,
            "still playing": game.alive,
            "deals": sum(game.deals),
            "winners": game.winners if game.over else "not over",
        }
    )
    title = f"<b>{escape(rules_text(game.rules))}</b>{table}"
    return title if game.deal is None else f"{title}{deal_html(game.deal)}"


def quality_html(strategy: _Strategy) -> str:
    """Where a strategy comes from and what is known of its quality."""
    training = strategy.training
    levels = "; ".join(
        f"{hands} hands, {said} histories" for hands, said in strategy.abstraction.levels
    )
    table = facts(
        {
            "continuation": training.continuation,
            "seat shares of the next pot": [f"{share:.2%}" for share in training.seat_shares],
            "debts of a deal, in pots": f"{training.mouches:.4f}",
            "deals that trained declarations": f"{training.declared:,}",
            "deals that trained the play": f"{training.played:,}",
            "rounds": training.rounds,
            "seed": training.seed,
            "training": f"{training.seconds:.0f} s",
            "told apart": levels,
        }
    )
    return f"<p>{escape(strategy.quality_text)}</p>{table}"


def strategy_html(strategy: _Strategy) -> str:
    """The rules of a strategy, its quality, and what the first hand declares with some hands."""
    context = strategy.abstraction.contexts[0]
    classes, pack = strategy.abstraction.hands[0], strategy.rules.pack
    numbers = range(0, classes.n_classes, -(-classes.n_classes // _ROWS))
    rows = []
    for hand in classes.hand_of(numbers).tolist():
        options = strategy.declaration(hand, context.turned, 0, [])
        chances = likeliest((_said(pack, option), option.probability) for option in options)
        rows.append(f"<tr><td>{hand_svg(pack, hand, context.trump)}</td><td>{chances}</td></tr>")
    return (
        f"<b>Card Mouche: {escape(rules_text(strategy.rules))}</b>"
        f"<p>{escape(strategy.quality_text)}</p>"
        f"<p>first hand, turned up: {cards_svg(pack, [context.turned], context.trump)}</p>"
        f"<table>{''.join(rows)}</table><p>{len(rows)} of {classes.n_classes} hands</p>"
    )


def _said(pack: Pack, option: Any) -> str:
    return f"{option.action} {' '.join(pack.names(option.cards))}".rstrip()
