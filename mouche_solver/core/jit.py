"""The one home of every numba flag, and of the disk cache of compiled code.

Kernels are serial, release the GIL and live at module level, so that numba's disk cache
holds them and Python threads can run several at once; see ``docs/architecture.md``.

The cache saves time and must never cost a result. Where nothing can be written, the disk is full
or a file is damaged, code is compiled again. Compiled code contains the kernels that it calls, and
numba looks at the file of the outermost alone; here the stamp is a hash of the kernel's module and
of every module of the package that it imports, so that an edit anywhere below is noticed.
"""

import hashlib
import pickle
import re
from collections.abc import Callable
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import Any, TypeVar, cast

from numba import njit
from numba.core.caching import FunctionCache, IndexDataCacheFile
from numba.core.dispatcher import Dispatcher

F = TypeVar("F", bound=Callable[..., Any])

# Sums may be reassociated (vector registers), but infinities and NaN keep their meaning.
_FAST = {"reassoc", "contract", "nsz", "arcp"}

_PACKAGE = Path(__file__).parents[1]
_IMPORT = re.compile(r"^from mouche_solver\.([\w.]+) import (\([^)]*\)|[^\n]*)", re.MULTILINE)
_DIGEST = hashlib.sha256().digest_size


def kernel(function: F) -> F:
    """Compile integer or exact code: no reordering of floating point."""
    return _cached(njit(nogil=True, error_model="numpy")(function), function)


def fast_kernel(function: F) -> F:
    """Compile floating-point sweeps: sums may be reordered to fill vector registers."""
    return _cached(njit(nogil=True, error_model="numpy", fastmath=_FAST)(function), function)


def _cached(compiled: Any, function: F) -> F:
    """Give a kernel its disk cache, where there is a place for one."""
    if isinstance(compiled, Dispatcher):  # with the JIT off it is the function itself
        with suppress(RuntimeError, OSError):  # numba finds no folder that can be written
            compiled._cache = _Cache(function)  # type: ignore[attr-defined]
    return cast(F, compiled)


class _CacheFile(IndexDataCacheFile):
    """numba's files, the machine code with a checksum: a flipped bit must not be executed."""

    def _save_data(self, name: str, data: Any) -> None:
        content = self._dump(data)  # type: ignore[no-untyped-call]
        with self._open_for_write(self._data_path(name)) as file:  # type: ignore[no-untyped-call]
            file.write(hashlib.sha256(content).digest() + content)

    def _load_data(self, name: str) -> Any:
        data = Path(self._data_path(name)).read_bytes()  # type: ignore[no-untyped-call]
        digest, content = data[:_DIGEST], data[_DIGEST:]
        if hashlib.sha256(content).digest() != digest:
            raise OSError(f"{name} is damaged")  # numba then compiles
        return pickle.loads(content)


class _Cache(FunctionCache):
    """A cache whose failures mean that there was nothing in it."""

    def __init__(self, function: Callable[..., Any]) -> None:
        super().__init__(function)  # type: ignore[no-untyped-call]
        stamp = source_stamp(Path(function.__code__.co_filename))
        self._cache_file = _CacheFile(  # type: ignore[no-untyped-call]
            cache_path=self._cache_path,
            filename_base=self._impl.filename_base,
            source_stamp=stamp,
        )

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        with suppress(Exception):
            return super().load_overload(sig, target_context)  # type: ignore[no-untyped-call]
        return None

    def save_overload(self, sig: Any, data: Any) -> None:
        with suppress(Exception):
            super().save_overload(sig, data)  # type: ignore[no-untyped-call]


@cache
def source_stamp(path: Path) -> bytes:
    """Hash of a module's source and of those that it imports from this package, in turn.

    Parameters
    ----------
    path : Path
        The module's file.

    Returns
    -------
    bytes
        SHA-256, 32 bytes.
    """
    seen: set[Path] = set()
    todo = [path]
    while todo:
        file = todo.pop()
        if file not in seen:
            seen.add(file)
            todo += _imported(file)
    digest = hashlib.sha256()
    for file in sorted(seen):
        digest.update(_text(file).encode())
    return digest.digest()


@cache
def _text(path: Path) -> str:
    return path.read_text("utf-8")


@cache
def _imported(path: Path) -> tuple[Path, ...]:
    """Files of the modules that a module imports from this package."""
    found = []
    for module, names in _IMPORT.findall(_text(path)):
        place = _PACKAGE.joinpath(*module.split("."))
        inner = [place / f"{name}.py" for name in re.findall(r"\w+", names)]
        found += [file for file in (place.with_suffix(".py"), *inner) if file.exists()]
    return tuple(found)
