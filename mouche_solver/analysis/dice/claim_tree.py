"""The likeliest positions of a dice strategy as compact data for a page."""

from typing import Any

import numpy as np

from mouche_solver.analysis.dice.walk import Walk
from mouche_solver.analysis.page.likeliest import MOST_BYTES, MOST_POSITIONS, likeliest
from mouche_solver.dice.round.strategy import RoundStrategy, all_of
from mouche_solver.dice.rules.html import die_svg
from mouche_solver.dice.rules.notation import format_hand


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
        What :func:`mouche_solver.analysis.page.likeliest.likeliest` returns, and ``hands``: for
        each player, the hands; ``faces``: a picture of each. A position also has ``held`` (of each
        hand, in millionths), ``groups`` (for each hand, which of ``mixes`` it plays) and ``mixes``
        (probabilities by action, in ten-thousandths, zeros left out).

    Raises
    ------
    RulesError
        When no position at all is allowed.
    """
    faces = range(1, strategy.rules.faces + 1)
    return {
        "hands": [[format_hand(h) for h in all_of(strategy.rules, p)] for p in (0, 1)],
        "faces": {str(face): die_svg(face) for face in faces},
        "dice": {},
        **likeliest(Walk.to(strategy), _hands, positions, size),
    }


def _hands(walk: Walk) -> tuple[dict[str, Any], int]:
    mixed = np.rint(walk.mix.probabilities * 1e4).astype(int)
    mixes, groups = np.unique(mixed, axis=0, return_inverse=True)
    return {
        "held": np.rint(walk.ranges[walk.player] * 1e6).astype(int).tolist(),
        "groups": groups.ravel().tolist(),
        "mixes": [{int(n): int(row[n]) for n in np.flatnonzero(row)} for row in mixes],
    }, 0
