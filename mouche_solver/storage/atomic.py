"""Files that are either complete or not there."""

import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from mouche_solver.errors import StorageError


@contextmanager
def atomic_path(target: str | os.PathLike[str]) -> Iterator[Path]:
    """A path to write to, which becomes ``target`` when the block ends well.

    The file is written beside the target, synced and renamed. When the block fails the target is as
    it was and nothing is left behind.

    Parameters
    ----------
    target : path-like
        Where the file shall be. A symbolic link is followed.

    Yields
    ------
    pathlib.Path
        The path to create and write.

    Raises
    ------
    StorageError
        When the target is not a regular file, or the system refuses (no folder, no permission, no
        space); one line.

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     with atomic_path(Path(folder, "a.txt")) as path:
    ...         _ = path.write_text("whole")
    ...     Path(folder, "a.txt").read_text()
    'whole'
    """
    final = Path(os.path.realpath(target))
    part = final.parent / f".{final.name}.{os.getpid()}.part"
    try:
        # ``realpath`` takes "missing/.." away, the system refuses it: ask for the folder as named.
        Path(target).parent.stat()
        if final.exists() and not final.is_file():
            raise StorageError(f"cannot write {target}: it is not a regular file")
        try:
            yield part
            with part.open("rb") as written:
                os.fsync(written.fileno())
            part.replace(final)
        finally:
            part.unlink(missing_ok=True)
    except OSError as error:
        # Libraries pack much into ``strerror``; the number has the system's own words.
        reason = os.strerror(error.errno) if error.errno else error
        raise StorageError(f"cannot write {target}: {reason}") from None


class _OnlyProbed(Exception):
    pass


def check_writable(target: str | os.PathLike[str]) -> None:
    """Refuse a target that could not be written, before work is done for it.

    Raises
    ------
    StorageError
    """
    with suppress(_OnlyProbed), atomic_path(target) as part:
        part.touch()
        raise _OnlyProbed
