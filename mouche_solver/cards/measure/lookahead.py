"""A local best response [1]_ in the play, measured against the strategy on the same deals.

See docs/decisions/0017: the gain is a lower bound on how far a strategy can be beaten.

References
----------
.. [1] Lisy and Bowling, Equilibrium approximation quality of current no-limit poker bots, AAAI
   Workshop on Computer Poker and Imperfect Information Games, 2017: local best response.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np

from mouche_solver.cards.kernels.records import Game, Policy
from mouche_solver.cards.measure.best_response import (
    DeclarationResponse,
    Measured,
    in_rounds,
    measured,
)
from mouche_solver.cards.measure.kernels_best_response import Cells
from mouche_solver.cards.measure.kernels_look import CHOICES, DEVIATIONS, GUESSES, Look
from mouche_solver.cards.measure.kernels_lookahead import duplicate_local
from mouche_solver.cards.rules.objective import per_chip
from mouche_solver.cards.strategy.compile import new_table
from mouche_solver.cards.strategy.strategy import CardStrategy
from mouche_solver.core.chunks import Crew
from mouche_solver.core.statistics import mean_margin
from mouche_solver.core.streams import Purpose, stream

CHUNK = 16  # deals that share one random stream
ROUND = 16  # chunks between two looks at the clock


NOWHERE = Cells(*np.zeros((2, 0), np.int64), *np.zeros((2, 0, 1), np.int32))  # no level


@dataclass(frozen=True)
class Deviation:
    """Where the play first leaves the strategy, and what comes of it.

    Attributes
    ----------
    seat, trick : int
        Tricks count from 1.
    leads : bool
    share : float
        How often it happens in the seat's deals.
    gain, margin : float
        Pots a deal that the seat gains by it, and half its 95% interval.
    """

    seat: int
    trick: int
    leads: bool
    share: float
    gain: float
    margin: float


@dataclass(frozen=True)
class LocalResponse:
    """What a player gains who looks one card ahead.

    Attributes
    ----------
    measured : Measured
    deviations : tuple of Deviation
        In deals declared as the strategy does; the largest gains first.
    choices, deviating, guesses : float
        Choices between cards, deviations and guesses of all hands, for each deal and seat.
    """

    measured: Measured
    deviations: tuple[Deviation, ...]
    choices: float
    deviating: float
    guesses: float


def local_response(
    strategy: CardStrategy,
    deals: int,
    most: int = 512,
    seed: int = 0,
    threads: int | Crew = 1,
    seconds: float = float("inf"),
    response: DeclarationResponse | None = None,
) -> LocalResponse:
    """Measure a player who looks ahead in the play.

    Parameters
    ----------
    strategy : CardStrategy
    deals : int
        Each played in every seat; rounded up to whole rounds of 256.
    most : int
        Guesses of the hidden cards for each choice.
    seed : int
    threads : int or Crew
        Results do not depend on it.
    seconds : float
        No round but the first begins later than this.
    response : DeclarationResponse, optional
        He declares by it; without one by the strategy.

    Examples
    --------
    >>> from mouche_solver.cards import CardRules
    >>> from mouche_solver.cards.strategy.levels import Abstraction
    >>> from mouche_solver.cards.train.trainer import Batch, CardTrainer
    >>> rules = CardRules(players=2, ranks="K Q J A", suits="C D", hand_size=3, reshuffle=False)
    >>> trainer = CardTrainer(Abstraction(rules), batch=Batch(8, 8, 1, 64))
    >>> trainer.train_round()
    >>> found = local_response(trainer.strategy(), 1024, most=64)
    >>> found.measured.gain.low > 0
    True
    """
    players, size = strategy.rules.players, strategy.rules.hand_size
    share = per_chip(strategy.training.seat_shares)

    cells, gains = NOWHERE, np.zeros((1, 2), np.float32)
    if response is not None:
        cells, gains = response.levels.cells, response.estimates
    job = _Looking(share, strategy.game, strategy.policy, cells, gains, most, seed)
    sums, more, number = in_rounds(job, deals, CHUNK, ROUND, seconds, threads)
    changes, counts = more[:-3].reshape(players, size, 2, 3), more[-3:] / (number * players)
    return LocalResponse(
        measured=measured(sums, number, players),
        deviations=_deviations(changes, number),
        choices=float(counts[CHOICES]),
        deviating=float(counts[DEVIATIONS]),
        guesses=float(counts[GUESSES]),
    )


@dataclass(frozen=True)
class _Looking:
    """Plays a chunk of deals with and without looking ahead; sums, deviations and counts."""

    share: Any
    game: Game
    policy: Policy
    cells: Cells
    gains: Any
    most: int
    seed: int

    def __call__(self, number: int) -> tuple[Any, Any]:
        players, size = int(self.game["players"]), int(self.game["hand_size"])
        sums = np.zeros(2 + 2 * players)
        changes, counts = np.zeros((players, 2 * size, 3)), np.zeros(3, np.int64)
        dice = stream(Purpose.CARD_LOOK_GUESSES, self.seed, number)
        look = Look(self.most, new_table(), dice, counts, changes)
        duplicate_local(
            CHUNK,
            self.share,
            self.game,
            self.policy,
            self.cells,
            self.gains,
            new_table(),
            stream(Purpose.CARD_LOOK_DEALS, self.seed, number),
            look,
            sums,
        )
        return sums, np.concatenate([changes.ravel(), counts])


def _deviations(table: Any, deals: int) -> tuple[Deviation, ...]:
    found = []
    for seat, trick, follows in zip(*np.nonzero(table[..., 0]), strict=True):
        number, total, squares = table[seat, trick, follows].tolist()
        gain, margin = mean_margin(total, squares, deals)
        found.append(
            Deviation(int(seat), int(trick) + 1, follows == 0, number / deals, gain, margin)
        )
    return tuple(sorted(found, key=lambda deviation: -deviation.gain))
