"""Card strategies in files: compressed ``.npz`` without pickles, the numbers rounded.

Only rows that training met are written: probabilities in 8 bits, values in steps of 1/10000 pot,
visits to three digits. Rows of the play are sorted by their key.
"""

from dataclasses import asdict
from typing import Any, BinaryIO

import numpy as np

from mouche_solver.cards.rules.rules import CardRules
from mouche_solver.cards.strategy.levels import Abstraction
from mouche_solver.cards.strategy.results import Tables, Training, hash_table
from mouche_solver.cards.strategy.strategy import CardStrategy
from mouche_solver.errors import MoucheError, StorageError
from mouche_solver.storage.atomic import atomic_path
from mouche_solver.storage.checks import number, record
from mouche_solver.storage.npz import Array, NpzFile, PathLike, put_npz, read_npz
from mouche_solver.storage.shipped import shipped

FORMAT = "mouche-card-strategy"
WHAT = "a card strategy"
POTS = "pots.json"  # what a file for several pots begins with
VERSION, SHORT = 1, 2  # short files say how finely values and visits are kept
STEPS = 255  # of a probability
VALUE_STEP, POINT_STEP = 1e-4, 1e-3  # pots; points of Mushka
VISIT_STEP = 1 / 2048  # of the binary logarithm
SHORT_VALUES, SHORT_VISITS = 20, 1 / 16  # times the usual step; of the binary logarithm
NAMES = ("cells", "chance", "value", "visits", "keys", "p_chance", "p_value", "p_visits")


def save_strategy(strategy: CardStrategy, path: PathLike, short: bool = False) -> None:
    """Write a strategy; the file is complete or not there.

    Parameters
    ----------
    strategy : CardStrategy
    path : path-like
    short : bool
        Keep values in steps of 1/500 pot and visits to a twentieth: a sixth smaller. What the
        strategy declares and plays is kept as finely as otherwise.

    Raises
    ------
    StorageError
        When it cannot be written.
    """
    with atomic_path(path) as part, part.open("w+b") as file:
        write_strategy(strategy, file, short)


def write_strategy(strategy: CardStrategy, file: BinaryIO, short: bool = False) -> None:
    """Write a strategy into a file that is open for reading and writing."""
    abstraction = strategy.abstraction
    about = {
        "format": FORMAT,
        "version": SHORT if short else VERSION,
        "rules": abstraction.rules.to_dict(),
        "deal_hash": abstraction.rules.deal_hash,
        "levels": abstraction.levels,
        "play": abstraction.play,
        "laying": abstraction.laying,
        "prior": abstraction.prior,
        "layout": abstraction.layout_hash,
        "training": asdict(strategy.training),
    }
    put_npz(file, about, _rounded(strategy.tables, *_steps(abstraction.rules, short)))


def _steps(rules: CardRules, short: bool) -> tuple[float, float]:
    """Steps of values and of the logarithm of visits."""
    usual = POINT_STEP if rules.scoring == "countdown" else VALUE_STEP
    return (usual * SHORT_VALUES, SHORT_VISITS) if short else (usual, VISIT_STEP)


def _rounded(tables: Tables, step: float, visit_step: float) -> dict[str, Array]:
    cells = np.flatnonzero(tables.visits)
    used = np.flatnonzero(tables.keys)
    used = used[np.argsort(tables.keys[used])]
    return {
        "cells": np.diff(cells, prepend=0).astype(np.uint32),
        "chance": _chances(tables.probability[cells]),
        "value": _values(tables.value[cells], step),
        "visits": _visits(tables.visits[cells], visit_step),
        "keys": tables.keys[used],
        "p_chance": _chances(tables.play_probability[used]),
        "p_value": _values(tables.play_value[used], step),
        "p_visits": _visits(tables.play_visits[used], visit_step),
    }


def _chances(rows: Array) -> Array:
    """Rows that add up to 1, or to 0 where training has no opinion, in 8 bits.

    What was read from a file is written as it was: it is not made to add up to 1 once more.
    """
    steps: Array = np.rint(rows * STEPS).astype(np.uint8)
    return steps


def _values(rows: Array, step: float) -> Array:
    return np.clip(np.rint(rows / step), -32767, 32767).astype(np.int16)


def _visits(counts: Array, step: float) -> Array:
    """Counts as logarithms; what was counted once never becomes nothing."""
    logs: Array = np.rint(np.log2(counts.astype(np.float64) + 1) / step).astype(np.uint16)
    return logs


def load_strategy(path: PathLike, rules: CardRules | None = None) -> CardStrategy:
    """Read a strategy.

    Parameters
    ----------
    path : path-like
    rules : CardRules, optional
        Refuse a strategy for other deals than these rules describe.

    Raises
    ------
    StorageError
        When the file is missing, damaged, of another kind, version or for other rules.
    """
    return strategy_of(read_npz(path, WHAT), rules)


def strategy_of(file: NpzFile, rules: CardRules | None = None) -> CardStrategy:
    """The strategy in an archive; see :func:`load_strategy`."""
    path = file.path
    if POTS in file:
        raise StorageError(
            f"{path} holds strategies for several pots, which only mouche cards advise "
            "takes, with --pot N; solve for one of them: mouche cards solve --pot N"
        )
    about = file.header(FORMAT, SHORT, oldest=VERSION)
    abstraction, training = _header(path, about)
    steps = _steps(abstraction.rules, about["version"] == SHORT)
    if rules is not None and rules.deal_hash != abstraction.rules.deal_hash:
        raise StorageError(f"{path} is for other rules: {_difference(abstraction.rules, rules)}")
    return CardStrategy(abstraction, _tables(file, abstraction, *steps), training)


def embedded_strategy(rules: CardRules) -> CardStrategy | None:
    """The strategy that the package ships for these rules, if it does."""
    name = f"cards-{rules.deal_hash}.npz"
    content = shipped(name)
    return None if content is None else strategy_of(NpzFile(name, content, WHAT), rules)


def _header(path: PathLike, about: Any) -> tuple[Abstraction, Training]:
    try:
        abstraction = Abstraction(
            rules=CardRules.from_dict(about["rules"]),
            declarations=tuple((h, s) for h, s in about["levels"]),
            play=about["play"],
            laying=about["laying"],
            prior=number(about["prior"]),
        )
        training = record(Training, about["training"])
        numbered = abstraction.with_layout(about["layout"])
    except (KeyError, TypeError, ValueError, AttributeError, MoucheError):
        raise StorageError(f"{path} has a damaged header") from None
    if numbered is None:
        raise StorageError(
            f"{path} was written by another version of mouche_solver, which numbers hands in "
            "another way; solve again"
        )
    return numbered, training


def _difference(found: CardRules, wanted: CardRules) -> str:
    there, here = found.to_dict(), wanted.to_dict()
    usual = {name: getattr(CardRules(), name) for name in there | here}
    differ = [n for n in there | here if there.get(n, usual[n]) != here.get(n, usual[n])]
    return ", ".join(
        f"{n}={there.get(n, usual[n])!r} instead of {here.get(n, usual[n])!r}" for n in differ
    )


def _tables(file: NpzFile, abstraction: Abstraction, step: float, visit_step: float) -> Tables:
    total, width = sum(abstraction.cells), len(abstraction.actions)
    size = abstraction.rules.hand_size
    declared = {name: file.declared(name) for name in NAMES}
    rows, known = (int(np.prod(declared[name][1], dtype=object)) for name in ("cells", "keys"))
    wanted = {
        "cells": (np.uint32, (rows,)),
        "chance": (np.uint8, (rows, width)),
        "value": (np.int16, (rows, width)),
        "visits": (np.uint16, (rows,)),
        "keys": (np.uint64, (known,)),
        "p_chance": (np.uint8, (known, size)),
        "p_value": (np.int16, (known, size)),
        "p_visits": (np.uint16, (known,)),
    }
    broken = StorageError(f"{file.path} is damaged: its arrays do not fit its rules")
    if declared != {name: (np.dtype(t), shape) for name, (t, shape) in wanted.items()}:
        raise broken
    if rows > total:
        raise broken
    arrays = {name: file.array(name) for name in NAMES}
    cells = np.cumsum(arrays["cells"], dtype=np.int64)
    if (rows and int(cells[-1]) >= total) or not arrays["keys"].all():
        raise broken
    keys, places = hash_table(arrays["keys"])
    slots = len(keys)
    return Tables(
        probability=_spread(arrays["chance"], 1 / STEPS, cells, total),
        value=_spread(arrays["value"], step, cells, total),
        visits=_counts(arrays["visits"], visit_step, cells, total),
        keys=keys,
        play_probability=_spread(arrays["p_chance"], 1 / STEPS, places, slots),
        play_value=_spread(arrays["p_value"], step, places, slots),
        play_visits=_counts(arrays["p_visits"], visit_step, places, slots),
    )


def _spread(rows: Array, step: float, where: Array, total: int) -> Array:
    out = np.zeros((total, rows.shape[1]), np.float32)
    out[where] = rows * np.float32(step)
    return out


def _counts(logs: Array, step: float, where: Array, total: int) -> Array:
    out = np.zeros(total, np.float32)
    out[where] = np.rint(np.exp2(logs * step) - 1)
    return out
