"""Rules of a game as data: mappings, JSON and hashes, the same for every game."""

import hashlib
import json
from collections.abc import Mapping
from dataclasses import asdict, fields
from typing import Any

from mouche_solver.core.json_text import parse_json
from mouche_solver.errors import RulesError


def to_mapping(rules: Any) -> dict[str, Any]:
    """All fields of a dataclass of rules as JSON types.

    Parameters
    ----------
    rules : dataclass instance

    Returns
    -------
    dict
        Tuples have become lists.
    """
    return {
        key: list(value) if isinstance(value, tuple) else value
        for key, value in asdict(rules).items()
    }


def given_fields(kind: type, data: object, game: str) -> dict[str, Any]:
    """The fields that a mapping gives, lists as tuples; their values are checked on construction.

    Parameters
    ----------
    kind : type
        A dataclass of rules.
    data : object
        What was read.
    game : str
        ``dice`` or ``card``, for the message.

    Raises
    ------
    RulesError
        When it is no mapping or has a field that is no rule.
    """
    if not isinstance(data, Mapping):
        raise RulesError(f"{game} rules are a JSON object, not {type(data).__name__}")
    known = [field.name for field in fields(kind)]
    for key in data:
        if key not in known:
            raise RulesError(f"unknown rule {key!r}; the rules are {', '.join(known)}")
    return {key: tuple(value) if isinstance(value, list) else value for key, value in data.items()}


def parse_rules(text: str) -> Any:
    """The value of a JSON text with rules.

    Raises
    ------
    RulesError
        When it is not JSON.
    """
    try:
        return parse_json(text)
    except ValueError as error:
        raise RulesError(f"the rules are not valid JSON: {error}") from None


def digest(kind: str, data: Mapping[str, Any]) -> str:
    """A stable hash of rules, 16 hexadecimal digits of SHA-256.

    Parameters
    ----------
    kind : str
        Names the game and the version of the hash.
    data : mapping
        JSON types; the order of the fields does not matter.

    Examples
    --------
    >>> digest("example-1", {"a": 1, "b": 2}) == digest("example-1", {"b": 2, "a": 1})
    True
    """
    text = json.dumps(data, sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(f"{kind} {text}".encode()).hexdigest()[:16]
