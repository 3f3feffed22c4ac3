"""``mouche cards odds``."""

from collections.abc import Iterator, Sequence
from fractions import Fraction
from typing import Annotated

from cyclopts import Parameter

from mouche_solver.cards import odds as exact
from mouche_solver.cards.odds import Seen
from mouche_solver.cards.rules.rules import CardRules
from mouche_solver.cli.cards.group import DEFAULT_RULES, RuleFlags
from mouche_solver.cli.common import STDOUT, OutputFlags, emit
from mouche_solver.errors import UsageError

Events = Iterator[tuple[str, Fraction]]


def odds(
    *,
    hand: Annotated[
        str | None, Parameter(help="Your hand as dealt, such as KH,QH,9C,8D,6S.")
    ] = None,
    turned: Annotated[str | None, Parameter(help="The card turned up, such as 7S.")] = None,
    exchange: Annotated[str | None, Parameter(help="Cards of the hand that you lay down.")] = None,
    game: RuleFlags = DEFAULT_RULES,
    output: OutputFlags = STDOUT,
) -> None:
    """Exact odds of mouches, trumps and the stock.

    Without a hand: ``mouche-dealt`` is one given player's, ``trumps-2`` what he was dealt and
    ``trumps-2|exchange-3`` what he has after laying down three cards, plain ones first.
    With one: ``mouche-other`` and ``trumps-other-2`` are a given other player's,
    ``mouche-elsewhere`` any other's; ``mouche-at-table`` counts your own hand too.
    """
    rules = game.read()
    seen = _seen(rules, hand, turned, exchange)
    events = _before(rules, seen) if hand is None else _knowing(rules, seen)
    rows = [
        {"event": event, "probability": float(p), "exact": f"{p.numerator}/{p.denominator}"}
        for event, p in events
    ]
    emit(output, rows, {"event": str, "exact": str})


def _seen(rules: CardRules, hand: str | None, turned: str | None, exchange: str | None) -> Seen:
    if hand is not None and turned is None:
        raise UsageError("--hand needs --turned: the turn-up makes trumps")
    if exchange is not None and hand is None:
        raise UsageError("--exchange needs --hand: the cards come from it")
    pack = rules.pack
    return Seen(
        hand=0 if hand is None else pack.hand(_some("--hand", hand)),
        turned=None if turned is None else pack.card(turned),
        laid=0 if exchange is None else pack.hand(_some("--exchange", exchange)),
    )


def _some(flag: str, text: str) -> str:
    if not text.replace(",", " ").strip():
        raise UsageError(f"{flag} names no card")
    return text


def _before(rules: CardRules, seen: Seen) -> Events:
    if rules.mouche:
        yield "mouche-dealt", exact.mouche_dealt(rules, seen)
        yield "mouche-at-table", exact.mouche_at_table(rules, seen)
    if _trumps_known(rules, seen):
        yield from _counts("trumps-{}", exact.trumps_dealt(rules, seen))
    if seen.turned is None:
        for count in range(1, min(rules.max_exchange, rules.stock_size) + 1):
            yield from _counts(
                f"trumps-{{}}|exchange-{count}", exact.trumps_exchanging(rules, count)
            )
    everyone = [exact.any_declaration(rules)] * rules.players
    yield "stock-runs-out|any-declaration", exact.stock_runs_out(rules, everyone)


def _knowing(rules: CardRules, seen: Seen) -> Events:
    if rules.mouche:
        yield "mouche-other", exact.mouche_dealt(rules, seen)
        yield "mouche-elsewhere", exact.mouche_elsewhere(rules, seen)
        yield "mouche-at-table", exact.mouche_at_table(rules, seen)
    if _trumps_known(rules, seen):
        yield from _counts("trumps-other-{}", exact.trumps_dealt(rules, seen))
    if seen.laid:
        after = exact.trumps_after_exchange(rules, seen)
        yield from _counts(f"trumps-{{}}|exchange-{seen.laid.bit_count()}", after)


def _trumps_known(rules: CardRules, seen: Seen) -> bool:
    """A Pamphile turned up makes no trumps: the dealer names them."""
    return seen.turned is None or seen.turned != rules.pamphile_card


def _counts(name: str, chances: Sequence[Fraction]) -> Events:
    for count, chance in enumerate(chances):
        yield name.format(count), chance
