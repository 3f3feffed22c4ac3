"""The standard streams as every command expects them: there, and in UTF-8."""

import errno
import io
import os
import sys
from contextlib import suppress
from typing import Never, TextIO


class ClosedStream(io.TextIOBase):
    """Stands for a stream that the caller has closed; using it is an error like any other."""

    def __init__(self, name: str) -> None:
        self._name = name

    def _refuse(self, *_: object) -> Never:
        raise OSError(errno.EBADF, f"{self._name} is closed")

    read = readline = write = _refuse


def prepare_streams() -> None:
    """Give closed streams a stand-in, and write UTF-8 whatever the locale says."""
    if sys.stdin is None:
        sys.stdin = ClosedStream("standard input")
    if sys.stdout is None:
        sys.stdout = ClosedStream("standard output")
    if sys.stderr is None:
        sys.stderr = io.StringIO()  # print would turn to standard output instead
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(encoding="utf-8", errors="backslashreplace")


class Heedless(io.TextIOBase):
    """A stream of messages: what cannot be written is lost, and no error."""

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream

    @property
    def encoding(self) -> str:  # type: ignore[override]  # writable only in the stub
        """That of the stream behind it."""
        return self._stream.encoding or "utf-8"

    def write(self, text: str) -> int:
        """Write, or leave it."""
        try:
            self._stream.write(text)
        except (OSError, ValueError):
            abandon(self._stream)
        return len(text)

    def flush(self) -> None:
        """Flush, or leave it."""
        try:
            self._stream.flush()
        except (OSError, ValueError):
            abandon(self._stream)

    def isatty(self) -> bool:
        """Whether a person may be reading."""
        return self._stream.isatty()

    def fileno(self) -> int:
        """The descriptor of the stream behind it."""
        return self._stream.fileno()


def note(text: str, end: str = "\n") -> None:
    """Write a line to standard error; nothing depends on anybody reading it."""
    print(text, end=end, file=Heedless(sys.stderr), flush=True)


def abandon(stream: TextIO) -> None:
    """Let what is left in a stream go nowhere: it cannot be written, also not at the exit."""
    with suppress(OSError, ValueError):  # a stand-in has nothing to flush to
        descriptor = stream.fileno()
        null = os.open(os.devnull, os.O_WRONLY)
        os.dup2(null, descriptor)
        os.close(null)


def read_stdin(most: int) -> str:
    """Standard input as UTF-8, up to so many bytes.

    Raises
    ------
    OSError, UnicodeDecodeError
    """
    raw = getattr(sys.stdin, "buffer", None)
    return sys.stdin.read(most) if raw is None else str(raw.read(most), encoding="utf-8-sig")


# Of a longer message the beginning says what was wrong, and the end what is allowed.
HEAD, TAIL = 300, 700


def one_line(message: str) -> str:
    r"""A message as one line that does not steer the terminal, cut in the middle when long.

    Examples
    --------
    >>> one_line("no card:\n\x1b[31m")
    'no card: \\x1b[31m'
    >>> len(one_line("x" * 5000))
    1005
    """
    words = " ".join(message.split())
    if len(words) > HEAD + TAIL:
        words = f"{words[:HEAD]} ... {words[-TAIL:]}"
    return "".join(c if c.isprintable() else ascii(c)[1:-1] for c in words)
