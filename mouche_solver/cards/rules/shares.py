"""What a chip in the next pot is worth to each seat."""

from collections.abc import Sequence
from fractions import Fraction
from typing import Literal

from mouche_solver.errors import RulesError

Shares = Sequence[Fraction | int | str]
Continuation = Literal["none"] | str | Shares


def seat_shares(players: int, continuation: Continuation) -> tuple[Fraction, ...] | None:
    """Each seat's share of the next pot, None when the debt is lost.

    Parameters
    ----------
    players : int
    continuation : "none", "a,b,..." or sequence
        One share per seat of the next deal.

    Raises
    ------
    RulesError
        When shares cannot be read, are not one per seat or do not add up to one.

    Examples
    --------
    >>> seat_shares(2, "1/2,1/2")
    (Fraction(1, 2), Fraction(1, 2))
    """
    if continuation == "none":
        return None
    given = continuation.split(",") if isinstance(continuation, str) else continuation
    try:
        shares = tuple(Fraction(share) for share in given)
    except (ValueError, TypeError, ZeroDivisionError):
        shares = ()
    if len(shares) != players or sum(shares) != 1:
        raise RulesError(
            f"continuation={continuation!r}: allowed are none, or {players} shares that add up "
            f"to 1, such as {','.join([f'1/{players}'] * players)}"
        )
    return shares
