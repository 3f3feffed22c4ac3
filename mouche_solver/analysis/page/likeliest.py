"""The likeliest positions of any game, as compact data for a page."""

import heapq
import json
from collections.abc import Callable, Sequence
from itertools import count
from typing import Any, Protocol, Self, TypeVar

import numpy as np
from numpy.typing import NDArray

from mouche_solver.errors import RulesError

# A page of more bytes, or a tree of more positions, is slow to open.
MOST_POSITIONS = 3000
MOST_BYTES = 10_000_000


class Step(Protocol):
    """A position on the way down; probabilities are given what led there."""

    @property
    def player(self) -> int:
        """Who is to act."""
        ...

    @property
    def reach(self) -> float:
        """Probability of the way to here."""
        ...

    @property
    def actions(self) -> Sequence[str]:
        """What may be done."""
        ...

    @property
    def chances(self) -> NDArray[np.float64]:
        """Probability of each action."""
        ...

    @property
    def leads(self) -> Sequence[int]:
        """The places of the actions after which somebody acts again."""
        ...

    def down(self, place: int) -> Self:
        """The position after an action, by its place in ``actions``."""
        ...


S = TypeVar("S", bound=Step)


def likeliest(
    start: S,
    describe: Callable[[S], tuple[dict[str, Any], int]],
    positions: int,
    size: int,
    may: Callable[[S, int], bool] | None = None,
) -> dict[str, Any]:
    """The positions that play most likely comes to, from the start on.

    Parameters
    ----------
    start : Step
    describe : callable
        What the game adds to a position, JSON types, and how many bytes of JSON it put elsewhere.
    positions : int
        At most so many.
    size : int
        About so many bytes of JSON at most.
    may : callable, optional
        Whether the position after an action, by its place, may be opened; all may without it.

    Returns
    -------
    dict
        JSON types. ``positions``: in an order in which parents come first, each with ``said`` (the
        last action), ``parent`` (-1 at the start), ``player`` (to act), ``reach``, ``actions``,
        ``chances`` (of each action, in millionths), ``next`` (the position after each action, -1
        where there is none in the data) and what the game adds. ``left_out``: the chance that
        play leaves these positions by an action that leads on. ``complete``: nothing is left out.

    Raises
    ------
    RulesError
        When no position at all is allowed.
    """
    if positions < 1:
        raise RulesError(f"positions={positions}: at least 1 is needed")
    found: list[dict[str, Any]] = []
    order, left, closed = count(), size, 0.0
    # Likeliest first; the counter keeps equal ones in the order in which they were met. A step
    # is taken when it is its turn, since most of those that wait never get one.
    waiting: list[tuple[float, int, S, int, int]] = [(-1.0, next(order), start, -1, -1)]
    while waiting and len(found) < positions and left > 0:
        _, _, before, parent, place = heapq.heappop(waiting)
        step, said = (before, "") if parent < 0 else (before.down(place), before.actions[place])
        more, elsewhere = describe(step)
        entry = _entry(step, said, parent) | more
        left -= len(json.dumps(entry, separators=(",", ":"))) + elsewhere
        if parent >= 0:
            found[parent]["next"][place] = len(found)
        chances = step.chances
        for onward in step.leads:
            likely = -step.reach * float(chances[onward])
            if may is not None and not may(step, onward):
                closed -= likely
                continue
            heapq.heappush(waiting, (likely, next(order), step, len(found), onward))
        found.append(entry)
    return {
        "positions": found,
        "left_out": closed + sum((-likely for likely, *_ in waiting), 0.0),
        "complete": not waiting and not closed,
    }


def _entry(step: Step, said: str, parent: int) -> dict[str, Any]:
    return {
        "said": said,
        "parent": parent,
        "player": step.player,
        "reach": step.reach,
        "actions": list(step.actions),
        "chances": np.rint(step.chances * 1e6).astype(int).tolist(),
        "next": [-1] * len(step.actions),
    }


def cut_note(tree: dict[str, Any], whole: str, part: str) -> str:
    """How much of play the positions cover; ``whole`` is a round or a deal, ``part`` its step."""
    number = len(tree["positions"])
    if tree["complete"]:
        return f"All {number} positions of the {whole} are in this file."
    return (
        f"The {number} likeliest positions are in this file; a {whole} leaves them by a "
        f"{part} with probability {tree['left_out']:.1g}. {part.capitalize()}s that lead elsewhere "
        "cannot be opened."
    )
