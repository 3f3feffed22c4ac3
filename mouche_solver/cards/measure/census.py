"""Sampled deals with one strategy in all seats: what became of every hand."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mouche_solver.cards.measure.kernels_census import DealsLog, StandsLog, log_deals, log_stands
from mouche_solver.cards.measure.tournament import CHUNK
from mouche_solver.cards.rules.objective import per_chip
from mouche_solver.cards.strategy.compile import new_table
from mouche_solver.cards.strategy.strategy import CardStrategy
from mouche_solver.core.chunks import Workers, chunk_count
from mouche_solver.core.streams import Purpose, stream

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]

MOST_DEALS = 4_000_000  # a gigabyte with six players


@dataclass(frozen=True)
class Census:
    """What happened in sampled deals.

    Attributes
    ----------
    strategy : CardStrategy
        Played in all seats.
    context : int64 array, shape (deals,)
        Which of the strategy's contexts: the turn-up and trumps that name the hands.
    dealt, held : int64 arrays, shape (deals, players)
        Bit masks of the hands as dealt, and after all declarations; 0 for a hand laid aside.
    said : int64 array, shape (deals, players)
        -1 for a pass, 0 for standing, else the number of cards exchanged; -2 for a dealer whom
        nobody asks because all have passed.
    tricks : int64 array, shape (deals, players)
        Tricks taken, -1 where a player was not in or nothing was played.
    chips : float64 array, shape (deals, players)
        In pots, one's own debt taken off.
    debts : float64 array, shape (deals,)
        In pots, what is carried into the next one.
    """

    strategy: CardStrategy
    context: Ints
    dealt: Ints
    held: Ints
    said: Ints
    tricks: Ints
    chips: Floats
    debts: Floats

    @cached_property
    def inside(self) -> Ints:
        """How many declared to be in, in each deal."""
        return np.asarray((self.said >= 0).sum(axis=1), np.int64)

    @cached_property
    def values(self) -> Floats:
        """What each seat gets, its share of the debts in the next pot included; as ``chips``."""
        worth = per_chip(self.strategy.training.seat_shares)
        return np.asarray(self.chips + self.debts[:, None] * worth)

    @cached_property
    def shares(self) -> Floats:
        """What each seat gets in the long run of one chip in the pot; adds up to one."""
        chips, equal = self.chips.mean(axis=0), 1 / self.chips.shape[1]
        above = np.linalg.solve(self._system, chips - (1 - self.debts.mean()) * equal)
        return np.asarray(equal + above)

    @cached_property
    def share_errors(self) -> Floats:
        """Standard errors of :attr:`shares`, which are nearly linear in chips and debts."""
        missing = self.chips + self.debts[:, None] * per_chip(self.shares) - self.shares
        spread = np.linalg.solve(self._system, missing.T).std(axis=1, ddof=1)
        return np.asarray(spread / np.sqrt(len(self.debts)))

    @property
    def _system(self) -> Floats:
        """Shares above an equal one, which add up to zero, to chips above what is due to them.

        The constant added touches no such vector; without it a mean debt of one pot is singular.
        """
        players = self.chips.shape[1]
        next_seat = np.roll(np.eye(players), -1, axis=1)  # row i picks the share of seat i - 1
        return np.asarray(np.eye(players) - self.debts.mean() * next_seat + 1 / players)


@dataclass(frozen=True)
class Stands:
    """Stands without a mouche in sampled deals, and what exchanges that nobody sees gain.

    Attributes
    ----------
    strategy : CardStrategy
    context, seat, hand, deal : int64 arrays, shape (stands,)
        The context, the seat, the bit mask of the hand and the number of the deal.
    gain : float64 array, shape (stands, max_exchange)
        In pots, with 1, 2, ... cards exchanged; NaN where so many cannot be drawn or the draw
        makes a mouche.
    deals : int
        Deals sampled.
    """

    strategy: CardStrategy
    context: Ints
    seat: Ints
    hand: Ints
    deal: Ints
    gain: Floats
    deals: int


def take_census(
    strategy: CardStrategy, deals: int = 100_000, seed: int = 0, threads: int = 1
) -> Census:
    """Play deals with the strategy in all seats.

    Parameters
    ----------
    strategy : CardStrategy
    deals : int
        Rounded up to whole chunks of 4096.
    seed, threads : int
        The result does not depend on the threads.

    Raises
    ------
    RulesError
        When ``deals`` is out of range.

    Examples
    --------
    >>> from mouche_solver.cards import Abstraction, CardRules, CardTrainer
    >>> from mouche_solver.cards.train.trainer import Batch
    >>> rules = CardRules(players=2, ranks="K Q J", suits="C D", hand_size=2, reshuffle=False)
    >>> trainer = CardTrainer(Abstraction(rules), batch=Batch(64, 64, 2, 64))
    >>> trainer.train_round()
    >>> census = take_census(trainer.strategy(), deals=4096)
    >>> census.dealt.shape, round(float(census.shares.sum()), 6)
    ((4096, 2), 1.0)
    """
    count = _chunk_count(deals)
    players = strategy.rules.players
    log = DealsLog(
        context=np.zeros(count * CHUNK, np.int64),
        dealt=np.zeros((count * CHUNK, players), np.int64),
        held=np.zeros((count * CHUNK, players), np.int64),
        said=np.zeros((count * CHUNK, players), np.int64),
        tricks=np.zeros((count * CHUNK, players), np.int64),
        chips=np.zeros((count * CHUNK, players)),
        debts=np.zeros(count * CHUNK),
    )

    def job(first: int, stream: Any) -> None:
        table = new_table()
        log_deals(first, first + CHUNK, strategy.policy, strategy.game, table, stream, log)

    _run(job, count, seed, threads)
    return Census(strategy, *log)


def try_unseen_exchanges(
    strategy: CardStrategy, deals: int = 100_000, seed: int = 0, threads: int = 1
) -> Stands:
    """Play every stand of sampled deals again, with cards exchanged that nobody sees.

    The others' cards, the order of the stock and everybody's luck stay the same, and the others go
    on as after a stand. The cards that the rule for laying down values least are exchanged.

    Parameters
    ----------
    strategy, deals, seed, threads
        As in :func:`take_census`; the deals are the same.

    Raises
    ------
    RulesError
        When ``deals`` is out of range.
    """
    count, rules = _chunk_count(deals), strategy.rules
    worth = per_chip(strategy.training.seat_shares)

    def job(first: int, stream: Any) -> StandsLog:
        most = CHUNK * rules.players
        numbers = [np.zeros(most, np.int64) for _ in range(4)]
        gain = np.full((most, max(rules.max_exchange, 1)), np.nan)
        log = StandsLog(numbers[0], numbers[1], numbers[2], numbers[3], gain)
        stop = first + CHUNK
        found = log_stands(
            first, stop, strategy.policy, worth, strategy.game, new_table(), stream, log
        )
        return StandsLog._make(part[:found].copy() for part in log)

    parts = _run(job, count, seed, threads)
    merged = StandsLog._make(np.concatenate(part) for part in zip(*parts, strict=True))
    return Stands(strategy, *merged, count * CHUNK)


def _chunk_count(deals: int) -> int:
    return chunk_count(deals, CHUNK, MOST_DEALS)


def _run(job: Callable[[int, Any], Any], count: int, seed: int, threads: int) -> list[Any]:
    """Chunks of deals, each with its own random stream, as tournaments number them."""
    streams = [stream(Purpose.CARD_DEALS, seed, chunk) for chunk in range(count)]
    with Workers(threads) as workers:
        return workers.map(job, range(0, count * CHUNK, CHUNK), streams)
