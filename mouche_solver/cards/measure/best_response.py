"""A best response in the declarations over pooled cells, measured on deals of its own.

The response is a local one [1]_, its estimates are shrunk [2]_. See docs/decisions/0017: the gain
is a lower bound on how far a strategy can be beaten.

References
----------
.. [1] Lisy and Bowling, Equilibrium approximation quality of current no-limit poker bots, AAAI
   Workshop on Computer Poker and Imperfect Information Games, 2017: local best response.
.. [2] Efron and Morris, Data analysis using Stein's estimator and its generalizations, Journal of
   the American Statistical Association 70, 1975: shrinkage by an estimated spread.
"""

import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mouche_solver.cards.kernels.records import Game, Policy
from mouche_solver.cards.measure.cells import ALIVE, CellLevels
from mouche_solver.cards.measure.kernels_best_response import (
    Alive,
    Cells,
    Explored,
    duplicate_response,
    explore_declarations,
    pool,
)
from mouche_solver.cards.measure.tournament import Gain
from mouche_solver.cards.rules.objective import per_chip
from mouche_solver.cards.strategy.compile import new_table
from mouche_solver.cards.strategy.strategy import CardStrategy
from mouche_solver.core.chunks import Crew, chunk_count, crew_of
from mouche_solver.core.statistics import mean_margin
from mouche_solver.core.streams import Purpose, stream
from mouche_solver.errors import RulesError


@dataclass(frozen=True)
class Change:
    """What a response declares in place of the strategy, and what comes of it.

    Attributes
    ----------
    seat : int
    own, answer : int
        -1 pass, 0 stand, else the number of cards exchanged.
    share : float
        How often it happens in the seat's deals.
    gain, margin : float
        Pots a deal that the seat gains by it, and half its 95% interval.
    """

    seat: int
    own: int
    answer: int
    share: float
    gain: float
    margin: float


@dataclass(frozen=True)
class Measured:
    """A deviation's gain over the strategy's own play of the same deals.

    Attributes
    ----------
    gain : Gain
        With shares that add up to one also the gain over an equal share.
    gain_by_seat : tuple of float
        Pots a deal.
    changes : tuple of Change
        Where it comes from, the largest gains first; empty for the play.
    """

    gain: Gain
    gain_by_seat: tuple[float, ...]
    changes: tuple[Change, ...] = ()


def in_rounds(
    job: Callable[[int], tuple[Any, Any]],
    deals: int,
    chunk: int,
    together: int,
    seconds: float,
    threads: int | Crew,
) -> tuple[Any, Any, int]:
    """Run chunks of deals, ``together`` of them a round, until deals or seconds are used up.

    Returns the sums of both results of ``job(number)``, added in order, and the deals.
    """
    end = time.monotonic() + seconds
    rounds = chunk_count(deals, chunk * together)
    one: Any = 0.0
    two: Any = 0.0
    done = 0
    with crew_of(threads) as crew:
        while done < rounds and (done == 0 or time.monotonic() < end):
            numbers = range(done * together, (done + 1) * together)
            for first, second in crew.map(job, numbers):
                one, two = one + first, two + second
            done += 1
    return one, two, done * chunk * together


def measured(
    sums: NDArray[np.float64], deals: int, players: int, changes: tuple[Change, ...] = ()
) -> Measured:
    """Sums of paired differences as a gain with its interval."""
    mean, margin = mean_margin(float(sums[0]), float(sums[1]), deals)
    by_seat = tuple((sums[2 : 2 + players] / deals).tolist())
    gains = tuple((sums[2 + players : 2 + 2 * players] / deals).tolist())
    return Measured(Gain(mean, margin, deals, by_seat), gains, changes)


CHUNK = 512  # deals that share one random stream
ROUND = 16  # chunks between two looks at the clock
FIRST_LOOK = 16  # rounds after which hopeless actions are given up, and again after each doubling
MOST_CARDS = 6  # in a hand: every subset is an action
CAUTIONS = (1.0, 4.0, 16.0, 64.0)
MOST_TUNING = 1 << 17  # deals for each of them


class DeclarationResponse:
    """A best response to a strategy in the declarations; cards are played by the strategy.

    Parameters
    ----------
    strategy : CardStrategy
    seed : int
    threads : int or Crew
        Results do not depend on it.

    Attributes
    ----------
    deals : int
        Deals sampled so far.
    estimates : float32 array, shape (cells, codes)
        What each cell adds to the estimated advantage of each action.
    half : tuple of float
        For each level of ``levels.names`` the visits at which it counts half.

    Raises
    ------
    RulesError
        For hands of more than 6 cards.

    Examples
    --------
    >>> from mouche_solver.cards import CardRules
    >>> from mouche_solver.cards.strategy.levels import Abstraction
    >>> from mouche_solver.cards.train.trainer import Batch, CardTrainer
    >>> rules = CardRules(players=2, ranks="K Q J", suits="C D", hand_size=2, reshuffle=False)
    >>> trainer = CardTrainer(Abstraction(rules), batch=Batch(8, 8, 1, 64))
    >>> trainer.train_round()
    >>> response = DeclarationResponse(trainer.strategy())
    >>> response.sample(20_000)
    >>> response.measure(20_000).gain.low > 0.02
    True
    """

    def __init__(self, strategy: CardStrategy, seed: int = 0, threads: int | Crew = 1) -> None:
        rules = strategy.rules
        if rules.hand_size > MOST_CARDS:
            raise RulesError(
                f"hand_size={rules.hand_size}: responses try every set laid down, which is done "
                f"for hands of at most {MOST_CARDS} cards"
            )
        self.strategy, self.seed, self.threads = strategy, seed, threads
        swaps = rules.hand_size if rules.dealer_takes_trump else 0
        self.levels = CellLevels(strategy.abstraction, 2 + (1 + swaps) * 2**rules.hand_size)
        self._sums = self.levels.empty()
        self._rounds = 0
        self.estimates: Any = np.zeros((self.levels.number, self.levels.codes), np.float32)
        self.half: tuple[float, ...] = ()
        hands, said, codes = self.levels.shape(self.levels.names[ALIVE])
        self._share = per_chip(strategy.training.seat_shares)
        self._explore = self._exploring(np.ones((hands * said, codes), np.bool_))

    @property
    def deals(self) -> int:
        """Deals sampled so far."""
        return self._rounds * ROUND * CHUNK

    def sample(self, deals: int, seconds: float = float("inf")) -> None:
        """Sample more deals and estimate anew.

        Parameters
        ----------
        deals : int
            Rounded up to whole rounds of 8192.
        seconds : float
            No round but the first begins later than this.
        """
        end = time.monotonic() + seconds
        with crew_of(self.threads) as crew:
            for _ in range(chunk_count(deals, ROUND * CHUNK)):
                if self._rounds and time.monotonic() > end:
                    break
                numbers = range(self._rounds * ROUND, (self._rounds + 1) * ROUND)
                for nodes, values in crew.each(self._explore, numbers):
                    pool(len(nodes), nodes, values, self.levels.cells, ALIVE, self._sums)
                self._rounds += 1
                if self._rounds >= FIRST_LOOK and self._rounds & (self._rounds - 1) == 0:
                    self._estimate()
                    alive = self.levels.alive(self._sums, self.estimates, self.half)
                    self._explore = self._exploring(alive)
        self._tune()

    def _estimate(self, caution: float = 1.0) -> None:
        self.estimates, self.half = self.levels.gains(self._sums, caution)

    def _tune(self) -> None:
        """Choose how cautious to be, on deals that serve for nothing else.

        Where no caution gains anything the response stays with the strategy.
        """
        deals = min(MOST_TUNING, self.deals)
        gains = {}
        for caution in CAUTIONS:
            self._estimate(caution)
            gains[caution] = self._measure(
                Purpose.CARD_RESPONSE_TUNE, deals, float("inf")
            ).gain.mean
        best = max(CAUTIONS, key=lambda caution: gains[caution])
        self._estimate(best)
        if gains[best] <= 0.0:
            self.estimates[:] = 0.0

    def _exploring(self, alive: NDArray[np.bool_]) -> "_Exploring":
        game, policy, cells = self.strategy.game, self.strategy.policy, self.levels.cells
        return _Exploring(self._share, game, policy, cells, alive, self.levels.codes, self.seed)

    def measure(self, deals: int, seconds: float = float("inf")) -> Measured:
        """The gain on fresh deals, each played in every seat.

        Parameters
        ----------
        deals : int
            Rounded up to whole rounds of 8192.
        seconds : float
            No round but the first begins later than this.
        """
        return self._measure(Purpose.CARD_RESPONSE_TEST, deals, seconds)

    def _measure(self, purpose: Purpose, deals: int, seconds: float) -> Measured:
        strategy, cells, players = self.strategy, self.levels.cells, self.strategy.rules.players
        job = _Testing(
            self._share, strategy.game, strategy.policy, cells, self.estimates, purpose, self.seed
        )
        sums, changes, number = in_rounds(job, deals, CHUNK, ROUND, seconds, self.threads)
        return measured(sums, number, players, _changes(changes, number))


@dataclass(frozen=True)
class _Exploring:
    """Explores a chunk of deals: its nodes, and the advantages of the codes that are tried."""

    share: Any
    game: Game
    policy: Policy
    cells: Cells
    alive: NDArray[np.bool_]
    codes: int
    seed: int

    def __call__(self, number: int) -> tuple[Any, Any]:
        nodes, values = np.zeros((CHUNK, 2), np.int64), np.zeros((CHUNK, self.codes), np.float32)
        found = explore_declarations(
            number * CHUNK,
            CHUNK,
            self.share,
            self.game,
            self.policy,
            self.cells,
            Alive(self.alive, ALIVE),
            new_table(),
            Explored(nodes, values),
            stream(Purpose.CARD_RESPONSE_TRAIN, self.seed, number),
        )
        return nodes[:found], values[:found]


@dataclass(frozen=True)
class _Testing:
    """Plays a chunk of deals with and without the response; sums and what it changed."""

    share: Any
    game: Game
    policy: Policy
    cells: Cells
    estimates: Any
    purpose: Purpose
    seed: int

    def __call__(self, number: int) -> tuple[Any, Any]:
        players, digits = int(self.game["players"]), int(self.game["digits"])
        sums, changes = np.zeros(2 + 2 * players), np.zeros((players, digits, digits, 3))
        duplicate_response(
            CHUNK,
            self.share,
            self.game,
            self.policy,
            self.cells,
            self.estimates,
            new_table(),
            stream(self.purpose, self.seed, number),
            sums,
            changes,
        )
        return sums, changes


def _changes(table: NDArray[np.float64], deals: int) -> tuple[Change, ...]:
    found = []
    for seat, own, new in zip(*np.nonzero(table[..., 0]), strict=True):
        number, total, squares = table[seat, own, new].tolist()
        gain, margin = mean_margin(total, squares, deals)
        found.append(Change(int(seat), int(own) - 1, int(new) - 1, number / deals, gain, margin))
    return tuple(sorted(found, key=lambda change: -change.gain))
