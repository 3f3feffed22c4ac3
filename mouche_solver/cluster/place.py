"""Ray on this machine, or a cluster that runs already: reading the place, tokens, connecting."""

import os
import re
import secrets
import signal
import socket
import sys
import threading
from contextlib import ExitStack, redirect_stdout
from dataclasses import dataclass
from typing import Any

from mouche_solver.errors import ClusterError, UsageError

_MOST_PROCESSES = 1024
# Seconds to wait for a cluster to accept a connection.
_KNOCK = 10.0


@dataclass(frozen=True)
class Machine:
    """A machine of a cluster: Ray's name of it, processors and bytes of memory (None: unknown)."""

    node: str
    processors: int
    memory: int | None


def read_place(text: str) -> int | None:
    """The processes of ``local:N``; None for ``auto`` and ``ray://host:port``.

    Raises
    ------
    UsageError
        For anything else.

    Examples
    --------
    >>> read_place("local:4"), read_place("auto")
    (4, None)
    """
    if text == "auto" or (text.startswith("ray://") and len(text) > len("ray://")):
        return None
    kind, _, number = text.partition(":")
    many = int(number) if kind == "local" and re.fullmatch("[0-9]{1,4}", number) else 0
    if 1 <= many <= _MOST_PROCESSES:
        return many
    raise UsageError(
        f"--cluster {text}: allowed are local:N with 1 to {_MOST_PROCESSES} processes on this "
        f"machine, auto for the cluster that this machine belongs to, and ray://host:port"
    )


def import_ray() -> Any:
    """Ray, with tokens on.

    Raises
    ------
    UsageError
        When it is not installed.
    ClusterError
        When it was imported with tokens off.
    """
    # Ray runs whatever it is sent: never without tokens. It reads this when it is imported.
    if "ray._raylet" in sys.modules and os.environ.get("RAY_AUTH_MODE") != "token":
        raise ClusterError(
            "ray was imported without tokens: set RAY_AUTH_MODE=token before anything imports it"
        )
    os.environ["RAY_AUTH_MODE"] = "token"
    os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")
    try:
        import ray
    except ImportError:
        raise UsageError("--cluster needs ray: pip install 'mouche-solver[cluster]'") from None
    return ray


class Place:
    """Where the processes of a run go.

    Parameters
    ----------
    text : str
        ``local:N``, ``auto`` or ``ray://host:port``.

    Attributes
    ----------
    many : int or None
        The processes of ``local:N``.
    ray : module

    Raises
    ------
    UsageError
        For another place, or without Ray.
    """

    def __init__(self, text: str) -> None:
        self.text, self.many = text, read_place(text)
        self.ray = import_ray()
        self._stack = ExitStack()

    def connect(self) -> None:
        """Connect to a cluster that runs; nothing for ``local:N``, see :meth:`start_here`.

        Raises
        ------
        ClusterError
            When none answers.
        """
        if self.many is None:
            self._knock()
            self._connect(address=self.text)

    def start_here(self, processors: int, store: int) -> None:
        """Start Ray on this machine, for this process and its children alone.

        Parameters
        ----------
        processors : int
        store : int
            Bytes for the arrays that pass between processes.
        """
        if not self.ray.is_initialized():
            # A token that no file holds: nobody else can talk to these processes.
            os.environ.setdefault("RAY_AUTH_TOKEN", secrets.token_hex(32))
            self._connect(
                address="local",
                num_cpus=processors,
                include_dashboard=False,
                object_store_memory=store,
            )

    def machines(self) -> list[Machine]:
        """The machines of the cluster that have processors to give.

        Raises
        ------
        ClusterError
            When there is none.
        """
        found = []
        for node in self.ray.nodes():
            has = node["Resources"]
            if node["Alive"] and has.get("CPU"):
                memory = int(has["memory"]) if "memory" in has else None
                found.append(Machine(node["NodeID"], max(1, int(has["CPU"])), memory))
        if not found:
            raise ClusterError(f"{self.text}: no machine of this cluster has processors to give")
        return found

    def close(self) -> None:
        """Leave the cluster; end what was started here."""
        self._stack.close()

    def _knock(self) -> None:
        """Whether anybody listens there: Ray itself would try for many minutes."""
        address = self.text
        if address == "auto":
            address = os.environ.get("RAY_ADDRESS", "")
        found = re.fullmatch(r"(?:ray://)?\[?(.+?)\]?:([0-9]{1,5})", address)
        if found is None:
            return  # Ray looks for a cluster on this machine, and says at once if there is none
        try:
            socket.create_connection((found[1], int(found[2])), _KNOCK).close()
        except (OSError, OverflowError) as error:
            raise ClusterError(
                f"--cluster {self.text}: nobody answers at {address}: {error}"
            ) from None

    def _connect(self, **how: Any) -> None:
        if self.ray.is_initialized():
            return  # whoever started it ends it
        # Ray tells on standard output, from a thread of its own, that a process has died.
        self._stack.enter_context(redirect_stdout(sys.stderr))
        heard = {}
        if threading.current_thread() is threading.main_thread():
            heard = {each: signal.getsignal(each) for each in (signal.SIGINT, signal.SIGTERM)}
        try:
            self.ray.init(**how, log_to_driver=False, logging_level="ERROR")
        except (ConnectionError, RuntimeError, OSError, ValueError) as error:
            reason = " ".join(str(error).split())[:300]
            raise ClusterError(f"--cluster {self.text}: no cluster answers: {reason}") from None
        except self.ray.exceptions.AuthenticationError as error:
            reason = " ".join(str(error).split())[:300]
            raise ClusterError(f"--cluster {self.text} refuses the token: {reason}") from None
        finally:
            for each, handler in heard.items():
                signal.signal(each, handler)  # Ray puts handlers of its own there
        self._stack.callback(self.ray.shutdown)
