"""``mouche cards solve``."""

from pathlib import Path
from typing import Annotated, Any, Literal

from cyclopts import Parameter

from mouche_solver.cli.cards.group import DEFAULT_RULES, RuleFlags
from mouche_solver.cli.common import OutputFlags, Real, Seed, Threads, Whole, emit

DEFAULT_SECONDS = 600.0


def solve(
    *,
    continuation: Annotated[
        str,
        Parameter(help="What a chip of debt is worth: fixed-point, none, or shares as 1/2,1/2."),
    ] = "fixed-point",
    pot: Annotated[
        str | None,
        Parameter(
            help="Chips in the pot, where a cap or the Pamphile's chip makes them matter; several "
            "sizes as 5,10,20,40 are solved together."
        ),
    ] = None,
    time_limit: Annotated[
        Real | None, Parameter(help="Stop after this many seconds; 600 without --deals.")
    ] = None,
    deals: Annotated[
        Whole | None, Parameter(help="Stop after so many deals, half for the play.")
    ] = None,
    seed: Annotated[Seed, Parameter(help="Equal seeds and deals give equal strategies.")] = 1,
    threads: Annotated[
        Threads | None, Parameter(help="All processors without it; the strategy is the same.")
    ] = None,
    levels: Annotated[
        str | None,
        Parameter(
            help="What declarations are told apart, from rough to fine: coarse, medium, hands, "
            "exact, medium-last, hands-last. The finest that minutes can train without it."
        ),
    ] = None,
    tremble: Annotated[
        Real,
        Parameter(help="Share of random declarations of the seats before a learning one."),
    ] = 0.0,
    tremble_cards: Annotated[Real, Parameter(help="Share of random cards of the others.")] = 0.0,
    tremble_weighted: Annotated[
        bool,
        Parameter(help="Deals with random declarations count as often as they happen without."),
    ] = False,
    out: Annotated[Path | None, Parameter(help="File that receives the strategy.")] = None,
    resume: Annotated[Path | None, Parameter(help="Carry on from this checkpoint.")] = None,
    format: Annotated[
        Literal["table", "json", "csv"], Parameter(help="Layout of the summary.")
    ] = "table",
    game: RuleFlags = DEFAULT_RULES,
) -> None:
    """Train a strategy for declarations and play by sampling deals.

    With ``--out`` the state is kept in a checkpoint beside the strategy. Ctrl-C stops at the next
    safe point and writes it; a second Ctrl-C stops at once. How good a strategy is has to be
    measured: see ``mouche cards tournament``.
    """
    # What follows loads the compiler.
    from mouche_solver.cli.cards.solving import Learning, Request, read_pots, train

    if time_limit is None and deals is None:
        time_limit = DEFAULT_SECONDS
    pots = read_pots(pot)
    how = Learning(levels, tremble, tremble_cards, tremble_weighted)
    answer = train(
        Request(game, continuation, time_limit, deals, seed, threads, out, resume, pots, how)
    )
    row = {
        key: " ".join(map(_short, value)) if isinstance(value, list) else value
        for key, value in answer.items()
        if key != "rules"
    }
    width = max(map(len, row))
    text = "".join(f"{key.ljust(width)}  {value}\n" for key, value in row.items())
    emit(OutputFlags(format), [row], document=answer, table=text)


def _short(value: Any) -> str:
    if isinstance(value, list):
        return f"[{' '.join(map(_short, value))}]"
    return str(value) if isinstance(value, int) else f"{value:.6f}"
