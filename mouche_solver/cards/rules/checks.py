"""Checks of rule fields that only cards have; see also :mod:`mouche_solver.core.checks`."""

from collections.abc import Iterable

from mouche_solver.core.checks import check_int
from mouche_solver.errors import RulesError


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
