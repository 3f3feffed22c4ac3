"""A solve whose holders may die: everything goes back to the last checkpoint and is repeated."""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TypeVar

from mouche_solver.cluster.holder import HolderLost, RayHolder
from mouche_solver.core.minimisers import DEFAULT_TREMBLE
from mouche_solver.core.quality import Quality
from mouche_solver.dice.round.solve import DEFAULT_ALGORITHM, RoundSolver
from mouche_solver.dice.rules.rules import DiceRules
from mouche_solver.dice.sweep.holders import Plan
from mouche_solver.errors import ClusterError
from mouche_solver.storage.dice.shards import (
    ShardHeader,
    drop_shards,
    latest_shards,
    load_shard,
    save_shard,
)

T = TypeVar("T")

# Losses without one more iteration in between: something is wrong beyond bad luck.
_MOST_LOSSES = 5


class ClusterSolver(RoundSolver):
    """A solver whose entries lie with Ray actors; the trunk lies here.

    Parameters
    ----------
    rules, algorithm, threads, tremble
        Of :class:`mouche_solver.dice.round.solve.RoundSolver`; threads are those of passes here.
    hold : callable
        Starts the holders; see :meth:`mouche_solver.cluster.start.Cluster.hold`.
    say : callable
        Receives one line for people about every loss.
    """

    def __init__(
        self,
        rules: DiceRules,
        hold: Callable[[Plan], Sequence[RayHolder]],
        algorithm: str = DEFAULT_ALGORITHM,
        tremble: float = DEFAULT_TREMBLE,
        say: Callable[[str], None] = lambda text: None,
    ) -> None:
        self._holders: Sequence[RayHolder] = ()

        def held(plan: Plan) -> Sequence[RayHolder]:
            self._holders = hold(plan)
            return self._holders

        super().__init__(rules, algorithm, 1, tremble, held)
        self._say = say
        self._kept: tuple[Path, ShardHeader] | None = None

    def iterate(self) -> None:
        """One iteration, repeated from the last checkpoint if a holder dies."""
        self._until(self.done + 1, lambda: None)

    def measure(self) -> Quality:
        """Exact quality of the average strategies."""
        return self.surely(super().measure)

    def surely(self, act: Callable[[], T]) -> T:
        """Do something that asks holders, again from the start if one of them dies.

        Parameters
        ----------
        act : callable
            Changes no entries.
        """
        return self._until(self.done, act)

    def save(self, folder: Path) -> None:
        """Keep a checkpoint: each holder and the trunk write a shard, older ones are removed.

        Raises
        ------
        StorageError
            When a machine cannot write its shard.
        """
        header = ShardHeader(self.rules, self.schedule.algorithm, self.done, self.tremble)
        self.surely(lambda: self._save(folder, header))
        self._kept = folder, header
        drop_shards(folder, but=header.iteration)

    def _save(self, folder: Path, header: ShardHeader) -> None:
        self._all(lambda holder: holder.save(folder, header))
        save_shard(folder, header, self.sweep.layout, self.sweep.held, self.state())

    def resume(self, folder: Path) -> None:
        """Go on from the newest complete checkpoint of a folder, whoever wrote its shards.

        Raises
        ------
        StorageError
            When there is none, or it is damaged.
        """
        self._kept = folder, latest_shards(folder)
        self._until(0, self._restore)

    def _until(self, goal: int, act: Callable[[], T]) -> T:
        """Iterate until so many iterations are done, then act, in spite of losses."""
        losses, furthest = 0, self.done
        while True:
            try:
                if losses:
                    self._restore()
                while self.done < goal:
                    super().iterate()
                    if self.done > furthest:
                        losses, furthest = 0, self.done
                return act()
            except HolderLost as lost:
                losses += 1
                self._mourn(lost, losses)

    def _mourn(self, lost: HolderLost, losses: int) -> None:
        back = 0 if self._kept is None else self._kept[1].iteration
        if losses > _MOST_LOSSES:
            raise ClusterError(
                f"holders died {losses} times without one more iteration, the last one with "
                f"{lost}; what was kept is of iteration {back}"
            )
        self._say(
            f"mouche: holder {lost.holder.number} died ({lost}) after iteration {self.done}; "
            f"all go on from iteration {back}"
        )

    def _restore(self) -> None:
        """Put every holder and the trunk where the last checkpoint was, or at the start."""
        for holder in self._holders:
            if holder.lost:
                holder.start()
            elif holder.built:
                holder.forget()
        for holder in self._holders:
            if not holder.built:
                holder.ready()
        if self._kept is None:
            self._all(lambda holder: holder.reset())
            for array in self.state().values():
                array[:] = 0
            self.done = 0
            return
        folder, header = self._kept
        self._all(lambda holder: holder.load(folder, header))
        load_shard(folder, header, self.sweep.held, self.state())
        self.done = header.iteration

    def _all(self, ask: Callable[[RayHolder], None]) -> None:
        """Ask every holder, then wait for all."""
        for holder in self._holders:
            ask(holder)
        for holder in self._holders:
            holder.settle()
