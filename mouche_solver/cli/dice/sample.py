"""``mouche dice sample``."""

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

from cyclopts import Parameter

from mouche_solver.cli.common import Real, Seed, Threads, Whole, show
from mouche_solver.cli.dice.group import DEFAULT_RULES, RuleFlags, whole_numbers
from mouche_solver.cli.progress import acknowledge
from mouche_solver.cli.streams import note
from mouche_solver.core.checks import check_int
from mouche_solver.errors import MoucheError, UsageError

if TYPE_CHECKING:  # loads the compiler
    from mouche_solver.dice.sample.view import View


def sample(
    *,
    out: Annotated[Path, Parameter(help="File that receives the strategy.")],
    visits: Annotated[Whole, Parameter(help="Sampled information sets.")] = 50_000_000,
    time_limit: Annotated[Real | None, Parameter(help="Stop after this many seconds.")] = None,
    view: Annotated[
        str, Parameter(help="What it remembers: claims, gap of quantities, faces before.")
    ] = "2,60,1",
    response_view: Annotated[
        str | None, Parameter(help="The same for a best response that is learned to measure it.")
    ] = None,
    deals: Annotated[Whole, Parameter(help="Deals of the local best response.")] = 1000,
    seed: Annotated[Seed, Parameter(help="The same seed gives the same strategy.")] = 0,
    threads: Annotated[
        Threads | None, Parameter(help="All processors without it; the strategy is the same.")
    ] = None,
    format: Annotated[
        Literal["table", "json", "csv"], Parameter(help="Layout of the summary.")
    ] = "table",
    game: RuleFlags = DEFAULT_RULES,
) -> None:
    """Train a strategy for a big table by sampling, measure it and write it to a file.

    Ctrl-C ends the training early: what was learned until then is written, not measured; there is
    no checkpoint. A time limit makes the strategy depend on the machine.
    """
    rules = game.read()
    # What follows loads the compiler.
    from mouche_solver.dice.sample.quality import measure
    from mouche_solver.dice.sample.tournament import MOST_DEALS
    from mouche_solver.dice.sample.train import SampleLimits, SampleProgress, train_sampled
    from mouche_solver.storage.atomic import check_room
    from mouche_solver.storage.dice.sampled import sampled_bytes, save_sampled

    limits = SampleLimits(visits, time_limit)
    check_int("deals", deals, 2, MOST_DEALS)
    finer = None if response_view is None else _view("--response-view", response_view)
    remembered = _view("--view", view)
    # What is written before it is measured stays until it is written again.
    check_room(out, 2 * sampled_bytes(rules, remembered))

    stopped = False

    def report(event: SampleProgress) -> None:
        nonlocal stopped
        if event.stopping:
            stopped = True
            acknowledge()
            return
        pace = event.visits / event.seconds
        _tell(f"{event.visits:,} visits in {event.seconds:.0f} s, {pace:,.0f} a second")

    strategy = train_sampled(
        rules, remembered, limits=limits, seed=seed, threads=threads, report=report
    )
    save_sampled(strategy, out)  # whatever happens to the measurements
    trained = f"wrote {out}, not measured"
    try:
        if stopped:
            raise KeyboardInterrupt
        strategy = measure(
            strategy,
            local_deals=deals,
            view=finer,
            limits=SampleLimits(max(visits // 4, 1), time_limit),
            threads=threads,
            tell=_tell,
        )
    except KeyboardInterrupt:
        done = f"interrupted after {strategy.training.visits:,} visits"
        raise KeyboardInterrupt(f"{done}; {trained}") from None
    except MoucheError as error:
        raise type(error)(f"{error}; {trained}") from None
    save_sampled(strategy, out)
    show(
        {
            "visits": strategy.training.visits,
            "batches": strategy.training.batches,
            "seconds": strategy.training.seconds,
            "bytes": out.stat().st_size,
            "measured": dict(strategy.measured),
            "quality": strategy.quality_text,
            "round_hash": rules.round_hash,
            "rules": rules.to_dict(),
        },
        format,
    )


def _view(flag: str, text: str) -> "View":
    from mouche_solver.dice.sample.view import View

    numbers = whole_numbers(flag, text)
    if len(numbers) != 3:
        raise UsageError(f"{flag} {text}: three numbers are needed, such as 2,60,1")
    return View(*numbers)


def _tell(text: str) -> None:
    """What is being done, on standard error: over the last line in a terminal."""
    if sys.stderr.isatty():
        note(f"\r\033[K{text}", end="")
    else:
        note(f"mouche: {text}")
