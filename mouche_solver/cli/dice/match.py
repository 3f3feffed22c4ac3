"""``mouche dice match``."""

from pathlib import Path
from time import perf_counter
from typing import Annotated

import numpy as np
from cyclopts import Parameter
from numpy.typing import NDArray

from mouche_solver.cli.common import STDOUT, OutputFlags, emit
from mouche_solver.cli.dice.group import DEFAULT_RULES, RuleFlags, whole_numbers
from mouche_solver.cli.dice.strategy import rules_for, strategy_for
from mouche_solver.cli.streams import note
from mouche_solver.dice.rules.rules import DiceRules, NextStarter
from mouche_solver.dice.table.match import (
    SolvedRound,
    match_values,
    rounds_to_solve,
)
from mouche_solver.solutions.spot import table_on_the_spot


def match(
    *,
    points: Annotated[
        str | None, Parameter(help="Points at the start, one number or one each.")
    ] = None,
    next_starter: Annotated[
        NextStarter | None, Parameter(help="Who starts the next round.")
    ] = None,
    solution: Annotated[
        Path | None, Parameter(help="File of mouche dice solve, for rounds of two.")
    ] = None,
    game: RuleFlags = DEFAULT_RULES,
    output: OutputFlags = STDOUT,
) -> None:
    """Everybody's chance to win the match, from every score and for every starter.

    Seats are numbered from 0. Where three or more are left, every score's round is solved with the
    chances at the next scores as payoffs; nobody is sure that others play it so.
    """
    numbers = None if points is None else whole_numbers("--points", points)
    shared = numbers[0] if numbers is not None and len(numbers) == 1 else numbers
    changes = {"points": shared, "next_starter": next_starter}
    rules = rules_for(game, solution)
    rules = rules.replace(**{name: value for name, value in changes.items() if value is not None})

    def round_value(pair: DiceRules) -> float:
        """The value in the header of a file or a book, else of a round solved on the spot."""
        same = pair.round_hash == rules.round_hash
        return strategy_for(pair, solution if same else None).quality.value

    records = match_values(rules, round_value, _Told(rules)).to_records()
    rows = [
        {
            "points": ",".join(map(str, record["points"])),
            "starter": record["starter"],
            **{f"seat_{seat}": chance for seat, chance in enumerate(record["win_probability"])},
        }
        for record in records
    ]
    emit(output, rows, {"points": str, "starter": int}, document=records)


class _Told:
    """Solves the rounds of three and more one by one, and says how long the rest may take."""

    def __init__(self, rules: DiceRules) -> None:
        self._live = list(rounds_to_solve(rules).values())
        self._began = self._last = perf_counter()
        self._weight = dict.fromkeys(self._live, 1.0)
        self._told = False

    def __call__(self, rules: DiceRules, payoff: NDArray[np.float64]) -> SolvedRound:
        live = rules.players
        began: list[float] = []  # empty for a round that was kept from before
        found = table_on_the_spot(rules, payoff, lambda: began.append(self._start()))
        if live > 2:
            self._live.remove(live)
            if began:
                self._weight[live] = perf_counter() - began[0]
                self._say(live)
        return found

    def _start(self) -> float:
        """The time before a solve; the first one is told."""
        now = perf_counter()
        if not self._told and self._live:
            note(f"mouche: {len(self._live)} rounds of three and more players to solve")
            self._began = self._last = now
        self._told = True
        return now

    def _say(self, live: int) -> None:
        """At most every other second: a round of so many players lasts as the last one did."""
        now = perf_counter()
        if now - self._last < 2.0 or not self._live:
            return
        self._last = now
        left = sum(self._weight[each] for each in self._live)
        note(
            f"mouche: solved a round of {live} players after {now - self._began:.0f} s; "
            f"{len(self._live)} to go, about {left:.0f} s"
        )
