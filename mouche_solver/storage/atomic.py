"""Files that are either complete or not there."""

import os
import re
import secrets
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from types import ModuleType

from mouche_solver.core.memory import available_disk, human
from mouche_solver.errors import StorageError, UsageError

locks: ModuleType | None
try:
    import fcntl as locks
except ImportError:  # not a Unix: parts are not locked there, and stale ones not swept
    locks = None

PathLike = str | os.PathLike[str]

_PREFIX, _SUFFIX = ".mouche-", ".part"
# A part that nobody holds is left alone for so many seconds: its writer may be about to lock it.
_YOUNG = 60.0
# Names of streams that are open already; behind them may lie a file that somebody else writes.
_STREAM = re.compile(r"/dev/(stdin|stdout|stderr|fd/.*)|/proc/[^/]+/(task/[^/]+/)?fd/.*")
_MOST_LINKS = 40
# Bytes that a probe writes: as much as an answer in rows may take.
_PROBE = 1 << 16


@contextmanager
def atomic_path(target: PathLike) -> Iterator[Path]:
    """A path to write to, which becomes ``target`` when the block ends well.

    The file is written beside the target under a name of its own, synced and renamed. When the
    block fails the target is as it was and nothing is left behind; what a killed process left is
    swept by the next one that writes there. An older target's permissions and owner are kept.

    Parameters
    ----------
    target : path-like
        Where the file shall be. A symbolic link is followed.

    Yields
    ------
    pathlib.Path
        An empty file to write.

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
    _refuse_streams(target)
    final = Path(os.path.realpath(target))
    try:
        # ``realpath`` takes "missing/.." away, the system refuses it: ask for the folder as named.
        Path(target).parent.stat()
        if final.exists() and not final.is_file():
            raise StorageError(f"cannot write {target}: it is not a regular file")
        with suppress(OSError):
            _sweep(final.parent)
        part, held = _new_part(final)
        try:
            yield part
            os.fsync(held)
            part.replace(final)
        finally:
            part.unlink(missing_ok=True)
            os.close(held)
    except OSError as error:
        # Libraries pack much into ``strerror``; the number has the system's own words.
        reason = os.strerror(error.errno) if error.errno else error
        raise StorageError(f"cannot write {target}: {reason}") from None


def _new_part(final: Path) -> tuple[Path, int]:
    """An empty file beside ``final``, and a handle whose lock says that it is in use."""
    while True:
        part = final.parent / f"{_PREFIX}{secrets.token_hex(8)}{_SUFFIX}"
        with suppress(FileExistsError):
            held = os.open(part, os.O_CREAT | os.O_EXCL | os.O_RDWR, 0o666)
            break
    try:
        if locks is not None:
            with suppress(OSError):  # some network file systems know no locks
                locks.flock(held, locks.LOCK_EX | locks.LOCK_NB)
        with suppress(FileNotFoundError):
            older = final.stat()
            if hasattr(os, "chown") and (older.st_uid, older.st_gid) != (os.getuid(), os.getgid()):
                with suppress(OSError):
                    os.chown(part, older.st_uid, older.st_gid)
            part.chmod(older.st_mode & 0o7777 | 0o200)
    except BaseException:
        part.unlink(missing_ok=True)
        os.close(held)
        raise
    return part, held


def _sweep(folder: Path) -> None:
    """Remove parts whose writer has gone: nobody holds their lock."""
    if locks is None:
        return
    for part in folder.glob(f"{_PREFIX}*{_SUFFIX}"):
        with suppress(OSError):
            if time.time() - part.stat().st_mtime < _YOUNG:
                continue
            held = os.open(part, os.O_RDWR | getattr(os, "O_NOFOLLOW", 0))
            try:
                locks.flock(held, locks.LOCK_EX | locks.LOCK_NB)
                part.unlink()
            finally:
                os.close(held)


def _refuse_streams(target: PathLike) -> None:
    """Refuse ``/dev/stdout`` and its like, also behind links: renaming would replace their file."""
    path = os.path.abspath(target)
    for _ in range(_MOST_LINKS):
        if _STREAM.fullmatch(path):
            raise StorageError(
                f"cannot write {target}: it is a stream that is open already; name a file, or "
                "leave --out out for standard output"
            )
        if not os.path.islink(path):
            return
        try:
            path = os.path.normpath(os.path.join(os.path.dirname(path), os.readlink(path)))
        except OSError:
            return


def refuse_same(target: PathLike | None, *sources: PathLike | None) -> None:
    """Refuse to write over a file that is read.

    Raises
    ------
    UsageError
    """
    for source in sources:
        with suppress(OSError, ValueError):  # not a name of a file
            if target is not None and source is not None and os.path.samefile(target, source):
                raise UsageError(f"{target}: that is the input; name another file to write")


class _OnlyProbed(Exception):
    pass


def check_writable(target: PathLike) -> None:
    """Refuse a target that could not be written, before work is done for it.

    A block is written for a try, so that a disk without any room is noticed, and so are quotas and
    limits of the process that :func:`check_room` does not see.

    Raises
    ------
    StorageError
    """
    with suppress(_OnlyProbed), atomic_path(target) as part:
        with part.open("wb") as file:
            file.write(bytes(_PROBE))
            os.fsync(file.fileno())
        raise _OnlyProbed


def check_room(target: PathLike, size: int) -> None:
    """Refuse to write what the disk has no room for.

    Parameters
    ----------
    target : path-like
    size : int
        Bytes that are written at most; an older file stays until the new one is complete.

    Raises
    ------
    StorageError
    """
    folder = Path(os.path.realpath(target)).parent
    free = available_disk(folder)
    if free is not None and free < size:
        raise StorageError(f"cannot write {target}: it needs {human(size)}, {human(free)} are free")
