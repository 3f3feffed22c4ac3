"""Checks of what a file's header says; every fault is a ValueError that the reader reports."""

from collections.abc import Mapping
from dataclasses import fields
from math import isfinite
from typing import Any, TypeVar, get_type_hints

import numpy as np
from numpy.typing import NDArray

from mouche_solver.core.quality import Quality

T = TypeVar("T")

# Far above what any run counts, and an int64.
_MOST = 2**62


def whole(value: object, most: int = _MOST) -> int:
    """A whole number from 0 to ``most``.

    Raises
    ------
    ValueError
    """
    if not isinstance(value, int) or isinstance(value, bool) or not 0 <= value <= most:
        raise ValueError("a whole number is needed")
    return value


def number(value: object) -> float:
    """A finite number.

    Raises
    ------
    ValueError
    """
    if not isinstance(value, int | float) or isinstance(value, bool) or not isfinite(value):
        raise ValueError("a number is needed")
    return float(value)


def text(value: object) -> str:
    """A text.

    Raises
    ------
    ValueError
    """
    if not isinstance(value, str):
        raise ValueError("a text is needed")
    return value


def player(value: object) -> int | None:
    """0, 1 or None.

    Raises
    ------
    ValueError
    """
    return None if value is None else whole(value, 1)


def read_quality(value: object, low: object, high: object) -> Quality:
    """Three finite numbers.

    Raises
    ------
    ValueError
    """
    return Quality(number(value), number(low), number(high))


def record(cls: type[T], data: object) -> T:
    """A dataclass of numbers and texts from a mapping, every field of the type that it declares.

    Raises
    ------
    ValueError, TypeError
        Also for fields that the class does not have, and for those that lack.
    """
    if not isinstance(data, Mapping):
        raise ValueError(f"a {cls.__name__} is an object")
    hints = get_type_hints(cls)
    known = [field.name for field in fields(cls)]  # type: ignore[arg-type]
    for name in data:
        if name not in known:
            raise ValueError(f"unknown field {name!r}")
    return cls(**{name: _typed(hints[name], value) for name, value in data.items()})


def _typed(hint: Any, value: object) -> Any:
    if hint is int:
        return whole(value, 2**128)  # seeds are that long
    if hint is float:
        number(value)
        return value  # as written: 1 stays 1
    if hint is str:
        return text(value)
    if hint == int | None:
        return None if value is None else whole(value)
    if hint == float | None:
        return None if value is None else _typed(float, value)
    if hint == tuple[float, ...] and isinstance(value, list):
        return tuple(_typed(float, each) for each in value)
    raise ValueError(f"{hint} is not what {value!r} is")


def check_finite(array: NDArray[Any]) -> None:
    """Refuse NaN and infinities, a block at a time.

    Raises
    ------
    ValueError
    """
    flat = array.reshape(-1)
    if flat.dtype.kind == "f":
        for first in range(0, len(flat), 1 << 20):
            if not np.isfinite(flat[first : first + (1 << 20)]).all():
                raise ValueError("its numbers are not finite")
