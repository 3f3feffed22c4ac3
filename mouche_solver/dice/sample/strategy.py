"""A strategy with a bounded memory for a table of players, and what is known of it."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, replace
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mouche_solver.core.answers import Advice
from mouche_solver.dice.people.sight import look, look_at
from mouche_solver.dice.round.strategy import (
    ActionAdvice,
    HandLike,
    HandMix,
    History,
    checked_history,
    options,
)
from mouche_solver.dice.rules.notation import DOUBT, format_hand, parse_hand
from mouche_solver.dice.rules.rules import Claim, DiceRules
from mouche_solver.dice.sample.arrays import Machine
from mouche_solver.dice.sample.odds_player import ODDS_VIEW, STAND_IN, odds_entries, spread
from mouche_solver.dice.sample.view import View, build_machine, state_of
from mouche_solver.dice.sweep.tree import RoundTree, round_tree

# Probabilities are kept as levels of 1 / 255. An information set that weighs less than this many
# visits of the last batch was hardly met, and is left to the odds-only rule.
LEVELS, _MET = 255, 4.0


@dataclass(frozen=True)
class Training:
    """How a strategy came about; the same seed and batches give the same strategy.

    ``visits`` are sampled information sets.
    """

    seed: int
    batches: int
    visits: int
    seconds: float = 0.0

    def to_dict(self) -> dict[str, Any]:
        """All fields."""
        return asdict(self)


@dataclass(frozen=True)
class SampledStrategy:
    """One strategy for every seat of a table.

    Attributes
    ----------
    rules : DiceRules
    view : View
        What it remembers of the claims.
    levels : uint8 array, shape (machine.entries,)
        Probabilities in steps of 1 / 255, all 0 where training hardly met the position.
    training : Training
    measured : mapping
        What was measured of its quality, by name, as JSON types; empty when nothing was.

    Examples
    --------
    >>> from mouche_solver.dice import SampleLimits, train_sampled
    >>> rules = DiceRules(dice=(1, 1, 1), faces=2)
    >>> strategy = train_sampled(rules, limits=SampleLimits(300_000), threads=1)
    >>> strategy.policy("2", "2x1 3x2").actions
    (ActionAdvice(action='doubt', probability=1.0, value=None, true_probability=None),)
    """

    rules: DiceRules
    view: View
    levels: NDArray[np.uint8] = field(repr=False)
    training: Training
    measured: Mapping[str, Any] = field(default_factory=dict)

    @classmethod
    def from_average(
        cls,
        rules: DiceRules,
        view: View,
        average: NDArray[np.float32],
        training: Training,
        visit: float,
    ) -> "SampledStrategy":
        """Round an average; ``visit`` is what a visit of the last batch weighs."""
        tree = round_tree(rules)
        machine = build_machine(tree, view)
        levels = np.zeros(machine.entries, dtype=np.uint8)
        for state, claim in enumerate(machine.last):
            actions = len(tree.raises[claim]) + int(claim > 0)
            block = slice(machine.begin[state], machine.begin[state + 1])
            mass = average[block].reshape(-1, actions).astype(np.float64)
            total = mass.sum(axis=1, keepdims=True)
            met = total >= _MET * visit
            scaled = np.where(met, mass / np.where(met, total, 1.0), 0.0) * LEVELS
            levels[block] = np.rint(scaled).astype(np.uint8).ravel()
        return cls(rules, view, levels, training)

    @cached_property
    def tree(self) -> RoundTree:
        """Claims and hand classes of the round."""
        return round_tree(self.rules)

    @cached_property
    def machine(self) -> Machine:
        """The automaton of the view."""
        return build_machine(self.tree, self.view)

    @cached_property
    def entries(self) -> NDArray[np.float32]:
        """What is played in every position, the odds-only rule filled in; shape of ``levels``."""
        found = self.levels.astype(np.float32)
        coarse = build_machine(self.tree, ODDS_VIEW)
        rule = odds_entries(self.rules, self.tree, STAND_IN)
        empty = ~self._met_entries()
        found[empty] = spread(coarse, rule, self.machine, self.tree)[empty]
        return found

    def _met_entries(self) -> NDArray[np.bool_]:
        """Whether each entry belongs to an information set that was met."""
        met = np.zeros(len(self.levels), dtype=bool)
        for state, claim in enumerate(self.machine.last):
            actions = len(self.tree.raises[claim]) + int(claim > 0)
            block = slice(self.machine.begin[state], self.machine.begin[state + 1])
            rows = self.levels[block].reshape(-1, actions).any(axis=1)
            met[block] = np.repeat(rows, actions)
        return met

    def state(self, claims: tuple[Claim, ...]) -> int:
        """Where a line of claims leads to in the memory."""
        return state_of(self.machine, self.tree, [self.tree.index[claim] for claim in claims])

    def table(self, history: History = "") -> HandMix:
        """The strategy of every hand after a line of claims.

        Parameters
        ----------
        history : str or sequence of Claim

        Raises
        ------
        NotationError, IllegalMoveError
            When the line of claims cannot be read or is not legal.
        """
        claims = checked_history(self.rules, history)
        mixed, _ = self._mixed(claims)
        names, hands = self._names(claims)
        return HandMix(claims, len(claims) % self.rules.players, hands, names, mixed)

    def sound_table(self, history: History = "") -> HandMix:
        """The same without what the own dice refute.

        Where nothing is left, the likeliest claim stands in, or a doubt that is likelier right.

        Parameters
        ----------
        history : str or sequence of Claim

        Raises
        ------
        NotationError, IllegalMoveError
            As :meth:`table`.
        """
        found = self.table(history)
        sight = look(self.rules, found.history)
        refuted = sight.refuted()
        kept = np.where(refuted, 0.0, found.probabilities)
        chance = np.where(refuted, -1.0, 0.0)
        if found.history:
            chance[:, 0] += 1.0 - sight.standing
        chance[:, bool(found.history) :] += sight.likely
        stand_in = np.eye(chance.shape[1])[chance.argmax(axis=1)]
        total = kept.sum(axis=1, keepdims=True)
        kept = np.where(total > 1e-9, kept / np.maximum(total, 1e-9), stand_in)
        return replace(found, probabilities=kept)

    def policy(self, hand: HandLike, history: History = "") -> Advice[ActionAdvice]:
        """What to do with a hand after a line of claims.

        Parameters
        ----------
        hand : str or sequence of int
            The dice of the player to act, in any order.
        history : str or sequence of Claim

        Raises
        ------
        NotationError, IllegalMoveError
            When hand or history do not fit the rules.
        """
        claims = checked_history(self.rules, history)
        text = hand if isinstance(hand, str) else format_hand(hand)
        dice = parse_hand(self.rules, text, len(claims) % self.rules.players)
        names, hands = self._names(claims)
        mixed, trained = self._mixed(claims)
        row = hands.index(dice)
        # What an action is worth was not measured, and nothing is made up.
        values = [None] * len(names)
        found = options(self.rules, dice, names, mixed[row].tolist(), values)
        return Advice(None, found, bool(trained[row]))

    @property
    def quality_text(self) -> str:
        """How good the strategy is known to be, in a few words."""
        return quality_text(self.training, self.measured)

    def _names(self, claims: tuple[Claim, ...]) -> tuple[tuple[str, ...], tuple[Any, ...]]:
        last = self.tree.index[claims[-1]] if claims else 0
        names = [str(self.tree.claims[number]) for number in self.tree.raises[last]]
        hands = self.tree.classes[len(claims) % self.rules.players].hands
        return ((DOUBT, *names) if claims else tuple(names)), hands

    def _mixed(self, claims: tuple[Claim, ...]) -> tuple[NDArray[np.float64], NDArray[np.bool_]]:
        """Probabilities of shape (hands, actions), and for which hands they were trained."""
        last = self.tree.index[claims[-1]] if claims else 0
        state = self.state(claims)
        classes = self.tree.classes[len(claims) % self.rules.players]
        of_hand = classes.of_hand[self.tree.level[last]]
        if not self.tree.raises[last]:
            return np.ones((len(of_hand), 1)), np.ones(len(of_hand), dtype=bool)
        actions = len(self.tree.raises[last]) + (last > 0)
        block = slice(self.machine.begin[state], self.machine.begin[state + 1])
        mass = self.levels[block].reshape(-1, actions).astype(np.float64)
        trained = np.asarray(mass.any(axis=1))
        if not trained.all():
            rule = np.zeros_like(mass)
            rule[of_hand, self.by_odds(last, len(claims) % self.rules.players)] = 1.0
            mass[~trained] = rule[~trained]
        mixed = mass / mass.sum(axis=1, keepdims=True)
        return mixed[of_hand], np.asarray(trained[of_hand])

    def by_odds(self, last: int, seat: int) -> NDArray[np.int64]:
        """What stands in where training hardly came: the place of each hand's action.

        The rule of :func:`mouche_solver.dice.sample.odds_player.odds_entries`.
        """
        likely = look_at(self.rules, seat, self.tree.claims[last]).likely
        if not last:
            return np.asarray(likely.argmax(axis=1))
        return np.where(likely.max(axis=1) >= STAND_IN, likely.argmax(axis=1) + 1, 0)


def quality_text(training: Training, found: Mapping[str, Any]) -> str:
    """What was measured of a strategy, in one line; lower bounds are called so."""
    parts = [f"sampled strategy with a bounded memory ({training.visits:,} visits)"]
    if not found:
        parts.append("its quality was not measured")
    for key, name in (("local_response", "a local"), ("learned_response", "a learned")):
        if key in found:
            low, high = found[key]["interval"]
            parts.append(
                f"{name} best response gains {found[key]['gain']:.4f} points a round "
                f"({low:.4f} to {high:.4f}; others may gain more)"
            )
    if "odds" in found:
        odds = found["odds"]
        low, high = (abs(end) for end in odds["interval"])
        word = "less" if odds["margin"] > 0 else "more"
        if odds["interval"][0] < 0 < odds["interval"][1]:
            parts.append("at the worst table with odds-only players it loses about as much as they")
        else:
            parts.append(
                f"at the worst table with odds-only players ({odds['table']}, threshold "
                f"{odds['threshold']}) it loses {abs(odds['margin']):.3f} points a round {word} "
                f"than they ({min(low, high):.3f} to {max(low, high):.3f})"
            )
        parts.append("intervals are 95 %")
    return "; ".join(parts)
