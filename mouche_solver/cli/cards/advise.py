"""``mouche cards advise``."""

from pathlib import Path
from typing import Annotated, Any

from cyclopts import Parameter

from mouche_solver.cli.cards.group import DEFAULT_RULES, RuleFlags
from mouche_solver.cli.common import STDOUT, OutputFlags, Real, Seed, Threads, Whole, aligned, emit
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
    think: Annotated[
        Real, Parameter(help="Seconds to think; 0 is what the strategy's table says alone.")
    ] = 1.0,
    samples: Annotated[
        Whole | None,
        Parameter(help="Guesses of the hidden cards instead of seconds: the same answer anywhere."),
    ] = None,
    seed: Annotated[Seed, Parameter(help="Of the guesses.")] = 1,
    threads: Annotated[Threads | None, Parameter(help="All processors without it.")] = None,
    game: RuleFlags = DEFAULT_RULES,
    output: OutputFlags = STDOUT,
) -> None:
    """What to declare or to play: every action, its probability and what it is worth.

    Values are in pots and count what waits in the next pot, each with its standard error and the
    guessed deals behind it, or the visits of training. Every choice is played through in deals
    that fit what was seen; the answer leaves the strategy's table, shown in the column table, only
    where the difference is clear. It is advice on the play once all seats have declared.
    """
    from mouche_solver.cards.rules.mouche import mouche_suit
    from mouche_solver.cards.strategy.situation import Situation
    from mouche_solver.cli.cards.strategy import (
        read_declared,
        read_played,
        read_suit,
        spoken,
        strategy_at,
    )
    from mouche_solver.cli.cards.thinking import budget_of, judged, marked

    budget = budget_of(think, samples, seed, threads)
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
    declaring = len(said) < rules.players
    if declaring:
        seen = Situation(held, up, seat, tuple(said), named=suit)
    else:
        tricks = tuple(read_played(pack, played))
        seen = Situation(
            held, up, seat, tuple(said), pack.hand(laid), tricks, named=suit, holder=paid
        )
    rows, notes, gain = judged(found, seen, budget)
    mouche = False
    if declaring:
        trump = pack.suit(up) if suit is None else suit
        mouche = rules.mouche and mouche_suit(rules, trump, held) is not None
    document = {
        "actions": rows,
        "value": _mean(rows),
        "mouche": mouche,
        "gain": gain,
        "notes": notes,
        "quality": found.quality_text,
    }
    shown = [row | {"cards": " ".join(row["cards"])} for row in rows]
    text = f"seat {seat} with {' '.join(pack.mask_names(held))}; {spoken(said)}\n"
    columns = {"action": str, "cards": str, "swap": str, "samples": int, "from": str}
    emit(
        output,
        shown,
        columns,
        document=document,
        table=text
        + aligned([marked(row) for row in shown])
        + "".join(f"{note}\n" for note in notes)
        + found.quality_text
        + "\n",
    )


def _mean(rows: list[dict[str, Any]]) -> float | None:
    """The value of the mixture; None when part of it is not known."""
    known = [(row["probability"], row["value"]) for row in rows if row["probability"] > 0]
    if any(value is None for _, value in known):
        return None
    return float(sum(chance * value for chance, value in known))
