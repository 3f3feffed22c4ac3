"""``mouche cards trim``."""

from pathlib import Path
from typing import Annotated

from cyclopts import Parameter

from mouche_solver.cli.common import Whole


def trim(
    file: Annotated[Path, Parameter(help="File of mouche cards solve.")],
    /,
    *,
    out: Annotated[Path, Parameter(help="File that receives the smaller strategy.")],
    visits: Annotated[Whole, Parameter(help="What training met as often stays.")] = 2,
    short: Annotated[
        bool, Parameter(help="Keep values to 1/500 pot, visits to a twentieth: a sixth smaller.")
    ] = False,
) -> None:
    """Make a strategy's file smaller by leaving out what training hardly met.

    Where it met a hand hardly or never after some declarations, what the strategy does with the
    same class of hands after others takes its place.
    ``mouche cards tournament`` with both files measures what that costs.
    """
    from mouche_solver.cards.strategy.edit import filled_in, trimmed
    from mouche_solver.core.memory import human
    from mouche_solver.storage.cards.strategies import load_strategy, save_strategy

    save_strategy(trimmed(filled_in(load_strategy(file)), visits), out, short)
    before, after = (human(path.stat().st_size) for path in (file, out))
    print(f"{file} has {before}, {out} has {after}")
