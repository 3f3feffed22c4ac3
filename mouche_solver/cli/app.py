"""The command ``mouche``: its groups, and the boundary where errors become exit codes."""

import os
import sys
from collections.abc import Iterator, Sequence
from dataclasses import is_dataclass
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any

from mouche_solver.cli.streams import abandon, note, one_line, prepare_streams
from mouche_solver.core.interrupts import ending_cleanly
from mouche_solver.core.jit import before_compiling
from mouche_solver.errors import MoucheError, UsageError
from mouche_solver.storage.atomic import check_writable, refuse_same

if TYPE_CHECKING:
    from cyclopts import App

# Exit codes. 141 is what a shell reports for a program that a closed pipe ended.
BAD_INPUT, INTERRUPTED, CLOSED_PIPE = 2, 130, 141

# Arguments that name a file to write; a file that any other names is read.
OUTPUTS = ("out", "transcript", "save")
# Each group of commands is a module with an ``app``; it loads when it is chosen.
GROUPS = {
    "dice": "Dice Mouche: odds, written games and strategies.",
    "cards": "Card Mouche and Mushka: odds, written games, random deals and strategies.",
}
SERVE = "A table to play at, review, drill and explore, in the browser."
REPORT = "Write one HTML file about a solution, a book or a strategy."


def build() -> "App":
    """The tree of commands."""
    from cyclopts import App

    from mouche_solver import __version__

    app = App(
        name="mouche",
        help="Solve and analyse the two games called Mouche.",
        version=__version__,
        help_format="plaintext",
        print_error=False,
        exit_on_error=False,
        suppress_keyboard_interrupt=False,
        result_action="return_value",
    )
    for name, text in GROUPS.items():
        app.command(f"mouche_solver.cli.{name}.group:app", name=name, help=text)
    app.command("mouche_solver.cli.report:report", name="report", help=REPORT)
    app.command("mouche_solver.cli.serve:serve", name="serve", help=SERVE)
    return app


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command line and return its exit code.

    What a user can cause ends in one line on standard error and code 2. An error of any other
    kind is a bug and keeps its traceback.

    Parameters
    ----------
    argv : sequence of str, optional
        Words after the program's name; those of this process when left out.

    Returns
    -------
    int
        0, or 2 for bad input, 130 for an interrupt, 141 for a closed pipe, or the command's own.
    """
    prepare_streams()
    try:
        _check_environment()
        if sys.stderr.isatty():
            before_compiling(lambda: note("mouche: compiling (once per machine) ..."))
        with ending_cleanly():
            code = _run(sys.argv[1:] if argv is None else list(argv))
            sys.stdout.flush()
        return code
    except BrokenPipeError:
        abandon(sys.stdout)
        return CLOSED_PIPE
    except KeyboardInterrupt as stop:
        return _fail(str(stop) or "interrupted", INTERRUPTED)
    except MoucheError as error:
        return _fail(str(error))
    except OSError as error:
        abandon(sys.stdout)
        where = f" {error.filename}" if error.filename else ""
        return _fail(f"input or output failed:{where} {error.strerror or error}")
    except MemoryError:
        return _fail("out of memory")
    except RuntimeError as error:
        if "can't start new thread" not in str(error):
            raise
        return _fail("the system starts no more threads: give fewer with --threads")


def _check_environment() -> None:
    """Refuse what would stop the compiler while it is imported."""
    number = os.environ.get("NUMBA_NUM_THREADS", "1")
    if not (number.isascii() and number.isdecimal() and len(number) < 6 and int(number) > 0):
        raise UsageError(f"NUMBA_NUM_THREADS={number}: a whole number from 1 on is needed")


def _run(words: list[str]) -> int:
    from cyclopts import CycloptsError

    for flag, value in pairwise(words):
        if value == "-" and flag.removeprefix("--") in OUTPUTS:
            raise _minus(flag.removeprefix("--"))
    try:
        command, bound, _ = build().parse_args(words)
        _check_outputs(bound.arguments)
        code = command(*bound.args, **bound.kwargs)
    except CycloptsError as error:
        return _fail(f"{error}{_minus_hint(words)}")
    except SystemExit:  # how rich, which writes the help, ends on a closed pipe
        raise BrokenPipeError from None
    return code if isinstance(code, int) else 0


def _check_outputs(arguments: dict[str, Any]) -> None:
    """Refuse an output that would replace a file that is read, or that cannot be written.

    Before the work that it is for, which may take hours.
    """
    files = list(_files(arguments))
    targets = {name: path for name, path in files if name in OUTPUTS}
    if len({os.path.realpath(path) for path in targets.values()}) < len(targets):
        raise UsageError(f"--{' and --'.join(targets)}: two files are needed")
    for output, target in targets.items():
        if str(target) == "-":
            raise _minus(output)
        # A game goes on in the file that it was kept in.
        read = [n for n in dict(files) if n not in OUTPUTS and (output, n) != ("save", "resume")]
        refuse_same(target, *(path for name, path in files if name in read))
        check_writable(target)


def _minus(output: str) -> UsageError:
    return UsageError(
        f"--{output} -: no file to write is called so; name another, or leave --out out for "
        "standard output"
    )


def _files(arguments: dict[str, Any]) -> Iterator[tuple[str, str | Path]]:
    """Every value that may name a file, with its argument's name."""
    for name, value in arguments.items():
        if is_dataclass(value):
            yield from _files(vars(value))
        else:
            several = value if isinstance(value, tuple | list) else (value,)
            yield from ((name, each) for each in several if isinstance(each, str | Path))


def _minus_hint(words: list[str]) -> str:
    """Why "--hand -1,5" is not read as it was meant, when a word looks like that."""
    if not any(word[:1] == "-" and word[1:2].isdecimal() for word in words):
        return ""
    return " A value that begins with a minus is written --flag=-1, or after -- without a flag."


def _fail(message: str, code: int = BAD_INPUT) -> int:
    note(f"mouche: {one_line(message)}")
    return code
