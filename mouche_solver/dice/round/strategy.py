"""What a strategy of a two-player round tells: the table of hands and actions, and what follows.

Solutions and opening books answer one question, :meth:`RoundStrategy.table`; everything a person
asks is derived from it here.
"""

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from mouche_solver.core.answers import Advice, Option
from mouche_solver.core.quality import Quality
from mouche_solver.dice.odds import claim_probability
from mouche_solver.dice.rules.hands import Hand, all_hands
from mouche_solver.dice.rules.html import mix_html, strategy_html
from mouche_solver.dice.rules.notation import (
    DOUBT,
    check_claim,
    format_claims,
    format_hand,
    parse_hand,
    parse_history,
)
from mouche_solver.dice.rules.referee import Round
from mouche_solver.dice.rules.rules import Claim, DiceRules, as_claim
from mouche_solver.errors import RulesError

History = str | Sequence[Claim]
HandLike = str | Sequence[int]
Floats = NDArray[np.float64]


# The name of the ranges behind claims that good play hardly makes.
ERRING = "hands of players who err, the more readily the less it costs them"


@dataclass(frozen=True)
class HandMix:
    """What every hand of the player to act does after one line of claims.

    Attributes
    ----------
    history : tuple of Claim
    player : int
        The player to act.
    hands : tuple of tuple of int
    actions : tuple of str
        ``doubt`` first where it is allowed, then claims in ascending order.
    probabilities : float64 array, shape (hands, actions)
        Each row sums to one.
    """

    history: tuple[Claim, ...]
    player: int
    hands: tuple[Hand, ...]
    actions: tuple[str, ...]
    probabilities: Floats

    def _repr_html_(self) -> str:
        return mix_html(self)


@dataclass(frozen=True)
class HandTable(HandMix):
    """A mix with what its actions are worth and what the line of claims tells.

    Attributes
    ----------
    values : float64 array, shape (hands, actions)
        Expected payoff of an action, +1 for winning the round and -1 for losing it, against the
        other player's hands that make the claims so far.
    ranges : tuple of float64 array
        For each player, the probability of each hand given the claims.
    reach : float
        Probability of the line of claims. Where it is zero, the hands of a player who never
        speaks so are taken as they are rolled, or as ``assumed`` says.
    assumed : str
        Whose hands the ranges are where it is not those of the strategy; empty where it is.
    """

    values: Floats
    ranges: tuple[Floats, ...]
    reach: float
    assumed: str = ""


@dataclass(frozen=True)
class ActionAdvice(Option[str]):
    """One action for one hand.

    Attributes
    ----------
    action, probability, value
        As of :class:`mouche_solver.core.answers.Option`.
    true_probability : float or None
        Chance that the claim is correct, given the hand alone; None for a doubt.
    """

    true_probability: float | None = None


@dataclass(frozen=True)
class PlayedLine:
    """A round played by the strategy on both sides."""

    cups: tuple[Hand, ...]
    history: tuple[Claim, ...]
    probabilities: tuple[float, ...]
    loser: int

    def __str__(self) -> str:
        return f"{format_claims(self.history, doubted=True)} (player {self.loser} loses)"


class RoundStrategy(ABC):
    """A strategy for both players of a round.

    Attributes
    ----------
    rules : DiceRules
    """

    rules: DiceRules

    @property
    @abstractmethod
    def quality(self) -> Quality:
        """Exact quality of the solution that the strategy is, or that it comes from."""

    @property
    @abstractmethod
    def quality_text(self) -> str:
        """How good the strategy is known to be, in a few words."""

    @abstractmethod
    def table(self, history: History = "") -> HandTable:
        """The strategy of every hand after a line of claims.

        Raises
        ------
        NotationError, IllegalMoveError
            When the line of claims cannot be read or is not legal.
        """

    def mixed(self, history: History = "") -> HandMix:
        """The probabilities of :meth:`table` alone, which take less time to find."""
        return self.table(history)

    def policy(self, hand: HandLike, history: History = "") -> Advice[ActionAdvice]:
        """What to do with a hand after a line of claims.

        Parameters
        ----------
        hand : str or sequence of int
            The dice of the player to act, in any order.
        history : str or sequence of Claim
            Such as ``"3x5 4x5"``.

        Raises
        ------
        NotationError, IllegalMoveError
            When hand or history do not fit the rules.
        """
        claims = self.read_history(history)
        dice = self.read_hand(hand, len(claims) % 2)
        table = self.table(claims)
        row = table.hands.index(dice)
        return advice(self.rules, table, row)

    def ranges(self, history: History) -> tuple[tuple[tuple[Hand, ...], Floats], ...]:
        """For each player, the hands and their probabilities given the claims.

        Parameters
        ----------
        history : str or sequence of Claim

        Returns
        -------
        tuple of (hands, float64 array)
            One pair per player; each array adds up to 1.
        """
        claims = self.read_history(history)
        found = self.table(claims).ranges
        return tuple((all_of(self.rules, p), found[p]) for p in (0, 1))

    def play_line(
        self, cups: Sequence[HandLike] | None = None, seed: int | None = None
    ) -> PlayedLine:
        """Play one round by the strategy on both sides.

        Parameters
        ----------
        cups : sequence of hands, optional
            Rolled by ``seed`` when left out.
        seed : int, optional
        """
        random = np.random.default_rng(seed)
        if cups is None:
            dealt = [
                tuple(sorted(random.integers(1, self.rules.faces + 1, dice).tolist()))
                for dice in self.rules.dice
            ]
        else:
            if len(cups) != 2:
                raise RulesError(f"{len(cups)} cups: two players need two")
            dealt = [self.read_hand(cup, player) for player, cup in enumerate(cups)]
        history: tuple[Claim, ...] = ()
        chances: list[float] = []
        while True:
            table = self.table(history)
            mix = table.probabilities[table.hands.index(dealt[table.player])]
            action = int(random.choice(len(mix), p=mix))
            chances.append(float(mix[action]))
            if table.actions[action] == DOUBT:
                break
            history = (*history, self.read_claim(table.actions[action]))
        reveal = Round(self.rules, tuple(dealt), history, doubted=True).reveal
        assert reveal is not None
        return PlayedLine(tuple(dealt), history, tuple(chances), reveal.loser)

    def read_history(self, history: History) -> tuple[Claim, ...]:
        """Check a line of claims."""
        return checked_history(self.rules, history)

    def read_hand(self, hand: HandLike, player: int) -> Hand:
        """Check a hand of a player."""
        text = hand if isinstance(hand, str) else format_hand(hand)
        return parse_hand(self.rules, text, player)

    def _repr_html_(self) -> str:
        return strategy_html(self.rules, self.quality_text, self.mixed())

    @staticmethod
    def read_claim(action: str) -> Claim:
        """The claim that an action of a table names."""
        quantity, face = action.split("x")
        return Claim(int(quantity), int(face))


def checked_history(rules: DiceRules, history: History) -> tuple[Claim, ...]:
    """A line of claims, read if it is text, and every claim of it legal.

    Parameters
    ----------
    rules : DiceRules
    history : str or sequence of Claim
        Pairs of whole numbers will do.

    Returns
    -------
    tuple of Claim

    Raises
    ------
    NotationError, IllegalMoveError
    """
    if isinstance(history, str):
        return parse_history(rules, history)
    claims = tuple(map(as_claim, history))
    for number, claim in enumerate(claims):
        check_claim(rules, claims[number - 1] if number else None, claim, number + 1)
    return claims


def all_of(rules: DiceRules, player: int) -> tuple[Hand, ...]:
    """Every hand of a player, in the order of tables and ranges."""
    return all_hands(rules.dice[player], rules.faces)[0]


def options(
    rules: DiceRules,
    hand: Hand,
    actions: Sequence[str],
    probabilities: Sequence[float],
    values: Sequence[float | None],
) -> tuple[ActionAdvice, ...]:
    """The actions of one hand, with the chance that each claim is correct.

    Parameters
    ----------
    rules : DiceRules
    hand : tuple of int
    actions : sequence of str
        ``doubt`` or claims such as ``3x5``.
    probabilities : sequence of float
    values : sequence of float or None
        Expected payoffs; None where they were not measured.

    Returns
    -------
    tuple of ActionAdvice
    """
    found = []
    for action, probability, value in zip(actions, probabilities, values, strict=True):
        true = None
        if action != DOUBT:
            true = float(claim_probability(rules, RoundStrategy.read_claim(action), hand))
        found.append(ActionAdvice(action, probability, value, true))
    return tuple(found)


def advice(rules: DiceRules, table: HandTable, row: int) -> Advice[ActionAdvice]:
    """One hand's row of a table, with the chance that each claim is correct.

    Parameters
    ----------
    rules : DiceRules
    table : HandTable
    row : int
        The hand's place in ``table.hands``.

    Returns
    -------
    Advice
    """
    mixed, values = table.probabilities[row], table.values[row]
    found = options(rules, table.hands[row], table.actions, mixed.tolist(), values.tolist())
    return Advice(float(mixed @ values), found)
