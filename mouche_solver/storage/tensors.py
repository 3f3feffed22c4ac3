"""Writing files of arrays: safetensors with a sealed header and a checksum for every block."""

import hashlib
import json
import os
from collections.abc import Mapping
from typing import Any, BinaryIO, Protocol
from zlib import crc32

import numpy as np
from numpy.typing import NDArray

from mouche_solver.storage.atomic import atomic_path, check_room

PathLike = str | os.PathLike[str]
Array = NDArray[Any]


class Sliced(Protocol):
    """Numbers that are read slice by slice: an array, or what lies elsewhere."""

    @property
    def dtype(self) -> np.dtype[Any]:
        """Of the numbers."""
        ...

    @property
    def nbytes(self) -> int:
        """Bytes of all of them."""
        ...

    def __len__(self) -> int: ...

    def __getitem__(self, where: slice, /) -> Array: ...


# Bytes that share one checksum.
BLOCK = 1 << 20
# Blocks that are taken together: asking for a slice may be a question over a network.
_BLOCKS = 16
TYPES = {"F64": "<f8", "F32": "<f4", "U16": "<u2"}
_NAMES = {np.dtype(code): name for name, code in TYPES.items()}


def write_tensors(
    target: PathLike,
    kind: str,
    version: int,
    fields: Mapping[str, Any],
    arrays: Mapping[str, Sliced],
) -> None:
    """Write one-dimensional arrays of uint16, float32 or float64, whole or not at all.

    Parameters
    ----------
    target : path-like
    kind : str
        What the file is, such as ``"dice-solution"``.
    version : int
        Version of this kind of file.
    fields : mapping
        JSON types.
    arrays : mapping of str to array
        Or anything that gives slices; they are taken one after the other.

    Raises
    ------
    StorageError
        When the system refuses, or there is not enough room on the disk.
    """
    # The widest numbers come first: then every array is aligned.
    ordered = dict(sorted(arrays.items(), key=lambda item: (-item[1].dtype.itemsize, item[0])))
    checks = {name: [0] * -(-array.nbytes // BLOCK) for name, array in ordered.items()}
    about = {"kind": kind, "version": version, **fields}
    header = _header(about, ordered, checks)
    check_room(target, len(header) + sum(array.nbytes for array in ordered.values()))
    with atomic_path(target) as part, part.open("wb") as file:
        file.write(header)
        for name, array in ordered.items():
            checks[name] = _write_blocks(file, array)
        file.seek(0)
        file.write(_header(about, ordered, checks))


def _write_blocks(file: BinaryIO, array: Sliced) -> list[int]:
    step = _BLOCKS * BLOCK // array.dtype.itemsize
    checks = []
    for start in range(0, len(array), step):
        raw = np.ascontiguousarray(array[start : start + step]).view(np.uint8)
        for first in range(0, len(raw), BLOCK):
            block = raw[first : first + BLOCK].data
            checks.append(crc32(block))
            file.write(block)
    return checks


def _header(
    about: Mapping[str, Any], arrays: Mapping[str, Sliced], checks: Mapping[str, list[int]]
) -> bytes:
    written = {name: [f"{check:08x}" for check in each] for name, each in checks.items()}
    sealed = {**about, "checks": written}
    text = json.dumps({**sealed, "seal": seal(sealed)}, sort_keys=True)
    header: dict[str, Any] = {"__metadata__": {"mouche": text}}
    offset = 0
    for name, array in arrays.items():
        header[name] = {
            "dtype": _NAMES[array.dtype],
            "shape": [len(array)],
            "data_offsets": [offset, offset + array.nbytes],
        }
        offset += array.nbytes
    body = json.dumps(header, separators=(",", ":")).encode()
    body += b" " * (-len(body) % 8)
    return len(body).to_bytes(8, "little") + body


def seal(about: Mapping[str, Any]) -> str:
    """The checksum of a header's fields."""
    return hashlib.sha256(json.dumps(about, sort_keys=True).encode()).hexdigest()
