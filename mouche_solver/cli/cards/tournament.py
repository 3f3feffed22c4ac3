"""``mouche cards tournament``."""

from itertools import permutations
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from cyclopts import Parameter

from mouche_solver.cli.cards.crew import ClusterFlag, crew_for
from mouche_solver.cli.cards.group import DEFAULT_RULES, RuleFlags
from mouche_solver.cli.common import STDOUT, OutputFlags, Seed, Threads, Whole, emit
from mouche_solver.errors import UsageError

if TYPE_CHECKING:
    from mouche_solver.cards.strategy.strategy import CardStrategy

THINKER = "think:"


def tournament(
    *players: Annotated[
        str,
        Parameter(
            help="Files of mouche cards solve, random, thumb, careful, bold, steady, careless, or "
            "think:SECONDS."
        ),
    ],
    deals: Annotated[Whole, Parameter(help="Deals for each pair, each played in all seats.")] = (
        100_000
    ),
    think_deals: Annotated[
        Whole, Parameter(help="Deals of a player who thinks, which take seconds each.")
    ] = 64,
    seed: Annotated[Seed, Parameter(help="Equal seeds deal equal cards.")] = 1,
    threads: Annotated[Threads | None, Parameter(help="All processors without it.")] = None,
    cluster: ClusterFlag = None,
    game: RuleFlags = DEFAULT_RULES,
    output: OutputFlags = STDOUT,
) -> None:
    """One player against a table of another, the same cards in every seat.

    Each row is one player's gain over an equal share, in pots a deal, when all others play the
    strategy of the column "others"; with a 95% interval. The shares of the next pot are those of
    the others' strategy, or of the first file where the others are a baseline. The player
    ``think:0.2`` thinks at most 0.2 seconds before each decision and plays against the files, at
    most ``--think-deals`` deals: he models the others by the table that he plays against, so that
    nobody plays against him. Of his two measures, real and by fresh guesses, the lower is shown.
    """
    from mouche_solver.cards.measure.thinking import thinking_gain
    from mouche_solver.cards.measure.tournament import BASELINES, baseline, play_duplicate
    from mouche_solver.cards.think.search import Budget
    from mouche_solver.cli.cards.strategy import strategy_for
    from mouche_solver.storage.cards.strategies import load_strategy

    players = tuple(dict.fromkeys(players))
    if len(players) < 2:
        raise UsageError(
            "a tournament needs at least two different players: files, or random, thumb, bold"
        )
    thinkers = {name: _seconds(name) for name in players if name.startswith(THINKER)}
    players = tuple(name for name in players if name not in thinkers)
    if think_deals < 1:
        raise UsageError(f"--think-deals {think_deals}: at least 1 is needed")
    playing = crew_for(cluster, threads)
    rules = game.read() if game.any_given else None
    loaded: dict[str, CardStrategy] = {
        name: load_strategy(Path(name), rules) for name in players if name not in BASELINES
    }
    first = next(iter(loaded.values()), None) or strategy_for(game, None)
    for name, strategy in loaded.items():
        if strategy.abstraction.actions != first.abstraction.actions:
            raise UsageError(f"{name} knows other declarations than {next(iter(loaded))}")
        if strategy.rules.deal_hash != first.rules.deal_hash:
            raise UsageError(f"{name} is for other rules than {next(iter(loaded))}")
    rows = []
    with playing as crew:
        for one, others in permutations(players, 2):
            shares = loaded.get(others, first).training.seat_shares
            policy, table = (
                loaded[name].policy if name in loaded else baseline(first.abstraction, name)
                for name in (one, others)
            )
            gain = play_duplicate(first.game, policy, table, shares, deals, seed, crew)
            rows.append(_row(one, others, gain.mean, gain.margin, gain.deals))
        for name, seconds in thinkers.items():
            for others, strategy in (loaded or {"shipped": first}).items():
                thought = thinking_gain(strategy, Budget(seconds=seconds), think_deals, seed, crew)
                rows.append(_row(name, others, *thought.worse, thought.deals))
    emit(output, rows, {"player": str, "others": str, "deals": int})


def _row(player: str, others: str, mean: float, margin: float, deals: int) -> dict[str, Any]:
    """A player's gain at a table of others."""
    low, high = mean - margin, mean + margin
    return {
        "player": player,
        "others": others,
        "gain": mean,
        "low": low,
        "high": high,
        "deals": deals,
    }


def _seconds(name: str) -> float:
    """The time of a player who thinks."""
    text = name.removeprefix(THINKER)
    try:
        seconds = float(text)
    except ValueError:
        seconds = 0.0
    if not 0.0 < seconds < float("inf"):
        raise UsageError(f"{name}: a number of seconds above 0 is needed, such as think:0.2")
    return seconds
