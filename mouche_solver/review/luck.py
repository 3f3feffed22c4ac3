"""The value function that a round's luck is measured with, fixed before the round.

Luck is a control variate in the manner of AIVAT [1]_: at each random event, the rolls and the draws
of a player who is known to follow the strategy, the value of what came minus its exact expectation.
Every function of cups and claims gives an unbiased split; a good one takes much variance away. This
one is the expected result of the open cups when known players follow the strategy and each of the
others is one of the people in :mod:`mouche_solver.dice.people`, whose claims tell which. Nothing
that an unknown player does is taken as drawn from a mix that we know.

References
----------
.. [1] Burch, Schmid, Moravcik, Morrill, Bowling, AIVAT: A new variance reduction technique for
   agent evaluation in imperfect information games, AAAI 2018.
"""

from collections.abc import Collection
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from mouche_solver.dice.people.players import PEOPLE
from mouche_solver.dice.people.sight import look
from mouche_solver.dice.round.advisor import Advisor
from mouche_solver.dice.round.strategy import HandTable, RoundStrategy
from mouche_solver.dice.rules.claims import can_raise
from mouche_solver.dice.rules.hands import all_hands, matches
from mouche_solver.dice.rules.notation import DOUBT
from mouche_solver.dice.rules.referee import Round
from mouche_solver.dice.rules.rules import Claim, DiceRules

Floats = NDArray[np.float64]
History = tuple[Claim, ...]
# Rounds with at most so many lines of claims are followed to their end, in seconds.
WHOLE = 10_000
# In larger ones an opening that is rarer than this keeps the strategy's own value.
RARE = 0.01
_MOST_KEPT = 4
# How much of the correction counts where a player is unknown: any fixed share is unbiased, and this
# one took variance away for everybody measured (docs/decisions/0031), the whole did not.
UNKNOWN_SHARE = 0.9


def lines(rules: DiceRules) -> int:
    """How many lines of claims a round has, the empty one included.

    Examples
    --------
    >>> lines(DiceRules(dice=(1, 1)))
    448
    """
    claims = [Claim(q, f) for f in range(rules.faces + 1) for q in range(1, sum(rules.dice) + 1)]
    claims = [c for c in claims if c.face > 0]
    after: dict[Claim, int] = {}

    def count(claim: Claim) -> int:
        if claim not in after:
            after[claim] = 1 + sum(count(c) for c in claims if can_raise(rules, claim, c))
        return after[claim]

    return 1 + sum(count(c) for c in claims if c.quantity >= rules.minimum_opening)


class OpenValues:
    """What a round is worth to its opener with both cups open.

    Parameters
    ----------
    strategy : RoundStrategy
    known : collection of int
        Places, 0 or 1, of those who follow it.

    Examples
    --------
    >>> from mouche_solver.review.answering import dice_answer
    >>> values = OpenValues(dice_answer(DiceRules(dice=(1, 1), faces=2)), (0, 1))
    >>> values.start.shape, round(values.mean, 3) == round(values.strategy.quality.value, 3)
    ((2, 2), True)
    """

    def __init__(self, strategy: RoundStrategy, known: Collection[int] = ()) -> None:
        self.strategy, self.rules, self.known = strategy, strategy.rules, frozenset(known)
        # The mixes of the file itself: another look at rare positions costs more than it tells.
        self._plain = strategy.strategy if isinstance(strategy, Advisor) else strategy
        self.hands = tuple(all_hands(dice, self.rules.faces)[0] for dice in self.rules.dice)
        self.whole = lines(self.rules) <= WHOLE
        self._after: dict[History, Floats] = {}
        self._told: dict[History, Floats] = {}

    @cached_property
    def start(self) -> Floats:
        """The value of each pair of cups, shape (opener's hands, answerer's hands)."""
        return self._value((), 1)

    @cached_property
    def mean(self) -> float:
        """Its exact expectation over the rolls."""
        first, second = (prior(self.rules, player) for player in (0, 1))
        return float(first @ self.start @ second)

    def of_doubt(self, history: History) -> Floats:
        """The opener's result when the last claim is doubted, by pairs of cups."""
        claim, claimant = history[-1], (len(history) - 1) % 2
        held = [
            np.array([matches(hand, claim.face, self.rules.wild) for hand in hands])
            for hands in self.hands
        ]
        shown = held[0][:, None] + held[1][None, :]
        exactly = self.rules.truth == "exactly"
        true = shown == claim.quantity if exactly else shown >= claim.quantity
        return np.where(true == (claimant == 0), 1.0, -1.0)

    def of_action(self, table: HandTable, history: History, column: int) -> Floats:
        """The value of an action that a known player may draw, by pairs of cups."""
        action = table.actions[column]
        if action == DOUBT:
            return self.of_doubt(history)
        if self.whole:
            return self._value((*history, RoundStrategy.read_claim(action)), 1)
        return self._alone(table, len(history) % 2, column)

    def _value(self, history: History, ahead: int) -> Floats:
        """The value after some claims: to the end of a small round, else so many claims ahead."""
        if history in self._after:
            return self._after[history]
        player = len(history) % 2
        table = self._plain.table(history)
        mix = table.probabilities if player in self.known else self._people(table, history)
        chances = prior(self.rules, player) @ mix
        total = np.zeros((len(self.hands[0]), len(self.hands[1])))
        for column, action in enumerate(table.actions):
            if not mix[:, column].any():
                continue
            if action == DOUBT:
                value = self.of_doubt(history)
            elif self.whole or (ahead and chances[column] >= RARE):
                value = self._value((*history, RoundStrategy.read_claim(action)), ahead - 1)
            else:
                value = self._alone(table, player, column)
            drawn = mix[:, column]
            total += value * (drawn[:, None] if player == 0 else drawn[None, :])
        if self.whole:
            self._after[history] = total
        return total

    def _alone(self, table: HandTable, player: int, column: int) -> Floats:
        """What an action is worth to its player, who does not see the other cup."""
        shape = len(self.hands[0]), len(self.hands[1])
        own = table.values[:, column]
        return np.broadcast_to(own[:, None] if player == 0 else -own[None, :], shape)

    def _people(self, table: HandTable, history: History) -> Floats:
        """What a person does who may be any of them, in the order of the strategy's actions.

        Who he is shows in what he said before, hand by hand.
        """
        mixes = self._mixes(history)
        weights = self._weights(history)[:, :, None]
        mean = (weights * mixes).sum(axis=0) / weights.sum(axis=0)
        raises = [str(claim) for claim in look(self.rules, history).raises]
        names = [DOUBT, *raises] if history else raises
        return np.asarray(mean[:, [names.index(action) for action in table.actions]])

    def _mixes(self, history: History) -> Floats:
        """Of each person, shape (people, hands, actions)."""
        return np.array([person.mix(self.rules, history) for person in PEOPLE.values()])

    def _weights(self, history: History) -> Floats:
        """How well each person explains the player's claims so far, shape (people, hands)."""
        player = len(history) % 2
        if len(history) < 2:
            return np.ones((len(PEOPLE), len(self.hands[player])))
        if history not in self._told:
            before = history[:-2]
            place = look(self.rules, before).raises.index(history[-2]) + bool(before)
            weights = self._weights(before) * self._mixes(before)[:, :, place]
            # A small share of everybody stays: nobody is ruled out, and no sum is zero.
            self._told[history] = weights + 1e-3 * weights.sum(axis=0) + 1e-12
        return self._told[history]


def prior(rules: DiceRules, player: int) -> Floats:
    """How likely a player rolls each of his hands."""
    weights = np.array(all_hands(rules.dice[player], rules.faces)[1], dtype=np.float64)
    return np.asarray(weights / weights.sum())


_KNOWN: dict[tuple[str, frozenset[int]], OpenValues] = {}


def open_values(strategy: RoundStrategy, known: Collection[int] = ()) -> OpenValues:
    """The value function for a strategy and known players; the last few are kept."""
    key = strategy.rules.round_hash, frozenset(known)
    plain = strategy.strategy if isinstance(strategy, Advisor) else strategy
    found = _KNOWN.get(key)
    if found is None or found._plain is not plain:
        while len(_KNOWN) >= _MOST_KEPT:
            del _KNOWN[next(iter(_KNOWN))]
        found = _KNOWN[key] = OpenValues(strategy, known)
    return found


def round_luck(strategy: RoundStrategy, played: Round, known: Collection[int] = ()) -> float:
    """The opener's luck in a round: the roll, and the draws of players who follow the strategy.

    Parameters
    ----------
    strategy : RoundStrategy
    played : Round
    known : collection of int
        Places in playing order of those who draw their actions from ``strategy``.
    """
    values = open_values(strategy, known)
    rows = tuple(values.hands[p].index(tuple(sorted(played.cups[p]))) for p in (0, 1))
    luck = float(values.start[rows]) - values.mean
    for moment in played.moments():
        player, history = len(moment.history) % 2, moment.history
        if player not in known:
            continue
        table = strategy.table(history)
        mix = table.probabilities[rows[player]]
        word = str(played.history[len(history)]) if len(history) < len(played.history) else DOUBT
        drawn = table.actions.index(word)
        # A draw without a choice is no event; only what can be drawn has to be known.
        if mix[drawn] >= 1.0:
            continue
        worth = {
            n: float(values.of_action(table, history, n)[rows])
            for n in {drawn, *np.flatnonzero(mix).tolist()}
        }
        luck += worth[drawn] - sum(float(mix[n]) * worth[n] for n in worth)
    return luck if len(values.known) == 2 else UNKNOWN_SHARE * luck
