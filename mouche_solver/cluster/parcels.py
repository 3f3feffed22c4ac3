"""Jobs, chunks and results as bytes; a job's large arrays travel apart, each content once.

Ray's own arrays are read-only, for which kernels would be compiled once more. Arrays that come out
of a parcel can be written if those that went in could.
"""

import hashlib
import pickle
from collections.abc import Callable
from io import BytesIO
from typing import Any

import numpy as np
from numpy.typing import NDArray

Array = NDArray[Any]

# Smaller arrays stay in the parcel.
_LARGE = 1 << 16


def packed(thing: Any, apart: Callable[[bytes, Array], None] | None = None) -> bytes:
    """Pickle it.

    Parameters
    ----------
    thing : object
    apart : callable, optional
        Receives each large array and a hash of its content, which alone goes into the parcel.

    Returns
    -------
    bytes

    Examples
    --------
    >>> kept = {}
    >>> parcel = packed([np.zeros(10_000), "small"], kept.__setitem__)
    >>> len(parcel) < 1000, unpacked(parcel, kept)[0].shape
    (True, (10000,))
    """
    file = BytesIO()
    _Packer(file, apart).dump(thing)
    return file.getvalue()


def unpacked(parcel: bytes, arrays: dict[bytes, Array] | None = None) -> Any:
    """What went into a parcel.

    Parameters
    ----------
    parcel : bytes
    arrays : mapping of bytes to array, optional
        What went apart.
    """
    return _Unpacker(BytesIO(parcel), arrays or {}).load()


class _Packer(pickle.Pickler):
    def __init__(self, file: BytesIO, apart: Callable[[bytes, Array], None] | None) -> None:
        super().__init__(file, protocol=5)
        self._apart = apart

    def persistent_id(self, thing: Any) -> bytes | None:
        if self._apart is None or type(thing) is not np.ndarray or thing.nbytes < _LARGE:
            return None
        if thing.dtype.hasobject or not thing.flags.c_contiguous:
            return None
        facts = (thing.dtype.descr, thing.shape, thing.flags.writeable)
        digest = hashlib.sha256(repr(facts).encode())
        digest.update(thing.data)
        self._apart(digest.digest(), thing)
        return digest.digest()

    def reducer_override(self, thing: Any) -> Any:
        if isinstance(thing, np.void):  # pickled as itself, what is written to it would be lost
            return _record, (np.array([thing], thing.dtype),)
        return NotImplemented


class _Unpacker(pickle.Unpickler):
    def __init__(self, file: BytesIO, arrays: dict[bytes, Array]) -> None:
        super().__init__(file)
        self._arrays = arrays

    def persistent_load(self, digest: Any) -> Array:
        return self._arrays[digest]


def _record(array: Array) -> Any:
    return array[0]
