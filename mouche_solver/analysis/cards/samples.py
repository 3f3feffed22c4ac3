"""What comes of hands when everybody plays the strategy: sampled, with standard errors."""

from typing import Any

import numpy as np
import pandas as pd

from mouche_solver.analysis.cards.captions import census_caption
from mouche_solver.analysis.cards.grid import GRID_NAMES, grid_index, keys_of
from mouche_solver.cards.measure.census import Census
from mouche_solver.cards.strategy.answers import Ints
from mouche_solver.errors import RulesError


def hand_value_table(census: Census) -> pd.DataFrame:
    """What a hand as it is dealt is worth in each seat.

    Parameters
    ----------
    census : Census
        Of :func:`mouche_solver.cards.take_census`.

    Returns
    -------
    DataFrame
        Indexed by ``trumps`` and ``sides`` as :func:`mouche_solver.analysis.exchange_grid`, and
        ``seat``. ``value``: pots, the share of what is carried into the next pot included, a mean
        over the sampled deals; ``error``, its standard error, NaN for a single hand; ``hands``, how
        many there were.

    Examples
    --------
    >>> from mouche_solver.analysis import card_strategy
    >>> from mouche_solver.cards import CardRules, take_census
    >>> rules = CardRules(players=2, ranks="K Q J", suits="C D", hand_size=2)
    >>> table = hand_value_table(take_census(card_strategy(rules, deals=1000), deals=4096))
    >>> int(table["hands"].sum())
    8192
    """
    players = census.strategy.rules.players
    seats = np.broadcast_to(np.arange(players), census.dealt.shape).ravel()
    keys = _dealt_keys(census)
    cells, row = np.unique(keys.ravel() * players + seats, return_inverse=True)
    hands = np.bincount(row)
    mean = np.bincount(row, census.values.ravel()) / hands
    squares = np.bincount(row, (census.values.ravel() - mean[row]) ** 2)
    with np.errstate(invalid="ignore"):
        error = np.sqrt(squares / (hands - 1) / hands)
    index = _index(census, cells // players, {"seat": cells % players})
    return _finished(pd.DataFrame({"value": mean, "error": error, "hands": hands}, index), census)


def no_trick_table(census: Census, seat: int | None = None) -> pd.DataFrame:
    """How often a player who is in takes no trick, which makes the mouche.

    Deals with a dealt mouche, in which no card is played, are not counted.

    Parameters
    ----------
    census : Census
    seat : int, optional
        All seats together when left out.

    Returns
    -------
    DataFrame
        Indexed by ``trumps`` and ``sides`` of the hand dealt, ``declaration``, and ``inside``, the
        number of players in. ``chance`` of no trick; ``error``, its standard error with one case
        of each kind added, so that it is never 0; ``tricks``, a mean; ``hands``, how many there
        were.

    Raises
    ------
    RulesError
        When there is no such seat, or no tricks were played from it.
    """
    rules = census.strategy.rules
    if seat is not None and not 0 <= seat < rules.players:
        raise RulesError(f"seat {seat}: allowed are 0 to {rules.players - 1}")
    played = census.tricks >= 0
    if seat is not None:
        played &= np.arange(rules.players) == seat
    if not played.any():
        raise RulesError("no tricks were played in the sampled deals")
    base = max(rules.players, rules.max_exchange) + 1
    inside = np.broadcast_to(census.inside[:, None], played.shape)[played]
    keys = (_dealt_keys(census)[played] * base + census.said[played]) * base + inside
    tricks = census.tricks[played]
    cells, row = np.unique(keys, return_inverse=True)
    hands = np.bincount(row)
    none = np.bincount(row, tricks == 0)
    guess = (none + 1) / (hands + 2)
    names = np.array(["stand", *(f"exchange{k}" for k in range(1, base))], dtype=object)
    levels = {"declaration": names[cells // base % base], "inside": cells % base}
    index = _index(census, cells // base**2, levels)
    columns = {
        "chance": none / hands,
        "error": np.sqrt(guess * (1 - guess) / (hands + 2)),
        "tricks": np.bincount(row, tricks) / hands,
        "hands": hands,
    }
    return _finished(pd.DataFrame(columns, index), census)


def _dealt_keys(census: Census) -> Ints:
    """The cell of every hand dealt; shape (deals, players)."""
    return keys_of(census.strategy, census.context, census.dealt)


def _index(census: Census, cells: Ints, levels: dict[str, Any]) -> pd.MultiIndex:
    """The labels of cells, and more levels."""
    grid = grid_index(census.strategy.rules, cells)
    parts = [grid.get_level_values(name) for name in GRID_NAMES]
    return pd.MultiIndex.from_arrays([*parts, *levels.values()], names=[*GRID_NAMES, *levels])


def _finished(frame: pd.DataFrame, census: Census) -> pd.DataFrame:
    frame = frame.sort_index()
    frame.attrs["caption"] = census_caption(census)
    return frame
