"""A line of claims step by step: what every hand does there, who can hold what, and its caption."""

from dataclasses import dataclass

import numpy as np

from mouche_solver.core.checks import check_int
from mouche_solver.dice.round.strategy import Floats, HandMix, History, RoundStrategy
from mouche_solver.dice.rules.hands import all_hands, matches
from mouche_solver.dice.rules.html import rules_text
from mouche_solver.dice.rules.notation import DOUBT, format_claims
from mouche_solver.dice.rules.rules import Claim, DiceRules


def strategy_caption(
    strategy: RoundStrategy, history: tuple[Claim, ...] = (), reach: float = 1.0
) -> str:
    """Rules, line of claims and exploitability in one line.

    Examples
    --------
    >>> from mouche_solver.analysis import solve_dice
    >>> from mouche_solver.dice import DiceRules
    >>> solution = solve_dice(DiceRules(dice=(1, 1), faces=2), iterations=1)
    >>> strategy_caption(solution).split(";")[0]
    '1 v 1 dice, 2 faces'
    """
    words = [rules_text(strategy.rules)]
    if history:
        words.append(f"after {format_claims(history)}")
    if reach == 0:
        words.append("nobody plays so (probability zero): hands as rolled")
    return "; ".join([*words, strategy.quality_text])


@dataclass(frozen=True)
class Walk:
    """A position of a strategy.

    Attributes
    ----------
    strategy : RoundStrategy
    mix : HandMix
        What every hand of the player to act does.
    ranges : tuple of float64 array
        For each player, the probability of each hand given the claims. A claim that no hand makes
        is taken to say nothing.
    reach : float
        Probability of the line of claims.
    """

    strategy: RoundStrategy
    mix: HandMix
    ranges: tuple[Floats, ...]
    reach: float

    @classmethod
    def to(cls, strategy: RoundStrategy, history: History = "") -> "Walk":
        """The position after a line of claims."""
        claims = strategy.read_history(history)
        if not claims:
            priors = tuple(prior(strategy.rules, player) for player in (0, 1))
            return cls(strategy, strategy.mixed(), priors, 1.0)
        table = strategy.table(claims)
        return cls(strategy, table, table.ranges, table.reach)

    @property
    def history(self) -> tuple[Claim, ...]:
        """The claims so far."""
        return self.mix.history

    @property
    def player(self) -> int:
        """The player to act."""
        return self.mix.player

    @property
    def chances(self) -> Floats:
        """Probability of each action given the claims so far, over the hands of the player."""
        return np.asarray(self.ranges[self.player] @ self.mix.probabilities)

    @property
    def claims(self) -> tuple[Claim, ...]:
        """The claims that may follow."""
        return tuple(self.strategy.read_claim(a) for a in self.mix.actions if a != DOUBT)

    def column(self, claim: Claim) -> Floats:
        """Probability of a claim for each hand of the player to act."""
        return self.mix.probabilities[:, self.mix.actions.index(str(claim))]

    @property
    def actions(self) -> tuple[str, ...]:
        """What the player may do."""
        return tuple(self.mix.actions)

    @property
    def leads(self) -> tuple[int, ...]:
        """The places of the claims among the actions; a doubt ends the round."""
        return tuple(place for place, action in enumerate(self.actions) if action != DOUBT)

    def down(self, place: int) -> "Walk":
        """The position after the claim at this place of the actions."""
        return self.after(self.strategy.read_claim(self.actions[place]))

    def after(self, claim: Claim) -> "Walk":
        """The position after one more claim."""
        spoken = self.ranges[self.player] * self.column(claim)
        chance = float(spoken.sum())
        ranges = list(self.ranges)
        if chance > 0:
            ranges[self.player] = spoken / chance
        mix = self.strategy.mixed((*self.history, claim))
        return Walk(self.strategy, mix, tuple(ranges), self.reach * chance)


def prior(rules: DiceRules, player: int) -> Floats:
    """Probability of each hand of a player as rolled."""
    player = check_int("player", player, 0, rules.players - 1)
    weights = all_hands(rules.dice[player], rules.faces)[1]
    return np.array(weights) / float(rules.faces ** rules.dice[player])


def own_counts(
    rules: DiceRules, player: int, face: int
) -> np.ndarray[tuple[int], np.dtype[np.int64]]:
    """How many dice of each hand of a player count as a face."""
    hands = all_hands(rules.dice[player], rules.faces)[0]
    return np.array([matches(hand, face, rules.wild) for hand in hands])
