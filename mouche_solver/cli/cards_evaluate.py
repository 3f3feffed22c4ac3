"""``mouche cards evaluate``."""

import os
from pathlib import Path
from typing import Annotated

from cyclopts import Parameter

from mouche_solver.cli.common import STDOUT, OutputFlags, Threads, Whole, emit


def evaluate(
    strategy: Annotated[Path, Parameter(help="File of mouche cards solve.")],
    /,
    *challengers: Annotated[Path, Parameter(help="More files, which challenge the first.")],
    guesses: Annotated[
        Whole, Parameter(help="Hands guessed for each card by a challenger; 0 leaves him out.")
    ] = 30,
    deals: Annotated[Whole, Parameter(help="Deals, each played in all seats.")] = 100_000,
    seed: Annotated[Whole, Parameter(help="Equal seeds deal equal cards.")] = 1,
    threads: Annotated[Threads | None, Parameter(help="All processors without it.")] = None,
    output: OutputFlags = STDOUT,
) -> None:
    """What single challengers gain against a table that plays the strategy.

    The largest gain is a lower bound on what a best reply gains, in pots a deal, with a 95%
    interval. It is not an upper bound.
    """
    from mouche_solver.cards.challengers import challenge
    from mouche_solver.storage.card_strategies import load_strategy

    found = load_strategy(strategy)
    others = {str(path): load_strategy(path) for path in challengers}
    workers = threads or os.cpu_count() or 1
    rows = [
        {
            "challenger": c.challenger,
            "gain": c.gain.mean,
            "low": c.gain.low,
            "high": c.gain.high,
            "deals": c.gain.deals,
        }
        for c in challenge(found, others, guesses, deals, seed, workers)
    ]
    emit(output, rows)
