"""What runs in a holder's process, wherever Ray puts it: the entries of some tasks."""

from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mouche_solver.cluster.warm import warm
from mouche_solver.core.memory import available_memory, human
from mouche_solver.dice.round.shard import Shard
from mouche_solver.dice.round.solve import plan_solve
from mouche_solver.dice.rules.rules import DiceRules
from mouche_solver.dice.sweep.arrays import Packed
from mouche_solver.dice.sweep.holders import Order, Share
from mouche_solver.errors import TooLargeError
from mouche_solver.storage.dice.shards import ShardHeader, load_shard, save_shard


class ShardActor:
    """A shard behind messages; Ray makes an actor of it."""

    def __init__(self) -> None:
        self._shard: Shard | None = None

    def build(
        self, rules: DiceRules, algorithm: str, share: Share, threads: int, need: int
    ) -> bool:
        """Allocate the entries and compile.

        Parameters
        ----------
        rules : DiceRules
        algorithm : str
        share : Share
        threads : int
        need : int
            Bytes that this will take.

        Returns
        -------
        bool
            Whether this process had to compile, so that a fresh one is wanted.

        Raises
        ------
        TooLargeError
            When the machine has less memory left; nothing was allocated.
        """
        room = available_memory()
        if room is not None and room < need:
            raise TooLargeError(
                f"a holder of {share.size:,} entries needs {human(need)} of memory, {human(room)} "
                f"are free where Ray put it"
            )
        plan = plan_solve(rules, algorithm)
        if warm(plan.dtype):
            return True
        self._shard = Shard(plan, share, threads)
        return False

    @property
    def shard(self) -> Shard:
        """The entries, once they are allocated."""
        assert self._shard is not None  # build() comes first
        return self._shard

    def sweep(self, order: Order, flow: NDArray[Any]) -> NDArray[Any]:
        """One pass over the tasks: flow down, values up."""
        # Ray's arrays are read-only, for which kernels would be compiled once more.
        self.shard.down(order, np.array(flow))
        return self.shard.up()

    def pack(self) -> None:
        """Round the average strategies to 16 bits."""
        self.shard.pack()

    def packed(self, where: slice) -> Packed:
        """Probabilities of a slice of the round's entries."""
        return self.shard.packed(where)

    def save(self, folder: Path, header: ShardHeader) -> None:
        """Write this shard of a checkpoint."""
        shard = self.shard
        save_shard(folder, header, shard.plan.layout, shard.share.entries, shard.state())

    def load(self, folder: Path, header: ShardHeader) -> None:
        """Go back to a checkpoint."""
        load_shard(folder, header, self.shard.share.entries, self.shard.state())

    def reset(self) -> None:
        """Go back to the start."""
        for array in self.shard.state().values():
            array[:] = 0
