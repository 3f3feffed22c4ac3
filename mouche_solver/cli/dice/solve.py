"""``mouche dice solve``."""

from pathlib import Path
from typing import Annotated, Literal

from cyclopts import Parameter

from mouche_solver.cli.common import Real, Threads, Whole, show
from mouche_solver.cli.dice.group import DEFAULT_RULES, RuleFlags
from mouche_solver.core.minimisers import Algorithm
from mouche_solver.errors import UsageError


def solve(
    *,
    target: Annotated[
        Real, Parameter(help="Stop at this exploitability (payoffs +1 and -1).")
    ] = 1e-3,
    time_limit: Annotated[Real | None, Parameter(help="Stop after this many seconds.")] = None,
    iterations: Annotated[
        Whole | None, Parameter(help="Stop after this many, those before --resume included.")
    ] = None,
    algorithm: Annotated[Algorithm | None, Parameter(help="The regret minimiser.")] = None,
    tremble: Annotated[
        Real | None,
        Parameter(
            help="What every action keeps while learning, so that positions off the path are "
            "solved: 0 (off) or up to 0.1; 1e-6 without it, less for targets below 5e-5."
        ),
    ] = None,
    threads: Annotated[
        Threads | None, Parameter(help="All processors without it; the result is the same.")
    ] = None,
    out: Annotated[Path | None, Parameter(help="File that receives the solution.")] = None,
    resume: Annotated[Path | None, Parameter(help="Carry on from this checkpoint.")] = None,
    method: Annotated[
        Literal["cfr", "lp"],
        Parameter(help="lp: the exact linear program, for small rounds; writes no file."),
    ] = "cfr",
    estimate: Annotated[
        bool, Parameter(negative=(), help="Only say what the solve would need.")
    ] = False,
    lock: Annotated[
        Path | None, Parameter(help="Solution that one player sticks to; the other replies.")
    ] = None,
    locked_player: Annotated[Whole | None, Parameter(help="With --lock: 0 or 1.")] = None,
    compact: Annotated[
        bool,
        Parameter(
            negative=(),
            help="Keep 16 bits for a regret or an average: half of the memory, twice the time.",
        ),
    ] = False,
    cluster: Annotated[
        str | None,
        Parameter(
            help="Hold the entries elsewhere: local:N (N processes of this machine), auto (the "
            "Ray cluster that this machine belongs to) or ray://host:port."
        ),
    ] = None,
    format: Annotated[
        Literal["table", "json", "csv"], Parameter(help="Layout of the summary.")
    ] = "table",
    game: RuleFlags = DEFAULT_RULES,
) -> None:
    """Solve a round and measure how good the result is.

    With three and more players there is no value that a solve is sure to reach: the summary gives
    everybody's exact gain from deviating alone, and their sum, NashConv; ``--target`` is for
    NashConv divided by the number of players.

    With ``--out`` the state is kept in a checkpoint beside the solution until the target is
    reached. Ctrl-C stops at the next safe point and writes it; a second Ctrl-C stops at once.
    """
    if (lock is None) != (locked_player is None):
        raise UsageError("--lock and --locked-player go together: whose strategy is fixed, and to")
    if resume is not None and lock is not None:
        raise UsageError("--resume goes without --lock: the checkpoint holds the locked strategy")
    if cluster is not None and lock is not None:
        raise UsageError("--cluster goes without --lock: a reply is learned on one machine")
    if compact and (lock is not None or cluster is not None):
        other = "--lock" if cluster is None else "--cluster"
        raise UsageError(f"--compact goes without {other}")
    if method == "lp":
        iterative = {
            "--time-limit": time_limit,
            "--iterations": iterations,
            "--algorithm": algorithm,
            "--tremble": tremble,
            "--threads": threads,
            "--out": out,
            "--resume": resume,
            "--lock": lock,
            "--estimate": estimate or None,
            "--cluster": cluster,
            "--compact": compact or None,
        }
        for flag, value in iterative.items():
            if value is not None:
                raise UsageError(f"{flag} does not go with --method lp, which proves a value")
    # What follows loads the compiler.
    from mouche_solver.cli.dice.solving import (
        Request,
        need_of,
        solve_by_lp,
        solve_by_sweeps,
        solve_by_table_sweeps,
        solve_on_cluster,
    )

    request = Request(
        game,
        target,
        time_limit,
        iterations,
        algorithm,
        threads,
        out,
        resume,
        lock,
        locked_player,
        tremble,
        compact,
    )
    if estimate:
        answer = need_of(request)
    elif method == "lp":
        answer = solve_by_lp(request)
    elif resume is None and (rules := game.read()).players > 2:
        if cluster is not None:
            raise UsageError("--cluster is for two players")
        if compact:
            raise UsageError("--compact is for two players")
        answer = solve_by_table_sweeps(request, rules)
    elif cluster is not None:
        answer = solve_on_cluster(request, cluster)
    else:
        answer = solve_by_sweeps(request)
    show(answer, format)
