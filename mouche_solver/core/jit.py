"""The one home of every numba flag, and of the disk cache of compiled code.

Kernels are serial, release the GIL and live at module level, so that numba's disk cache
holds them and Python threads can run several at once; see ``docs/architecture.md``.

The cache saves time and must never cost a result. Where nothing can be written, the disk is full
or a file is damaged, code is compiled again. Compiled code contains the kernels that it calls, and
numba looks at the file of the outermost alone; here the stamp is a hash of the kernel's module and
of every module of the package that it imports, so that an edit anywhere below is noticed.

numba itself is loaded when a kernel is first called: most answers need none.
"""

import hashlib
import os
import pickle
import re
from collections.abc import Callable
from contextlib import suppress
from functools import cache, update_wrapper
from pathlib import Path
from threading import RLock
from types import CodeType
from typing import Any, TypeVar, cast

F = TypeVar("F", bound=Callable[..., Any])

# Sums may be reassociated (vector registers), but infinities and NaN keep their meaning.
_FAST = {"reassoc", "contract", "nsz", "arcp"}

_PACKAGE = Path(__file__).parents[1]
_IMPORT = re.compile(r"^from mouche_solver\.([\w.]+) import (\([^)]*\)|[^\n]*)", re.MULTILINE)
_DIGEST = hashlib.sha256().digest_size


# Receives a call before something is compiled, which takes seconds.
_compiling: list[Callable[[], None]] = []
_LOCK = RLock()


def before_compiling(told: Callable[[], None]) -> None:
    """Ask to be told when this process has to compile a kernel that no disk cache holds.

    Parameters
    ----------
    told : callable
        Called at most once; it takes the place of an earlier one.
    """
    _compiling[:] = [told]


def kernel(function: F) -> F:
    """Compile integer or exact code: no reordering of floating point."""
    return _late(function, {})


def fast_kernel(function: F) -> F:
    """Compile floating-point sweeps: sums may be reordered to fill vector registers."""
    return _late(function, {"fastmath": _FAST})


def _late(function: F, options: dict[str, Any]) -> F:
    if os.environ.get("NUMBA_DISABLE_JIT", "0") not in ("", "0"):
        return function
    return cast(F, Kernel(function, options))


class Kernel:
    """A function that becomes compiled code when it is called, or an attribute of that is read.

    Parameters
    ----------
    function : callable
        At module level.
    options : dict
        Of ``numba.njit``, beside those that all kernels have.
    """

    def __init__(self, function: Callable[..., Any], options: dict[str, Any]) -> None:
        update_wrapper(self, function)
        self._function, self._options = function, options
        self._compiled: Any = None

    def __call__(self, *args: Any) -> Any:
        """Call the compiled code."""
        return (self._compiled or self.ready())(*args)

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        return getattr(self.ready(), name)

    def ready(self) -> Any:
        """Numba's dispatcher, which compiles for the types of a call.

        The kernels that this one names are made ready too, and take their own places in its
        module: numba understands no other callable there.
        """
        with _LOCK:
            if self._compiled is None:
                self._compiled = _dispatcher(self._function, self._options)
                world = self._function.__globals__
                for name in _names(self._function.__code__):
                    if isinstance(world.get(name), Kernel):
                        world[name] = world[name].ready()
            return self._compiled


def _names(code: CodeType) -> set[str]:
    """Every global that code may name, that of functions inside it too."""
    inner = [_names(each) for each in code.co_consts if isinstance(each, CodeType)]
    return set(code.co_names).union(*inner)


def _dispatcher(function: Callable[..., Any], options: dict[str, Any]) -> Any:
    """Numba's dispatcher of a kernel with its disk cache, where there is a place for one."""
    from numba import njit

    compiled = njit(nogil=True, error_model="numpy", **options)(function)
    _plainly_typed(compiled)
    with suppress(RuntimeError, OSError):  # numba finds no folder that can be written
        compiled._cache = _cache_class()(function)
    return compiled


def _plainly_typed(compiled: Any) -> None:
    """Compile a kernel once for every integer, not once more for each number in its callers.

    numba types a constant argument as a literal, ``Literal[int](0)``, and compiles the callee and
    all that it calls for it. Machine code is inlined later, where constants are folded anyway.
    """
    from numba import types

    usual, plain = compiled.get_call_template, cast(Any, types.unliteral)

    def plainly(args: Any, kws: Any) -> Any:
        return usual(tuple(map(plain, args)), {name: plain(kws[name]) for name in kws})

    compiled.get_call_template = plainly


@cache
def _cache_class() -> type[Any]:
    """Numba's cache with checksums, whose failures mean that there was nothing in it."""
    from numba.core.caching import FunctionCache, IndexDataCacheFile

    class CacheFile(IndexDataCacheFile):
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

    class Cache(FunctionCache):
        def __init__(self, function: Callable[..., Any]) -> None:
            super().__init__(function)  # type: ignore[no-untyped-call]
            stamp = source_stamp(Path(function.__code__.co_filename))
            self._cache_file = CacheFile(  # type: ignore[no-untyped-call]
                cache_path=self._cache_path,
                filename_base=self._impl.filename_base,
                source_stamp=stamp,
            )

        def load_overload(self, sig: Any, target_context: Any) -> Any:
            found = None
            with suppress(Exception):
                found = super().load_overload(sig, target_context)  # type: ignore[no-untyped-call]
            if found is None and _compiling:
                _compiling.pop()()
            return found

        def save_overload(self, sig: Any, data: Any) -> None:
            with suppress(Exception):
                super().save_overload(sig, data)  # type: ignore[no-untyped-call]

    return Cache


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
