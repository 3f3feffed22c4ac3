"""Training of card strategies by external sampling [1]_; see docs/decisions/0010.

Regrets are weighted linearly, averages quadratically [2]_. No guarantee comes with three or more
players or with a finer abstraction [3]_: what a strategy is worth must be measured.

References
----------
.. [1] Lanctot, Waugh, Zinkevich and Bowling, Monte Carlo sampling for regret minimization in
   extensive games, NeurIPS 22, 2009: external sampling.
.. [2] Brown and Sandholm, Solving imperfect-information games via discounted regret minimization,
   AAAI 33, 2019: regrets weighted linearly, averages quadratically.
.. [3] Waugh, Schnizlein, Bowling and Szafron, Abstraction pathologies in extensive games, AAMAS
   8, 2009: a finer abstraction need not play better; what a strategy is worth is measured.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np

from mouche_solver.cards.kernels.lookup import SHARDS
from mouche_solver.cards.kernels.records import Policy
from mouche_solver.cards.rules.objective import FIXED_POINT, Continuation, Shares, objective
from mouche_solver.cards.strategy.compile import (
    compile_game,
    compile_policy,
    new_table,
)
from mouche_solver.cards.strategy.levels import Abstraction
from mouche_solver.cards.strategy.results import Tables, Training
from mouche_solver.cards.strategy.strategy import CardStrategy
from mouche_solver.cards.train import kernels as update
from mouche_solver.cards.train.kernels import (
    NODES,
    VISITS,
    Log,
    Tremble,
    train_declarations,
    train_play,
)
from mouche_solver.core.checks import check_seed, plain, whole
from mouche_solver.core.chunks import Workers
from mouche_solver.core.memory import available_memory, human
from mouche_solver.core.streams import Purpose, stream
from mouche_solver.errors import RulesError, TooLargeError

# Regrets are weighted linearly. Averages that forget the noisy beginning faster were better by
# 4.3 +- 0.6 mP a deal after half a million deals with three players.
AVERAGE_POWER = 2

# Nodes of the play that a deal may log on average; what goes beyond in one chunk is dropped.
NODES_PER_DEAL = 160


@dataclass(frozen=True)
class Batch:
    """How a round is cut; results depend on it, not on the number of threads.

    Parameters
    ----------
    declarations, plays : int
        Deals that train the declarations and the play, for each chunk.
    chunks : int
        Chunks of each kind.
    slots : int
        Information sets of the play that fit, a power of two of at least 64.
    """

    declarations: int = 1024
    plays: int = 1024
    chunks: int = 8
    slots: int = 1 << 21

    def __post_init__(self) -> None:
        for name, value in vars(self).items():
            object.__setattr__(self, name, plain(value))
        if min(self.declarations, self.plays, self.chunks) < 1:
            raise RulesError("a round needs at least one deal of each kind and one chunk")
        if self.slots < 64 or self.slots & (self.slots - 1):
            raise RulesError(f"slots={self.slots}: a power of two of at least 64 is needed")


USUAL = Batch()
STEADY = Tremble(0.0, 0.0, False)
MOST_TREMBLE = 0.5


def memory_need(abstraction: Abstraction, batch: Batch = USUAL) -> int:
    """Bytes that training takes, logs not counted."""
    width, size = len(abstraction.actions), abstraction.rules.hand_size
    return sum(abstraction.cells) * 4 * (2 * width + 3) + batch.slots * (8 + 4 * (2 * size + 3))


class CardTrainer:
    """External-sampling regret minimisation for declarations and play together.

    Parameters
    ----------
    abstraction : Abstraction
    continuation : "fixed-point", "none" or shares
        What a chip of debt is worth. Mushka has no pot: its points are solved whatever is said.
    seed : int
    threads : int
        The result does not depend on it.
    batch : Batch
    pot : int, optional
        Chips in the pot; matters only under a cap or with a Pamphile that pays a chip.
    tremble : Tremble
        How the others explore.

    Attributes
    ----------
    round : int
        Rounds done.
    declared, played : int
        Deals that trained the declarations and the play.
    shares : Shares
        Shares of the next pot, and mean payoffs.
    dropped : int
        Nodes of the play that a full log or table could not take.

    Raises
    ------
    TooLargeError
        When the tables do not fit into memory.

    Examples
    --------
    >>> from mouche_solver.cards import CardRules
    >>> rules = CardRules(players=2, ranks="K Q J", suits="C D", hand_size=2, reshuffle=False)
    >>> trainer = CardTrainer(Abstraction(rules), batch=Batch(64, 64, 2, 64), threads=1)
    >>> trainer.train_round()
    >>> trainer.round, trainer.declared
    (1, 128)
    """

    def __init__(
        self,
        abstraction: Abstraction,
        continuation: Continuation = FIXED_POINT,
        seed: int = 0,
        threads: int = 1,
        batch: Batch = USUAL,
        pot: int | None = None,
        tremble: Tremble = STEADY,
    ) -> None:
        pot = None if pot is None else whole("pot", pot)
        self.abstraction, self.batch, self.pot = abstraction, batch, pot
        self.tremble = _checked(tremble)
        self.seed, self._workers = check_seed(seed), Workers(threads)
        continuation = objective(abstraction.rules, continuation)
        self.shares = Shares(abstraction.rules.players, continuation)
        self._check_memory()
        self.game = compile_game(abstraction, pot)
        cells, width = sum(abstraction.cells), len(abstraction.actions)
        self.declarations = _memory(cells, width)
        self.play = _memory(batch.slots, abstraction.rules.hand_size)
        self.keys = np.zeros(batch.slots, np.uint64)
        self.used = np.zeros(SHARDS, np.int64)
        self.round = self.declared = self.played = 0
        self._policy = compile_policy(
            abstraction,
            self.declarations.regret,
            self.declarations.visits,
            self.keys,
            self.play.regret,
            abstraction.learning_priors,
        )
        chunks = range(batch.chunks)
        self._tables = [new_table() for _ in range(2 * batch.chunks)]
        self._said = [new_log(abstraction, batch.declarations, 0) for _ in chunks]
        self._tricks = [new_log(abstraction, 0, batch.plays) for _ in chunks]
        self.dropped = 0

    def _check_memory(self) -> None:
        need, free = memory_need(self.abstraction, self.batch), available_memory()
        if free is not None and need > 0.9 * free:
            raise TooLargeError(
                f"the tables need {human(need)}, {human(free)} are free; take coarser levels "
                "(declarations coarse or hands) or fewer slots"
            )

    @property
    def deals(self) -> int:
        """Deals that trained declarations or play."""
        return self.declared + self.played

    @property
    def counts(self) -> dict[str, int]:
        """What :meth:`restore` takes."""
        return {
            "round": self.round,
            "declared": self.declared,
            "played": self.played,
            "dropped": self.dropped,
        }

    def state(self) -> dict[str, Any]:
        """The arrays that training changes; they are not copied."""
        arrays = {"keys": self.keys, "used": self.used, "shares": self.shares.values}
        arrays["totals"] = self.shares.totals
        for name, memory in (("said", self.declarations), ("play", self.play)):
            arrays |= {f"{name}_{key}": array for key, array in memory._asdict().items()}
        return arrays

    def restore(self, counts: dict[str, int]) -> None:
        """Take the counts of an earlier run, whose arrays were written into :meth:`state`."""
        self.round, self.declared = counts["round"], counts["declared"]
        self.played, self.dropped = counts["played"], counts["dropped"]

    @property
    def information_sets(self) -> int:
        """Cells of the declarations and sets of the play that were met."""
        met = int(np.count_nonzero(self.declarations.visits))
        return met + int(self.used.sum())

    def policy(self) -> Policy:
        """The strategy that the next round plays; it shares the trainer's arrays."""
        return self._policy

    def average(self) -> Policy:
        """The average strategy, a copy; regrets decide where it was never sampled."""
        return compile_policy(
            self.abstraction,
            _average(self.declarations),
            self.declarations.visits.copy(),
            self.keys.copy(),
            _average(self.play),
            self.abstraction.priors,
        )

    def strategy(self, seconds: float = 0.0) -> CardStrategy:
        """The average strategy, as it is now.

        Parameters
        ----------
        seconds : float
            What the training took, kept with the strategy.
        """
        policy, shares = self.average(), self.shares
        tables = Tables(
            probability=policy.table,
            value=_values(self.declarations),
            visits=policy.visits,
            keys=policy.keys,
            play_probability=policy.play,
            play_value=_values(self.play),
            play_visits=self.play.visits.copy(),
        )
        training = Training(
            continuation=shares.name,
            seat_shares=tuple(shares.values.tolist()),
            mouches=shares.debts,
            declared=self.declared,
            played=self.played,
            rounds=self.round,
            seed=self.seed,
            seconds=seconds,
            pot=self.pot,
        )
        return CardStrategy(self.abstraction, tables, training)

    def train_round(self) -> None:
        """Sample one round and learn from it."""
        chunks = range(self.batch.chunks)
        self._together(
            [partial(self._sample_play, chunk) for chunk in chunks]
            + [partial(self._sample_declarations, chunk) for chunk in chunks]
        )
        self.round += 1
        self._together(
            [partial(self._learn_play, shard) for shard in range(SHARDS)]
            + [partial(self._learn_level, n) for n in range(len(self.abstraction.levels))]
        )
        totals = np.sum([log.totals for log in self._said], axis=0)
        self.shares.add(totals, self.weight)
        self.declared += self.batch.declarations * self.batch.chunks
        self.played += self.batch.plays * self.batch.chunks
        self.dropped += sum(_dropped(log) for log in self._tricks)

    @property
    def weight(self) -> float:
        """What the last round counts for regrets, values and shares."""
        return float(self.round)

    @property
    def average_weight(self) -> float:
        """What the last round counts for the average strategy."""
        return float(self.round**AVERAGE_POWER)

    def _together(self, jobs: Sequence[Callable[[], None]]) -> None:
        self._workers.map(lambda job: job(), jobs)

    def _sample_declarations(self, chunk: int) -> None:
        log, deals = self._said[chunk], self.batch.declarations
        log.counts[:] = 0
        log.totals[:] = 0.0
        random = stream(Purpose.CARD_DECLARATIONS, self.seed, self.round, chunk)
        train_declarations(
            chunk * deals,
            deals,
            self.tremble,
            self.shares.per_chip,
            self.game,
            self._policy,
            self._tables[chunk],
            log,
            random,
        )

    def _sample_play(self, chunk: int) -> None:
        log = self._tricks[chunk]
        log.counts[:] = 0
        random = stream(Purpose.CARD_PLAY, self.seed, self.round, chunk)
        train_play(
            self.batch.plays,
            self.tremble,
            self.shares.per_chip,
            self.game,
            self._policy,
            self._tables[self.batch.chunks + chunk],
            log,
            random,
        )

    def _learn_level(self, level: int) -> None:
        known = self._policy, self.declarations
        for log in self._said:
            update.average_declarations(level, *known, log, self.average_weight)
            update.learn_declarations(level, *known, log, self.weight)

    def _learn_play(self, shard: int) -> None:
        known = self.keys, self.used, self.play
        for log in self._tricks:
            update.average_play(shard, *known, log, self.average_weight)
            update.learn_play(shard, *known, log, self.weight)

    def close(self) -> None:
        """End the threads."""
        self._workers.close()


def explore(declarations: float = 0.0, cards: float = 0.0, weighted: bool = False) -> Tremble:
    """How the others explore while training.

    Parameters
    ----------
    declarations : float
        Share of random declarations of the seats before the one that learns.
    cards : float
        Share of random cards of the others.
    weighted : bool
        Whether deals count as often as they happen without random declarations.

    Raises
    ------
    RulesError
        For shares outside 0 to 0.5.
    """
    return _checked(Tremble(declarations, cards, weighted))


def _checked(tremble: Tremble) -> Tremble:
    for name in ("declarations", "cards"):
        if not 0.0 <= getattr(tremble, name) <= MOST_TREMBLE:
            raise RulesError(
                f"tremble {name}={getattr(tremble, name)}: a share from 0 to {MOST_TREMBLE} is "
                "needed"
            )
    return Tremble(float(tremble.declarations), float(tremble.cards), bool(tremble.weighted))


def new_log(abstraction: Abstraction, declarations: int, plays: int) -> Log:
    """A log for so many traversed declarations, or so many played deals."""
    players, width = abstraction.rules.players, len(abstraction.actions)
    nodes, visits = declarations, declarations * (players - 1) * (width + 1)
    if plays:
        nodes = visits = plays * NODES_PER_DEAL
        width = abstraction.rules.hand_size
    return Log(
        counts=np.zeros(3, np.int64),
        nodes=np.zeros((nodes, 3), np.int64),
        values=np.zeros((nodes, width), np.float32),
        node_mix=np.zeros((nodes, width), np.float32),
        node_weight=np.ones(nodes),
        visits=np.zeros((visits, 3), np.int64),
        visit_mix=np.zeros((visits, width), np.float32),
        totals=np.zeros(players + 2),
    )


def _memory(rows: int, width: int) -> update.Memory:
    wide = (rows, width)
    return update.Memory(
        regret=np.zeros(wide, np.float32),
        average=np.zeros(wide, np.float32),
        value=np.zeros(rows, np.float32),
        weight=np.zeros(rows, np.float32),
        visits=np.zeros(rows, np.float32),
    )


def _average(memory: update.Memory) -> Any:
    rows = memory.average.copy()
    never = ~rows.any(axis=1)
    rows[never] = memory.regret[never].clip(min=0.0)
    rows /= np.maximum(rows.sum(axis=1, keepdims=True), np.float32(1e-30))
    return rows


def _values(memory: update.Memory) -> Any:
    """Values of actions: that of the node and the mean advantage of each action."""
    return memory.value[:, None] + memory.regret


def _dropped(log: Log) -> int:
    nodes, visits = int(log.counts[NODES]), int(log.counts[VISITS])
    return max(0, visits - len(log.visits)) + max(0, nodes - len(log.nodes))
