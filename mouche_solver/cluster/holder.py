"""A holder on another machine, as the driver sees it: a Ray actor and what it was asked."""

from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mouche_solver.cluster.actor import ShardActor
from mouche_solver.dice.rules.rules import DiceRules
from mouche_solver.dice.sweep.arrays import Floats
from mouche_solver.dice.sweep.holders import Order, Share
from mouche_solver.errors import ClusterError, MoucheError
from mouche_solver.storage.dice.shards import ShardHeader

# Seconds to wait for a place: a node that died may come back, another one may be started.
_PLACE = 900.0
# Fresh processes for a holder whose process had to compile: each node has a disk cache of its own.
_FRESH = 3


class HolderLost(Exception):
    """A holder's process or machine died, with its entries."""

    def __init__(self, holder: "RayHolder", reason: str) -> None:
        super().__init__(reason)
        self.holder = holder


@dataclass(frozen=True)
class Build:
    """What a holder's process is told before anything else.

    Attributes
    ----------
    rules : DiceRules
    algorithm : str
    share : Share
    threads : int
    need : int
        Bytes of memory.
    reserved : bool
        Whether Ray shall keep so much memory for it: on machines that others use too.
    """

    rules: DiceRules
    algorithm: str
    share: Share
    threads: int
    need: int
    reserved: bool


class RayHolder:
    """A holder in a Ray actor; implements :class:`mouche_solver.dice.sweep.holders.Holder`.

    Parameters
    ----------
    ray : module
    number : int
        For messages, from 0.
    build : Build
    """

    def __init__(self, ray: Any, number: int, build: Build) -> None:
        self._ray, self.number, self._build = ray, number, build
        self._actor: Any = None
        self._asked: list[Any] = []
        self.lost, self.built = True, False

    @property
    def share(self) -> Share:
        """What it holds."""
        return self._build.share

    def start(self) -> None:
        """Ask for a process, and let it allocate; see :meth:`ready`."""
        self.kill()
        build = self._build
        actor = self._ray.remote(ShardActor).options(
            num_cpus=0,
            scheduling_strategy="SPREAD",
            max_restarts=0,  # a restarted actor would have lost its entries without a word
            **({"memory": build.need} if build.reserved else {}),
        )
        self._actor, self.lost, self.built = actor.remote(), False, False
        asked = self._actor.build.remote(
            build.rules, build.algorithm, build.share, build.threads, build.need
        )
        self._asked = [asked]

    def ready(self) -> None:
        """Wait until the process that was asked for has allocated its entries.

        Raises
        ------
        HolderLost
            When it died.
        ClusterError
            When no machine had room for it.
        TooLargeError
            When its machine has less memory than it needs.
        """
        for _ in range(_FRESH):
            if not self._answer(_PLACE):
                self.built = True
                return
            self.start()
        raise ClusterError(
            f"holder {self.number} compiles in every process: its machine keeps no disk cache"
        )

    def kill(self) -> None:
        """End the process."""
        if self._actor is not None:
            with suppress(self._ray.exceptions.RayError):
                self._ray.kill(self._actor)
        self._actor, self._asked, self.lost = None, [], True

    def down(self, order: Order, flow: Floats) -> None:
        """Send a pass and the flow that goes with it."""
        self._ask("sweep", order, flow)

    def up(self) -> Floats:
        """Wait for the values of the pass that was sent."""
        values: Floats = self._answer()
        return values

    def pack(self) -> None:
        """Have the average strategies rounded to 16 bits; not waited for."""
        self._ask("pack")

    def packed(self, where: slice) -> NDArray[np.uint16]:
        """Probabilities of a slice of the round's entries."""
        self._ask("packed", where)
        probabilities: NDArray[np.uint16] = self._answer()
        return probabilities

    def save(self, folder: Path, header: ShardHeader) -> None:
        """Have a shard of a checkpoint written; :meth:`settle` waits for it."""
        self._ask("save", folder, header)

    def load(self, folder: Path, header: ShardHeader) -> None:
        """Have a checkpoint read; :meth:`settle` waits for it."""
        self._ask("load", folder, header)

    def reset(self) -> None:
        """Have the entries set to zero; :meth:`settle` waits for it."""
        self._ask("reset")

    def settle(self) -> None:
        """Wait for everything that was asked."""
        if self._asked:
            self._answer()

    def forget(self) -> None:
        """Wait for nothing that was asked before: its answers no longer count."""
        self._asked = []

    def _ask(self, what: str, *args: Any) -> None:
        if self.lost:
            raise HolderLost(self, "it has ended")
        self._asked.append(getattr(self._actor, what).remote(*args))

    def _answer(self, seconds: float | None = None) -> Any:
        """The answer to the last question; those before it must have gone well too.

        Raises
        ------
        HolderLost
        MoucheError
            What the holder itself found wrong.
        """
        asked, self._asked = self._asked, []
        errors = self._ray.exceptions
        try:
            return self._ray.get(asked, timeout=seconds)[-1]
        except errors.GetTimeoutError:
            raise ClusterError(
                f"no machine had room for holder {self.number} within {seconds:.0f} seconds"
            ) from None
        except errors.RayTaskError as error:
            if isinstance(error.cause, MoucheError):
                raise error.cause from None
            raise
        except errors.AuthenticationError:
            raise
        except errors.RayError as error:
            self.lost = True
            raise HolderLost(self, type(error).__name__) from None
