"""Small rounds of any number of players as a generic game, and their exact solution.

Nothing is merged here: this is what the sweep, which merges hands, is checked against.
"""

from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import accumulate
from math import prod
from operator import mul
from typing import Any, NamedTuple

from mouche_solver.core.answers import Advice, Option
from mouche_solver.core.checks import whole
from mouche_solver.core.trees.extensive import SequenceForm, sequence_form
from mouche_solver.core.trees.lp import LPResult, solve_zero_sum
from mouche_solver.core.trees.tree_size import MAX_NODES, refusal
from mouche_solver.dice.rules.claims import legal_claims, lines_of_claims
from mouche_solver.dice.rules.hands import Hand, all_hands, as_hand, matches
from mouche_solver.dice.rules.notation import DOUBT
from mouche_solver.dice.rules.rules import Claim, DiceRules, as_claim
from mouche_solver.errors import RulesError

Payoffs = Sequence[Sequence[Fraction | int]]


class RoundState(NamedTuple):
    """Cups rolled so far, claims made, and whether the last one was doubted."""

    hands: tuple[Hand, ...] = ()
    history: tuple[Claim, ...] = ()
    doubted: bool = False


class DiceRound:
    """One round as a :class:`mouche_solver.core.trees.game.ExtensiveGame`.

    Parameters
    ----------
    rules : DiceRules
    payoffs : sequence of sequence of Fraction or int, optional
        ``payoffs[loser][player]``: what each player gets when ``loser`` loses the round. By
        default the loser pays 1, which the others share equally.

    Examples
    --------
    >>> game = DiceRound(DiceRules(dice=(1, 1), faces=2))
    >>> game.chance_outcomes(game.initial())
    [((1,), Fraction(1, 2)), ((2,), Fraction(1, 2))]
    >>> game.utilities(RoundState(((1,), (2,)), (Claim(1, 1),), doubted=True))
    (Fraction(1, 1), Fraction(-1, 1))
    """

    def __init__(self, rules: DiceRules, payoffs: Payoffs | None = None) -> None:
        self.rules = rules
        self.players = rules.players
        given = _loser_pays(rules.players) if payoffs is None else payoffs
        self.payoffs = tuple(tuple(map(Fraction, row)) for row in given)
        if {len(self.payoffs), *map(len, self.payoffs)} != {self.players}:
            raise RulesError(
                f"payoffs: give {self.players} rows (who loses) of {self.players} numbers"
            )
        self._rolls = [_rolls(count, rules.faces) for count in rules.dice]

    def initial(self) -> RoundState:
        """Nothing is rolled yet."""
        return RoundState()

    def is_terminal(self, state: RoundState) -> bool:
        """Whether a claim was doubted."""
        return state.doubted

    def is_chance(self, state: RoundState) -> bool:
        """Whether a cup is still to be rolled."""
        return len(state.hands) < self.players

    def chance_outcomes(self, state: RoundState) -> list[tuple[Hashable, Fraction]]:
        """The sorted hands of the next cup."""
        return self._rolls[len(state.hands)]

    def player(self, state: RoundState) -> int:
        """Whose turn it is."""
        return len(state.history) % self.players

    def actions(self, state: RoundState) -> tuple[Hashable, ...]:
        """A doubt when there is a claim, then the legal claims."""
        if not state.history:
            return legal_claims(self.rules, None)
        return (DOUBT, *legal_claims(self.rules, state.history[-1]))

    def child(self, state: RoundState, action: Any) -> RoundState:
        """The state after a roll, a claim or a doubt."""
        if self.is_chance(state):
            return state._replace(hands=(*state.hands, action))
        if action == DOUBT:
            return state._replace(doubted=True)
        return state._replace(history=(*state.history, action))

    def infoset_key(self, state: RoundState) -> tuple[Hand, tuple[Claim, ...]]:
        """The own hand and all claims."""
        return state.hands[self.player(state)], state.history

    def utilities(self, state: RoundState) -> tuple[Fraction, ...]:
        """The payoffs for the loser of the doubt."""
        claim = state.history[-1]
        count = sum(matches(hand, claim.face, self.rules.wild) for hand in state.hands)
        correct = self.rules.is_true(claim.quantity, count)
        speaker = len(state.history) if correct else len(state.history) - 1
        return self.payoffs[speaker % self.players]


def _rolls(dice: int, faces: int) -> list[tuple[Hashable, Fraction]]:
    hands, weights = all_hands(dice, faces)
    return [(hand, Fraction(w, faces**dice)) for hand, w in zip(hands, weights, strict=True)]


def _loser_pays(players: int) -> list[list[Fraction]]:
    share = Fraction(1, players - 1)
    return [
        [Fraction(-1) if p == loser else share for p in range(players)] for loser in range(players)
    ]


@dataclass(frozen=True)
class ExactRound:
    """A two-player round solved by linear programming.

    Attributes
    ----------
    rules : DiceRules
    form : SequenceForm
        The round as sequences.
    result : LPResult
        The opener's value, as a Fraction where it is proved, and both players' strategies.
    """

    rules: DiceRules
    form: SequenceForm
    result: LPResult

    def policy(
        self, hand: Sequence[int], history: Sequence[Claim] = ()
    ) -> Advice[Option[Hashable]]:
        """What the player to act does; the linear program values no single action.

        Parameters
        ----------
        hand : sequence of int
            The player's dice, in any order.
        history : sequence of Claim
            Claims so far.

        Returns
        -------
        Advice
            Its actions are ``doubt`` and claims.

        Raises
        ------
        NotationError
            When hand or history do not hold whole numbers.
        """
        key = (as_hand(hand), tuple(map(as_claim, history)))
        mixed = self.form.behaviour(self.result.strategy, len(key[1]) % 2, key)
        return Advice(None, tuple(Option(action, chance) for action, chance in mixed.items()))


def solve_lp(rules: DiceRules, max_nodes: int = MAX_NODES) -> ExactRound:
    """Solve a small two-player round exactly.

    Parameters
    ----------
    rules : DiceRules
        Two players.
    max_nodes : int
        Nodes of the tree at most.

    Raises
    ------
    RulesError
        When there are not two players.
    TooLargeError
        When the tree has too many nodes.

    Examples
    --------
    >>> round = solve_lp(DiceRules(dice=(1, 1), faces=2, wild=1))
    >>> round.result.exact
    Fraction(1, 1)
    """
    if rules.players != 2:
        raise RulesError(f"dice={rules.dice}: the linear program is for two players")
    if (nodes := _nodes(rules)) > whole("max_nodes", max_nodes):
        raise refusal(nodes, max_nodes)
    form = sequence_form(DiceRound(rules), max_nodes)
    return ExactRound(rules, form, solve_zero_sum(form))


def _nodes(rules: DiceRules) -> int:
    """The nodes of the tree of :class:`DiceRound`."""
    widths = [len(all_hands(count, rules.faces)[0]) for count in rules.dice]
    chance = sum(accumulate(widths[:-1], mul, initial=1))
    return chance + prod(widths) * (2 * lines_of_claims(rules) - 1)
