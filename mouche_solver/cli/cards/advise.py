"""``mouche cards advise``."""

from pathlib import Path
from typing import Annotated, Any

from cyclopts import Parameter

from mouche_solver.cards.rules.pack import Pack
from mouche_solver.cli.cards.group import DEFAULT_RULES, RuleFlags
from mouche_solver.cli.common import STDOUT, OutputFlags, Whole, aligned, emit
from mouche_solver.errors import UsageError


def advise(
    hand: Annotated[str, Parameter(help="The cards held now, such as KH,QH,9C,8D,6S.")],
    /,
    *,
    turned: Annotated[str, Parameter(help="The card turned up, such as 7S.")],
    seat: Annotated[
        Whole | None,
        Parameter(help="Needed: 0 is the first hand, the last seat the dealer."),
    ] = None,
    declared: Annotated[
        str, Parameter(help="What was said so far, such as pass,exchange2,stand.")
    ] = "",
    laid: Annotated[str, Parameter(help="The cards that you laid down.")] = "",
    played: Annotated[
        str, Parameter(help="The tricks so far, such as 'KH,10H,7C;9D'; leaders follow.")
    ] = "",
    named: Annotated[
        str | None, Parameter(help="The suit that the dealer named under the Pamphile, such as H.")
    ] = None,
    paid: Annotated[
        Whole | None,
        Parameter(
            help="The seat paid for the Pamphile, or for Mushka's Ace of spades, if one was."
        ),
    ] = None,
    pot: Annotated[
        Whole | None, Parameter(help="Chips in the pot, where the strategy depends on them.")
    ] = None,
    strategy: Annotated[Path | None, Parameter(help="File of mouche cards solve.")] = None,
    game: RuleFlags = DEFAULT_RULES,
    output: OutputFlags = STDOUT,
) -> None:
    """What to declare or to play: every action, its probability and what it is worth.

    Values are in pots and count what waits in the next pot. It is advice on the play once all
    seats have declared.
    """
    from mouche_solver.cards.rules.mouche import mouche_suit
    from mouche_solver.cli.cards.strategy import (
        read_declared,
        read_played,
        read_suit,
        spoken,
        strategy_at,
    )

    found = strategy_at(game, strategy, pot)
    if seat is None:
        last = found.rules.players - 1
        raise UsageError(
            f"--seat is missing: 0 is the first hand, {last} the dealer, counted in the order of "
            "declaring"
        )
    rules, pack = found.rules, found.rules.pack
    held, up, said = pack.hand(hand), pack.card(turned), read_declared(declared)
    suit = None if named is None else read_suit(pack, named)
    rows: list[dict[str, Any]]
    if len(said) < rules.players:
        rows = [
            {
                "action": option.action,
                "cards": pack.names(option.cards),
                "probability": option.probability,
                "value": option.value,
            }
            | ({"swap": _name(pack, option.swap)} if rules.dealer_takes_trump else {})
            for option in found.declaration(held, up, seat, said, suit)
        ]
        trump = pack.suit(up) if suit is None else suit
        mouche = rules.mouche and mouche_suit(rules, trump, held) is not None
    else:
        tricks = read_played(pack, played)
        choices = found.play(held, up, seat, said, pack.hand(laid), tricks, None, suit, paid)
        rows = [
            {
                "action": pack.name(choice.card),
                "cards": [pack.name(choice.card)],
                "probability": choice.probability,
                "value": choice.value,
            }
            for choice in choices
        ]
        mouche = False
    document = {
        "actions": rows,
        "value": _mean(rows),
        "mouche": mouche,
        "quality": found.quality_text,
    }
    shown = [row | {"cards": " ".join(row["cards"])} for row in rows]
    text = f"seat {seat} with {' '.join(pack.mask_names(held))}; {spoken(said)}\n"
    columns = {"action": str, "cards": str, "swap": str}
    emit(
        output,
        shown,
        columns,
        document=document,
        table=text + aligned(shown) + found.quality_text + "\n",
    )


def _name(pack: Pack, card: int | None) -> str | None:
    return None if card is None else pack.name(card)


def _mean(rows: list[dict[str, Any]]) -> float | None:
    """The value of the mixture; None when part of it is not known."""
    known = [(row["probability"], row["value"]) for row in rows if row["probability"] > 0]
    if any(value is None for _, value in known):
        return None
    return float(sum(chance * value for chance, value in known))
