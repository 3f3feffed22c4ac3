"""What the moments of both games share: who acts when no player does, and playing orders."""

CHANCE, TERMINAL = -1, -4  # as in pyspiel.PlayerId


def order_text(seats: tuple[int, ...]) -> str:
    """A playing order.

    Examples
    --------
    >>> order_text((2, 0))
    '[2 0]'
    """
    return f"[{' '.join(map(str, seats))}]"
