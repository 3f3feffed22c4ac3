"""Players' names as a written game can hold them."""

from collections.abc import Sequence

from mouche_solver.errors import NotationError

KEYWORDS = ("rules", "players", "dealer", "deal", "hand", "turned", "stock", "shuffle")


def check_names(names: Sequence[str], count: int) -> tuple[str, ...]:
    """The names, when a transcript that holds them can be read again.

    Raises
    ------
    NotationError
        When there are not ``count`` different names, or one is no single word, holds ``#`` or
        ``;``, or begins another statement.

    Examples
    --------
    >>> check_names(["Anna", "Ben"], 2)
    ('Anna', 'Ben')
    >>> check_names(["Anna", "deal"], 2)  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    mouche_solver.errors.NotationError: players: give 2 different names without spaces, ...
    """
    single = all(name.split() == [name] and not set(name) & set("#;") for name in names)
    if not single or not len(names) == len(set(names)) == count or set(names) & set(KEYWORDS):
        raise NotationError(
            f"players: give {count} different names without spaces, # and ;, "
            f"none of them {', '.join(KEYWORDS)}"
        )
    return tuple(names)


def default_names(players: int) -> tuple[str, ...]:
    """P1, P2, ... for players without names."""
    return tuple(f"P{number}" for number in range(1, players + 1))
