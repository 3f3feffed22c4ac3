"""A strategy ready to be shipped: gaps filled in, and without what training hardly met."""

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from mouche_solver.cards.strategy.levels import KINDS, Abstraction
from mouche_solver.cards.strategy.results import hash_table
from mouche_solver.cards.strategy.strategy import CardStrategy
from mouche_solver.errors import RulesError

Rows = NDArray[np.float32]

# Visits at which a cell of the coarsest level counts as much as the same hands elsewhere.
NEARBY = 8.0


def filled_in(strategy: CardStrategy) -> CardStrategy:
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
    >>> from mouche_solver.cards import Abstraction, CardRules, CardTrainer
    >>> from mouche_solver.cards.train.trainer import Batch
    >>> rules = CardRules(players=2, ranks="K Q J", suits="C D", hand_size=2, reshuffle=False)
    >>> trainer = CardTrainer(Abstraction(rules), batch=Batch(8, 8, 1, 64))
    >>> trainer.train_round()
    >>> strategy = trainer.strategy()
    >>> known = (strategy.tables.visits > 0).sum()
    >>> bool(known < (filled_in(strategy).tables.visits > 0).sum())
    True
    """
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


def trimmed(strategy: CardStrategy, visits: int) -> CardStrategy:
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
    >>> from mouche_solver.cards import Abstraction, CardRules, CardTrainer
    >>> from mouche_solver.cards.train.trainer import Batch
    >>> rules = CardRules(players=2, ranks="K Q J", suits="C D", hand_size=2, reshuffle=False)
    >>> trainer = CardTrainer(Abstraction(rules), batch=Batch(64, 64, 2, 64))
    >>> trainer.train_round()
    >>> strategy = trainer.strategy()
    >>> small = trimmed(strategy, 20)
    >>> bool((small.tables.visits > 0).sum() < (strategy.tables.visits > 0).sum())
    True
    """
    if visits < 1:
        raise RulesError(f"visits={visits}: at least 1 is needed")
    old = strategy.tables
    dropped = old.visits < visits
    dropped[: strategy.abstraction.cells[0]] = False
    used = np.flatnonzero((old.keys != 0) & (old.play_visits >= visits))
    # A key is looked for from its own slot on, so the others have to be placed anew.
    keys, places = hash_table(old.keys[used], slots=len(old.keys))
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


STAND, ONE_CARD = 1, 2  # actions


def never_stands(strategy: CardStrategy) -> CardStrategy:
    """The same strategy, but it stands with a dealt mouche only.

    What it would have stood with is played as its other declarations have it, or changes one card
    where it has no others. Sent against the strategy by
    :func:`mouche_solver.cards.challenge`, it tells what standing is worth.

    Parameters
    ----------
    strategy : CardStrategy

    Raises
    ------
    RulesError
        When nothing can be exchanged.

    Examples
    --------
    >>> from mouche_solver.cards import CardRules
    >>> from mouche_solver.storage.cards.strategies import embedded_strategy
    >>> strategy = never_stands(embedded_strategy(CardRules(players=3)))
    >>> pack = strategy.rules.pack
    >>> options = strategy.declaration(pack.hand("KC QC JC KD KH"), pack.card("8C"), 0, [])
    >>> [round(o.probability, 3) for o in options if o.action == "stand"]
    [0.0]
    """
    if not strategy.rules.max_exchange:
        raise RulesError("exchange_cap=0: without an exchange all who are in stand")
    table = strategy.tables.probability.copy()
    rows = np.concatenate(
        [_without_mouche(strategy, level) for level in range(len(strategy.abstraction.levels))]
    )
    stood = table[rows, STAND].copy()
    table[rows, STAND] = 0
    empty = table[rows].sum(axis=1) == 0
    table[rows[empty & (stood > 0)], ONE_CARD] = 1
    # A row of nothing would be read as anything, a stand too.
    unknown = rows[empty & (stood == 0)]
    table[unknown] = 1
    table[unknown, STAND] = 0
    tables = replace(strategy.tables, probability=table)
    return CardStrategy(strategy.abstraction, tables, strategy.training)


def _without_mouche(strategy: CardStrategy, level: int) -> NDArray[np.int64]:
    """The table rows of one level whose hands are no mouche."""
    book = strategy.abstraction
    hands, _ = book.levels[level]
    holds = np.array([bool(feature.mouche) for feature in book.features])[book.coarse_of]
    groups = book.hand_maps[hands]
    mouche = np.bincount(groups, holds) > 0
    first = sum(book.cells[:level])
    histories = book.cells[level] // len(mouche)
    rows: NDArray[np.int64] = first + np.arange(book.cells[level]).reshape(-1, histories)
    return rows[~mouche].ravel()
