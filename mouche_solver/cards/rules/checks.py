"""Checks of single rule fields; every message says what is allowed."""

from collections.abc import Iterable
from operator import index
from typing import Any, get_args

from mouche_solver.errors import MoucheError, RulesError


def whole(name: str, value: object, error: type[MoucheError] = RulesError) -> int:
    """A whole number of any kind, numpy's too, as Python's.

    Examples
    --------
    >>> import numpy as np
    >>> type(whole("seed", np.int16(3))).__name__
    'int'
    """
    try:
        return index(value)  # type: ignore[arg-type]
    except TypeError:
        raise error(f"{name}={value!r}: give a whole number") from None


def plain(value: Any) -> Any:
    """A field's value with numpy's whole numbers as Python's, also in tuples and lists."""
    if isinstance(value, tuple | list):
        return tuple(plain(each) for each in value)
    if isinstance(value, bool) or not hasattr(value, "__index__"):
        return value
    return index(value)


def check_int(name: str, value: object, low: int, high: int, also: str = "") -> None:
    """Refuse anything but a whole number from ``low`` to ``high``."""
    if not isinstance(value, int) or isinstance(value, bool) or not low <= value <= high:
        raise RulesError(f"{name}={value!r}: allowed are {low} to {high}{also and ' ' + also}")


def check_choice(name: str, value: object, choices: Any) -> None:
    """Refuse anything but one of the values of a ``Literal``."""
    if isinstance(value, bool) or value not in get_args(choices):
        allowed = ", ".join(str(choice) for choice in get_args(choices))
        raise RulesError(f"{name}={value!r}: allowed are {allowed}")


def check_bool(name: str, value: object) -> None:
    """Refuse anything but true and false."""
    if not isinstance(value, bool):
        raise RulesError(f"{name}={value!r}: allowed are true and false")


def check_multiple(name: str, value: object, tricks: int) -> None:
    """Refuse an amount of chips that tricks cannot share."""
    check_int(name, value, 1, 10**9)
    if isinstance(value, int) and value % tricks:
        raise RulesError(f"{name}={value}: must be a multiple of the {tricks} tricks")


def names_tuple(name: str, value: object, allowed: tuple[str, ...]) -> tuple[str, ...]:
    """Names from a list or a text such as ``K Q J``; each of ``allowed`` at most once."""
    if isinstance(value, str):
        value = value.replace(",", " ").split()
    if not isinstance(value, Iterable):
        raise RulesError(f"{name}={value!r}: give some of {' '.join(allowed)}")
    names = tuple(value)
    for item in names:
        if item not in allowed:
            raise RulesError(f"{name}: {item!r} is not one of {' '.join(allowed)}")
    if not names or len(set(names)) != len(names):
        raise RulesError(f"{name}={' '.join(names)!r}: give at least one, each once")
    return names
