"""What the dialogs of both games share: lines of text, questions, what the strategy would do."""

import sys
from collections.abc import Callable, Iterable
from typing import TypeVar

from mouche_solver.errors import IllegalMoveError, NotationError

# Actions that the strategy would take less often are not worth a word.
_SELDOM = 0.005

T = TypeVar("T")


class LeftError(Exception):
    """The person has left the game."""


def say(text: str) -> None:
    """One line of the dialog."""
    print(text, flush=True)


def ask(question: str, read: Callable[[str], T], legal: Callable[[], str]) -> T:
    """Ask a person until the answer can be used.

    Parameters
    ----------
    question : str
    read : callable
        Makes of an answer what was asked for, or raises NotationError or IllegalMoveError.
    legal : callable
        What may be answered, said after an empty answer and after one that cannot be used.

    Raises
    ------
    LeftError
        When the person leaves: ``quit``, or the end of the input.
    """
    while True:
        print(f"{question}, or quit: ", end="", flush=True)
        line = sys.stdin.readline()
        word = line.strip().lower()
        if not line or word in ("quit", "exit", "q"):
            raise LeftError
        if word in ("", "?", "help"):
            say(legal())
            continue
        try:
            return read(line)
        except (NotationError, IllegalMoveError) as error:
            say(_with_legal(str(error), legal()))


def _with_legal(error: str, legal: str) -> str:
    """An error, and what is legal unless the error has said so."""
    return error if "legal" in error.lower() else f"{error}. {legal}"


def mix_text(actions: Iterable[tuple[str, float]]) -> str:
    """The actions that a strategy takes, the likeliest first.

    Examples
    --------
    >>> mix_text([("doubt", 0.25), ("4x5", 0.75), ("5x5", 0.0)])
    '4x5 75%, doubt 25%'
    """
    likely = sorted(actions, key=lambda pair: -pair[1])
    return ", ".join(f"{name} {chance:.0%}" for name, chance in likely if chance >= _SELDOM)
