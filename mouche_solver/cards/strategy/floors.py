"""What a strategy's table never declares: passes that lose to sure tricks or to a dealt mouche.

A trump can only lose a trick to a higher trump, and each higher trump wins one trick: of the trumps
held, as many are sure to win as are left when every unseen trump has taken one that it beats.
Whoever stays in with a sure trick makes no mouche, so ``sure / tricks`` pots, less the risk that
somebody shows a mouche, is a lower bound on the value. Where passing is listed as worth less, its
probability goes to the best of the other declarations, for every reader of the table: advice,
charts, tournaments and responses. See docs/decisions/0030.
"""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from mouche_solver.cards.kernels.records import BARRED, ONLY, Game
from mouche_solver.cards.strategy.levels import Abstraction
from mouche_solver.cards.strategy.results import Tables

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

# How likely another seat shows a mouche: among all hands one of about 900 is a mouche, among those
# that stand one of about thirty.
ANY_MOUCHE, STANDING_MOUCHE = 0.002, 0.03
FEWEST = 4  # cards in a hand from which a mouche is so rare

PASS, STAND = 0, 1  # actions


def mouche_risk(game: Game, seat: int, said: Sequence[int]) -> float:
    """An upper estimate of how likely another seat shows a mouche."""
    if not game["mouche"]:
        return 0.0
    risk = 0.0
    for other in range(int(game["players"])):
        if other >= len(said) and other != seat:
            risk += ANY_MOUCHE
        elif other != seat and said[other] == 0:
            risk += STANDING_MOUCHE
    return risk


def standing_floor(sure: int | Ints, tricks: int, risk: float | Floats, fee: float) -> Floats:
    """What standing with sure tricks is worth at least, in pots; -inf without one."""
    share = np.asarray(sure, np.float64) / tricks
    return np.asarray(np.where(share > 0.0, share - risk * (1.0 + share) - fee, -np.inf))


def mouche_floor(risk: float | Floats, fee: float) -> Floats:
    """What standing with a dealt mouche is worth at least, in pots."""
    return np.asarray(1.0 - 2.0 * np.asarray(risk) - fee)


def sure_tricks_of(hands: Ints, trump: int, game: Game, away: int) -> Ints:
    """The tricks that each hand's trumps win whatever anybody does.

    Parameters
    ----------
    hands : int64 array, shape (hands,)
        Masks in the names of a context.
    trump : int
    game : GAME record
    away : int
        Mask of cards that nobody holds, as the turn-up.
    """
    trumps = [c for c in range(int(game["cards"])) if int(game["suit_of"][trump, c]) == trump]
    trumps.sort(key=lambda card: int(game["above"][trump, card]).bit_count())
    sure, used = np.zeros((2, len(hands)), np.int64)
    for card in trumps:
        held = (hands >> card & 1).astype(np.bool_)
        higher = np.bitwise_count(int(game["above"][trump, card]) & ~away & ~hands)
        loses = higher > used
        used += held & loses
        sure += held & ~loses
    return sure


def barred_cells(abstraction: Abstraction, tables: Tables, game: Game) -> NDArray[np.uint8]:
    """What each cell of the last level never declares, as ``Policy.barred``; zeros elsewhere.

    Nothing is barred in Mushka, which has no pot, and with hands of so few cards that a mouche is
    no rare thing.

    Parameters
    ----------
    abstraction : Abstraction
    tables : Tables
    game : GAME record
    """
    rules, cells = abstraction.rules, sum(abstraction.cells)
    barred = np.zeros(cells, np.uint8)
    if rules.scoring == "countdown" or (rules.mouche and rules.hand_size < FEWEST):
        return barred
    sure, mouche, one = _classes(abstraction, game)
    kept = np.flatnonzero((sure > 0) | mouche)
    numbers, risk = _histories(abstraction, game)
    values = _values(abstraction, tables, one[kept], numbers)
    fee = float(game["fee"])
    floor = standing_floor(sure[kept][:, None], rules.hand_size, risk[None, :], fee)
    floor = np.where(mouche[kept][:, None], mouche_floor(risk, fee)[None, :], floor)
    others = values.copy()
    others[..., STAND] = np.fmax(others[..., STAND], floor)
    others[..., PASS] = -np.inf
    best = np.where(np.isnan(others), -np.inf, others).argmax(axis=2)
    loses = ~(values[..., PASS] >= floor)
    alone = mouche[kept][:, None] & (best == STAND)
    codes = np.where(alone, ONLY + STAND, np.where(loses, BARRED + best, 0))
    first, columns = sum(abstraction.cells[:-1]), len(numbers)
    barred[first:].reshape(-1, columns)[kept] = codes
    return barred


def _classes(abstraction: Abstraction, game: Game) -> tuple[Ints, NDArray[np.bool_], Ints]:
    """For each class of the last level sure tricks, whether it is a mouche, and one of its hands.

    Of hands that are not told apart the one with the fewest sure tricks counts.
    """
    of = abstraction.hand_maps[abstraction.levels[-1][0]]
    parts = []
    for context, classes in zip(abstraction.contexts, abstraction.hands, strict=True):
        hands = classes.hand_of(np.arange(classes.n_classes))
        away = 0 if abstraction.rules.dealer_takes_trump else 1 << context.turned
        parts.append(sure_tricks_of(hands, context.trump, game, away))
    number = int(of.max()) + 1
    sure = np.full(number, abstraction.rules.hand_size)
    np.minimum.at(sure, of, np.concatenate(parts))
    dealt = np.array([bool(feature.mouche) for feature in abstraction.features])
    mouche = np.bincount(of, ~dealt[abstraction.coarse_of], number) == 0
    return sure, mouche, np.unique(of, return_index=True)[1].astype(np.int64)


def _histories(abstraction: Abstraction, game: Game) -> tuple[Ints, Floats]:
    """One exact history of each class of the last level, and the risk of a mouche after it."""
    said = abstraction.histories
    exact = np.arange(said.number, dtype=np.int32)
    known = {"rough": said.rough_of, "coarse": said.class_of, "last": said.last_of}
    of = known.get(abstraction.levels[-1][1], exact)
    numbers = np.unique(of, return_index=True)[1].astype(np.int64)
    risks = [mouche_risk(game, len(words), words) for words in map(said.said, numbers.tolist())]
    return numbers, np.array(risks)


def _values(abstraction: Abstraction, tables: Tables, hands: Ints, numbers: Ints) -> Floats:
    """Blended values; shape (hands, histories, actions), NaN where training never came.

    Levels that tell more histories apart than the last one are left out.
    """
    said, first = abstraction.histories, 0
    of = {"rough": said.rough_of, "coarse": said.class_of, "last": said.last_of}
    rank = ("rough", "coarse", "last", "lossless").index
    values = np.full((len(hands), len(numbers), len(abstraction.actions)), np.nan)
    for (hand, story), prior, size in zip(
        abstraction.levels, abstraction.learning_priors, abstraction.cells, strict=True
    ):
        if rank(story) <= rank(abstraction.levels[-1][1]):
            columns = of[story][numbers].astype(np.int64) if story in of else numbers
            width = size // (int(abstraction.hand_maps[hand].max()) + 1)
            own = abstraction.hand_maps[hand][hands].astype(np.int64)
            cells = first + own[:, None] * width + columns
            seen = tables.visits[cells].astype(np.float64)[..., None]
            rows = tables.value[cells].astype(np.float64)
            share = seen / np.maximum(seen + prior, 1e-9)
            blend = np.where(np.isnan(values), rows, values + share * (rows - values))
            values = np.where(seen > 0.0, blend, values)
        first += size
    return values
