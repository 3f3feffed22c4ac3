"""Regret minimisation on small games, for any number of players and general payoffs."""

import numpy as np

from mouche_solver.core.minimisers import Schedule
from mouche_solver.core.trees.extensive import FloatArray, SequenceForm
from mouche_solver.core.trees.kernels_sequences import (
    Factors,
    add_to_average,
    collect_leaves,
    normalise,
    reach_sequences,
    update_regrets,
)


class TreeCFR:
    """Counterfactual regret minimisation with alternating updates.

    Only for two players and zero-sum payoffs does the average strategy approach an equilibrium;
    otherwise what it reached must be measured with
    :func:`mouche_solver.core.trees.best_response.evaluate`.

    Parameters
    ----------
    form : SequenceForm
    schedule : Schedule
        Which regret minimiser.

    Attributes
    ----------
    iteration : int
        Iterations done.
    strategy : float64 array, shape (sequences,)
        The strategies that the next iteration plays.

    Examples
    --------
    >>> from mouche_solver.core.trees.best_response import evaluate
    >>> from mouche_solver.core.trees.extensive import sequence_form
    >>> from mouche_solver.core.minimisers import schedule
    >>> from mouche_solver.dice import DiceRules
    >>> from mouche_solver.dice.exact import DiceRound
    >>> form = sequence_form(DiceRound(DiceRules(dice=(1, 1), faces=2, wild=1)))
    >>> cfr = TreeCFR(form, schedule("pcfr+"))
    >>> cfr.run(100)
    >>> quality = evaluate(form, cfr.average_strategy())
    >>> quality.exploitability < 1e-6, round(float(quality.values[0]), 5)
    (True, 1.0)
    """

    def __init__(self, form: SequenceForm, schedule: Schedule) -> None:
        self.form, self.schedule = form, schedule
        self.iteration = 0
        self.strategy = form.uniform()
        self._regret = np.zeros(form.sequences)
        self._source = np.zeros(form.sequences)
        self._average = np.zeros(form.sequences)
        self._reach = np.empty(form.sequences)
        self._value = np.empty(form.sequences)

    def run(self, iterations: int) -> None:
        """Do so many iterations, each of which updates every player once."""
        reach_sequences(self.form.parent, self.form.start, self.strategy, self._reach)
        for _ in range(iterations):
            self.iteration += 1
            for player in range(self.form.players):
                self._update(player)

    def _update(self, player: int) -> None:
        form, schedule = self.form, self.schedule
        collect_leaves(
            form.leaf_sequence,
            form.leaf_reach,
            form.leaf_payoff,
            form.payoff_table[player],
            self._reach,
            player,
            self._value,
        )
        factors = Factors(*schedule.factors(self.iteration), schedule.ahead)
        update_regrets(
            form.owner,
            form.parent,
            form.start,
            player,
            self.strategy,
            self._value,
            factors,
            self._regret,
            self._source,
        )
        normalise(form.owner, form.start, player, self._source, self.strategy)
        add_to_average(
            form.owner,
            form.parent,
            form.start,
            player,
            self.strategy,
            schedule.weight(self.iteration),
            self._reach,
            self._average,
        )

    def average_strategy(self) -> FloatArray:
        """The average strategies, uniform where never reached; shape (sequences,)."""
        average = np.ones(self.form.sequences)
        for player in range(self.form.players):
            normalise(self.form.owner, self.form.start, player, self._average, average)
        return average
