"""A tabular response in the declarations: exact hand class, full history and seat.

In sampled deals every declaration of one seat is played through with common random numbers, as in
training, and its advantage over the strategy's own mix is averaged in cells [1]_. A fine cell
shifts what the rougher ones say by ``n / (n + half)`` of its deviation. The response departs where
the estimate of the best declaration is above a margin. ``half`` and the margin are chosen on deals
that serve for nothing else, and the gain is measured on fresh deals: a lower bound on how far the
strategy can be beaten, see docs/decisions/0017 and 0030.

References
----------
.. [1] Lisy and Bowling, Equilibrium approximation quality of current no-limit poker bots, AAAI
   Workshop on Computer Poker and Imperfect Information Games, 2017: local best response.
"""

import time
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mouche_solver.cards.kernels.records import Game, Policy
from mouche_solver.cards.measure.best_response import Measured, measured
from mouche_solver.cards.rules.objective import per_chip
from mouche_solver.cards.strategy.compile import new_table
from mouche_solver.cards.strategy.levels import Abstraction
from mouche_solver.cards.strategy.strategy import CardStrategy
from mouche_solver.cards.train.kernels import NODES, train_declarations
from mouche_solver.cards.train.trainer import STEADY, new_log
from mouche_solver.core.chunks import Crew, chunk_count, crew_of
from mouche_solver.core.streams import Purpose, stream

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

CHUNK = 1024  # deals that share one random stream
ROUND = 8  # chunks between two looks at the clock
MOST_ENTRIES = 24_000_000  # of a level: cells times declarations
HALVES = (100.0, 300.0, 1000.0, 3000.0)
MARGINS = (0.0, 0.005, 0.01, 0.02, 0.04, 0.08)
HELD_OUT = 1 << 18  # most deals that choose among them
# Levels (hands, histories): the finest of each row that fits. The first is refined by the next two,
# and those by the last.
ROWS = (
    (("coarse", "class"),),
    (("lossless", "class"), ("medium", "class")),
    (("coarse", "exact"), ("coarse", "last")),
    (("lossless", "exact"), ("medium", "exact"), ("medium", "last")),
)
REFINES = (0, 1, 1, 2)  # rows that refine the same sum of coarser ones have the same number


class TabularResponse:
    """A tabular best response to a strategy in the declarations; cards are played by it.

    It declares what the strategy's own table can, each set laid down by the strategy's rule.

    Parameters
    ----------
    strategy : CardStrategy
    seed : int
    threads : int or Crew
        Results do not depend on it.

    Attributes
    ----------
    levels : tuple of (str, str)
        Hands and histories of each level.
    half, margin : float64 arrays, shape (players,)
        Visits at which a cell counts half, and the advantage from which a seat departs, in pots;
        infinite where nothing was found that gains.
    deals : int
        Deals sampled so far, each traversed for one seat.

    Examples
    --------
    >>> from mouche_solver.cards import CardRules
    >>> from mouche_solver.cards.strategy.levels import Abstraction
    >>> from mouche_solver.cards.train.trainer import Batch, CardTrainer
    >>> rules = CardRules(players=2, ranks="K Q J", suits="C D", hand_size=2, reshuffle=False)
    >>> trainer = CardTrainer(Abstraction(rules), batch=Batch(8, 8, 1, 64))
    >>> trainer.train_round()
    >>> response = TabularResponse(trainer.strategy())
    >>> response.sample(20_000)
    >>> response.measure(20_000).gain.low > 0.02
    True
    """

    def __init__(self, strategy: CardStrategy, seed: int = 0, threads: int | Crew = 1) -> None:
        self.strategy, self.seed, self.threads = strategy, seed, threads
        book = strategy.abstraction
        self._share = per_chip(strategy.training.seat_shares)
        self._hands = {name: book.hands_of(name) for name in ("coarse", "medium", "lossless")}
        said = book.histories
        exact = np.arange(said.number, dtype=np.int32)
        self._said = {"class": said.class_of, "last": said.last_of, "exact": exact}
        self._width = len(book.actions)
        fitting = [[name for name in row if self._size(name) <= MOST_ENTRIES] for row in ROWS]
        self.levels = tuple(row[0] for row in fitting if row)
        self._rows = tuple(number for number, row in enumerate(fitting) if row)
        self._total = [np.zeros((self._cells(name), self._width)) for name in self.levels]
        self._number = [np.zeros(self._cells(name)) for name in self.levels]
        players, self.deals = strategy.rules.players, 0
        self.half: Floats = np.full(players, HALVES[1])
        self.margin: Floats = np.full(players, np.inf)

    def _cells(self, name: tuple[str, str]) -> int:
        hands, said = self._hands[name[0]], self._said[name[1]]
        return (int(hands.max()) + 1) * (int(said.max()) + 1)

    def _size(self, name: tuple[str, str]) -> int:
        return self._cells(name) * self._width

    def sample(self, deals: int, seconds: float = float("inf")) -> None:
        """Sample more deals, then choose ``half`` and the margin anew.

        Parameters
        ----------
        deals : int
            Rounded up to whole rounds of 8192.
        seconds : float
            No round but the first begins later than this.
        """
        first = self.deals // (CHUNK * ROUND)
        rounds = range(first, first + chunk_count(deals, CHUNK * ROUND))
        for nodes, values, mixes in self._traversed(Purpose.CARD_TABLE_TRAIN, rounds, seconds):
            gaps = _advantages(nodes, values, mixes)
            for level, name in enumerate(self.levels):
                cells = self._cells_of(name, nodes)
                np.add.at(self._total[level], cells, gaps)
                np.add.at(self._number[level], cells, 1.0)
            self.deals += CHUNK * ROUND
        self._choose()

    def _traversed(
        self, purpose: Purpose, rounds: range, seconds: float
    ) -> Iterator[tuple[Ints, Floats, Floats]]:
        """What rounds of deals saw: nodes, values of all declarations, the strategy's mixes."""
        strategy, end = self.strategy, time.monotonic() + seconds
        book, game, policy = strategy.abstraction, strategy.game, strategy.policy
        job = _Traversing(book, self._share, game, policy, purpose, self.seed)
        with crew_of(self.threads) as crew:
            for number in rounds:
                if number > rounds.start and time.monotonic() > end:
                    return
                chunks = range(number * ROUND, (number + 1) * ROUND)
                found = crew.map(job, chunks)
                nodes, values, mixes = (np.concatenate(part) for part in zip(*found, strict=True))
                yield nodes, values.astype(np.float64), mixes.astype(np.float64)

    def _cells_of(self, name: tuple[str, str], nodes: Ints) -> Ints:
        hands, said = self._hands[name[0]], self._said[name[1]]
        cells: Ints = hands[nodes[:, 0]].astype(np.int64) * (int(said.max()) + 1)
        return cells + said[nodes[:, 1]]

    def _seats(self, nodes: Ints) -> Ints:
        first = self.strategy.abstraction.histories.first
        return np.asarray(np.searchsorted(first, nodes[:, 1], side="right") - 1)

    def estimates(self, nodes: Ints, half: float | Floats) -> Floats:
        """Estimated advantages of all declarations; shape (nodes, declarations).

        Parameters
        ----------
        nodes : int64 array, shape (nodes, 3)
            Hand class, history and legal declarations.
        half : float or array, shape (nodes, 1)
        """
        found: Floats = np.zeros((len(nodes), self._width))
        base = found
        done = 0
        for level, name in enumerate(self.levels):
            cells = self._cells_of(name, nodes)
            number = self._number[level][cells][:, None]
            mean = self._total[level][cells] / np.maximum(number, 1.0)
            if REFINES[self._rows[level]] > done:
                base, done = found, REFINES[self._rows[level]]
            found = found + number / (number + half) * (mean - base)
        return found

    def _choose(self) -> None:
        """Take for each seat what gains most on held-out deals; nothing where nothing does."""
        players = self.strategy.rules.players
        rounds = range(max(1, min(self.deals // 4, HELD_OUT) // (CHUNK * ROUND)))
        gains = np.zeros((len(HALVES), len(MARGINS), players))
        for nodes, values, mixes in self._traversed(Purpose.CARD_TABLE_TUNE, rounds, float("inf")):
            gaps, seats = _advantages(nodes, values, mixes), self._seats(nodes)
            for h, half in enumerate(HALVES):
                best, gain = _best(self.estimates(nodes, half), nodes)
                own = gaps[np.arange(len(nodes)), best]
                for m, margin in enumerate(MARGINS):
                    gains[h, m] += np.bincount(seats, np.where(gain > margin, own, 0.0), players)
        for seat in range(players):
            one, two = divmod(int(gains[..., seat].argmax()), len(MARGINS))
            self.half[seat] = HALVES[one]
            self.margin[seat] = MARGINS[two] if gains[one, two, seat] > 0.0 else np.inf

    def departures(self, nodes: Ints) -> Ints:
        """What it declares in place of the strategy, -1 where it stays with it.

        Parameters
        ----------
        nodes : int64 array, shape (nodes, 3)
            Hand class, history and legal declarations.
        """
        seats = self._seats(nodes)
        best, gain = _best(self.estimates(nodes, self.half[seats][:, None]), nodes)
        return np.where(gain > self.margin[seats], best, -1)

    def measure(self, deals: int, seconds: float = float("inf")) -> Measured:
        """The gain on fresh deals, each traversed for one seat.

        Parameters
        ----------
        deals : int
            Rounded up to whole rounds of 8192.
        seconds : float
            No round but the first begins later than this.
        """
        players, done = self.strategy.rules.players, 0
        sums = np.zeros(2 + 2 * players)
        rounds = range(chunk_count(deals, CHUNK * ROUND))
        for nodes, values, mixes in self._traversed(Purpose.CARD_TABLE_TEST, rounds, seconds):
            seats = self._seats(nodes)
            best, gain = _best(self.estimates(nodes, self.half[seats][:, None]), nodes)
            own = _advantages(nodes, values, mixes)[np.arange(len(nodes)), best]
            own[gain <= self.margin[seats]] = 0.0
            sums[0] += own.sum()
            sums[1] += (own**2).sum()
            # Each deal is one seat's: a seat has one of so many deals as there are players.
            sums[2 + players :] += np.bincount(seats, own, players) * players
            done += CHUNK * ROUND
        sums[2 : 2 + players] = sums[2 + players :]
        return measured(sums, done, players)


@dataclass(frozen=True)
class _Traversing:
    """Traverses a chunk of deals: nodes, values of all declarations, the strategy's mixes."""

    abstraction: Abstraction
    share: Floats
    game: Game
    policy: Policy
    purpose: Purpose
    seed: int

    def __call__(self, number: int) -> tuple[Any, Any, Any]:
        log = new_log(self.abstraction, CHUNK, 0)
        train_declarations(
            number * CHUNK,
            CHUNK,
            STEADY,
            self.share,
            self.game,
            self.policy,
            new_table(),
            log,
            stream(self.purpose, self.seed, number),
        )
        seen = int(log.counts[NODES])
        return log.nodes[:seen].copy(), log.values[:seen].copy(), log.node_mix[:seen].copy()


def _advantages(nodes: Ints, values: Floats, mixes: Floats) -> Floats:
    """What each declaration is worth more than the strategy's mix; 0 where it is not legal."""
    gaps = values - (mixes * values).sum(axis=1, keepdims=True)
    return np.where(_legal(nodes, values.shape[1]), gaps, 0.0)


def _legal(nodes: Ints, width: int) -> NDArray[np.bool_]:
    return np.asarray(nodes[:, 2:3] >> np.arange(width) & 1, np.bool_)


def _best(estimates: Floats, nodes: Ints) -> tuple[Ints, Floats]:
    """The best legal declaration of each node, and its estimate."""
    believed = np.where(_legal(nodes, estimates.shape[1]), estimates, -np.inf)
    return believed.argmax(axis=1), believed.max(axis=1)
