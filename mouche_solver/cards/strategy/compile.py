"""Card rules and an abstraction as the records of the strategy kernels; work space."""

from collections.abc import Sequence
from itertools import permutations
from typing import Any

import numpy as np

from mouche_solver.cards.compiled.arrays import compile_deal, compile_play
from mouche_solver.cards.kernels.records import (
    FACTS,
    GAME,
    TABLE,
    TABLE_POLICY,
    Game,
    Policy,
    Record,
    Table,
    new_record,
)
from mouche_solver.cards.strategy.contexts import Context
from mouche_solver.cards.strategy.levels import Abstraction

WITHOUT_TURN = 2.0  # more than any chance: the last context takes what is left


def compile_game(abstraction: Abstraction, pot: int | None = None) -> Game:
    """The rules of a deal as a GAME record.

    Parameters
    ----------
    abstraction : Abstraction
    pot : int, optional
        Chips in the pot, which matter under a cap and for the Pamphile's chip; the ante when left
        out.
    """
    rules = abstraction.rules
    game: Game = new_record(GAME)
    for part in (compile_deal(rules), compile_play(rules)):
        for name, value in part._asdict().items():
            _write(game, name, value)
    chips = rules.ante_chips if pot is None else pot
    contexts = abstraction.contexts
    chances = np.append(np.cumsum([c.chance for c in contexts])[:-1], WITHOUT_TURN)
    actions = np.array(abstraction.actions, np.int64)
    suits = len(rules.pack.suits)
    for i, context in enumerate(contexts):
        ways = _renamings(suits, context)
        game["renaming"][i, : len(ways), :suits] = ways
        game["renamings"][i] = len(ways)
    fields: dict[str, Any] = {
        "ranks": rules.pack.per_suit,
        "suit_count": suits,
        "contexts": len(contexts),
        "trump": [c.trump for c in contexts],
        "turned": [c.turned for c in contexts],
        "chance": chances,
        "named": [c.named for c in contexts],
        "actions": len(actions),
        "size": actions[:, 0],
        "subset": actions[:, 1],
        "swap": actions[:, 2],
        "every": abstraction.laying == "every",
        "points": rules.scoring == "countdown",
        "mouche_swapped": rules.mouche_after_swap,
        "first_history": abstraction.histories.first,
        "digits": abstraction.histories.digits,
        "debt": 1.0 if rules.cap is None else min(1.0, rules.cap / chips),
    }
    if rules.pamphile_card is not None:
        by_chip = rules.pamphile_pays == "chip"
        fields["fee_all"] = rules.pamphile_from == "all"
        fields["fee_alone"] = rules.pamphile_alone
        fields["fee"] = 1 / chips if by_chip else 1 / rules.hand_size
    for name, value in fields.items():
        _write(game, name, value)
    return game


def _write(record: Record, name: str, value: Any) -> None:
    """Set a field; arrays may be shorter than it."""
    array = np.asarray(value)
    if array.ndim == 0:
        record[name] = value
    else:
        record[name][tuple(slice(n) for n in array.shape)] = array


def _renamings(suits: int, context: Context) -> list[list[int]]:
    """All renamings of the suits that are interchangeable."""
    loose = [s for s in range(suits) if s not in context.fixed]
    ways = []
    for order in permutations(loose):
        names = list(range(suits))
        for suit, name in zip(loose, order, strict=True):
            names[suit] = name
        ways.append(names)
    return ways


def compile_policy(
    abstraction: Abstraction,
    table: Any,
    visits: Any,
    keys: Any,
    play: Any,
    priors: Sequence[float],
    barred: Any = None,
) -> Policy:
    """A policy over tables whose rows are regrets or probabilities.

    Parameters
    ----------
    abstraction : Abstraction
    table, visits : float32 arrays, shapes (cells, actions) and (cells,)
    keys, play : uint64 and float32 arrays, shapes (slots,) and (slots, hand_size)
    priors : sequence of float
        For each level, the visits at which it counts as much as the coarser ones.
    barred : uint8 array, shape (cells,), optional
        What cells of the last level never declare; nothing is barred without it.
    """
    levels, said = abstraction.levels, abstraction.histories
    numbered = [hands.numbering for hands in abstraction.hands]
    counts = {
        "rough": said.rough,
        "coarse": said.classes,
        "last": said.last,
        "lossless": said.number,
    }
    of_history = {
        "rough": said.rough_of,
        "coarse": said.class_of,
        "last": said.last_of,
        "lossless": np.arange(said.number, dtype=np.int32),
    }
    facts = new_record(FACTS)
    fields: dict[str, Any] = {
        "kind": TABLE_POLICY,
        "lossless": abstraction.play == "lossless",
        "actions": len(abstraction.actions),
        "ranks": abstraction.rules.pack.per_suit,
        "base": abstraction.rules.hand_size + 1,
        "shifts": np.array([t.shifts for t in numbered]),
        "apart": [t.apart for t in numbered],
        "turned": [t.turned for t in numbered],
        "start": abstraction.starts[:-1],
        "levels": len(levels),
        "histories": [counts[h] for _, h in levels],
        "first": np.cumsum([0, *abstraction.cells])[:-1],
        "prior": priors,
        "beside": abstraction.beside,
    }
    for name, value in fields.items():
        _write(facts, name, value)
    shape = [np.concatenate([t.offset[:, None], t.stride, t.run], axis=1) for t in numbered]
    return Policy(
        facts=facts,
        key=numbered[0].key,
        shape=np.array(shape),
        hand_of=np.array([abstraction.hand_maps[h] for h, _ in levels]),
        history_of=np.array([of_history[h] for _, h in levels]),
        table=table,
        visits=visits,
        keys=keys,
        play=play,
        barred=np.zeros(len(visits), np.uint8) if barred is None else barred,
    )


def new_table() -> Table:
    """Work space for one chunk of deals."""
    table: Table = new_record(TABLE)
    return table
