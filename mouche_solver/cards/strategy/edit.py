"""A strategy ready to be shipped: gaps filled in, and without what training hardly met."""

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from mouche_solver.cards.strategy.levels import Abstraction
from mouche_solver.cards.strategy.levels_hands import KINDS
from mouche_solver.errors import RulesError

if TYPE_CHECKING:
    from mouche_solver.cards.strategy.strategy import CardStrategy

Rows = NDArray[np.float32]

# Visits at which a cell of the coarsest level counts as much as the same hands elsewhere.
NEARBY = 8.0


def filled_in(strategy: "CardStrategy") -> "CardStrategy":
    """Let the same hands after other histories speak where training hardly came.

    A rare hand, such as a mouche of trumps, has hardly been seen after some histories, and never
    after others, where the strategy would choose evenly. In the coarsest level of the declarations
    each row is mixed with the mean of its hand class over all histories, which counts as
    ``NEARBY`` visits; the most similar class speaks for one that was never seen.

    Parameters
    ----------
    strategy : CardStrategy

    Examples
    --------
    >>> from mouche_solver.cards import Abstraction, CardRules, CardStrategy, CardTrainer
    >>> from mouche_solver.cards.train.trainer import Batch
    >>> rules = CardRules(players=2, ranks="K Q J", suits="C D", hand_size=2, reshuffle=False)
    >>> trainer = CardTrainer(Abstraction(rules), batch=Batch(8, 8, 1, 64))
    >>> trainer.train_round()
    >>> strategy = CardStrategy.from_trainer(trainer)
    >>> known = (strategy.tables.visits > 0).sum()
    >>> bool(known < (filled_in(strategy).tables.visits > 0).sum())
    True
    """
    from mouche_solver.cards.strategy.strategy import CardStrategy

    old, abstraction = strategy.tables, strategy.abstraction
    cells, width = abstraction.cells[0], len(abstraction.actions)
    hands = abstraction.hand_maps[abstraction.levels[0][0]]
    columns = cells // (int(hands.max()) + 1)
    visits = old.visits[:cells].reshape(-1, columns, 1).astype(np.float64)
    seen = visits.sum(axis=1)[:, 0]
    spoken_for = np.arange(len(seen))
    if seen.any():
        spoken_for = _nearest(_numbers(abstraction, hands), seen > 0)

    def mixed(rows: Rows, chances: bool) -> Rows:
        own = rows[:cells].reshape(-1, columns, width).astype(np.float64)
        if chances:
            own /= np.maximum(own.sum(axis=2, keepdims=True), 1e-30)
        mean = (visits * own).sum(axis=1) / np.maximum(seen, 1.0)[:, None]
        out = rows.copy()
        near = mean[spoken_for][:, None]
        out[:cells] = ((visits * own + NEARBY * near) / (visits + NEARBY)).reshape(cells, width)
        return out

    known = old.visits.copy()
    known[:cells] = np.where(seen[spoken_for, None, None] > 0, np.maximum(visits, 1), 0).ravel()
    tables = replace(
        old,
        probability=mixed(old.probability, True),
        value=mixed(old.value, False),
        visits=known,
    )
    return CardStrategy(abstraction, tables, strategy.training)


def _numbers(abstraction: Abstraction, hands: NDArray[np.int32]) -> NDArray[np.int64]:
    """For each class, the features of one of its hands."""
    features = np.array(
        [(99 * KINDS.index(f.mouche), *f.trumps, *f.plain, f.longest) for f in abstraction.features]
    )
    _, first = np.unique(hands, return_index=True)
    numbers: NDArray[np.int64] = features[abstraction.coarse_of[first]]
    return numbers


def _nearest(numbers: NDArray[np.int64], seen: NDArray[np.bool_]) -> NDArray[np.int64]:
    """For each class the most similar one that was seen; itself when it was."""
    known, nearest = np.flatnonzero(seen), np.arange(len(seen))
    for c in np.flatnonzero(~seen):
        nearest[c] = known[np.abs(numbers[known] - numbers[c]).sum(axis=1).argmin()]
    return nearest


def trimmed(strategy: "CardStrategy", visits: int) -> "CardStrategy":
    """Leave out what training met less often.

    Cells of the coarsest level of the declarations stay: finer ones only correct them. Where the
    play is left out every card is as likely.

    Parameters
    ----------
    strategy : CardStrategy
    visits : int
        What was met as often stays.

    Raises
    ------
    RulesError
        When ``visits`` is less than 1.

    Examples
    --------
    >>> from mouche_solver.cards import Abstraction, CardRules, CardStrategy, CardTrainer
    >>> from mouche_solver.cards.train.trainer import Batch
    >>> rules = CardRules(players=2, ranks="K Q J", suits="C D", hand_size=2, reshuffle=False)
    >>> trainer = CardTrainer(Abstraction(rules), batch=Batch(64, 64, 2, 64))
    >>> trainer.train_round()
    >>> strategy = CardStrategy.from_trainer(trainer)
    >>> small = trimmed(strategy, 20)
    >>> bool((small.tables.visits > 0).sum() < (strategy.tables.visits > 0).sum())
    True
    """
    from mouche_solver.cards.strategy.strategy import CardStrategy
    from mouche_solver.cards.train.kernels_update import place_keys

    if visits < 1:
        raise RulesError(f"visits={visits}: at least 1 is needed")
    old = strategy.tables
    dropped = old.visits < visits
    dropped[: strategy.abstraction.cells[0]] = False
    used = np.flatnonzero((old.keys != 0) & (old.play_visits >= visits))
    # A key is looked for from its own slot on, so the others have to be placed anew.
    keys, places = np.zeros_like(old.keys), np.zeros(len(used), np.int64)
    place_keys(old.keys[used], keys, places)
    rows, values = np.zeros_like(old.play_probability), np.zeros_like(old.play_value)
    seen = np.zeros_like(old.play_visits)
    rows[places], values[places] = old.play_probability[used], old.play_value[used]
    seen[places] = old.play_visits[used]
    tables = replace(
        old,
        probability=np.where(dropped[:, None], np.float32(0), old.probability),
        value=np.where(dropped[:, None], np.float32(0), old.value),
        visits=np.where(dropped, np.float32(0), old.visits),
        keys=keys,
        play_probability=rows,
        play_value=values,
        play_visits=seen,
    )
    return CardStrategy(strategy.abstraction, tables, strategy.training)
