"""The referee of one round: slow, readable, and citing the rule of each decision.

Numbers in brackets are the numbered paragraphs of the rules text's "Game Play".
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np

from mouche_solver.core.checks import whole
from mouche_solver.dice.rules.claims import legal_claims
from mouche_solver.dice.rules.hands import Hand, matches
from mouche_solver.dice.rules.html import round_html
from mouche_solver.dice.rules.notation import (
    DOUBT,
    check_claim,
    describe_legal,
    dice_count,
    format_claims,
    format_cups,
    parse_cups,
    parse_transcript,
)
from mouche_solver.dice.rules.rules import Claim, DiceRules, as_claim
from mouche_solver.errors import IllegalMoveError, NotationError

Action = Claim | Literal["doubt"]


@dataclass(frozen=True)
class Reveal:
    """What happened when the cups were lifted.

    Parameters
    ----------
    claim : Claim
        The doubted claim.
    claimant, doubter : int
        Places in the round's playing order, counted from 0.
    count : int
        Dice under all cups that count as the claimed face.
    correct : bool
        Whether the claim was correct.
    """

    claim: Claim
    claimant: int
    doubter: int
    count: int
    correct: bool

    @property
    def loser(self) -> int:
        """Who loses a point: the doubter of a correct claim (5), else the claimant (6)."""
        return self.doubter if self.correct else self.claimant

    @property
    def winner(self) -> int:
        """The other of the two; everybody else is not concerned."""
        return self.claimant if self.correct else self.doubter

    def explain(self) -> str:
        """The decision and its rule in one line."""
        verdict = "correct, the doubter" if self.correct else "incorrect, the claimant"
        rule = "Game Play 5" if self.correct else "Game Play 6"
        return (
            f"{dice_count(self.count)} for {self.claim}: the claim is {verdict} "
            f"(player {self.loser}) loses one point ({rule})"
        )


@dataclass(frozen=True)
class Round:
    """One round at some moment; :meth:`play` returns the next moment.

    Players are counted from 0 in playing order from the round's starter.

    Parameters
    ----------
    rules : DiceRules
        Rules with ``dice`` in playing order.
    cups : tuple of tuple of int
        The faces under each cup.
    history : tuple of Claim
        Claims so far.
    doubted : bool
        Whether the last claim was doubted, which ends the round.

    Examples
    --------
    >>> round = Round.replay(DiceRules(dice=(2, 1)), "5,5 / 3", "1x5 3x5 doubt")
    >>> round.reveal.loser
    1
    >>> print(round.reveal.explain())
    2 dice count for 3x5: the claim is incorrect, the claimant (player 1) loses one point
    (Game Play 6)
    """

    rules: DiceRules
    cups: tuple[Hand, ...]
    history: tuple[Claim, ...] = ()
    doubted: bool = False

    def __post_init__(self) -> None:
        cups = (tuple(whole("die", face, NotationError) for face in cup) for cup in self.cups)
        object.__setattr__(self, "cups", tuple(cups))
        object.__setattr__(self, "history", tuple(map(as_claim, self.history)))
        counts = tuple(map(len, self.cups))
        if counts != self.rules.dice:
            raise NotationError(f"cups hold {counts} dice; the players have {self.rules.dice}")

    @classmethod
    def replay(cls, rules: DiceRules, cups: str, line: str) -> "Round":
        """Read cups and a line of claims that may end with ``doubt``, and check every word.

        Raises
        ------
        NotationError, IllegalMoveError
            At the first word that cannot be read or is not allowed.
        """
        history, doubted = parse_transcript(rules, line)
        return cls(rules, parse_cups(rules, cups), history, doubted)

    @property
    def last(self) -> Claim | None:
        """The claim that stands, None at the start."""
        return self.history[-1] if self.history else None

    @property
    def to_act(self) -> int | None:
        """Who speaks: the starter first (2), then each next player in turn (3); None at the end."""
        return None if self.doubted else len(self.history) % self.rules.players

    def legal_actions(self) -> tuple[Action, ...]:
        """Claims that may be made (3), and a doubt once there is a claim to doubt (4)."""
        if self.doubted:
            return ()
        claims = legal_claims(self.rules, self.last)
        return claims if self.last is None else (DOUBT, *claims)

    def play(self, action: Action) -> "Round":
        """The round after the player to act has spoken.

        Raises
        ------
        IllegalMoveError
            When the action is not among :meth:`legal_actions`.
        """
        if self.doubted:
            raise IllegalMoveError(f"{action}: a doubt has ended this round (Game Play 7)")
        if isinstance(action, str) and action == DOUBT:
            if self.last is None:
                raise IllegalMoveError(
                    f"'{DOUBT}' needs a claim before it (Game Play 4); "
                    f"{describe_legal(self.rules, None)}"
                )
            return replace(self, doubted=True)
        claim = as_claim(action)
        check_claim(self.rules, self.last, claim, len(self.history) + 1)
        return replace(self, history=(*self.history, claim))

    @property
    def reveal(self) -> Reveal | None:
        """All cups show their dice after a doubt (4); None before it."""
        if not self.doubted:
            return None
        claim, players = self.history[-1], self.rules.players
        # A claim is about the total number of dice under all cups (2).
        count = sum(matches(hand, claim.face, self.rules.wild) for hand in self.cups)
        return Reveal(
            claim=claim,
            claimant=(len(self.history) - 1) % players,
            doubter=len(self.history) % players,
            count=count,
            correct=self.rules.is_true(claim.quantity, count),
        )

    def moments(self) -> Iterator["Round"]:
        """The round before each action in turn, from its start."""
        for done in range(len(self.history) + self.doubted):
            yield Round(self.rules, self.cups, self.history[:done])

    def _repr_html_(self) -> str:
        reveal, line = self.reveal, format_claims(self.history, self.doubted)
        return round_html(self.rules, self.cups, line, None if reveal is None else reveal.loser)

    def __str__(self) -> str:
        return f"{format_cups(self.cups)} : {format_claims(self.history, self.doubted)}".rstrip()


def roll(rules: DiceRules, rng: np.random.Generator) -> tuple[Hand, ...]:
    """Roll all dice secretly into their cups (1).

    Parameters
    ----------
    rules : DiceRules
        Dice of each player and faces.
    rng : numpy.random.Generator
        Where the dice come from; the same seed rolls the same dice.

    Returns
    -------
    tuple of tuple of int
        One ascending hand per player.

    Examples
    --------
    >>> cups = roll(DiceRules(dice=(3, 2)), np.random.default_rng(1))
    >>> [len(hand) for hand in cups]
    [3, 2]
    """
    return tuple(
        tuple(sorted(int(face) for face in rng.integers(1, rules.faces + 1, size=count)))
        for count in rules.dice
    )
