"""Answers of a strategy that thinks, as rows: values with their errors and what they rest on."""

import threading
from collections.abc import Callable
from typing import Any, TypeVar

from mouche_solver.cards.strategy.evidence import FEW_VISITS
from mouche_solver.cards.strategy.results import Declaration
from mouche_solver.cards.strategy.situation import Situation
from mouche_solver.cards.strategy.strategy import CardStrategy
from mouche_solver.cards.think.search import Budget
from mouche_solver.cards.think.thinker import Judged, Thinker, Thought
from mouche_solver.cli.cards.strategy import Answering
from mouche_solver.cli.streams import note
from mouche_solver.core.chunks import default_threads
from mouche_solver.errors import UsageError

T = TypeVar("T")

LONGEST = 86_400  # a day, in seconds
PATIENCE = 2.0  # seconds beyond the time for thinking that only compiling can take
Row = dict[str, Any]


def budget_of(
    think: float, samples: int | None, seed: int, threads: int | None, trusting: bool = False
) -> Budget:
    """A budget from the flags.

    Raises
    ------
    UsageError
        For negative or infinite times, or no sample.
    """
    if not 0.0 <= think <= LONGEST:
        raise UsageError(f"--think {think}: a number of seconds from 0 to {LONGEST:,} is needed")
    if samples is not None and samples < 1:
        raise UsageError(f"--samples {samples}: at least 1 is needed")
    return Budget(think, samples, seed, threads or default_threads(), trusting=trusting)


def judged(found: Answering, seen: Situation, budget: Budget) -> tuple[list[Row], list[str], Row]:
    """All choices as rows, what a reader has to know, and the gain over the table's answer.

    A strategy mixed of two for two pots answers without thinking.
    """
    if not isinstance(found, CardStrategy):
        if len(seen.declared) < found.rules.players:
            options: Any = found.declare(seen)
        else:
            options = found.choose(seen)
        alone = [Judged(o, o.probability, None, 0.0, "training") for o in options]
        rows = [_row(found, one) for one in alone]
        return rows, ["between two pots the tables answer alone"], _gain(None)
    thinker = Thinker(found, budget)
    thought = patiently(lambda: thinker.think(seen), budget)
    notes = list(thought.notes)
    if thought.searched and thought.gain.samples:
        gain = thought.gain
        notes.append(
            "left the table: worth "
            f"{found.in_words(gain.mean, 1.96 * gain.error).replace(' a deal', '')} more"
        )
    return [_row(found, one) for one in thought.choices], notes, _gain(thought)


def patiently(task: Callable[[], T], budget: Budget) -> T:
    """Do it, and say so when it takes long because the search is compiled for the first time."""
    wait = PATIENCE + (budget.seconds if budget.samples is None else budget.samples / 5000)
    told = threading.Timer(wait, lambda: note("compiling the search, once"))
    told.daemon = True
    told.start()
    try:
        return task()
    finally:
        told.cancel()


def _gain(thought: Thought[Any] | None) -> Row:
    if thought is None:
        return {"mean": 0.0, "error": 0.0}
    return {"mean": thought.gain.mean, "error": thought.gain.error}


def _row(found: Answering, one: Judged[Any]) -> Row:
    pack, option = found.rules.pack, one.option
    declares = isinstance(option, Declaration)
    row: Row = {
        "action": option.action if declares else pack.name(option.card),
        "cards": pack.names(option.cards) if declares else [pack.name(option.card)],
        "probability": option.probability,
        "value": option.value,
        "error": one.error,
        "samples": round(one.samples),
        "from": one.source,
        "table": one.table,
    }
    if declares and found.rules.dealer_takes_trump:
        row["swap"] = None if option.swap is None else pack.name(option.swap)
    return row


def marked(row: Row) -> Row:
    """A row for people: a value that rests on few visits carries a mark, sure tricks a bound."""
    value, shown = row["value"], ""
    if value is not None:
        shown = f"{value:.3f}"
        if row["from"] == "sure tricks":
            shown = f">={shown}"
        elif row["samples"] < FEW_VISITS:
            shown = f"~{shown}?"
    error = row["error"]
    return row | {
        "probability": f"{row['probability']:.3f}",
        "value": shown,
        "error": "" if error is None or row["from"] == "sure tricks" else f"{error:.4f}",
        "table": f"{row['table']:.3f}",
    }
