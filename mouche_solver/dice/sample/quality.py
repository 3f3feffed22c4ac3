"""Measure a sampled strategy: against odds-only players, and against responders who know it."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from mouche_solver.dice.sample.response import learned_response, local_response
from mouche_solver.dice.sample.strategy import SampledStrategy
from mouche_solver.dice.sample.tournament import odds_player, play_tournament, sampled_player
from mouche_solver.dice.sample.train import SampleLimits
from mouche_solver.dice.sample.view import View

THRESHOLDS = (0.05, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7)


def odds_margins(
    strategy: SampledStrategy, deals: int = 20_000, seed: int = 1, threads: int | None = None
) -> list[dict[str, Any]]:
    """How much less the strategy loses than each odds-only player, in points a round.

    For each threshold two tables: the strategy alone among odds-only players, and one odds-only
    player alone among strategies.

    Parameters
    ----------
    strategy : SampledStrategy
    deals : int
        For each table.
    seed : int
    threads : int, optional

    Returns
    -------
    list of dict
        With ``threshold``, ``table``, ``margin`` and its 95 % ``interval``.
    """
    rules, me = strategy.rules, sampled_player(strategy)
    found = []
    for threshold in THRESHOLDS:
        odds = odds_player(rules, threshold)
        tables = {
            "one strategy": [me] + [odds] * (rules.players - 1),
            "one odds-only player": [odds] + [me] * (rules.players - 1),
        }
        for name, table in tables.items():
            result = play_tournament(rules, table, deals, seed, threads)
            margin, interval = result.margin(me.name, odds.name)
            row = {"threshold": threshold, "table": name, "margin": margin, "interval": interval}
            found.append(row)
    return found


def measure(
    strategy: SampledStrategy,
    *,
    deals: int = 20_000,
    local_deals: int = 1000,
    view: View | None = None,
    limits: SampleLimits | None = None,
    seed: int = 1,
    threads: int | None = None,
    tell: Callable[[str], None] = lambda text: None,
) -> SampledStrategy:
    """The strategy with what was measured of it.

    Parameters
    ----------
    deals : int
        For each table with odds-only players.
    local_deals : int
        For the local best response.
    view : View, optional
        What the learned best response remembers: all that the strategy does and more. Without it
        no response is learned.
    limits : SampleLimits, optional
        How long that response learns.
    tell : callable
        Receives what is being measured.

    Returns
    -------
    SampledStrategy
        The same strategy; its ``measured`` is new.
    """
    tell("matches with odds-only players")
    margins = odds_margins(strategy, deals, seed, threads)
    tell("local best response")
    measured: dict[str, Any] = {
        "odds": min(margins, key=lambda row: float(row["margin"])),
        "local_response": local_response(strategy, local_deals, seed, threads).to_dict(),
    }
    if view is not None:
        tell("learned best response")
        gain = learned_response(
            strategy, view, limits or SampleLimits(), seed=seed, threads=threads
        )
        measured["learned_response"] = gain.to_dict() | {"view": view.to_dict()}
    return replace(strategy, measured=measured)
