"""What a round pays: who gets what when somebody loses it."""

import numpy as np
from numpy.typing import ArrayLike, NDArray

from mouche_solver.core.checks import check_int
from mouche_solver.errors import RulesError


def loser_pays(players: int) -> NDArray[np.float64]:
    """The loser gets -1, everybody else an equal share of 1.

    Parameters
    ----------
    players : int

    Returns
    -------
    float64 array, shape (2, players, players)
        ``payoff[correct, loser, player]``, for an incorrect and a correct claim alike.

    Examples
    --------
    >>> loser_pays(3)[0]
    array([[-1. ,  0.5,  0.5],
           [ 0.5, -1. ,  0.5],
           [ 0.5,  0.5, -1. ]])
    """
    players = check_int("players", players, 2, 1000)
    matrix = np.full((players, players), 1.0 / (players - 1))
    np.fill_diagonal(matrix, -1.0)
    return np.stack([matrix, matrix])


def as_payoff(payoff: ArrayLike, players: int) -> NDArray[np.float64]:
    """Payoffs in full, from one matrix per loser or one each for incorrect and correct claims.

    Parameters
    ----------
    payoff : array_like, shape (players, players) or (2, players, players)
        ``payoff[loser, player]`` or ``payoff[correct, loser, player]``, in playing order.
    players : int

    Returns
    -------
    float64 array, shape (2, players, players)

    Raises
    ------
    RulesError
        When the shape does not fit, or something is no number or not finite.
    """
    try:
        given = np.asarray(payoff)
        # Numbers, Fractions among them; no text, which numpy would read as numbers.
        if given.dtype.kind not in "iufO":
            raise TypeError
        full = given.astype(np.float64)
    except (TypeError, ValueError):
        raise RulesError("payoff: give an array of numbers") from None
    if full.shape == (players, players):
        full = np.stack([full, full])
    if full.shape != (2, players, players):
        raise RulesError(
            f"payoff of shape {full.shape}: {players} players need ({players}, {players}) or "
            f"(2, {players}, {players})"
        )
    if not np.isfinite(full).all():
        raise RulesError("payoff: all numbers must be finite")
    return full
