"""Reading files of arrays where they lie: nothing is loaded that is not asked for.

The header is checked when a file is opened, every block of numbers when it is read first.
"""

import mmap
import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, BinaryIO
from zlib import crc32

import numpy as np

from mouche_solver.core.json_text import parse_json
from mouche_solver.errors import StorageError
from mouche_solver.storage.tensors import BLOCK, TYPES, Array, PathLike, seal

# Safetensors' own limit; a longer header is no header.
_LONGEST_HEADER = 100_000_000


class CheckedArray:
    """An array in a file, one-dimensional; slices of it are checked and not copied.

    Parameters
    ----------
    path : path-like
        Named in errors.
    data : array
        The whole array, mapped.
    start : int
        Where it starts in the file.
    checks : sequence of int
        CRC-32 of every block of 2**20 bytes.
    """

    def __init__(self, path: PathLike, data: Array, start: int, checks: list[int]) -> None:
        self._path, self._data, self._start, self._checks = path, data, start, checks
        self._checked = np.zeros(len(checks), dtype=bool)

    def __len__(self) -> int:
        return len(self._data)

    @property
    def dtype(self) -> np.dtype[Any]:
        """The type of the numbers."""
        return self._data.dtype

    def __getitem__(self, where: slice, /) -> Array:
        first, last, _ = where.indices(len(self._data))
        size = self._data.itemsize
        raw = self._data.view(np.uint8)
        for block in range(first * size // BLOCK, -(-last * size // BLOCK)):
            if not self._checked[block]:
                self._check(block, raw[block * BLOCK : (block + 1) * BLOCK])
                self._checked[block] = True
        return self._data[where]

    def _check(self, block: int, content: Array) -> None:
        if crc32(content.data) != self._checks[block]:
            raise StorageError(f"{self._path} is damaged: its numbers fail their checksum")

    def whole(self) -> Array:
        """All of it, checked."""
        return self[:]

    def copy_to(self, target: Array) -> None:
        """Read all of it into an array, checked.

        A map would count the whole file as this process's memory; reading does not.
        """
        raw = target.view(np.uint8)
        try:
            with Path(self._path).open("rb", buffering=0) as file:
                file.seek(self._start)
                for block in range(len(self._checks)):
                    content = raw[block * BLOCK : (block + 1) * BLOCK]
                    file.readinto(content.data)
                    self._check(block, content)
        except OSError as error:
            raise StorageError(f"cannot read {self._path}: {error.strerror or error}") from None


@dataclass(frozen=True)
class TensorFile:
    """An open file: what its header says, and its arrays."""

    path: PathLike
    version: int
    fields: Mapping[str, Any]
    arrays: Mapping[str, CheckedArray]


def read_tensors(path: PathLike, kind: str, version: int) -> TensorFile:
    """Open a file that :func:`write_tensors` wrote.

    Raises
    ------
    StorageError
        When it cannot be read, is damaged, truncated, of another kind or version.
    """
    found = open_tensors(path)
    if found.fields["kind"] != kind:
        raise StorageError(f"{path} is a {found.fields['kind']} file, not a {kind} file")
    if found.version != version:
        raise StorageError(
            f"{path} has format version {found.version}; this program reads version {version}"
        )
    return found


def open_tensors(path: PathLike) -> TensorFile:
    """Open a file of any kind and version."""
    if Path(path).exists() and not Path(path).is_file():
        raise StorageError(f"cannot read {path}: it is not a regular file")
    try:
        with Path(path).open("rb") as file:
            size = os.fstat(file.fileno()).st_size
            start, header = _read_header(path, file, size)
            data = np.frombuffer(mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ), np.uint8)
    except OSError as error:
        raise StorageError(f"cannot read {path}: {error.strerror or error}") from None
    about = _unseal(path, header)
    try:
        arrays, end = _arrays(path, header, about["checks"], data, start)
        version = int(about["version"])
    except (KeyError, ValueError, TypeError, AttributeError):
        raise StorageError(f"{path} is damaged: its header contradicts itself") from None
    if end != size:
        raise StorageError(f"{path} is damaged: {size} bytes long instead of {end}")
    return TensorFile(path, version, about, arrays)


def _arrays(
    path: PathLike, header: dict[str, Any], sums: dict[str, list[str]], data: Array, start: int
) -> tuple[dict[str, CheckedArray], int]:
    """The arrays of a header, and where the last one ends in the file."""
    arrays: dict[str, CheckedArray] = {}
    end = start
    for name, entry in header.items():
        first, last = (start + offset for offset in entry["data_offsets"])
        checks = [int(check, 16) for check in sums[name]]
        if last > len(data):
            raise StorageError(f"{path} is truncated: its arrays go on after byte {len(data)}")
        array = data[first:last].view(TYPES[entry["dtype"]])
        if [len(array)] != entry["shape"] or len(checks) != -(-array.nbytes // BLOCK):
            raise ValueError(name)
        arrays[name] = CheckedArray(path, array, first, checks)
        end = max(end, last)
    return arrays, end


def _read_header(path: PathLike, file: BinaryIO, size: int) -> tuple[int, dict[str, Any]]:
    length = int.from_bytes(file.read(8), "little")
    if size < 10 or not 2 <= length <= _LONGEST_HEADER:
        raise StorageError(f"{path} is not a file of mouche_solver")
    if 8 + length > size:
        raise StorageError(f"{path} is truncated, or not a file of mouche_solver")
    try:
        header = parse_json(file.read(length))
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
