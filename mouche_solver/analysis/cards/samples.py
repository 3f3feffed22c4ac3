"""What comes of hands and of stands when everybody plays the strategy: sampled, with errors."""

from typing import Any

import numpy as np
import pandas as pd

from mouche_solver.analysis.cards.declarations import census_caption, seat_name
from mouche_solver.analysis.cards.grid import GRID_NAMES, grid_index, keys_of
from mouche_solver.cards.measure.census import Census, Stands
from mouche_solver.cards.strategy.answers import Floats, Ints
from mouche_solver.cards.strategy.strategy import CardStrategy
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


SURE = 2.0  # standard errors above which a gain is no chance
FEWEST = 10  # stands with which an error can be told


def stand_table(census: Census, stands: Stands) -> pd.DataFrame:
    """Which hands stand, and whether they would rather have other cards.

    Dealt mouches are left out: they stand to be shown.

    Parameters
    ----------
    census : Census
        Of :func:`mouche_solver.cards.take_census`.
    stands : Stands
        Of :func:`mouche_solver.cards.try_unseen_exchanges`, with the same strategy.

    Returns
    -------
    DataFrame
        Indexed by ``trumps`` and ``sides``. ``stand``: chance of a stand with such a hand;
        ``share``: of all stands, adds up to one; ``cards``: how many cards, exchanged unseen, would
        gain most; ``gain``: pots gained by the number that the other half of the deals chose;
        ``error``: its standard error, NaN below ten stands; ``show``: whether the hand stands for
        show, the gain being above two errors; ``tricks``: taken after a stand, a mean over the
        deals that are played out; ``equal``: what an equal share of these tricks would have been;
        ``bluff``: whether the hand stands for show and takes less than that.

    Raises
    ------
    RulesError
        When the two are of different strategies, or nobody stands.
    """
    _check(census, stands)
    strategy = census.strategy
    asked = (census.said >= -1) & ~_mouches(strategy, census.dealt)
    stood = asked & (census.said == 0)
    keys = keys_of(strategy, census.context, census.dealt)
    cells, row = np.unique(keys[asked], return_inverse=True)
    number = np.bincount(row)
    stand = np.bincount(row, stood[asked])
    rows = np.searchsorted(cells, keys_of(strategy, stands.context, stands.hand))
    best, gain, error = _split_gains(rows, stands, len(cells))
    played = stood & (census.tricks >= 0)
    at = np.searchsorted(cells, keys[played])
    equal = strategy.rules.hand_size / np.broadcast_to(census.inside[:, None], played.shape)[played]
    columns = {
        "stand": stand / number,
        "share": stand / stand.sum(),
        "cards": best,
        "gain": gain,
        "error": error,
        "show": gain > SURE * error,
        "tricks": _mean_by(at, census.tricks[played].astype(np.float64), len(cells)),
        "equal": _mean_by(at, equal, len(cells)),
    }
    frame = pd.DataFrame(columns, grid_index(strategy.rules, cells)).sort_index()
    frame["bluff"] = frame["show"] & (frame["tricks"] < frame["equal"])
    frame["cards"] = frame["cards"].astype("Int64").mask(frame["gain"].isna())
    frame.attrs["caption"] = census_caption(census)
    return frame


def stand_summary(census: Census, stands: Stands) -> pd.DataFrame:
    """How often each seat stands, and what share of its stands are bluffs.

    Parameters
    ----------
    census, stands
        As in :func:`stand_table`.

    Returns
    -------
    DataFrame
        Indexed by ``seat``, ``all`` for all together. ``stand``: chance of a stand when asked;
        ``mouche``: share of the stands with a dealt mouche; ``show``: share of the stands with
        hands that stand for show; ``weak``: with hands that take less than an equal share of the
        tricks when they are played out; ``bluff``: with hands of which both is true; ``error``:
        standard error of that, the classes taken as known; ``alone``: share of the stands after
        which nobody else is in; ``alone_exchanged``: the same of those who exchange. NaN for a seat
        that never does so.

    Raises
    ------
    RulesError
        As in :func:`stand_table`.
    """
    table, rules = stand_table(census, stands), census.strategy.rules
    keys = keys_of(census.strategy, census.context, census.dealt)
    mouche = _mouches(census.strategy, census.dealt)
    kinds = {
        "show": table["show"],
        "weak": table["tricks"] < table["equal"],
        "bluff": table["bluff"],
    }
    of_kind = {
        name: _in_cells(census, keys, table[chosen].index) & ~mouche
        for name, chosen in kinds.items()
    }
    alone = np.broadcast_to(census.inside[:, None] == 1, keys.shape)
    rows = {}
    seats = {seat_name(rules, seat): slice(seat, seat + 1) for seat in range(rules.players)}
    for name, seat in (seats | {"all": slice(None)}).items():
        said = census.said[:, seat]
        stood, exchanged = said == 0, said > 0
        shares = {kind: _mean(hands[:, seat], stood) for kind, hands in of_kind.items()}
        bluff = shares["bluff"]
        rows[name] = {
            "stand": _mean(stood, said >= -1),
            "mouche": _mean(mouche[:, seat], stood),
            **shares,
            "error": float(np.sqrt(bluff * (1 - bluff) / max(int(stood.sum()), 1))),
            "alone": _mean(alone[:, seat], stood),
            "alone_exchanged": _mean(alone[:, seat], exchanged),
        }
    frame = pd.DataFrame.from_dict(rows, orient="index")
    frame.index.name = "seat"
    frame.attrs["caption"] = census_caption(census)
    return frame


def _check(census: Census, stands: Stands) -> None:
    if census.strategy is not stands.strategy:
        raise RulesError("the census and the stands are of different strategies")
    if not len(stands.hand):
        raise RulesError(f"nobody stands without a mouche in {stands.deals:,} sampled deals")


def _mouches(strategy: CardStrategy, hands: Ints) -> np.ndarray:
    """Which hands are of one suit, where the rules know a mouche."""
    from mouche_solver.cards.odds.mouche import is_mouche

    rules = strategy.rules
    if not rules.mouche:
        return np.zeros(hands.shape, bool)
    known, place = np.unique(hands, return_inverse=True)
    found = np.array([is_mouche(rules, int(hand)) for hand in known])
    return found[place].reshape(hands.shape)


def _split_gains(row: Ints, stands: Stands, cells: int) -> tuple[Ints, Floats, Floats]:
    """The number that gains most in each cell; gain and error on deals that did not choose it.

    Even deals choose for odd ones and odd ones for even ones, so that all of them count.
    """
    gain = np.full(len(row), np.nan)
    even = stands.deal % 2 == 0
    for chosen_on, told_on in ((even, ~even), (~even, even)):
        best = _best_number(row[chosen_on], stands.gain[chosen_on], cells)
        gain[told_on] = stands.gain[told_on, best[row[told_on]] - 1]
    mean = _mean_by(row, gain, cells)
    square = _mean_by(row, (gain - mean[row]) ** 2, cells)
    number = np.bincount(row[~np.isnan(gain)], minlength=cells)
    with np.errstate(invalid="ignore", divide="ignore"):
        error = np.sqrt(square / (number - 1))
    return _best_number(row, stands.gain, cells), mean, np.where(number < FEWEST, np.nan, error)


def _best_number(row: Ints, gains: Floats, cells: int) -> Ints:
    """The number of cards that gains most in each cell; 1 where nothing is known."""
    means = np.array([_mean_by(row, gain, cells) for gain in gains.T])
    best: Ints = np.nan_to_num(means, nan=-np.inf).argmax(axis=0) + 1
    return best


def _mean_by(row: Ints, values: Floats, cells: int) -> Floats:
    """Means of the values of each cell that are numbers; NaN for a cell without any."""
    known = ~np.isnan(values)
    number = np.bincount(row[known], minlength=cells)
    with np.errstate(invalid="ignore"):
        mean: Floats = np.bincount(row[known], values[known], cells) / number
    return mean


def _in_cells(census: Census, keys: Ints, chosen: pd.Index) -> np.ndarray:
    """Which hands belong to some cells."""
    cells, row = np.unique(keys, return_inverse=True)
    index = grid_index(census.strategy.rules, cells)
    wanted = set(chosen)
    inside = np.array([cell in wanted for cell in index])
    return inside[row].reshape(keys.shape)


def _mean(values: np.ndarray, where: np.ndarray) -> float:
    return float(values[where].mean()) if where.any() else np.nan
