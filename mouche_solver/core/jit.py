"""The one home of every numba flag.

Kernels are serial, release the GIL and live at module level, so that numba's disk cache
holds them and Python threads can run several at once; see ``docs/architecture.md``.
"""

from collections.abc import Callable
from typing import Any, TypeVar, cast

from numba import njit

F = TypeVar("F", bound=Callable[..., Any])

# Sums may be reassociated (vector registers), but infinities and NaN keep their meaning.
_FAST = {"reassoc", "contract", "nsz", "arcp"}


def kernel(function: F) -> F:
    """Compile integer or exact code: no reordering of floating point."""
    return cast(F, njit(cache=True, nogil=True, error_model="numpy")(function))


def fast_kernel(function: F) -> F:
    """Compile floating-point sweeps: sums may be reordered to fill vector registers."""
    return cast(F, njit(cache=True, nogil=True, error_model="numpy", fastmath=_FAST)(function))
