"""What ``review`` and ``drill`` of both games share."""

import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, Literal

from cyclopts import Parameter

from mouche_solver.cli.dialog import LeftError, ask, say
from mouche_solver.cli.streams import note
from mouche_solver.core.statistics import NORMAL_95
from mouche_solver.errors import IllegalMoveError
from mouche_solver.review.box import Box
from mouche_solver.review.drills import grade, mistakes
from mouche_solver.review.export import render
from mouche_solver.review.record import Review
from mouche_solver.storage.atomic import atomic_path


@Parameter(name="*")
@dataclass(frozen=True)
class ReviewFlags:
    """Output flags of a review.

    Parameters
    ----------
    format
        Layout of the review.
    out
        File that receives the review; standard output without it.
    keep
        Keep the marked decisions of this player for drills: a name, or all.
    """

    format: Literal["markdown", "json", "csv", "html"] = "markdown"
    out: Path | None = None
    keep: Annotated[str | None, Parameter()] = None


PLAIN = ReviewFlags()


def show_review(found: Review, flags: ReviewFlags) -> None:
    """Write a review, and keep its mistakes when that was asked for."""
    text = render(found, flags.format)
    if flags.keep is not None:
        box = Box()
        kept = mistakes(found, None if flags.keep == "all" else flags.keep)
        for drill in kept:
            box.add(drill["key"], found.game, drill)
        note(f"mouche: {len(kept)} positions are kept for drills")
    if flags.out is None:
        sys.stdout.write(text)
        return
    with atomic_path(flags.out) as path:
        path.write_text(text, encoding="utf-8", newline="")


def drill(box: Box, game: str, count: int, draw: Any) -> None:
    """Ask for positions until so many were answered or the person leaves.

    Parameters
    ----------
    box : Box
    game : {"dice", "cards"}
    count : int
    draw : callable
        Takes the number of the question; returns a position.
    """
    try:
        for number in range(count):
            found = box.due(game) or draw(number)
            box.add(found["key"], game, found)
            _ask_one(box, found)
    except LeftError:
        say("")
    score = box.score()
    say(f"{score['good']} of {score['answered']} were near the best; streak {score['streak']}.")


def _ask_one(box: Box, found: dict[str, Any]) -> None:
    say(f"\n{found['position'] or 'The start of the round'}. Your hand: {found['hand']}")
    actions = [o["action"] for o in found["options"]]

    def read(line: str) -> dict[str, Any]:
        word = " ".join(line.split())
        known = {a.lower(): a for a in actions}
        if word.lower() not in known:
            raise IllegalMoveError(f"{word!r}: legal are {', '.join(actions)}")
        return grade(found, known[word.lower()])

    result = ask("Your answer", read, lambda: f"Legal: {', '.join(actions)}")
    box.answer(found["key"], result["action"], result["loss"], result["good"])
    value = _with_error(result["value"], result["error"])
    if result["good"]:
        say(f"Good: {result['action']} is worth {value}.")
    else:
        best = _with_error(result["best_value"], result["best_error"])
        say(
            f"{result['action']} is worth {value}; {result['best']} is worth {best}: "
            f"it loses {result['loss']:.3f}."
        )


def _with_error(value: float, error: float | None) -> str:
    """A value with half its 95% interval; exact ones have none."""
    return f"{value:+.3f}" + (f" +- {NORMAL_95 * error:.3f}" if error else "")
