"""The match above the rounds: everybody's chance to win from every score.

A round costs its loser one point, so scores only fall and backward induction needs no fixed
point. What follows a round is asked of the match referee.

With two players left a round has two outcomes, and the strategy that wins most rounds wins most
matches, unless the next starter depends on who doubted: then losing by a doubt and losing by a
claim lead to different matches, and the round is solved for the chances at the next scores as it
is with three players and more.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from itertools import product
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np
from numpy.typing import NDArray

from mouche_solver.core.checks import real, whole
from mouche_solver.core.run import Limits, Reason
from mouche_solver.dice.rules.match_referee import Match
from mouche_solver.dice.rules.referee import Reveal
from mouche_solver.dice.rules.rules import Claim, DiceRules
from mouche_solver.dice.table.html import match_html
from mouche_solver.errors import RulesError

if TYPE_CHECKING:  # it would load numba, which a match with given round values does not need
    from mouche_solver.core.trees.best_response import NashGap

# Points and dice of the live players in playing order: all that the future depends on.
Score = tuple[tuple[int, ...], tuple[int, ...]]


class SolvedRound(Protocol):
    """What the recursion needs of a solved round; a handle on a stored one will do."""

    @property
    def gap(self) -> "NashGap":
        """Values and gains in playing order, for the payoffs that were asked for."""
        ...


# Solves a round whose payoffs differ by score for ``payoff[correct, loser, player]``.
RoundSolver = Callable[[DiceRules, NDArray[np.float64]], SolvedRound]
# The opener's expected payoff in a round of two, +1 for winning and -1 for losing it.
RoundValue = float | Callable[[DiceRules], float]


@dataclass(frozen=True)
class MatchValues:
    """Everybody's chance to win the match from every score.

    Attributes
    ----------
    rules : DiceRules
    chances : dict
        ``chances[points, starter]``: each seat's chance to win, for all scores with two live
        players or more.
    rounds : dict
        For scores whose round was solved for the chances at the next scores, that round by points
        and dice in playing order; its values are chances to win, its gains are in the same unit.
        These are the scores with three live players or more, and with two where the next starter
        depends on who doubted.
    """

    rules: DiceRules
    chances: dict[tuple[tuple[int, ...], int], tuple[float, ...]]
    rounds: dict[Score, SolvedRound] = field(repr=False)

    def win_probability(self, points: tuple[int, ...], starter: int = 0) -> tuple[float, ...]:
        """Each seat's chance to win.

        Parameters
        ----------
        points : tuple of int
            By seat.
        starter : int

        Returns
        -------
        tuple of float
            By seat.

        Raises
        ------
        RulesError
            When there is no such score, or the starter is out.
        """
        points = tuple(whole("points", each) for each in points)
        starter = whole("starter", starter)
        if (points, starter) not in self.chances:
            raise RulesError(
                f"points={points}, starter={starter}: allowed are up to "
                f"{self.rules.starting_points}, two live players or more, and a live starter"
            )
        return self.chances[points, starter]

    def round(self, points: tuple[int, ...], starter: int = 0) -> SolvedRound | None:
        """The round that was solved for a score.

        None for two live players whose next starter does not depend on who doubted: the strategy
        that wins most rounds wins most matches there.

        Parameters
        ----------
        points : tuple of int
            By seat.
        starter : int

        Returns
        -------
        SolvedRound or None

        Raises
        ------
        RulesError
            As :meth:`win_probability`.
        """
        self.win_probability(points, starter)
        return self.rounds.get(_score(Match(self.rules, points, starter)))

    @property
    def largest_gain(self) -> float:
        """The most that one player gains in one round by deviating alone, in chances to win.

        Zero when the values of all rounds are taken as given, see :attr:`rounds`.
        """
        return max((float(r.gap.gains.max()) for r in self.rounds.values()), default=0.0)

    def to_records(self) -> list[dict[str, Any]]:
        """One object per score with ``points``, ``starter`` and ``win_probability`` by seat."""
        return [
            {"points": list(points), "starter": starter, "win_probability": list(chance)}
            for (points, starter), chance in self.chances.items()
        ]

    def _repr_html_(self) -> str:
        gain = self.largest_gain if self.rounds else None
        return match_html(self.rules, self.chances, gain)


def match_values(
    rules: DiceRules,
    round_value: RoundValue | None = None,
    round_solver: RoundSolver | None = None,
) -> MatchValues:
    """Each player's chance to win the match from every score, by backward induction.

    Parameters
    ----------
    rules : DiceRules
        Rules with ``dice`` and ``points`` by seat.
    round_value : float or callable, optional
        The opener's expected payoff (+1 and -1) in a round of two: one number when all players
        have equal dice, or a function of the round's rules with ``dice`` in playing order.
        Solved when left out. Not asked where the next starter depends on who doubted.
    round_solver : callable, optional
        Takes the rules of a round of :attr:`MatchValues.rounds` and the payoffs, an array
        ``[correct, loser, player]`` of chances to win, all in playing order.
        Returns anything with a ``gap``, in memory or a handle on what was stored. When left
        out, :func:`mouche_solver.dice.table.solve.solve_table` with target 1e-4 and at most
        1000 iterations.

    Returns
    -------
    MatchValues

    Raises
    ------
    RulesError
        When ``round_value`` is one number but the dice are unequal, or lies outside -1 to 1.

    Examples
    --------
    >>> values = match_values(DiceRules(dice=(1, 1), points=2), round_value=-1 / 9)
    >>> [round(chance, 4) for chance in values.win_probability((2, 2), starter=0)]
    [0.4719, 0.5281]
    """
    recursion = _Recursion(rules, _pair_value(rules, round_value), round_solver or solve_payoffs)
    chances = {}
    for match in _matches(rules):
        by_place = recursion.chances(match)
        by_seat = [0.0] * rules.players
        for seat, chance in zip(match.seats, by_place, strict=True):
            by_seat[seat] = chance
        chances[match.points, match.starter] = tuple(by_seat)
    return MatchValues(rules, chances, recursion.rounds)


def _matches(rules: DiceRules) -> Iterator[Match]:
    """All scores that are still to be played, those with fewer points first."""
    scores = product(*(range(points + 1) for points in rules.starting_points))
    for points in sorted(scores, key=lambda each: (sum(each), each)):
        live = [seat for seat, have in enumerate(points) if have]
        if len(live) > 1:
            yield from (Match(rules, points, starter) for starter in live)


def _score(match: Match) -> Score:
    seats = match.seats
    points = tuple(match.points[seat] for seat in seats)
    return points, tuple(match.rules.dice[seat] for seat in seats)


def rounds_to_solve(rules: DiceRules) -> dict[Score, int]:
    """The rounds of three and more that a match can have, each with its live players.

    Examples
    --------
    >>> len(rounds_to_solve(DiceRules(dice=(1, 1, 1), points=2)))
    8
    """
    scores = {_score(match): len(match.seats) for match in _matches(rules)}
    return {score: live for score, live in scores.items() if live > 2}


class _Recursion:
    """Chances by score; whoever is asked for must have all smaller scores behind it."""

    def __init__(
        self, rules: DiceRules, pair_value: Callable[[DiceRules], float], solver: RoundSolver
    ) -> None:
        self.rules, self.pair_value, self.solver = rules, pair_value, solver
        self.known: dict[Score, tuple[float, ...]] = {}
        self.rounds: dict[Score, SolvedRound] = {}

    def chances(self, match: Match) -> tuple[float, ...]:
        """Each live player's chance to win, in playing order."""
        score = _score(match)
        if score not in self.known:
            payoff = self._payoff(match)
            if len(score[0]) == 2 and np.array_equal(payoff[0], payoff[1]):
                opener_wins = (1.0 + self.pair_value(match.round_rules)) / 2.0
                found = opener_wins * payoff[0, 1] + (1.0 - opener_wins) * payoff[0, 0]
            else:
                self.rounds[score] = self.solver(match.round_rules, payoff)
                found = self.rounds[score].gap.values
            self.known[score] = tuple(float(chance) for chance in found)
        return self.known[score]

    def _payoff(self, match: Match) -> NDArray[np.float64]:
        """Chances to win after the round, ``[correct, loser, player]`` in playing order."""
        live = len(match.seats)
        payoff = np.zeros((2, live, live))
        for correct, loser in product((False, True), range(live)):
            after = match.after(_reveal(live, loser, correct))
            payoff[int(correct), loser] = [self._chance(after, seat) for seat in match.seats]
        return payoff

    def _chance(self, match: Match, seat: int) -> float:
        if match.winner is not None:
            return float(seat == match.winner)
        order = match.seats
        return self.chances(match)[order.index(seat)] if seat in order else 0.0


def _reveal(players: int, loser: int, correct: bool) -> Reveal:
    """The end of a round as far as it matters to the match; claim and count do not."""
    claimant = (loser - 1) % players if correct else loser
    return Reveal(Claim(1, 1), claimant, (claimant + 1) % players, 0, correct)


def _pair_value(rules: DiceRules, value: RoundValue | None) -> Callable[[DiceRules], float]:
    """The value of a round of two as a function that is asked once per arrangement of dice."""
    if value is not None and not callable(value):
        value = real("round_value", value)
    if isinstance(value, float) and len(set(rules.dice)) > 1:
        raise RulesError(
            f"dice={rules.dice}: with unequal dice the value of a round depends on who opens it; "
            "give a function"
        )
    known: dict[str, float] = {}

    def ask(pair: DiceRules) -> float:
        if pair.round_hash not in known:
            found = value if isinstance(value, float) else (value or _solve_pair)(pair)
            if not -1.0 <= found <= 1.0:
                raise RulesError(f"the value of a round is {found}: allowed are -1 to 1")
            known[pair.round_hash] = float(found)
        return known[pair.round_hash]

    return ask


def _solve_pair(pair: DiceRules) -> float:
    from mouche_solver.dice.round.solve import RoundSolver as PairSolver
    from mouche_solver.dice.round.solve import finish

    solved = finish(PairSolver(pair), Limits(1e-4))
    _stop_if_asked(solved.outcome.reason)
    return solved.solution.value


def solve_payoffs(rules: DiceRules, payoff: NDArray[np.float64]) -> SolvedRound:
    """Solve one round for the chances at the next scores, as :func:`match_values` does."""
    from mouche_solver.dice.table.solve import solve_table

    solution = solve_table(rules, payoff=payoff, limits=Limits(1e-4, iterations=1000))
    _stop_if_asked(solution.reason)
    return solution


def _stop_if_asked(reason: Reason) -> None:
    """Ctrl-C ends one round's solve early; a match must not go on with what it left."""
    if reason == "interrupted":
        raise KeyboardInterrupt
