"""Reading files of arrays where they lie: nothing is loaded that is not asked for.

The header is checked when a file is opened, every block of numbers whenever it is read.
"""

import os
import stat
from collections import OrderedDict
from collections.abc import Mapping
from dataclasses import dataclass
from threading import Lock
from typing import Any
from weakref import finalize
from zlib import crc32

import numpy as np

from mouche_solver.core.json_text import parse_json
from mouche_solver.errors import StorageError
from mouche_solver.storage.checks import check_finite, whole
from mouche_solver.storage.tensors import BLOCK, TYPES, Array, PathLike, seal

# Safetensors' own limit; a longer header is no header.
_LONGEST_HEADER = 100_000_000
# Near the beginning of every header of ours.
_MARK = b'"mouche"'
# Blocks of an array that small questions are answered from.
_KEPT = 16
# Opening a pipe that nobody writes to must not wait.
_NONBLOCK = getattr(os, "O_NONBLOCK", 0)


class CheckedArray:
    """An array in a file, one-dimensional; what is read of it is checked each time.

    The file is read, not mapped: a map of a file that somebody truncates ends the whole process,
    and one that somebody overwrites gives other numbers after they were checked.

    Parameters
    ----------
    file : OpenFile
    dtype : numpy.dtype
    length : int
        Numbers.
    start : int
        Where it starts in the file, in bytes.
    checks : sequence of int
        CRC-32 of every block of 2**20 bytes.
    """

    def __init__(
        self, file: "OpenFile", dtype: np.dtype[Any], length: int, start: int, checks: list[int]
    ) -> None:
        self.dtype, self._length = dtype, length
        self._file, self._start, self._checks = file, start, checks
        self._kept: OrderedDict[int, Array] = OrderedDict()
        self._lock = Lock()

    def __len__(self) -> int:
        return self._length

    @property
    def nbytes(self) -> int:
        """Bytes in the file."""
        return self._length * self.dtype.itemsize

    def __getitem__(self, where: slice, /) -> Array:
        first, last, step = where.indices(self._length)
        first_byte, last_byte = first * self.dtype.itemsize, max(first, last) * self.dtype.itemsize
        begin, end = first_byte // BLOCK, -(-last_byte // BLOCK)
        if end - begin <= 1:
            raw = self._block(begin)[first_byte - begin * BLOCK : last_byte - begin * BLOCK]
        else:
            raw = np.empty(min(end * BLOCK, self.nbytes) - begin * BLOCK, np.uint8)
            self._read(raw, begin, end)
            raw.flags.writeable = False
            raw = raw[first_byte - begin * BLOCK : last_byte - begin * BLOCK]
        return raw.view(self.dtype)[::step]

    def _block(self, number: int) -> Array:
        """One block, from the few that are kept or from the file."""
        with self._lock:
            if number in self._kept:
                self._kept.move_to_end(number)
                return self._kept[number]
        raw = np.empty(max(0, min(BLOCK, self.nbytes - number * BLOCK)), np.uint8)
        if len(raw):
            self._read(raw, number, number + 1)
        raw.flags.writeable = False
        with self._lock:
            self._kept[number] = raw
            while len(self._kept) > _KEPT:
                self._kept.popitem(last=False)
        return raw

    def _read(self, target: Array, begin: int, end: int) -> None:
        """Blocks from ``begin`` to ``end`` into an array of bytes, checked."""
        for block in range(begin, end):
            content = target[(block - begin) * BLOCK : (block + 1 - begin) * BLOCK]
            self._file.read_into(content, self._start + block * BLOCK)
            if crc32(content.data) != self._checks[block]:
                raise StorageError(f"{self._file.path} is damaged: its numbers fail their checksum")

    def whole(self) -> Array:
        """All of it, checked."""
        return self[:]

    def copy_to(self, target: Array, finite: bool = True) -> None:
        """Read all of it into an array, checked.

        Raises
        ------
        StorageError
            When it is damaged, or holds NaN or infinities.
        """
        self._read(target.view(np.uint8), 0, len(self._checks))
        if finite:
            self.check_finite(target)

    def check_finite(self, numbers: Array) -> None:
        """Refuse NaN and infinities in what was read.

        Raises
        ------
        StorageError
        """
        try:
            check_finite(numbers)
        except ValueError as error:
            raise StorageError(f"{self._file.path} is damaged: {error}") from None


class OpenFile:
    """A file that is open for reading as long as somebody needs it."""

    def __init__(self, path: PathLike) -> None:
        self.path = path
        self.handle = os.open(os.fspath(path), os.O_RDONLY | getattr(os, "O_BINARY", 0) | _NONBLOCK)
        self._turn = Lock()
        finalize(self, os.close, self.handle)
        about = os.fstat(self.handle)
        self.size, self.regular = about.st_size, stat.S_ISREG(about.st_mode)

    def read_into(self, target: Array, start: int) -> None:
        """Fill an array of bytes from a place in the file.

        Raises
        ------
        StorageError
            When the system refuses, or the file has become shorter.
        """
        view, done = memoryview(target.data), 0
        try:
            while done < len(target):
                found = self._read_some(view[done:], start + done)
                if not found:
                    raise StorageError(f"{self.path} is truncated: it was longer when opened")
                done += found
        except OSError as error:
            raise StorageError(f"cannot read {self.path}: {error.strerror or error}") from None

    def _read_some(self, target: memoryview, start: int) -> int:
        if hasattr(os, "preadv"):
            return os.preadv(self.handle, [target], start)
        with self._turn:
            os.lseek(self.handle, start, os.SEEK_SET)
            content = os.read(self.handle, len(target))
        target[: len(content)] = content
        return len(content)

    def read(self, start: int, size: int) -> bytes:
        """Bytes at a place, as :meth:`read_into`."""
        target = np.empty(size, np.uint8)
        self.read_into(target, start)
        return target.tobytes()


@dataclass(frozen=True)
class TensorFile:
    """An open file: what its header says, and its arrays."""

    path: PathLike
    version: int
    fields: Mapping[str, Any]
    arrays: Mapping[str, CheckedArray]


def read_tensors(path: PathLike, kind: str, *versions: int) -> TensorFile:
    """Open a file that :func:`write_tensors` wrote, in one of some versions.

    Raises
    ------
    StorageError
        When it cannot be read, is damaged, truncated, of another kind or version.
    """
    found = open_tensors(path)
    if found.fields["kind"] != kind:
        raise StorageError(f"{path} is a {found.fields['kind']} file, not a {kind} file")
    if found.version not in versions:
        known = " and ".join(map(str, versions))
        raise StorageError(
            f"{path} has format version {found.version}; this program reads version {known}"
        )
    return found


def open_tensors(path: PathLike) -> TensorFile:
    """Open a file of any kind and version.

    Raises
    ------
    StorageError
        When it cannot be read, is damaged, truncated or foreign.
    """
    try:
        file = OpenFile(path)
    except OSError as error:
        raise StorageError(f"cannot read {path}: {error.strerror or error}") from None
    if not file.regular:
        raise StorageError(f"cannot read {path}: it is not a regular file")
    start, header = _read_header(file)
    about = _unseal(path, header)
    try:
        arrays, end = _arrays(file, header, about["checks"], start)
        version = int(about["version"])
    except (KeyError, ValueError, TypeError, AttributeError):
        raise StorageError(f"{path} is damaged: its header contradicts itself") from None
    if end != file.size:
        raise StorageError(f"{path} is damaged: {file.size} bytes long instead of {end}")
    return TensorFile(path, version, about, arrays)


def _arrays(
    file: OpenFile, header: dict[str, Any], sums: dict[str, list[str]], start: int
) -> tuple[dict[str, CheckedArray], int]:
    """The arrays of a header, and where the last one ends in the file."""
    arrays: dict[str, CheckedArray] = {}
    end = start
    for name, entry in header.items():
        first, last = (start + whole(offset) for offset in entry["data_offsets"])
        checks = [int(check, 16) for check in sums[name]]
        if last > file.size:
            raise StorageError(f"{file.path} is truncated: its arrays go on after byte {file.size}")
        dtype = np.dtype(TYPES[entry["dtype"]])
        length, rest = divmod(last - first, dtype.itemsize)
        fits = first == end and not rest and last >= first and [length] == entry["shape"]
        if not fits or len(checks) != -(-(last - first) // BLOCK):
            raise ValueError(name)
        arrays[name] = CheckedArray(file, dtype, length, first, checks)
        end = last
    return arrays, end


def _read_header(file: OpenFile) -> tuple[int, dict[str, Any]]:
    path, size = file.path, file.size
    length = int.from_bytes(file.read(0, 8), "little") if size >= 10 else 0
    if not 2 <= length <= _LONGEST_HEADER:
        raise StorageError(f"{path} is not a file of mouche_solver")
    if 8 + length > size:
        if _MARK in file.read(8, min(size - 8, len(_MARK) + 60)):
            raise StorageError(f"{path} is damaged: it ends within its header")
        raise StorageError(f"{path} is truncated, or not a file of mouche_solver")
    try:
        header = parse_json(file.read(8, length))
    except ValueError:
        raise StorageError(f"{path} is damaged, or not a file of mouche_solver") from None
    if not isinstance(header, dict):
        raise StorageError(f"{path} is not a file of mouche_solver")
    return 8 + length, header


def _unseal(path: PathLike, header: dict[str, Any]) -> dict[str, Any]:
    """Take the metadata out of a header and check its seal."""
    try:
        text = header.pop("__metadata__")["mouche"]
    except (KeyError, TypeError):
        raise StorageError(f"{path} is not a file of mouche_solver") from None
    try:
        about: dict[str, Any] = parse_json(text)
        intact = about.pop("seal") == seal(about)
    except (KeyError, TypeError, ValueError, AttributeError):
        intact = False
    if not intact:
        raise StorageError(f"{path} is damaged: its header fails its checksum")
    return about
