"""Which hands speak so when a player errs: the range behind a claim that good play never makes."""

import numpy as np

from mouche_solver.dice.people.sight import Floats, true_chance
from mouche_solver.dice.rules.hands import all_hands
from mouche_solver.dice.rules.rules import Claim, DiceRules

# An error that costs this much, in payoffs of +1 and -1, is made e times as seldom as a free one.
TAU = 0.2
# A player errs this often; errors count where good play would hardly speak so.
ERRS = 0.01
# How often a player of whom something is believed does something else.
SLIP = 0.05


def prior(rules: DiceRules, player: int) -> Floats:
    """Probability of each hand as it is rolled, shape (hands,)."""
    rolls = np.array(all_hands(rules.dice[player], rules.faces)[1], dtype=np.float64)
    return np.asarray(rolls / rolls.sum())


def erring(spoken: Floats, loss: Floats) -> Floats:
    """How often each hand makes a claim, when the players of a strategy err.

    Parameters
    ----------
    spoken : float64 array
        How often the strategy makes it.
    loss : float64 array
        What it costs the hand, in payoffs of +1 and -1; 0 or more.

    Returns
    -------
    float64 array

    Examples
    --------
    >>> erring(np.array([0.5, 0.0]), np.array([0.0, 1.0])).round(5).tolist()
    [0.505, 7e-05]
    """
    return np.asarray((1.0 - ERRS) * spoken + ERRS * np.exp(-loss / TAU))


def slip_weights(rules: DiceRules, player: int, claim: Claim) -> Floats:
    """How readily each hand makes a claim by mistake, 0 to 1, where no value of it is known.

    A supported claim costs nothing; one that is true with chance P below one half costs 1 - 2 P,
    what is lost when it is doubted at once. The weight is ``exp(-cost / TAU)``.

    Examples
    --------
    >>> slip_weights(DiceRules(dice=(1, 1)), 0, Claim(2, 6)).round(3).tolist()
    [0.007, 0.007, 0.007, 0.007, 0.007, 0.036]
    """
    cost = np.maximum(0.0, 1.0 - 2.0 * true_chance(rules, player, claim))
    return np.asarray(np.exp(-cost / TAU))
