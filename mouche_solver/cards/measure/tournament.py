"""Duplicate tournaments: one player against a table of others, the same cards in every seat.

Differences are those of common random numbers [1]_; guessed hands are played as in PIMC [2]_.

References
----------
.. [1] Glasserman and Yao, Some guidelines and guarantees for common random numbers, Management
   Science 38, 1992: two plans compared on the same cards and the same luck.
.. [2] Long, Sturtevant, Buro and Furtak, Understanding the success of perfect information Monte
   Carlo sampling in game tree search, AAAI 24, 2010: PIMC.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mouche_solver.cards.kernels.records import RANDOM_POLICY, Game, Policy
from mouche_solver.cards.measure.kernels_pimc import Guess, duplicate_pimc
from mouche_solver.cards.measure.kernels_tournament import duplicate, self_play
from mouche_solver.cards.odds.open_hands import OpenHands
from mouche_solver.cards.rules.objective import per_chip, solve_shares
from mouche_solver.cards.rules.rules import CardRules
from mouche_solver.cards.strategy.compile import compile_policy, new_table
from mouche_solver.cards.strategy.levels import Abstraction
from mouche_solver.cards.strategy.people import PEOPLE
from mouche_solver.core.chunks import Crew, chunk_count, crew_of
from mouche_solver.core.statistics import mean_margin
from mouche_solver.core.streams import Purpose, stream
from mouche_solver.errors import RulesError

CHUNK = 1 << 12  # deals that share one random stream

BASELINES = {"random": RANDOM_POLICY} | {each.name: each.kind for each in PEOPLE.values()}


@dataclass(frozen=True)
class Gain:
    """What one player gains against others, in pots a deal, with a 95% interval.

    Attributes
    ----------
    mean : float
        What he gets above an equal share, averaged over the seats.
    margin : float
        Half the width of the interval.
    deals : int
        Deals, each played once in every seat.
    by_seat : tuple of float
        What he gets in each seat.
    """

    mean: float
    margin: float
    deals: int
    by_seat: tuple[float, ...]

    @property
    def low(self) -> float:
        """Lower end of the interval."""
        return self.mean - self.margin

    @property
    def high(self) -> float:
        """Upper end of the interval."""
        return self.mean + self.margin

    def __str__(self) -> str:
        return f"{1000 * self.mean:+.1f} +- {1000 * self.margin:.1f} mP a deal"


@dataclass(frozen=True)
class Level:
    """What happens when everybody plays the same strategy.

    Attributes
    ----------
    shares : float64 array
        What each seat gets in the long run of one chip in the pot; adds up to one. In Mushka the
        mean points of each seat above the others', which add up to zero.
    mouches : float
        Mouches made in a deal.
    in_distribution : tuple of float
        How often 1, 2, ... players are in; the dealer is when everybody has passed.
    """

    shares: NDArray[np.float64]
    mouches: float
    in_distribution: tuple[float, ...]


def baseline(abstraction: Abstraction, name: str) -> Policy:
    """The policy of a baseline: ``random``, or a human-like player such as ``thumb``.

    Raises
    ------
    RulesError
        For other names.
    """
    if name not in BASELINES:
        raise RulesError(f"baseline {name!r}: allowed are {', '.join(BASELINES)}")
    width, size = len(abstraction.actions), abstraction.rules.hand_size
    empty = np.zeros((1, width), np.float32), np.zeros(1, np.float32)
    policy = compile_policy(
        abstraction,
        *empty,
        np.zeros(4, np.uint64),
        np.zeros((4, size), np.float32),
        abstraction.priors,
    )
    policy.facts["kind"] = BASELINES[name]
    return policy


def play_duplicate(
    game: Game,
    one: Policy,
    others: Policy,
    shares: Sequence[float] | NDArray[np.float64],
    deals: int,
    seed: int = 0,
    threads: int | Crew = 1,
) -> Gain:
    """One player with a policy against the rest of the table with another.

    Parameters
    ----------
    game : GAME record
        Both policies have its actions.
    one, others : Policy
    shares : sequence of float
        What each seat of the next deal gets of a chip; zeros when the debt is lost.
    deals : int
        Rounded up to whole chunks of 4096.
    seed : int
    threads : int or Crew
        The result does not depend on it.
    """
    job = _Duplicate(game, one, others, per_chip(shares))
    return _gain(_chunks(job, deals, seed, threads), game)


@dataclass(frozen=True)
class _Duplicate:
    """Plays a chunk of deals; the sums of :func:`duplicate`."""

    game: Game
    one: Policy
    others: Policy
    worth: NDArray[np.float64]

    def __call__(self, stream: Any) -> NDArray[np.float64]:
        sums = np.zeros(2 + int(self.game["players"]))
        duplicate(CHUNK, self.one, self.others, self.worth, self.game, new_table(), stream, sums)
        return sums


def _gain(sums: tuple[NDArray[np.float64], int], game: Game) -> Gain:
    total, number = sums
    mean, margin = mean_margin(float(total[0]), float(total[1]), number)
    by_seat = tuple((total[2:] / number).tolist())
    equal = 0.0 if game["points"] else 1 / int(game["players"])
    return Gain(mean - equal, margin, number, by_seat)


class GuessTables:
    """Open-hand values for two and three players in, which guessing looks up.

    Parameters
    ----------
    rules : CardRules

    Raises
    ------
    RulesError
        Under Mushka.
    TooLargeError
        When the tables are too large.
    """

    def __init__(self, rules: CardRules) -> None:
        cards = range(rules.hand_size)
        self.pairs = tuple(OpenHands(rules, 2, k).level for k in cards)
        threes = self.pairs
        if rules.players > 2:
            threes = tuple(OpenHands(rules, 3, k).level for k in cards)
        self.threes = threes


def play_pimc(  # noqa: PLR0913  public, beside play_duplicate
    game: Game,
    tables: GuessTables,
    one: Policy,
    others: Policy,
    shares: Sequence[float] | NDArray[np.float64],
    deals: int,
    samples: int,
    seed: int = 0,
    threads: int | Crew = 1,
) -> Gain:
    """Like :func:`play_duplicate`, but the one player chooses his cards by guessing hands.

    He declares by ``one``. With four or more players in, his cards come from the rule of thumb.

    Parameters
    ----------
    game : GAME record
    tables : GuessTables
        Of the same rules.
    one, others : Policy
    shares : sequence of float
    deals, samples : int
        Deals, and guesses for each card.
    seed : int
    threads : int or Crew
    """
    guess = Guess(samples, tables.pairs, tables.threes)
    job = _Guessing(game, one, others, per_chip(shares), guess)
    return _gain(_chunks(job, deals, seed, threads), game)


@dataclass(frozen=True)
class _Guessing(_Duplicate):
    """The same with a player who guesses."""

    guess: Guess

    def __call__(self, stream: Any) -> NDArray[np.float64]:
        game, table = self.game, new_table()
        sums = np.zeros(2 + int(game["players"]))
        duplicate_pimc(
            CHUNK, self.guess, self.one, self.others, self.worth, game, table, stream, sums
        )
        return sums


@dataclass(frozen=True)
class _SelfPlay:
    """Plays a chunk of deals; the sums of :func:`self_play`."""

    game: Game
    policy: Policy

    def __call__(self, stream: Any) -> NDArray[np.float64]:
        sums = np.zeros(2 * int(self.game["players"]) + 2)
        self_play(CHUNK, self.policy, self.game, new_table(), stream, sums)
        return sums


def measure_level(
    game: Game, policy: Policy, deals: int, seed: int = 0, threads: int | Crew = 1
) -> Level:
    """Seat shares and mouches when everybody plays ``policy``."""
    players = int(game["players"])
    total, number = _chunks(_SelfPlay(game, policy), deals, seed, threads)
    debts = float(total[players]) / number
    inside = total[players + 1 :] / number
    inside[1] += inside[0]
    paid = total[:players] / number
    return Level(
        shares=paid if game["points"] else solve_shares(paid, debts),
        mouches=debts / float(game["debt"]),
        in_distribution=tuple(inside[1:].tolist()),
    )


def _chunks(
    job: Callable[[Any], NDArray[np.float64]], deals: int, seed: int, threads: int | Crew
) -> tuple[NDArray[np.float64], int]:
    """Run chunks of deals and add up their sums in order."""
    count = chunk_count(deals, CHUNK)
    streams = [stream(Purpose.CARD_DEALS, seed, chunk) for chunk in range(count)]
    with crew_of(threads) as crew:
        sums = crew.map(job, streams)
    return np.sum(sums, axis=0), count * CHUNK
