"""Who plays the deals of a measurement: threads of this process, or processes of a cluster."""

import os
from contextlib import AbstractContextManager, nullcontext
from typing import Annotated

from cyclopts import Parameter

from mouche_solver.cli.streams import note
from mouche_solver.core.chunks import Crew

ClusterFlag = Annotated[
    str | None,
    Parameter(
        name="--cluster",
        help="Play the deals elsewhere: local:N (N processes of this machine), auto (the Ray "
        "cluster that this machine belongs to) or ray://host:port.",
    ),
]


def crew_for(cluster: str | None, threads: int | None) -> AbstractContextManager[int | Crew]:
    """So many threads, or a crew that works while it is entered.

    Parameters
    ----------
    cluster : str, optional
    threads : int, optional
        Of each process; all processors without it.

    Raises
    ------
    UsageError
        For a place that is none, or without Ray.
    """
    if cluster is None:
        return nullcontext(threads or os.cpu_count() or 1)
    from mouche_solver.cluster.crew import RayCrew

    return RayCrew(cluster, threads, note)
