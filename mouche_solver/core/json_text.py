"""JSON from a user or a file: every fault is one kind of error."""

import json
from math import isfinite
from typing import Any


def parse_json(text: str | bytes) -> Any:
    """The value of a JSON text, as :func:`json.loads` reads it, with three differences.

    Raises
    ------
    ValueError
        Also for nesting or numbers beyond what Python reads, for a field that is given twice, and
        for NaN and infinities, which JSON does not have.

    Examples
    --------
    >>> parse_json('{"players": 3}')
    {'players': 3}
    >>> parse_json('{"players": 3, "players": 4}')
    Traceback (most recent call last):
    ValueError: field 'players' is given twice
    """
    try:
        return json.loads(
            text,
            object_pairs_hook=_fields,
            parse_int=_whole,
            parse_float=_number,
            parse_constant=_number,
        )
    except RecursionError:
        raise ValueError("the nesting is too deep") from None


def _fields(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    fields: dict[str, Any] = {}
    for key, value in pairs:
        if key in fields:
            raise ValueError(f"field {key!r} is given twice")
        fields[key] = value
    return fields


def _whole(digits: str) -> int:
    try:
        return int(digits)
    except ValueError:  # more digits than Python converts
        raise ValueError(f"a number of {len(digits):,} digits is too long") from None


def _number(word: str) -> float:
    number = float(word)
    if not isfinite(number):
        raise ValueError(f"{word[:20]} is not a number of JSON")
    return number
