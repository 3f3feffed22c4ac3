"""What a card strategy declares with every hand; nothing is sampled."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from mouche_solver.analysis.cards.declarations import (
    by_declaration,
    card_caption,
    declaration_columns,
    declaration_names,
)
from mouche_solver.analysis.cards.grid import grid_index, grid_keys, hand_names
from mouche_solver.cards.strategy.answers import (
    Answers,
    Floats,
    all_answers,
    grouped_values,
    kept_cards,
    situation_of,
)
from mouche_solver.cards.strategy.situation import Declared
from mouche_solver.cards.strategy.strategy import CardStrategy
from mouche_solver.errors import NotationError

if TYPE_CHECKING:
    import pandas as pd


Said = Sequence[Declared] | None


def exchange_grid(
    strategy: CardStrategy, declared: Said = None, seat: int | None = None
) -> pd.DataFrame:
    """What a seat declares, by trump holding and best side cards.

    Parameters
    ----------
    strategy : CardStrategy
    declared : sequence of "pass", "stand" or int, optional
        What the seats before have said; that all have passed when left out.
    seat : int, optional
        The seat that declares next when left out.

    Returns
    -------
    DataFrame
        Indexed by ``trumps`` and ``sides``. ``weight``: probability that such a hand is dealt, adds
        up to one. One column for each declaration; these add up to one in each row. ``value`` in
        pots, NaN where training never came.

    Raises
    ------
    IllegalMoveError
        When the rules do not lead to such a situation.

    Examples
    --------
    >>> from mouche_solver.analysis import card_strategy
    >>> from mouche_solver.cards import CardRules
    >>> rules = CardRules(players=2, ranks="K Q J", suits="C D", hand_size=2)
    >>> grid = exchange_grid(card_strategy(rules, deals=1000))
    >>> list(grid.columns)
    ['weight', 'pass', 'stand', 'exchange1', 'exchange2', 'value', 'error', 'visits']
    """
    place, words = situation_of(strategy.rules, seat, declared)
    found = all_answers(strategy, place, words)
    keys = np.concatenate([grid_keys(strategy.rules, a.context, a.hands) for a in found])
    weight = np.concatenate([a.weight for a in found])
    mixed = np.concatenate([by_declaration(strategy, a.chances) for a in found])
    cells, row = np.unique(keys, return_inverse=True)
    total = np.bincount(row, weight)
    columns: dict[str, Floats] = {"weight": np.asarray(total, np.float64)}
    for number, name in enumerate(declaration_names(strategy)):
        columns[name] = np.bincount(row, weight * mixed[:, number]) / total
    columns |= grouped_values(found, row)._asdict()
    frame = pd.DataFrame(columns, grid_index(strategy.rules, cells)).sort_index()
    frame.attrs["caption"] = card_caption(strategy, words, place)
    frame.attrs["seat"], frame.attrs["declared"] = place, words
    return frame


def discard_table(
    strategy: CardStrategy, declared: Said = None, seat: int | None = None, holding: str = ""
) -> pd.DataFrame:
    """Which cards are kept and laid down, for every canonical hand.

    Parameters
    ----------
    strategy : CardStrategy
    declared, seat
        As in :func:`exchange_grid`.
    holding : str
        Only hands that hold at least these cards, such as ``"KC QC"``.

    Returns
    -------
    DataFrame
        Indexed by ``turned`` (the turn-up; the lowest club stands for all of them where its rank
        does not matter), ``hand`` (plain suits may be renamed) and ``rank``: 1 for what is done
        most often. ``declaration``, ``kept`` and ``laid`` (names of cards), ``chance`` (adds up to
        one for each hand), ``weight`` (probability that a hand of the class is dealt), ``value`` in
        pots, its standard ``error``, and how many ``visits`` of training it rests on. The most
        valuable hands come first.

    Raises
    ------
    IllegalMoveError
        When the rules do not lead to such a situation.
    NotationError
        When a card cannot be read or no hand holds the cards.
    """
    rules = strategy.rules
    place, words = situation_of(rules, seat, declared)
    wanted = rules.pack.hand(holding)
    parts = [_discards(strategy, a, wanted) for a in all_answers(strategy, place, words)]
    frame = pd.concat(parts, ignore_index=True)
    if frame.empty:
        raise NotationError(
            f"holding={holding!r}: no hand of {rules.hand_size} cards holds that while the turn-up "
            "lies on the table"
        )
    order = ["value", "turned", "hand", "chance"]
    frame = frame.sort_values(order, ascending=[False, True, True, False], kind="stable")
    same = frame.groupby(["turned", "hand"], sort=False)
    frame.insert(2, "rank", same.cumcount() + 1)
    frame = frame.set_index(["turned", "hand", "rank"])
    frame.attrs["caption"] = card_caption(strategy, words, place)
    return frame


def _discards(strategy: CardStrategy, found: Answers, wanted: int) -> pd.DataFrame:
    """One row for each hand and set of cards that may be laid down."""
    pack = strategy.rules.pack
    rows = np.flatnonzero(found.hands & wanted == wanted)
    kept, laid = kept_cards(strategy, found), found.laid.copy()
    kept[:, 0], laid[:, 0] = 0, found.hands  # who passes lays everything aside
    names = np.array(declaration_names(strategy), dtype=object)
    columns = declaration_columns(strategy)
    row, action = np.nonzero(found.chances[rows])
    row = rows[row]
    frame = pd.DataFrame(
        {
            "turned": pack.name(found.context.turned),
            "hand": hand_names(pack, found.hands)[row],
            "declaration": names[columns[action]],
            "kept": hand_names(pack, kept[row, action]),
            "laid": hand_names(pack, laid[row, action]),
            "chance": found.chances[row, action],
            "weight": found.weight[row],
            "value": found.worth[row],
            "error": found.error[row],
            "visits": found.visits[row],
        }
    )
    alike = ["turned", "hand", "declaration", "kept", "laid", "weight", "value", "error", "visits"]
    return frame.groupby(alike, sort=False, dropna=False)["chance"].sum().reset_index()
