"""``mouche dice book``."""

import sys
from functools import partial
from pathlib import Path
from typing import Annotated

from cyclopts import Parameter

from mouche_solver.cli.common import STDOUT, OutputFlags, Whole, emit
from mouche_solver.cli.streams import note
from mouche_solver.core.interrupts import interruptible
from mouche_solver.errors import UsageError
from mouche_solver.solutions.files import refuse_others

# Of the games behind deviations; with five dice each, plain, losses stand still from here on.
DEFAULT_ITERATIONS = 750


def book(
    solution: Annotated[Path, Parameter(help="A solution that mouche dice solve has written.")],
    /,
    *,
    deviations: Annotated[
        Whole,
        Parameter(
            help="Iterations that solve the positions behind claims that good play does not make, "
            "at full scale; 0 leaves them as the solution has them."
        ),
    ] = DEFAULT_ITERATIONS,
    compact: Annotated[
        bool,
        Parameter(
            negative=(),
            help="Learn deviations with 16 bits for a regret or an average: half of the memory.",
        ),
    ] = False,
    output: OutputFlags = STDOUT,
) -> None:
    """Cut the opening book out of a solution, solved wherever a round may come to.

    With deviations this needs as much memory as the solve and a third of its time. The book goes to
    the file named by ``--out``, a summary to standard output. Ctrl-C cuts the book from what the
    deviations have taught so far, unless that is still too poor for one.
    """
    from mouche_solver.dice.round.book import BOOK_RIM, book_trunk, check_solution, cut_book
    from mouche_solver.storage.atomic import check_room
    from mouche_solver.storage.dice.books import book_bytes, save_book
    from mouche_solver.storage.dice.solutions import load_solution

    if output.out is None:
        raise UsageError("mouche dice book writes a file: name it with --out")
    if output.format == "parquet":
        raise UsageError(
            "--format parquet is not for the summary of a book: allowed are the others"
        )
    if compact and deviations == 0:
        raise UsageError("--compact is for deviations: it goes without --deviations 0")
    refuse_others(solution, "dice-solution")
    found = load_solution(solution)
    check_room(output.out, book_bytes(book_trunk(found.tree)))
    solved = None
    if deviations > 0:
        from mouche_solver.dice.round.deviations import Deviations

        check_solution(found)
        solved = Deviations(found, BOOK_RIM, compact=compact)
        with interruptible(lambda: note("stopping; the book is cut")) as interrupt:
            solved.run(deviations, partial(_tell, "iteration"), lambda: interrupt.asked)
        found = solved.mended()
    made = cut_book(found, partial(_tell, "history"), deviations=solved)
    save_book(made, output.out)
    if solved is not None and solved.done < deviations:
        raise KeyboardInterrupt(
            f"interrupted after iteration {solved.done} of {deviations}; {output.out} holds "
            "what they taught"
        )
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


def _tell(what: str, done: int, total: int) -> None:
    if sys.stderr.isatty():
        end = "\n" if done == total else "\r"
        note(f"{what} {done} of {total}", end)
