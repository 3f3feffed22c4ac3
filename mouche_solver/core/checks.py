"""Checks of what a user gives, one line of refusal each: whole numbers, choices, seeds, threads."""

from contextlib import suppress
from decimal import Decimal
from fractions import Fraction
from math import isfinite
from operator import index
from typing import Any, get_args

from mouche_solver.errors import MoucheError, RulesError

# A thread takes memory and time before it works; more than this many is a slip of the hand.
MOST_THREADS = 1024
MOST_SEED = 2**128 - 1


def check_int(name: str, value: object, low: int, high: int, also: str = "") -> int:
    """A whole number from ``low`` to ``high`` as a plain int; numpy's integers are taken too.

    Raises
    ------
    RulesError

    Examples
    --------
    >>> check_int("faces", 6, 2, 12)
    6
    """
    return _whole(f"{name}=", value, low, high, f"allowed are {low} to {high}{also and ' ' + also}")


def whole(name: str, value: object, error: type[MoucheError] = RulesError) -> int:
    """A whole number of any kind, numpy's too, as a plain int.

    Every public door converts by this, before numbers reach a cache or arithmetic: numpy's integers
    equal Python's as keys, and overflow.

    Parameters
    ----------
    name : str
        What the number is, for the message.
    value : object
    error : type of MoucheError
        What to raise.

    Raises
    ------
    MoucheError
        For anything that is not a whole number: truth values and floats too.

    Examples
    --------
    >>> import numpy as np
    >>> type(whole("seed", np.int16(3))).__name__
    'int'
    """
    try:
        if isinstance(value, bool):
            raise TypeError
        return index(value)  # type: ignore[arg-type]
    except TypeError:
        raise error(f"{name}={shown(value)}: give a whole number") from None


def real(name: str, value: Any, error: type[MoucheError] = RulesError) -> float:
    """A number of any kind as a plain float.

    NaN comes through: it fails whatever range a caller asks for.

    Parameters
    ----------
    name : str
        What the number is, for the message.
    value : object
        Also a Fraction, a Decimal or one of numpy's numbers.
    error : type of MoucheError
        What to raise.

    Raises
    ------
    MoucheError
        For truth values, text, arrays, and whatever else is no number.

    Examples
    --------
    >>> from fractions import Fraction
    >>> real("target", Fraction(1, 4)), real("target", 1)
    (0.25, 1.0)
    """
    try:
        if isinstance(value, bool | str | bytes | bytearray) or getattr(value, "ndim", None):
            raise TypeError
        number = float(value)
    except (TypeError, ValueError, OverflowError):
        raise error(f"{name}={shown(value)}: a number is needed") from None
    return number


def fraction(name: str, value: Any) -> Fraction:
    """A number of any kind, exactly.

    Raises
    ------
    RulesError
        As :func:`real`, and for NaN and infinities.

    Examples
    --------
    >>> fraction("stands", 0.5)
    Fraction(1, 2)
    """
    if isinstance(value, Fraction):
        return value
    number = real(name, value)
    if not isfinite(number):
        raise RulesError(f"{name}={shown(value)}: a finite number is needed")
    return Fraction(value if isinstance(value, int | Decimal) else number)


def plain(value: Any) -> Any:
    """A field's value with numpy's whole numbers as Python's, also in tuples and lists."""
    if isinstance(value, tuple | list):
        return tuple(plain(each) for each in value)
    if isinstance(value, bool) or not hasattr(value, "__index__"):
        return value
    with suppress(TypeError):  # an array of several numbers, which the field's check refuses
        return index(value)
    return value


def check_choice(name: str, value: object, choices: Any) -> None:
    """Refuse anything but one of the values of a ``Literal``.

    Raises
    ------
    RulesError
    """
    if isinstance(value, bool) or value not in get_args(choices):
        allowed = ", ".join(str(choice) for choice in get_args(choices))
        raise RulesError(f"{name}={shown(value)}: allowed are {allowed}")


def check_bool(name: str, value: object) -> None:
    """Refuse anything but true and false.

    Raises
    ------
    RulesError
    """
    if not isinstance(value, bool):
        raise RulesError(f"{name}={shown(value)}: allowed are true and false")


def check_seed(seed: object) -> int:
    """A seed as a plain int.

    Raises
    ------
    RulesError
        For anything but a whole number from 0 to 2**128 - 1.

    Examples
    --------
    >>> check_seed(7)
    7
    """
    return _whole("seed ", seed, 0, MOST_SEED, "allowed are whole numbers from 0 to 2**128 - 1")


def check_threads(threads: object) -> int:
    """A number of threads as a plain int.

    Raises
    ------
    RulesError
        For anything but a whole number from 1 to 1024.
    """
    return _whole(
        "threads=",
        threads,
        1,
        MOST_THREADS,
        f"at least 1 is needed, at most {MOST_THREADS} are allowed",
    )


def _whole(name: str, value: Any, low: int, high: int, allowed: str) -> int:
    try:
        number = low - 1 if isinstance(value, bool) else index(value)
    except TypeError:
        number = low - 1
    if not low <= number <= high:
        raise RulesError(f"{name}{shown(value)}: {allowed}")
    return number


def shown(value: object) -> str:
    """``repr`` of a value, also where Python refuses it: a number of thousands of digits.

    Examples
    --------
    >>> shown(7), shown(10**5000)
    ('7', 'a number of 16,610 bits')
    """
    try:
        return repr(value)
    except ValueError:
        if isinstance(value, int):
            return f"a number of {value.bit_length():,} bits"
        return f"a {type(value).__name__} of numbers that are too long"
