"""Claims and doubts by what the speaker holds: who bluffs, and from which quantity one doubts."""

from collections.abc import Sequence
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from mouche_solver.analysis.dice.walk import Walk, own_counts, prior, strategy_caption
from mouche_solver.core.checks import real
from mouche_solver.dice.odds import claim_table
from mouche_solver.dice.round.strategy import Floats, History, RoundStrategy, all_of
from mouche_solver.dice.rules.notation import DOUBT, describe_legal
from mouche_solver.dice.rules.rules import Claim, DiceRules
from mouche_solver.errors import IllegalMoveError, RulesError

_ROUNDING = 1e-9  # the mean of nothing but ones may come out a little below one


def bluff_table(strategy: RoundStrategy, history: History = "") -> pd.DataFrame:
    """How often each claim is made, and with what in hand.

    Parameters
    ----------
    strategy : RoundStrategy
    history : str or sequence of Claim
        The claims before; opening claims by default.

    Returns
    -------
    DataFrame
        Indexed by ``claim``. ``chance``: of the claim, given the claims before. Of the times it is
        made: ``bluff``, the share with hands that make it more likely wrong than right, other dice
        as rolled; ``empty``, the share with no matching die; ``true``, the mean chance that it is
        correct. NaN where the chance is zero.

    Raises
    ------
    NotationError, IllegalMoveError
        When the claims cannot be read or are not legal, or no claim can follow.

    Examples
    --------
    >>> from mouche_solver.analysis import solve_dice
    >>> solution = solve_dice(DiceRules(dice=(1, 1), faces=2), target=1e-4)
    >>> float(bluff_table(solution)["chance"].sum().round(6))
    1.0
    """
    walk = _before_a_claim(strategy, history)
    hands = all_of(strategy.rules, walk.player)
    supported = np.array([claim_table(strategy.rules, hand) for hand in hands])
    rows = []
    for claim in walk.claims:
        made = walk.ranges[walk.player] * walk.column(claim)
        true = supported[:, claim.quantity - 1, claim.face - 1]
        empty = own_counts(strategy.rules, walk.player, claim.face) == 0
        shares = (_mean(made, true < 0.5), _mean(made, empty), _mean(made, true))
        rows.append((str(claim), float(made.sum()), *shares))
    frame = pd.DataFrame(rows, columns=["claim", "chance", "bluff", "empty", "true"])
    frame = frame.set_index("claim")
    frame.attrs["caption"] = strategy_caption(strategy, walk.history, walk.reach)
    return frame


def doubt_table(strategy: RoundStrategy, history: History = "") -> pd.DataFrame:
    """How often each next claim is doubted, by what the doubter holds of its face.

    Parameters
    ----------
    strategy : RoundStrategy
    history : str or sequence of Claim
        The claims before the one that is doubted.

    Returns
    -------
    DataFrame
        Indexed by ``face`` and ``quantity`` of the claim; columns ``own``: 0, 1, ... matching dice
        of the player who answers. Cells are averaged over the hands with that count as the claims
        leave them, or as rolled where the claims leave none.

    Raises
    ------
    NotationError, IllegalMoveError
        When the claims cannot be read or are not legal, or no claim can follow.
    """
    walk = _before_a_claim(strategy, history)
    answering = 1 - walk.player
    cells = {
        (claim.face, claim.quantity): _by_count(walk.after(claim), answering, claim)
        for claim in walk.claims
    }
    index = pd.MultiIndex.from_tuples(cells, names=["face", "quantity"])
    columns = pd.RangeIndex(strategy.rules.dice[answering] + 1, name="own")
    frame = pd.DataFrame(np.array(list(cells.values())), index, columns).sort_index()
    frame.attrs["caption"] = strategy_caption(strategy, walk.history, walk.reach)
    return frame


def doubt_frontier(
    strategy: RoundStrategy, history: History = "", threshold: float = 0.5
) -> pd.DataFrame:
    """The quantity from which on one doubts, by face and own count.

    Parameters
    ----------
    strategy : RoundStrategy
    history : str or sequence of Claim
        The claims before the one that is doubted.
    threshold : float
        How often one doubts from there on, above 0 and at most 1.

    Returns
    -------
    DataFrame of Int64
        Faces by own count; the lowest quantity such that it and every higher one is doubted at
        least that often, missing where even the highest is not.

    Raises
    ------
    RulesError
        When the threshold is out of range.
    NotationError, IllegalMoveError
        As in :func:`doubt_table`.

    Examples
    --------
    >>> from mouche_solver.analysis import solve_dice
    >>> solution = solve_dice(DiceRules(dice=(1, 1), faces=2), target=1e-4)
    >>> doubt_frontier(solution)
    own   0  1
    face
    1     2  2
    2     1  2
    """
    if not 0 < real("threshold", threshold) <= 1:
        raise RulesError(f"threshold {threshold}: above 0 and at most 1 is allowed")
    threshold = float(threshold)
    table = doubt_table(strategy, history)
    rows = {
        face: [
            _lowest(part.index.get_level_values("quantity").tolist(), doubts, threshold)
            for doubts in part.to_numpy().T.tolist()
        ]
        for face, part in table.groupby(level="face")
    }
    frame = pd.DataFrame.from_dict(rows, orient="index", dtype="Int64")
    frame.index.name, frame.columns = "face", table.columns
    frame.attrs["caption"] = f"{table.attrs['caption']}; doubted at {threshold:.0%} or more"
    return frame


def claim_grid(strategy: RoundStrategy, history: History = "") -> pd.DataFrame:
    """Chance of each claim that may follow, quantities by faces.

    Returns
    -------
    DataFrame
        NaN where the rules allow no claim.

    Raises
    ------
    NotationError, IllegalMoveError
        When the claims cannot be read or are not legal, or no claim can follow.
    """
    walk = _before_a_claim(strategy, history)
    quantities = pd.RangeIndex(1, strategy.rules.total_dice + 1, name="quantity")
    faces = pd.RangeIndex(1, strategy.rules.faces + 1, name="face")
    frame = pd.DataFrame(np.nan, quantities, faces)
    for claim in walk.claims:
        frame.loc[claim.quantity, claim.face] = walk.ranges[walk.player] @ walk.column(claim)
    frame.attrs["caption"] = strategy_caption(strategy, walk.history, walk.reach)
    return frame


def _before_a_claim(strategy: RoundStrategy, history: History) -> Walk:
    walk = Walk.to(strategy, history)
    if not walk.claims:
        legal = describe_legal(strategy.rules, walk.history[-1])
        raise IllegalMoveError(f"no claim can follow {walk.history[-1]}: {legal}")
    return walk


def _by_count(walk: Walk, player: int, claim: Claim) -> list[float]:
    """Chance of a doubt for each own count of the claimed face."""
    rules: DiceRules = walk.strategy.rules
    doubt = walk.mix.probabilities[:, walk.mix.actions.index(DOUBT)]
    counts = own_counts(rules, player, claim.face)
    rolled, held = prior(rules, player), walk.ranges[player]
    found = []
    for own in range(rules.dice[player] + 1):
        left = held * (counts == own)
        found.append(_mean(left if left.sum() > 0 else rolled * (counts == own), doubt))
    return found


def _mean(weights: Floats, values: NDArray[Any]) -> float:
    total = float(weights.sum())
    return float(weights @ values) / total if total > 0 else np.nan


def _lowest(quantities: Sequence[int], doubts: Sequence[float], threshold: float) -> int | None:
    """The quantity from which on all are doubted; quantities ascend."""
    lowest = None
    for quantity, chance in zip(reversed(quantities), reversed(doubts), strict=True):
        if chance < threshold - _ROUNDING:
            break
        lowest = quantity
    return lowest
