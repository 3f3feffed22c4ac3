"""``mouche cards evaluate``."""

from pathlib import Path
from typing import Annotated

from cyclopts import Parameter

from mouche_solver.cli.cards.crew import ClusterFlag, crew_for
from mouche_solver.cli.common import STDOUT, OutputFlags, Real, Seed, Threads, Whole, aligned, emit
from mouche_solver.errors import UsageError
from mouche_solver.storage.atomic import check_writable

GUESSES = 30
MEANING = "lower bound on what a best reply gains, in {} a deal; not an upper bound"


def evaluate(
    strategy: Annotated[Path, Parameter(help="File of mouche cards solve.")],
    /,
    *challengers: Annotated[Path, Parameter(help="More files, which challenge the first.")],
    guesses: Annotated[
        Whole | None,
        Parameter(
            help="Hands guessed for each card by a challenger; 0 leaves him out. 30 without it, "
            "0 for Mushka, where he cannot play."
        ),
    ] = None,
    deals: Annotated[Whole, Parameter(help="Fresh deals, each played in all seats.")] = 100_000,
    response_deals: Annotated[
        Whole, Parameter(help="Deals that train a response in the declarations; 0 leaves it out.")
    ] = 2_000_000,
    table_deals: Annotated[
        Whole,
        Parameter(
            help="Deals that train a tabular response by exact hand and history; 0 leaves it out."
        ),
    ] = 0,
    play_deals: Annotated[
        Whole, Parameter(help="Fresh deals for a local response in the play; 0 leaves it out.")
    ] = 4_000,
    play_guesses: Annotated[
        Whole, Parameter(help="Guesses of the hidden cards for each of its choices.")
    ] = 256,
    think_deals: Annotated[
        Whole,
        Parameter(
            help="Fresh deals for players who think about all, their declarations, or their cards, "
            "each about 1 a second; 0 without."
        ),
    ] = 0,
    sense: Annotated[
        bool,
        Parameter(help="Instead of challengers, look for what no good strategy does.", negative=()),
    ] = False,
    time_limit: Annotated[
        Real, Parameter(help="Seconds for the responses; what was done until then counts.")
    ] = 120.0,
    seed: Annotated[Seed, Parameter(help="Equal seeds deal equal cards.")] = 1,
    threads: Annotated[Threads | None, Parameter(help="All processors without it.")] = None,
    cluster: ClusterFlag = None,
    keep: Annotated[
        bool, Parameter(help="Write the best known gain into the file, whose advice then says it.")
    ] = False,
    output: OutputFlags = STDOUT,
) -> None:
    """How far a strategy can be beaten, at least: what single challengers gain against it.

    One challenger sits at a table that plays the strategy: other strategies, and responses made
    against it. Each gain, in pots a deal with a 95% interval, is measured on deals that had no part
    in finding the challenger. It is a lower bound on what a best reply gains, not an upper bound.
    Results depend on the seed and the sizes, unless the time limit ends the work. ``--sense`` lists
    the worst case of each sense check instead: passes of a mouche or of sure tricks, better cards
    that lower the value, likely declarations that are listed as worse.
    """
    if sense and cluster is not None:
        raise UsageError("--cluster does not go with --sense, which plays no deals")
    if sense:
        _sense(strategy, seed, output)
        return
    from mouche_solver.cards.measure.challengers import Responses, best_known, challenge
    from mouche_solver.storage.cards.strategies import load_strategy, save_strategy

    if keep:
        check_writable(strategy)
    if not time_limit > 0:
        raise UsageError(f"--time-limit {time_limit}: a number of seconds above 0 is needed")
    sizes = {"deals": deals - 1, "response-deals": response_deals, "play-deals": play_deals}
    sizes |= {"think-deals": think_deals, "table-deals": table_deals}
    for name, left in (sizes | {"play-guesses": play_guesses - 1, "guesses": guesses or 0}).items():
        if left < 0:
            least = int(name in ("deals", "play-guesses"))
            raise UsageError(f"--{name}: at least {least} is needed")
    playing = crew_for(cluster, threads)
    found = load_strategy(strategy)
    mushka = found.rules.scoring == "countdown"
    others = {str(path): load_strategy(path) for path in challengers}
    responses = Responses(response_deals, play_deals, play_guesses, time_limit, table_deals)
    if guesses is None:
        guesses = 0 if mushka else GUESSES
    with playing as crew:
        measured = challenge(found, others, guesses, deals, seed, crew, responses, think_deals)
    rows = [
        {
            "challenger": c.challenger,
            "gain": c.gain.mean,
            "low": c.gain.low,
            "high": c.gain.high,
            "deals": c.gain.deals,
        }
        for c in measured
    ]
    best = best_known(measured)
    if keep:
        save_strategy(found.with_known(best.gain.mean, best.gain.margin, best.challenger), strategy)
    meaning = MEANING.format("points" if mushka else "pots")
    known = f"best known gain: {found.in_words(best.gain.mean, best.gain.margin)}"
    known += f" by {best.challenger}\n({meaning})\n"
    document = {
        "best_known_gain": best.gain.mean,
        "best_known_low": best.gain.low,
        "best_known_challenger": best.challenger,
        "meaning": meaning,
        "rows": rows,
    }
    emit(
        output,
        rows,
        {"challenger": str, "deals": int},
        document=document,
        table=aligned(rows) + known,
    )


def _sense(strategy: Path, seed: int, output: OutputFlags) -> None:
    """The sense checks of a strategy as rows."""
    from mouche_solver.cards.measure.sense import CHECKS, as_declared, sense_checks
    from mouche_solver.cli.cards.strategy import spoken
    from mouche_solver.storage.cards.strategies import load_strategy

    found = load_strategy(strategy)
    rows = [
        {
            "check": one.check,
            "worst": one.worst,
            "limit": one.limit,
            "beyond": one.beyond,
            "cases": one.cases,
            "hand": " ".join(found.rules.pack.names(one.hand)),
            "declared": spoken(as_declared(one.declared)) if one.hand else "",
        }
        for one in sense_checks(found, seed=seed)
    ]
    said = "".join(f"{check}: {what}\n" for check, what in CHECKS.items())
    kinds = {"check": str, "cases": int, "hand": str, "declared": str}
    emit(output, rows, kinds, table=aligned(rows) + said)
