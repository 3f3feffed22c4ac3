"""Trained card strategies with DataFrames and files: what a notebook works on."""

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, NamedTuple

from mouche_solver.cards.rules.objective import FIXED_POINT, Continuation
from mouche_solver.cards.rules.rules import CardRules
from mouche_solver.cards.strategy.charts import ExchangeChart, exchange_chart
from mouche_solver.cards.strategy.levels import usual_abstraction
from mouche_solver.cards.strategy.situation import Declared
from mouche_solver.cards.strategy.strategy import CardStrategy
from mouche_solver.cards.train.loop import Step, run_training
from mouche_solver.cards.train.pots import PotStrategies, PotTrainer
from mouche_solver.cards.train.trainer import CardTrainer
from mouche_solver.core.checks import check_int, check_threads, whole
from mouche_solver.core.chunks import default_threads
from mouche_solver.storage.cards.pots import save_pots
from mouche_solver.storage.cards.strategies import embedded_strategy, save_strategy
from mouche_solver.storage.tensors import PathLike

if TYPE_CHECKING:
    import pandas as pd


USUAL_DEALS = 500_000


class KnownGain(NamedTuple):
    """What is known of a card strategy's quality: a lower bound, not an upper one.

    Attributes
    ----------
    gain : float
        What the best challenger found gains against it, in pots a deal (points in Mushka).
    margin : float
        Half the width of the 95% interval.
    challenger : str
    """

    gain: float
    margin: float
    challenger: str


class CardSolution(CardStrategy):
    """A trained strategy with DataFrames; see :class:`mouche_solver.cards.CardStrategy`.

    Examples
    --------
    >>> rules = CardRules(players=2, ranks="K Q J", suits="C D", hand_size=2)
    >>> solution = solve_cards(rules, deals=1000)
    >>> list(solution.frame().columns)[:3], solution.quality is None
    (['weight', 'pass', 'stand'], True)
    """

    @classmethod
    def of(cls, strategy: CardStrategy) -> "CardSolution":
        """The same strategy with DataFrames."""
        return cls(strategy.abstraction, strategy.tables, strategy.training)

    @property
    def quality(self) -> KnownGain | None:
        """What the best challenger found gains; None where nobody has challenged it."""
        known = self.training
        if known.known_gain is None or known.known_margin is None:
            return None
        return KnownGain(known.known_gain, known.known_margin, known.known_by)

    def frame(
        self, declared: Sequence[Declared] | None = None, seat: int | None = None
    ) -> "pd.DataFrame":
        """What a seat declares with every class of hands.

        Parameters
        ----------
        declared : sequence of "pass", "stand" or int, optional
            What the seats before have said; that all have passed when left out.
        seat : int, optional
            The seat that declares next when left out.

        Returns
        -------
        DataFrame
            As :func:`mouche_solver.analysis.exchange_frame`.

        Raises
        ------
        IllegalMoveError
            When the rules do not lead to such a situation.
        """
        return exchange_frame(exchange_chart(self, seat, declared))

    def save(self, path: PathLike) -> None:
        """Write the strategy to a file that :func:`mouche_solver.load` opens.

        Raises
        ------
        StorageError
            When it cannot be written; an older file is then untouched.
        """
        save_strategy(self, path)


class CardPots(PotStrategies):
    """Strategies for several pots; see :class:`mouche_solver.cards.train.pots.PotStrategies`."""

    @classmethod
    def of(cls, found: PotStrategies) -> "CardPots":
        """The same strategies, which save themselves."""
        return cls(found.strategies, found.values)

    def save(self, path: PathLike) -> None:
        """Write the strategies of all pots to a file that :func:`mouche_solver.load` opens.

        Raises
        ------
        StorageError
            When it cannot be written; an older file is then untouched.
        """
        save_pots(self, path)


def solve_cards(
    rules: CardRules | None = None,
    *,
    deals: int | None = None,
    seconds: float | None = None,
    continuation: Continuation = FIXED_POINT,
    pot: int | None = None,
    seed: int = 1,
    threads: int | None = None,
    report: Callable[[Step], None] | None = None,
) -> CardSolution:
    """Train a strategy of Card Mouche for declarations and play by external-sampling MCCFR [1]_.

    Parameters
    ----------
    rules : CardRules, optional
        Four players with 36 cards by default.
    deals : int, optional
        Stop after so many deals, half of them for the play; half a million without any limit.
    seconds : float, optional
        Stop after this time; the strategy then depends on the machine.
    continuation : "fixed-point", "none" or shares
        What a chip of debt is worth.
    pot : int, optional
        Chips in the pot, where a cap or the Pamphile's chip makes them matter.
    seed : int
        Equal seeds and deals give equal strategies.
    threads : int, optional
        All processors by default; the result does not depend on it.
    report : callable, optional
        Receives :class:`mouche_solver.cards.train.loop.Step` events.

    Returns
    -------
    CardSolution
        Also after Ctrl-C, as good as it then is.

    Raises
    ------
    RulesError
        When rules or limits are not possible.
    TooLargeError
        When training does not fit into memory.

    References
    ----------
    .. [1] M. Lanctot, K. Waugh, M. Zinkevich, M. Bowling, "Monte Carlo Sampling for Regret
       Minimization in Extensive Games", NeurIPS 2009.

    Examples
    --------
    >>> rules = CardRules(players=2, ranks="K Q J", suits="C D", hand_size=2)
    >>> solution = solve_cards(rules, deals=1000, threads=1)
    >>> solution.rules.players, solution.training.seed
    (2, 1)
    """
    if deals is None and seconds is None:
        deals = USUAL_DEALS
    if pot is not None:
        pot = check_int("pot", pot, 1, 10**9)
    workers = default_threads() if threads is None else check_threads(threads)
    abstraction = usual_abstraction(CardRules() if rules is None else rules)
    trainer = CardTrainer(abstraction, continuation, seed, threads=workers, pot=pot)
    try:
        ended = run_training(trainer, seconds, deals, report)
        return CardSolution.of(trainer.strategy(ended.seconds))
    finally:
        trainer.close()


def solve_pots(
    rules: CardRules,
    pots: Sequence[int],
    *,
    deals: int | None = None,
    seconds: float | None = None,
    continuation: Continuation = FIXED_POINT,
    seed: int = 1,
    threads: int | None = None,
) -> CardPots:
    """Train strategies for several pots together; the parameters of :func:`solve_cards`.

    Parameters
    ----------
    rules : CardRules
        Under which a deal does not scale with the pot.
    pots : sequence of int
        Chips, two or more sizes from small to large.
    deals, seconds, continuation, seed, threads
        As in :func:`solve_cards`.

    Raises
    ------
    RulesError
        Under Mushka, which has no pot, or for pots that do not increase.
    """
    if deals is None and seconds is None:
        deals = USUAL_DEALS
    workers = default_threads() if threads is None else check_threads(threads)
    trainer = PotTrainer(usual_abstraction(rules), pots, continuation, seed, workers)
    try:
        ended = run_training(trainer, seconds, deals)
        return CardPots.of(trainer.strategies(ended.seconds))
    finally:
        trainer.close()


def exchange_frame(chart: ExchangeChart) -> "pd.DataFrame":
    """An exchange chart as a table.

    Parameters
    ----------
    chart : ExchangeChart

    Returns
    -------
    DataFrame
        One row for each class of hand, indexed by ``trumps``, ``best``, ``kings``, ``queens`` and
        ``longest``; columns ``weight``, the declarations, ``value`` with its ``error``,
        ``visits`` and ``histories`` (see :class:`mouche_solver.cards.ExchangeChart`), ``laid`` and
        ``laid_share``.

    Examples
    --------
    >>> from mouche_solver.cards import Abstraction, CardRules, CardStrategy, CardTrainer
    >>> from mouche_solver.cards import exchange_chart
    >>> from mouche_solver.cards.train.trainer import Batch
    >>> rules = CardRules(players=2, ranks="K Q J", suits="C D", hand_size=2, reshuffle=False)
    >>> trainer = CardTrainer(Abstraction(rules), batch=Batch(64, 64, 2, 64))
    >>> trainer.train_round()
    >>> frame = exchange_frame(exchange_chart(trainer.strategy(), seat=0))
    >>> frame.shape
    (10, 11)
    """
    import pandas as pd

    frame = pd.DataFrame(chart.rows())
    numbers = ["weight", *chart.actions, "value", "error", "laid_share"]
    frame = frame.astype(dict.fromkeys(numbers, "float64"))
    return frame.set_index(["trumps", "best", "kings", "queens", "longest"])


def card_strategy(
    rules: CardRules | None = None, deals: int = 500_000, seed: int = 0, threads: int = 1
) -> CardSolution:
    """The strategy that the package ships for these rules, else one trained on ``deals`` deals.

    Parameters
    ----------
    rules : CardRules, optional
        Four players with 36 cards by default.
    deals : int
        Deals that train a strategy that is not shipped, some tens of thousands a second.
    seed, threads : int
        Of the training.

    Returns
    -------
    CardSolution

    Raises
    ------
    RulesError
        For rules that strategies are not made for, or no deals.
    TooLargeError
        When training does not fit into memory.

    Examples
    --------
    >>> from mouche_solver.cards import CardRules
    >>> card_strategy(CardRules(players=3)).rules.pack.size
    28
    """
    rules = CardRules() if rules is None else rules
    found = embedded_strategy(rules)
    return train_cards(rules, deals, seed, threads) if found is None else CardSolution.of(found)


def train_cards(rules: CardRules, deals: int, seed: int = 0, threads: int = 1) -> CardSolution:
    """Train a strategy, shipped or not; parameters of :func:`card_strategy`."""
    return solve_cards(rules, deals=whole("deals", deals), seed=seed, threads=threads)
