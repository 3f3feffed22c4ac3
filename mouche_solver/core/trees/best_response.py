"""Exact best responses, and how far strategies are from an equilibrium."""

from dataclasses import dataclass

import numpy as np

from mouche_solver.core.trees.extensive import FloatArray, SequenceForm
from mouche_solver.core.trees.kernels_sequences import collect_leaves, reach_sequences, respond


@dataclass(frozen=True)
class NashGap:
    """What strategies are worth, and what each player could gain by deviating alone.

    Attributes
    ----------
    values : float64 array, shape (players,)
        Expected payoffs when everybody keeps to the strategies.
    best_responses : float64 array, shape (players,)
        What each player's best response gets against the others.
    """

    values: FloatArray
    best_responses: FloatArray

    @property
    def gains(self) -> FloatArray:
        """Each player's gain from the best deviation, shape (players,)."""
        return self.best_responses - self.values

    @property
    def nash_conv(self) -> float:
        """The sum of the gains; zero exactly at a Nash equilibrium."""
        return float(self.gains.sum())

    @property
    def exploitability(self) -> float:
        """NashConv per player."""
        return self.nash_conv / len(self.values)


def expected_values(form: SequenceForm, strategy: FloatArray) -> FloatArray:
    """Expected payoff of each player.

    Parameters
    ----------
    form : SequenceForm
    strategy : float64 array, shape (sequences,)
        Everybody's strategy.

    Returns
    -------
    float64 array, shape (players,)
    """
    reach = _reach(form, strategy)
    weight = form.leaf_reach * reach[form.leaf_sequence].prod(axis=1)
    return np.bincount(form.leaf_payoff, weight, len(form.payoffs)) @ form.payoff_table.T


def best_response(
    form: SequenceForm, strategy: FloatArray, player: int
) -> tuple[float, FloatArray]:
    """A player's best response to the others' strategies.

    Parameters
    ----------
    form : SequenceForm
    strategy : float64 array, shape (sequences,)
        Everybody's strategy; the player's own is not looked at.
    player : int

    Returns
    -------
    value : float
        What the response gets.
    response : float64 array, shape (sequences,)
        ``strategy`` with the player's part replaced by the (pure) response.
    """
    value, response = np.empty(form.sequences), strategy.copy()
    collect_leaves(
        form.leaf_sequence,
        form.leaf_reach,
        form.leaf_payoff,
        form.payoff_table[player],
        _reach(form, strategy),
        player,
        value,
    )
    best = respond(form.owner, form.parent, form.start, player, value, response)
    return best, response


def evaluate(form: SequenceForm, strategy: FloatArray) -> NashGap:
    """Expected values and best responses of all players.

    Examples
    --------
    >>> from mouche_solver.core.trees.extensive import sequence_form
    >>> from mouche_solver.dice import DiceRules
    >>> from mouche_solver.dice.exact import DiceRound
    >>> form = sequence_form(DiceRound(DiceRules(dice=(1, 1), faces=2)))
    >>> evaluate(form, form.uniform()).nash_conv
    0.875
    """
    best = [best_response(form, strategy, player)[0] for player in range(form.players)]
    return NashGap(expected_values(form, strategy), np.array(best))


def _reach(form: SequenceForm, strategy: FloatArray) -> FloatArray:
    reach = np.empty(form.sequences)
    reach_sequences(form.parent, form.start, strategy, reach)
    return reach
