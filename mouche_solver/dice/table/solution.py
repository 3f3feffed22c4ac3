"""What a solve of a whole table found: strategies, values, gains."""

from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mouche_solver.core.answers import Advice
from mouche_solver.core.run import Reason
from mouche_solver.core.trees.best_response import NashGap
from mouche_solver.dice.round.line import locate, mixed_at
from mouche_solver.dice.round.strategy import (
    ActionAdvice,
    HandLike,
    HandMix,
    History,
    checked_history,
    options,
)
from mouche_solver.dice.rules.claims import legal_claims
from mouche_solver.dice.rules.notation import DOUBT, format_hand, parse_hand
from mouche_solver.dice.rules.rules import DiceRules
from mouche_solver.dice.sweep.layout import Layout
from mouche_solver.dice.sweep.tree import round_tree
from mouche_solver.dice.table.html import table_html


@dataclass(frozen=True)
class TableSolution:
    """Everybody's strategy for a round, and how far each could be improved upon alone.

    Attributes
    ----------
    rules : DiceRules
    payoff : float64 array, shape (2, players, players)
        ``payoff[correct, loser, player]``, in playing order.
    gap : NashGap
        Values and best responses, exact for these strategies.
    iterations : int
    reason : {"target", "iterations", "seconds", "interrupted"}
        Why the solve ended; only "target" means that the target was reached.
    average : float array, shape (entries,)
        Weighted flow of every action, in the order of ``layout``.
    layout : Layout
    """

    rules: DiceRules
    payoff: NDArray[np.float64]
    gap: NashGap
    iterations: int
    reason: Reason
    average: NDArray[Any] = field(repr=False)
    layout: Layout = field(repr=False)

    @property
    def brackets(self) -> tuple[tuple[float, float], ...]:
        """For each player, the value and the most that the player alone could make of it."""
        pairs = zip(self.gap.values, self.gap.best_responses, strict=True)
        return tuple((float(value), float(best)) for value, best in pairs)

    def probabilities(self, history: History = ()) -> NDArray[np.float64]:
        """The strategy of the player to act after a line of claims.

        Parameters
        ----------
        history : str or sequence of Claim

        Returns
        -------
        float64 array, shape (actions, hands)
            Doubt first where it is allowed, then claims in ascending order; hands as
            :func:`mouche_solver.dice.rules.hands.all_hands` lists them.

        Raises
        ------
        NotationError, IllegalMoveError
            When the line cannot be read or is not legal.
        """
        tree = round_tree(self.rules)
        numbers = tuple(tree.index[claim] for claim in checked_history(self.rules, history))
        mixed = mixed_at(tree, locate(self.layout, numbers), self.average)
        level = tree.level[numbers[-1] if numbers else 0]
        of_hand = tree.classes[len(numbers) % self.rules.players].of_hand[level]
        return np.asarray(mixed[:, of_hand])

    def policy(self, hand: HandLike, history: History = ()) -> Advice[ActionAdvice]:
        """What to do with a hand after a line of claims; values are not measured.

        Parameters
        ----------
        hand : str or sequence of int
            The dice of the player to act, in any order.
        history : str or sequence of Claim

        Raises
        ------
        NotationError, IllegalMoveError
            When hand or history do not fit the rules.

        Examples
        --------
        >>> from mouche_solver.dice.table.solve import solve_table
        >>> solution = solve_table(DiceRules(dice=(1, 1, 1), faces=2), threads=1)
        >>> list(solution.policy("2", "1x2"))
        ['doubt', '2x2', '3x2']
        """
        claims = checked_history(self.rules, history)
        seat = len(claims) % self.rules.players
        dice = parse_hand(self.rules, hand if isinstance(hand, str) else format_hand(hand), seat)
        column = round_tree(self.rules).classes[seat].hands.index(dice)
        raises = legal_claims(self.rules, claims[-1] if claims else None)
        names = [*([DOUBT] if claims else []), *map(str, raises)]
        mixed = self.probabilities(claims)[:, column].tolist()
        return Advice(None, options(self.rules, dice, names, mixed, [None] * len(names)))

    def to_dict(self) -> dict[str, Any]:
        """Everything but the strategies, as JSON types."""
        return {
            "rules": self.rules.to_dict(),
            "payoff": self.payoff.tolist(),
            "iterations": self.iterations,
            "reason": self.reason,
            "values": self.gap.values.tolist(),
            "gains": self.gap.gains.tolist(),
            "nash_conv": self.gap.nash_conv,
            "brackets": [list(pair) for pair in self.brackets],
        }

    def describe(self) -> str:
        """What is known, in a few lines: one per player and one for the table."""
        lines = [
            f"player {seat}: gets {value:+.6f}, could gain {best - value:.1e} alone"
            for seat, (value, best) in enumerate(self.brackets)
        ]
        state = "target reached" if self.reason == "target" else "the target was not reached"
        lines.append(
            f"NashConv {self.gap.nash_conv:.2e} after {self.iterations} iterations; {state}"
        )
        return "\n".join(lines)

    def _repr_html_(self) -> str:
        hands = round_tree(self.rules).classes[0].hands
        actions = (str(claim) for claim in legal_claims(self.rules, None))
        opening = HandMix((), 0, hands, tuple(actions), self.probabilities().T)
        return table_html(self.rules, self.describe(), opening)
