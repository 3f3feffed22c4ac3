"""Files of a JSON header and compressed arrays: ``.npz`` without pickles, checked as a whole.

numpy reads an archive's members without ever reaching the end where their checksums lie. Here the
whole file is read and checked before anything is used: against the SHA-256 that our own files end
with (in the archive's comment, which other readers skip), or else, in files of earlier versions,
every member against its CRC-32. What a member declares is checked before it is unpacked.
"""

import hashlib
import io
import json
import os
import stat
import struct
import tokenize
import zipfile
import zlib
from collections.abc import Mapping
from pathlib import Path
from typing import Any, BinaryIO

import numpy as np
from numpy.lib import format as npy
from numpy.typing import NDArray

from mouche_solver.core.json_text import parse_json
from mouche_solver.core.memory import available_memory, human
from mouche_solver.errors import StorageError, TooLargeError
from mouche_solver.storage.atomic import atomic_path

PathLike = str | os.PathLike[str]
Array = NDArray[Any]

HEADER = "header"
_SEAL = b"mouche-sha256:"
# How archives of ours begin: the header of a zip's first member, whose name is one of these.
_BEGIN, _MEMBERS = b"PK\3\4", (b"header.npy", b"pots.json")
_SEAL_LENGTH = len(_SEAL) + 64
_LONGEST_HEADER = 1 << 24
# Honest arrays shrink by less than this; larger ones that shrink by more are bombs.
_HONEST, _SMALL = 100, 1 << 26
_BROKEN = (
    zipfile.BadZipFile,
    zlib.error,
    struct.error,
    EOFError,
    KeyError,
    ValueError,
    TypeError,
    AttributeError,
    RuntimeError,
    NotImplementedError,
    SyntaxError,
    OverflowError,
    IndexError,
    tokenize.TokenError,
)


def write_npz(target: PathLike, header: Mapping[str, Any], arrays: Mapping[str, Array]) -> None:
    """Write a header and arrays, sealed; the file is complete or not there.

    Raises
    ------
    StorageError
        When it cannot be written.
    """
    with atomic_path(target) as part, part.open("w+b") as file:
        put_npz(file, header, arrays)


def put_npz(file: BinaryIO, header: Mapping[str, Any], arrays: Mapping[str, Array]) -> None:
    """Write a header and arrays into a file that is open for reading and writing."""
    members: dict[str, Any] = {HEADER: np.array(json.dumps(header)), **arrays}
    np.savez_compressed(file, **members)
    seal(file)


def seal(file: BinaryIO) -> None:
    """End an archive with the SHA-256 of all that comes before."""
    with zipfile.ZipFile(file, "a") as archive:
        archive.comment = _SEAL + b"0" * 64
    file.seek(0)
    content = file.read()[:-_SEAL_LENGTH]
    file.seek(len(content))
    file.write(_SEAL + _digest(content))


def is_archive(path: PathLike) -> bool:
    """Whether a file is an archive, by its contents and not by its name."""
    # In a device zipfile looks for an end that never comes.
    return Path(path).is_file() and zipfile.is_zipfile(path)


def read_file(path: PathLike) -> bytes:
    """All bytes of a regular file that fits into memory.

    Raises
    ------
    StorageError
    """
    try:
        with Path(path).open("rb") as file:
            about = os.fstat(file.fileno())
            if not stat.S_ISREG(about.st_mode):
                raise StorageError(f"cannot read {path}: it is not a regular file")
            _check_room(path, about.st_size)
            return file.read()
    except OSError as error:
        raise StorageError(f"cannot read {path}: {error.strerror or error}") from None


class NpzFile:
    """An archive in memory; its arrays are unpacked when they are asked for.

    Parameters
    ----------
    path : path-like
        Named in errors.
    raw : bytes
        The whole file.
    what : str
        What it should be, such as ``"an opening book"``.

    Raises
    ------
    StorageError
        When it is no archive or damaged.
    """

    def __init__(self, path: PathLike, raw: bytes, what: str) -> None:
        self.path, self.what = path, what
        self._ours = raw.startswith(_BEGIN) and raw[30:].startswith(_MEMBERS)
        end = raw[-_SEAL_LENGTH:]
        if end.startswith(_SEAL) and end != _SEAL + _digest(raw[:-_SEAL_LENGTH]):
            raise StorageError(f"{path} is damaged: it fails its checksum; it was to be {what}")
        try:
            self._zip = zipfile.ZipFile(io.BytesIO(raw))
            length = len(self._zip.comment)
            end = raw[len(raw) - 22 - length :]  # zipfile reads archives whose end is cut off
            if end[:4] != b"PK\5\6" or end[20:22] != length.to_bytes(2, "little"):
                raise ValueError("cut off")
            self.members = [name.removesuffix(".npy") for name in self._zip.namelist()]
        except _BROKEN:
            raise self._broken() from None

    def __contains__(self, name: str) -> bool:
        return name in self.members

    def header(self, kind: str, version: int, oldest: int | None = None) -> dict[str, Any]:
        """The header's fields, for a file of this kind and version, or one from ``oldest`` on.

        Raises
        ------
        StorageError
        """
        try:
            dtype, shape = self.declared(HEADER)
            if dtype.kind != "U" or shape != () or dtype.itemsize > _LONGEST_HEADER:
                raise self._broken()
            about = parse_json(str(self.array(HEADER)))
        except _BROKEN:
            raise self._broken() from None
        if not isinstance(about, dict) or about.get("format") != kind:
            raise StorageError(f"{self.path} is not {self.what}")
        first = version if oldest is None else oldest
        if about.get("version") not in range(first, version + 1):
            raise StorageError(
                f"{self.path} has version {about.get('version')} of the format, this program "
                f"reads {version if oldest is None else f'{first} to {version}'}"
            )
        return about

    def declared(self, name: str) -> tuple[np.dtype[Any], tuple[int, ...]]:
        """An array's type and shape, as the file declares them; nothing is unpacked.

        Raises
        ------
        StorageError
        """
        try:
            info = self._zip.getinfo(f"{name}.npy")
            with self._zip.open(info) as member:
                dtype, shape, offset = _npy_header(member)
            size = int(np.prod(shape, dtype=object)) * dtype.itemsize
        except _BROKEN:
            raise self._broken() from None
        if size + offset != info.file_size or min(shape, default=0) < 0 or dtype.hasobject:
            raise self._broken()
        return dtype, shape

    def array(self, name: str) -> Array:
        """An array, checked.

        Raises
        ------
        StorageError
            When it is damaged, or unpacks to more than memory holds.
        """
        dtype, shape = self.declared(name)
        try:
            content = self.member(f"{name}.npy")
            _, _, offset = _npy_header(io.BytesIO(content))
            return np.frombuffer(content, dtype, offset=offset).reshape(shape).copy()
        except _BROKEN:
            raise self._broken() from None

    def member(self, name: str) -> bytes:
        """The bytes of a member, whose CRC-32 is right.

        Raises
        ------
        StorageError
        """
        try:
            info = self._zip.getinfo(name)
            packed = info.compress_size
            bomb = info.file_size > max(_SMALL, _HONEST * packed)
            if bomb or info.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
                raise self._broken()
            _check_room(self.path, info.file_size)
            return self._zip.read(info)
        except _BROKEN:
            raise self._broken() from None

    def _broken(self) -> StorageError:
        if self._ours:
            return StorageError(f"{self.path} is damaged; it was to be {self.what}")
        return StorageError(f"{self.path} is not {self.what}, or it is damaged")


def read_npz(path: PathLike, what: str) -> NpzFile:
    """Read and check an archive.

    Parameters
    ----------
    path : path-like
    what : str
        What it should be, such as ``"an opening book"``.

    Raises
    ------
    StorageError
        When the file is missing, damaged, or no archive.
    """
    return NpzFile(path, read_file(path), what)


def _npy_header(member: Any) -> tuple[np.dtype[Any], tuple[int, ...], int]:
    version = npy.read_magic(member)
    read = {(1, 0): npy.read_array_header_1_0, (2, 0): npy.read_array_header_2_0}[version]
    shape, fortran, dtype = read(member)
    if fortran and len(shape) > 1:
        raise ValueError("columns first")
    return dtype, shape, member.tell()


def _check_room(path: PathLike, size: int) -> None:
    room = available_memory()
    if room is not None and size > room:
        raise TooLargeError(f"{path} needs {human(size)} of memory, {human(room)} are free")


def _digest(raw: bytes) -> bytes:
    return hashlib.sha256(raw).hexdigest().encode()
