"""Hands by trump holding and best side cards, the grid of all card charts; names of hands."""

from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from mouche_solver.cards.rules.pack import Pack
from mouche_solver.cards.rules.rules import CardRules
from mouche_solver.cards.strategy.answers import Ints, hand_shapes
from mouche_solver.cards.strategy.contexts import Context
from mouche_solver.cards.strategy.strategy import CardStrategy

MOST = 4  # trumps and places beyond this are not told apart
SIDES = 3  # side cards named at most
_BASE = 8
_ENDINGS = {1: "st", 2: "nd", 3: "rd"}

Cells = pd.MultiIndex
GRID_NAMES = ("trumps", "sides")


def grid_keys(rules: CardRules, context: Context, hands: Ints) -> Ints:
    """The cell of each hand as a number, for :func:`grid_index`; same shape as ``hands``.

    Hands share a cell when they hold equally many trumps (4 and more together) with the best in the
    same place among the trumps in play (4th and lower together), and equally many kings and queens
    of plain suits, of which three are counted, kings first.
    """
    found = hand_shapes(rules, context, hands)
    trumps, best = np.minimum(found.trumps, MOST), np.minimum(found.best, MOST)
    kings = np.minimum(found.kings, SIDES)
    queens = np.minimum(found.queens, SIDES - kings)
    keys: Ints = ((trumps * _BASE + best) * _BASE + kings) * _BASE + queens
    return keys


def keys_of(strategy: CardStrategy, context: Ints, hands: Ints) -> Ints:
    """The cells of sampled hands; ``context`` has one entry for each row of hands."""
    keys = np.zeros_like(hands)
    for number, known in enumerate(strategy.abstraction.contexts):
        rows = context == number
        keys[rows] = grid_keys(strategy.rules, known, hands[rows])
    return keys


def grid_index(rules: CardRules, keys: Ints) -> Cells:
    """Labels of cells: ``trumps`` such as ``2, best 1st`` and ``sides`` such as ``K Q``.

    Both are ordered categories: the best holding first, the side cards from none upwards.
    """
    best, sides = np.divmod(keys, _BASE**2)
    top, second = rules.pack.ranks[-1], rules.pack.ranks[-2:][0]
    holdings = sorted({int(k) for k in best}, key=lambda k: (-(k // _BASE), k % _BASE))
    pairs = sorted({int(k) for k in sides})
    return pd.MultiIndex.from_arrays(
        [
            _ordered(best, holdings, [_holding(k // _BASE, k % _BASE) for k in holdings]),
            _ordered(sides, pairs, [_sides(k // _BASE, k % _BASE, top, second) for k in pairs]),
        ],
        names=GRID_NAMES,
    )


def _ordered(keys: Ints, known: list[int], labels: list[str]) -> Any:
    codes = np.vectorize({k: i for i, k in enumerate(known)}.get, otypes=[np.int64])(keys)
    return pd.Categorical.from_codes(codes, pd.Index(labels), ordered=True)


def _holding(trumps: int, best: int) -> str:
    if not trumps:
        return "none"
    more = "+" if trumps == MOST else ""
    place = f"{best}{_ENDINGS.get(best, 'th')}" + ("+" if best == MOST else "")
    return f"{trumps}{more}, best {place}"


def _sides(kings: int, queens: int, top: str, second: str) -> str:
    return " ".join([top] * kings + [second] * queens) or "-"


def hand_names(pack: Pack, masks: Ints) -> NDArray[np.object_]:
    """Names of the cards of many masks, as :meth:`Pack.mask_names` orders them.

    Examples
    --------
    >>> pack = CardRules(players=3).pack
    >>> hand_names(pack, np.array([pack.hand("8C KC 10D"), 0])).tolist()
    ['KC 8C 10D', '']
    """
    ranks = pack.per_suit
    text: Any = np.full(masks.shape, "", dtype=object)
    for suit in range(len(pack.suits)):
        held = masks >> suit * ranks & ((1 << ranks) - 1)
        used, place = np.unique(held, return_inverse=True)
        names = [" ".join(pack.mask_names(int(m) << suit * ranks)) for m in used]
        of_suit = np.array([f" {name}" if name else "" for name in names], dtype=object)
        text = text + of_suit[place]
    stripped: NDArray[np.object_] = np.array([name.strip() for name in text], dtype=object)
    return stripped
