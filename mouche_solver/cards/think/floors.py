"""What a hand is worth at least: sure tricks, and a mouche that was dealt.

A trump can only lose a trick to a higher trump, and each higher trump wins one trick: of the trumps
held, as many are sure to win as are left when every unseen trump has taken one that it beats.
Whoever stays in with a sure trick makes no mouche, so ``sure / tricks`` pots, less the risk that
somebody shows a mouche, is a lower bound on the value.
"""

import numpy as np
from numpy.typing import NDArray

from mouche_solver.cards.kernels.records import Game
from mouche_solver.cards.rules.pack import cards_of

Floats = NDArray[np.float64]


def sure_tricks(kept: int, unseen: int, trump: int, game: Game) -> int:
    """The tricks that the trumps among ``kept`` win whatever anybody does.

    Parameters
    ----------
    kept, unseen : int
        Masks of cards in the names of a context: held, and perhaps held by others.
    trump : int
    game : GAME record

    Examples
    --------
    >>> from mouche_solver.cards import CardRules
    >>> from mouche_solver.cards.strategy.compile import compile_game
    >>> from mouche_solver.cards.strategy.levels import Abstraction
    >>> rules = CardRules(players=4)
    >>> game, pack = compile_game(Abstraction(rules)), rules.pack
    >>> rest = pack.hand("KC QC AC 6C")
    >>> [sure_tricks(pack.hand(h), rest, 0, game) for h in ("JC 10C 9C 8C", "JC 10C")]
    [1, 0]
    """
    own = [c for c in cards_of(kept) if int(game["suit_of"][trump, c]) == trump]
    own.sort(key=lambda card: int(game["above"][trump, card]).bit_count())
    sure = used = 0
    for card in own:  # from the highest on; a higher unseen trump takes it if one is left
        if (int(game["above"][trump, card]) & unseen).bit_count() > used:
            used += 1
        else:
            sure += 1
    return sure


def bounded(table: Floats, values: Floats, floors: Floats) -> Floats:
    """The table's probabilities without what is worth less than another choice is at least.

    Parameters
    ----------
    table, values, floors : float64 arrays, shape (choices,)
        Probabilities; listed values, NaN where there is none; lower bounds, -inf without one.

    Examples
    --------
    >>> bounded(np.array([0.8, 0.1, 0.1]), np.array([0.1, 0.2, 0.3]), np.array([0, 0.6, 0.6]))
    array([0. , 0.5, 0.5])
    """
    believed = np.fmax(values, floors)
    barred = believed < floors.max() - 1e-9
    if not (barred & (table > 0.0)).any():
        return table
    kept = np.where(barred, 0.0, table)
    total = kept.sum()
    if total > 0.0:
        probabilities: Floats = kept / total
        return probabilities
    best = np.zeros_like(table)
    best[int(np.nanargmax(believed))] = 1.0
    return best
