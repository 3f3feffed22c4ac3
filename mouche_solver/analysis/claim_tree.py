"""The likeliest positions of a strategy as compact data for a page."""

import heapq
import json
from itertools import count
from typing import Any

import numpy as np

from mouche_solver.analysis.dice_walk import Walk
from mouche_solver.dice.html import die_svg
from mouche_solver.dice.notation import DOUBT, format_hand
from mouche_solver.dice.strategy import RoundStrategy, all_of
from mouche_solver.errors import RulesError

MOST_POSITIONS = 3000
MOST_BYTES = 10_000_000


def claim_tree(
    strategy: RoundStrategy, positions: int = MOST_POSITIONS, size: int = MOST_BYTES
) -> dict[str, Any]:
    """The positions that a round most likely comes to, from the start on.

    Parameters
    ----------
    strategy : RoundStrategy
    positions : int
        At most so many.
    size : int
        About so many bytes of JSON at most.

    Returns
    -------
    dict
        JSON types. ``hands``: for each player, the hands. ``positions``: in an order in which
        parents come first, each with ``said`` (the last claim), ``parent`` (-1 at the start),
        ``player`` (to act), ``reach`` (probability of the line), ``actions``, ``chances`` (of each
        action, in millionths), ``next`` (the position after each action, -1 where there is none
        in the data), ``held`` (of each hand, in millionths), ``groups`` (for each hand, which of
        ``mixes`` it plays) and ``mixes`` (probabilities by action, in ten-thousandths, zeros left
        out). ``left_out``: the chance that a round leaves these positions by a claim.

    Raises
    ------
    RulesError
        When no position at all is allowed.
    """
    if positions < 1:
        raise RulesError(f"positions={positions}: at least 1 is needed")
    found: list[dict[str, Any]] = []
    order, left = count(), size
    # Likeliest first; the counter keeps equal ones in the order in which they were met.
    waiting: list[tuple[float, int, Walk, Any, int, int]] = [
        (-1.0, next(order), Walk.to(strategy), None, -1, -1)
    ]
    while waiting and len(found) < positions and left > 0:
        _, _, before, claim, parent, column = heapq.heappop(waiting)
        walk = before if claim is None else before.after(claim)
        entry = _position(walk, "" if claim is None else str(claim), parent)
        left -= len(json.dumps(entry, separators=(",", ":")))
        if parent >= 0:
            found[parent]["next"][column] = len(found)
        chances = walk.chances
        for place, action in enumerate(walk.mix.actions):
            if action != DOUBT:
                likely = -walk.reach * float(chances[place])
                after = strategy.read_claim(action)
                item = (likely, next(order), walk, after, len(found), place)
                heapq.heappush(waiting, item)
        found.append(entry)
    faces = range(1, strategy.rules.faces + 1)
    return {
        "hands": [[format_hand(h) for h in all_of(strategy.rules, p)] for p in (0, 1)],
        "faces": {str(face): die_svg(face) for face in faces},
        "dice": {},
        "positions": found,
        "left_out": -sum((likely for likely, *_ in waiting), 0.0),
    }


def _position(walk: Walk, said: str, parent: int) -> dict[str, Any]:
    mixed = np.rint(walk.mix.probabilities * 1e4).astype(int)
    mixes, groups = np.unique(mixed, axis=0, return_inverse=True)
    return {
        "said": said,
        "parent": parent,
        "player": walk.player,
        "reach": walk.reach,
        "actions": list(walk.mix.actions),
        "chances": np.rint(walk.chances * 1e6).astype(int).tolist(),
        "next": [-1] * len(walk.mix.actions),
        "held": np.rint(walk.ranges[walk.player] * 1e6).astype(int).tolist(),
        "groups": groups.ravel().tolist(),
        "mixes": [{int(n): int(row[n]) for n in np.flatnonzero(row)} for row in mixes],
    }
