"""``mouche dice book``."""

import sys
from pathlib import Path
from typing import Annotated

from cyclopts import Parameter

from mouche_solver.cli.common import STDOUT, OutputFlags, emit
from mouche_solver.cli.streams import note
from mouche_solver.errors import UsageError
from mouche_solver.solutions.files import refuse_others


def book(
    solution: Annotated[Path, Parameter(help="A solution that mouche dice solve has written.")],
    /,
    *,
    output: OutputFlags = STDOUT,
) -> None:
    """Cut the opening book out of a solution.

    The book goes to the file named by ``--out``, a summary to standard output.
    """
    from mouche_solver.dice.round.book import cut_book
    from mouche_solver.storage.dice.books import save_book
    from mouche_solver.storage.dice.solutions import load_solution

    if output.out is None:
        raise UsageError("mouche dice book writes a file: name it with --out")
    if output.format == "parquet":
        raise UsageError(
            "--format parquet is not for the summary of a book: allowed are the others"
        )
    refuse_others(solution, "dice-solution")
    found = load_solution(solution)
    made = cut_book(found, _tell)
    save_book(made, output.out)
    row = {
        "rules": made.rules.to_dict(),
        "round_hash": made.rules.round_hash,
        "exploitability": made.header.quality.exploitability,
        "value": made.header.quality.value,
        "iterations": made.header.iterations,
        "probabilities": len(made.probabilities),
        "values": sum(map(len, made.values)),
        "bytes": output.out.stat().st_size,
    }
    flat = row | {"rules": made.rules.to_json()}
    emit(OutputFlags(output.format), [flat], document=row)


def _tell(done: int, total: int) -> None:
    if sys.stderr.isatty():
        end = "\n" if done == total else "\r"
        note(f"history {done} of {total}", end)
