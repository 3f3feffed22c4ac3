"""Two-player zero-sum games as a linear program over sequences [1]_, and the exact value.

With trembles, every action keeps a least probability [2]_.

References
----------
.. [1] Koller, Megiddo and von Stengel, Efficient computation of equilibria for extensive
   two-person games, 1996.
.. [2] Farina, Kroer and Sandholm, Regret minimization in behaviorally-constrained zero-sum games,
   2017.
"""

from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np

from mouche_solver.core.trees.best_response import best_response
from mouche_solver.core.trees.exact_bounds import exact_value
from mouche_solver.core.trees.extensive import FloatArray, SequenceForm
from mouche_solver.errors import RulesError


@dataclass(frozen=True)
class LPResult:
    """An equilibrium of a two-player zero-sum game.

    Attributes
    ----------
    value : float
        The first player's expected payoff.
    exact : Fraction or None
        The same when it could be proved, else None.
    low, high : float
        What the strategies guarantee: the value lies between.
    strategy : float64 array, shape (sequences,)
        Both players' behaviour strategies, uniform where the player never gets.
    """

    value: float
    exact: Fraction | None
    low: float
    high: float
    strategy: FloatArray

    @property
    def exploitability(self) -> float:
        """NashConv / 2 of the strategies."""
        return (self.high - self.low) / 2


def solve_zero_sum(form: SequenceForm) -> LPResult:
    """Solve a game with the sequence-form linear program (scipy, HiGHS).

    Parameters
    ----------
    form : SequenceForm
        Two players whose payoffs add up to zero.

    Raises
    ------
    RulesError
        When there are not two players, or the payoffs do not add up to zero.
    ArithmeticError
        When HiGHS gives up.

    Examples
    --------
    >>> from mouche_solver.core.trees.extensive import sequence_form
    >>> from mouche_solver.dice import DiceRules
    >>> from mouche_solver.dice.exact import DiceRound
    >>> solve_zero_sum(sequence_form(DiceRound(DiceRules(dice=(1, 1), faces=3)))).exact
    Fraction(-1, 9)
    """
    if form.players != 2 or not form.zero_sum:
        raise RulesError("a linear program needs two players whose payoffs add up to zero")
    plan = _solve(form)
    strategy = _behaviour(form, plan)
    high = best_response(form, strategy, 0)[0]
    low = -best_response(form, strategy, 1)[0]
    exact = exact_value(form, strategy)
    value = (low + high) / 2 if exact is None else float(exact)
    return LPResult(value, exact, low, high, strategy)


def _solve(form: SequenceForm) -> FloatArray:
    """Both players' realisation plans, shape (sequences,).

    maximise q[root] over plans x of player 0 and bounds q on the information sets of player 1,
    such that no sequence of player 1 gets below its bound; player 1's plan is the dual solution.
    """
    answer, mine, other = _program(form, 0.0)
    plan = np.zeros(form.sequences)
    plan[mine] = answer.x[: len(mine)]
    plan[other] = -answer.ineqlin.marginals[: len(other)]
    return plan.clip(min=0.0)


def perturbed_value(form: SequenceForm, tremble: float) -> float:
    """The first player's value when every action of both players keeps a probability.

    Parameters
    ----------
    form : SequenceForm
        Two players whose payoffs add up to zero.
    tremble : float
        What every action keeps, at most half of a uniform share.

    Returns
    -------
    float

    Raises
    ------
    ArithmeticError
        When HiGHS gives up.

    Examples
    --------
    >>> from mouche_solver.core.trees.extensive import sequence_form
    >>> from mouche_solver.dice import DiceRules
    >>> from mouche_solver.dice.exact import DiceRound
    >>> form = sequence_form(DiceRound(DiceRules(dice=(1, 1), faces=3)))
    >>> round(perturbed_value(form, 0.0), 6), round(perturbed_value(form, 0.02), 6)
    (-0.111111, -0.093882)
    """
    answer, _, _ = _program(form, tremble)
    return float(-answer.fun)


def _program(form: SequenceForm, tremble: float) -> tuple[Any, Any, Any]:
    """The linear program's answer, and which sequences are the first and second player's.

    With trembles every sequence keeps its share of the one before: a constraint on player 0's
    plans, and for player 1 a multiplier each, by which its best reply may not undercut.
    """
    from scipy.optimize import linprog
    from scipy.sparse import csr_array, hstack, vstack

    mine, other = (np.flatnonzero(form.sequence_owner == player) for player in (0, 1))
    flow, start = _flow(form, 0, mine)
    bound, _ = _flow(form, 1, other)
    payoff = _payoffs(form, mine, other)
    own, theirs = _least(form, 0, mine, tremble), _least(form, 1, other, tremble)
    slack = theirs.shape[0]
    objective = np.zeros(len(mine) + bound.shape[0] + slack)
    objective[len(mine)] = -1.0
    replies = hstack([-payoff.T, bound.T, theirs.T], format="csr")
    empty = csr_array((own.shape[0], bound.shape[0] + slack))
    answer: Any = linprog(
        objective,
        A_ub=vstack([replies, hstack([-own, empty])], format="csr"),
        b_ub=np.zeros(len(other) + own.shape[0]),
        A_eq=hstack([flow, csr_array((flow.shape[0], bound.shape[0] + slack))], format="csr"),
        b_eq=start,
        bounds=[(0, None)] * len(mine) + [(None, None)] * bound.shape[0] + [(0, None)] * slack,
        method="highs",
    )
    if answer.status != 0:
        raise ArithmeticError(f"the linear program was not solved: {answer.message}")
    return answer, mine, other


def _least(form: SequenceForm, player: int, own: Any, tremble: float) -> Any:
    """Rows that hold every sequence of a player to a share of the one before; none without."""
    from scipy.sparse import csr_array

    if tremble == 0.0:
        return csr_array((0, len(own)))
    local = np.full(form.sequences, -1)
    local[own] = np.arange(len(own))
    infosets = np.flatnonzero(form.owner == player)
    counts = form.action_counts[infosets]
    share = np.repeat(np.minimum(tremble, 0.5 / counts), counts)
    parent = np.repeat(local[form.parent[infosets]], counts)
    row = np.arange(len(share))
    rows, columns = np.tile(row, 2), np.concatenate([row + 1, parent])
    data = np.concatenate([np.ones(len(row)), -share])
    return csr_array((data, (rows, columns)), shape=(len(row), len(own)))


def _flow(form: SequenceForm, player: int, own: Any) -> tuple[Any, FloatArray]:
    """Constraints of a player's plans: the empty sequence is 1, and reach splits over actions."""
    from scipy.sparse import csr_array

    local = np.full(form.sequences, -1)
    local[own] = np.arange(len(own))
    infosets = np.flatnonzero(form.owner == player)
    counts = form.action_counts[infosets]
    row = np.arange(1, len(infosets) + 1)
    rows = np.concatenate([[0], row, np.repeat(row, counts)])
    columns = np.concatenate([[0], local[form.parent[infosets]], np.arange(1, len(own))])
    data = np.concatenate([[1.0], np.full(len(infosets), -1.0), np.ones(len(own) - 1)])
    right = np.zeros(len(infosets) + 1)
    right[0] = 1.0
    return csr_array((data, (rows, columns)), shape=(len(right), len(own))), right


def _payoffs(form: SequenceForm, mine: Any, other: Any) -> Any:
    """Player 0's expected payoffs, shape (sequences of 0, sequences of 1)."""
    from scipy.sparse import csr_array

    local = np.empty(form.sequences, dtype=np.int64)
    local[mine], local[other] = np.arange(len(mine)), np.arange(len(other))
    rows, columns = local[form.leaf_sequence].T
    data = form.leaf_reach * form.payoff_table[0][form.leaf_payoff]
    return csr_array((data, (rows, columns)), shape=(len(mine), len(other)))


def _behaviour(form: SequenceForm, plan: FloatArray) -> FloatArray:
    """Probabilities of actions from realisation plans."""
    starts = form.start[:-1]
    total = np.repeat(np.add.reduceat(plan, starts), form.action_counts)
    strategy = form.uniform()
    played = np.flatnonzero(total > 0) + form.players
    strategy[played] = plan[played] / total[played - form.players]
    return strategy
