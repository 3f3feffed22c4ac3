"""Bits of int64 masks, one machine instruction each."""

from collections.abc import Callable
from typing import Any, NewType, TypeAlias

import numpy as np
from numba import config, types
from numba.extending import intrinsic
from numpy.typing import NDArray

from mouche_solver.core.jit import kernel

Int: TypeAlias = Any  # an int64: numpy's in compiled code, Python's or numpy's outside
Ints = NDArray[np.int64]
# Numbers that kernels take for different things; mypy refuses one where another belongs.
Seat: TypeAlias = int
Hand = NewType("Hand", int)  # cards as bits
HandClass = NewType("HandClass", int)  # a number of :func:`...classes.class_number`

ONE = np.int64(1)


def _instruction(emit: Callable[[Any, Any, Any], Any], plain: Callable[[int], int]) -> Any:
    """A numba intrinsic int64 -> int64 from an LLVM builder call; ``plain`` with the JIT off."""
    if config.DISABLE_JIT:  # type: ignore[attr-defined]  # numba sets it from the environment
        return lambda mask: np.int64(plain(int(mask)))

    def typed(typing_context: Any, value: Any) -> Any:
        def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            return emit(builder, args[0], context.get_constant(types.boolean, True))

        return types.int64(types.int64), codegen

    return intrinsic(typed)


# An empty mask has no lowest or highest bit: its count of zeros is left undefined.
_cttz = _instruction(
    lambda builder, mask, undefined: builder.cttz(mask, undefined),
    lambda mask: (mask & -mask).bit_length() - 1,
)
_ctlz = _instruction(
    lambda builder, mask, undefined: builder.ctlz(mask, undefined),
    lambda mask: 64 - mask.bit_length(),
)
_ctpop = _instruction(
    lambda builder, mask, undefined: builder.ctpop(mask), lambda mask: mask.bit_count()
)


@kernel
def lowest(mask: Int) -> Int:
    """Position of the lowest set bit; the mask is not empty."""
    return _cttz(mask)


@kernel
def highest(mask: Int) -> Int:
    """Position of the highest set bit; the mask is not empty."""
    return 63 - _ctlz(mask)


@kernel
def nth_bit(mask: Int, n: Int) -> Int:
    """Position of the n-th set bit, counted from the lowest, 0 the first."""
    for _ in range(n):
        mask &= mask - ONE
    return lowest(mask)


@kernel
def count(mask: Int) -> Int:
    """Number of set bits."""
    return _ctpop(mask)
