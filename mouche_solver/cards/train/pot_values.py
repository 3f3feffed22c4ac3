"""What a pot of some size is worth to each seat, when deals do not scale with the pot."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from mouche_solver.cards.rules.rules import CardRules

Floats = NDArray[np.float64]


def weights(pots: Sequence[int], pot: float) -> Floats:
    """What the values at some pots count for the value at another: a line through two of them.

    Examples
    --------
    >>> weights((5, 10, 20), 15).tolist(), weights((5, 10, 20), 40).tolist()
    ([0.0, 0.5, 0.5], [0.0, -2.0, 3.0])
    """
    right = min(max(int(np.searchsorted(pots, pot)), 1), len(pots) - 1)
    share = (pot - pots[right - 1]) / (pots[right] - pots[right - 1])
    found = np.zeros(len(pots))
    found[right - 1], found[right] = 1 - share, share
    return found


def _after(rules: CardRules, pots: Sequence[int], pot: int, made: int) -> Floats:
    """How the values of the next deals count after a deal with so many mouches.

    Returns
    -------
    float64 array, shape (players, pots)
        Row k for the deal after k more, so for the seat that is k + 1 places on.
    """
    ante, owed = rules.ante_chips, rules.debt(pot)
    found = np.zeros((rules.players, len(pots)))
    if rules.mouches_paid_in == "all":
        found[0] = weights(pots, ante + made * owed)
        return found
    found[0] = weights(pots, ante)
    for k in range(made):  # one a deal; what waits already is left out
        found[k % rules.players] += weights(pots, ante + owed) - weights(pots, ante)
    return found


def solve_pot_values(rules: CardRules, pots: Sequence[int], chips: Floats, made: Floats) -> Floats:
    """The fixed point of the values, in chips.

    Parameters
    ----------
    rules : CardRules
    pots : sequence of int
        Two or more, increasing.
    chips : float64 array, shape (pots, players)
        What each seat gets of one deal, in pots, its debts taken off.
    made : float64 array, shape (pots, players + 1)
        How often 0, 1, ... mouches are made.

    Returns
    -------
    float64 array, shape (players, pots)
        Each column adds up to its pot.

    Examples
    --------
    >>> rules = CardRules(players=2)
    >>> chips, made = np.array([[0.4, 0.2]] * 2), np.array([[0.6, 0.4, 0.0]] * 2)
    >>> values = solve_pot_values(rules, (5, 10), chips, made)
    >>> ((values[:, 1] - values[:, 0]) / 5).round(4).tolist()  # the shares of one chip
    [0.5714, 0.4286]
    """
    players, count = rules.players, len(pots)
    unknown = players * count
    system, right = np.zeros((unknown + 1, unknown)), np.zeros(unknown + 1)
    for i, pot in enumerate(pots):
        expected = sum(made[i, m] * _after(rules, pots, pot, m) for m in range(players + 1))
        for seat in range(players):
            row = seat * count + i
            system[row, row] += 1
            for k in range(players):
                other = (seat - 1 - k) % players
                system[row, other * count : (other + 1) * count] -= np.asarray(expected)[k]
            right[row] = pot * chips[i, seat] - (rules.ante_chips if seat == 0 else 0)
    system[-1, ::count] = 1  # without this the values are known up to a constant
    right[-1] = pots[0]
    found: Floats = np.asarray(np.linalg.lstsq(system, right, rcond=None)[0], np.float64)
    return found.reshape(players, count)


def next_shares(rules: CardRules, pots: Sequence[int], values: Floats, made: Floats) -> Floats:
    """What a chip of debt is worth to each seat in each pot: the mean over the mouches made.

    Returns
    -------
    float64 array, shape (pots, players)
        Rows add up to one.
    """
    players = rules.players
    shares = np.zeros((len(pots), players))
    for i, pot in enumerate(pots):
        mean = max(float(made[i] @ np.arange(players + 1)), 1e-12)
        chance = made[i] if mean > 1e-12 else np.eye(players + 1)[1]
        extra = np.zeros((players, len(pots)))
        for m in range(1, players + 1):
            extra += chance[m] * (_after(rules, pots, pot, m) - _after(rules, pots, pot, 0))
        total = float(chance @ np.arange(players + 1)) * rules.debt(pot)
        for seat in range(players):
            worth = sum(extra[k] @ values[(seat - 1 - k) % players] for k in range(players))
            shares[i, seat] = worth / total
    return shares
