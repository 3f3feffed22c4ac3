"""What hands do after a line of claims, which hands play alike, and who can hold what."""

from collections import Counter

import numpy as np
import pandas as pd

from mouche_solver.analysis.dice.walk import Walk, prior, strategy_caption
from mouche_solver.core.checks import real
from mouche_solver.dice.round.strategy import Floats, History, RoundStrategy, all_of
from mouche_solver.dice.rules.notation import format_hand, parse_faces
from mouche_solver.errors import NotationError, RulesError
from mouche_solver.solutions.dice import hand_frame

ALIKE = 0.005


def opening_table(
    strategy: RoundStrategy, holding: str = "", tolerance: float = ALIKE
) -> pd.DataFrame:
    """Probability of every opening claim for every hand; :func:`response_table` at the start.

    Examples
    --------
    >>> from mouche_solver.analysis import solve_dice
    >>> from mouche_solver.dice import DiceRules
    >>> solution = solve_dice(DiceRules(dice=(1, 1), faces=2), target=1e-4)
    >>> list(opening_table(solution).columns)
    ['1x1', '2x1', '1x2', '2x2']
    """
    return response_table(strategy, "", holding, tolerance)


def response_table(
    strategy: RoundStrategy, history: History = "", holding: str = "", tolerance: float = ALIKE
) -> pd.DataFrame:
    """Probability of every action for every hand, hands that play alike side by side.

    Parameters
    ----------
    strategy : RoundStrategy
        A solution or an opening book.
    history : str or sequence of Claim
        Such as ``"3x5 4x5"``.
    holding : str
        Only hands that hold at least these dice, such as ``"5,5"``.
    tolerance : float
        Hands whose rows differ by no more than this in any action play alike.

    Returns
    -------
    DataFrame
        Indexed by ``group``, the likeliest hand of those that play alike, and ``hand``; one column
        per action. Rows sum to one. ``attrs["caption"]`` names rules, claims and quality.

    Raises
    ------
    NotationError, IllegalMoveError
        When claims or dice cannot be read, are not legal, or no hand holds the dice.
    RulesError
        When the tolerance is negative.
    """
    walk, rows, groups = _grouped(strategy, history, holding, tolerance)
    order = [row for group in groups for row in group]
    leads = [_name(walk, rows[group[0]]) for group in groups for _ in group]
    mix = walk.mix
    chosen = [rows[row] for row in order]
    hands = [mix.hands[row] for row in chosen]
    frame = hand_frame(hands, mix.actions, mix.history, mix.probabilities[chosen])
    frame.index = pd.MultiIndex.from_arrays([leads, frame.index], names=["group", "hand"])
    frame.attrs["caption"] = strategy_caption(strategy, walk.history, walk.reach)
    return frame


def group_table(
    strategy: RoundStrategy, history: History = "", holding: str = "", tolerance: float = ALIKE
) -> pd.DataFrame:
    """One row for all hands that play alike; parameters of :func:`response_table`.

    Returns
    -------
    DataFrame
        Indexed by ``group``; columns ``hands`` (how many), ``chance`` (of holding one of them,
        given the claims) and one per action, averaged by the chance of the hands as rolled.
    """
    walk, rows, groups = _grouped(strategy, history, holding, tolerance)
    rolled = prior(strategy.rules, walk.player)
    members = [[rows[row] for row in group] for group in groups]
    mixed = [rolled[each] @ walk.mix.probabilities[each] / rolled[each].sum() for each in members]
    leads = [walk.mix.hands[each[0]] for each in members]
    frame = hand_frame(leads, walk.mix.actions, walk.history, np.array(mixed))
    frame.index.name = "group"
    frame.insert(0, "hands", [len(each) for each in members])
    frame.insert(1, "chance", [float(walk.ranges[walk.player][each].sum()) for each in members])
    frame.attrs["caption"] = strategy_caption(strategy, walk.history, walk.reach)
    return frame


def range_table(
    strategy: RoundStrategy, history: History, player: int | None = None
) -> pd.DataFrame:
    """Which hands a player holds given the claims, the likeliest first.

    Parameters
    ----------
    strategy : RoundStrategy
    history : str or sequence of Claim
    player : int, optional
        The claimer, who made the last claim, when left out.

    Returns
    -------
    DataFrame
        Indexed by ``hand``; columns ``rolled`` (before any claim), ``probability`` (given the
        claims) and ``times`` (the second over the first).

    Raises
    ------
    NotationError, IllegalMoveError
        When the claims cannot be read or are not legal.
    RulesError
        When there is no such player.

    Examples
    --------
    >>> from mouche_solver.analysis import solve_dice
    >>> from mouche_solver.dice import DiceRules
    >>> solution = solve_dice(DiceRules(dice=(1, 1), faces=2), target=1e-4)
    >>> range_table(solution, "2x2").index[0]
    '2'
    """
    walk = Walk.to(strategy, history)
    who = (1 - walk.player if walk.history else 0) if player is None else player
    if who not in (0, 1):
        raise RulesError(f"player {who}: allowed are 0 and 1")
    rolled = prior(strategy.rules, who)
    columns = {
        "rolled": rolled,
        "probability": walk.ranges[who],
        "times": walk.ranges[who] / rolled,
    }
    hands = pd.Index([format_hand(hand) for hand in all_of(strategy.rules, who)], name="hand")
    frame = pd.DataFrame(columns, index=hands)
    frame = frame.sort_values("probability", ascending=False, kind="stable")
    frame.attrs["caption"] = strategy_caption(strategy, walk.history, walk.reach)
    frame.attrs["player"] = who
    return frame


def alike(mixed: Floats, weights: Floats, tolerance: float) -> list[list[int]]:
    """Group the rows that differ by little; the row that leads a group comes first.

    The likeliest row not yet taken leads and takes all that differ from it by at most the
    tolerance, so no two rows of a group differ by more than twice that.

    Examples
    --------
    >>> alike(np.array([[1.0, 0.0], [0.0, 1.0], [0.99, 0.01]]), np.array([1, 1, 2]), 0.02)
    [[2, 0], [1]]
    """
    if not real("tolerance", tolerance) >= 0:
        raise RulesError(f"tolerance {tolerance}: 0 or more is allowed")
    tolerance = float(tolerance)
    free = np.ones(len(mixed), dtype=bool)
    groups = []
    for lead in np.argsort(-weights, kind="stable").tolist():
        if free[lead]:
            close = np.abs(mixed - mixed[lead]).max(axis=1) <= tolerance
            taken = np.flatnonzero(close & free)
            free[taken] = False
            groups.append([lead, *(row for row in taken.tolist() if row != lead)])
    return groups


def _grouped(
    strategy: RoundStrategy, history: History, holding: str, tolerance: float
) -> tuple[Walk, list[int], list[list[int]]]:
    """A position, the hands asked about, and their groups, the likeliest first."""
    walk = Walk.to(strategy, history)
    rows = _holding(strategy, walk.player, holding)
    rolled, held = prior(strategy.rules, walk.player)[rows], walk.ranges[walk.player][rows]
    groups = alike(walk.mix.probabilities[rows], rolled, tolerance)
    return walk, rows, sorted(groups, key=lambda group: -float(held[group].sum()))


def _name(walk: Walk, row: int) -> str:
    return format_hand(walk.mix.hands[row])


def _holding(strategy: RoundStrategy, player: int, holding: str) -> list[int]:
    """The rows of the hands that hold some dice."""
    wanted = Counter(parse_faces(strategy.rules, holding))
    hands = all_of(strategy.rules, player)
    rows = [row for row, hand in enumerate(hands) if not wanted - Counter(hand)]
    if not rows:
        dice = strategy.rules.dice[player]
        raise NotationError(
            f"holding={holding!r}: no hand of player {player} holds that; a hand has {dice} dice"
        )
    return rows
