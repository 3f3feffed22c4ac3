"""Checkpoints of a card training: its whole state, so that it can be carried on.

Only rows that training met are written, so that a short run leaves a small file. Version 1 held
all rows, and knew no trembles; it is still read.
"""

from dataclasses import asdict
from typing import Any

import numpy as np

from mouche_solver.cards.rules.rules import CardRules
from mouche_solver.cards.strategy.levels import Abstraction
from mouche_solver.cards.train.trainer import Batch, CardTrainer, explore
from mouche_solver.errors import MoucheError, StorageError
from mouche_solver.storage.checks import number, record, whole
from mouche_solver.storage.tensors import PathLike, write_tensors
from mouche_solver.storage.tensors_read import TensorFile, open_tensors, read_tensors

KIND, VERSION, EVERY_ROW = "card-checkpoint", 2, 1
# Which rows of which arrays: those of the declarations, and slots of the play.
PARTS = {"said": "said_rows", "play": "play_rows"}


def save_training(trainer: CardTrainer, path: PathLike) -> None:
    """Write a trainer's state, whole or not at all.

    Raises
    ------
    StorageError
        When the system refuses, or there is not enough room on the disk.
    """
    abstraction = trainer.abstraction
    fields = {
        "rules": abstraction.rules.to_dict(),
        "levels": abstraction.levels,
        "play": abstraction.play,
        "laying": abstraction.laying,
        "prior": abstraction.prior,
        "layout": abstraction.layout_hash,
        "batch": asdict(trainer.batch),
        "continuation": trainer.shares.name,
        "pot": trainer.pot,
        "seed": trainer.seed,
        "counts": trainer.counts,
        "tremble": trainer.tremble._asdict(),
    }
    state = trainer.state()
    met = _met_rows(state)
    arrays = {PARTS[part]: _flat(rows) for part, rows in met.items()}
    for name, array in state.items():
        part = _part_of(name)
        arrays[name] = _flat(array if part is None else array[met[part]])
    write_tensors(path, KIND, VERSION, fields, arrays)


def _met_rows(state: dict[str, Any]) -> dict[str, Any]:
    """The rows that are not all zeros."""
    said = (state["said_weight"] != 0) | (state["said_visits"] != 0)
    said |= state["said_average"].any(axis=1)
    return {"said": np.flatnonzero(said), "play": np.flatnonzero(state["keys"])}


def _part_of(name: str) -> str | None:
    """The part of the state whose rows an array has; None for what is written whole."""
    if name == "keys":
        return "play"
    part = name.split("_")[0]
    return part if part in PARTS else None


def _flat(array: Any) -> Any:
    """One dimension; whole numbers as the bits of float64."""
    flat = array.reshape(-1)
    return flat if flat.dtype.kind == "f" else flat.view(np.float64)


def resume_training(path: PathLike, threads: int = 1) -> CardTrainer:
    """A trainer that goes on as if it had never stopped.

    Raises
    ------
    StorageError
        When the file is missing, damaged, something else or from another version.
    TooLargeError
        When the tables do not fit into memory.
    """
    found = open_tensors(path)
    old = found.version == EVERY_ROW and found.fields.get("kind") == KIND
    if not old:
        found = read_tensors(path, KIND, VERSION)
    fields = found.fields
    try:
        abstraction = Abstraction(
            rules=CardRules.from_dict(fields["rules"]),
            declarations=tuple((h, s) for h, s in fields["levels"]),
            play=fields["play"],
            laying=fields["laying"],
            prior=number(fields["prior"]),
        )
        batch = record(Batch, fields["batch"])
        counts = {name: whole(value) for name, value in fields["counts"].items()}
        pot = None if fields["pot"] is None else whole(fields["pot"])
        numbered = abstraction.with_layout(fields["layout"])
        if numbered is None:
            raise StorageError(f"{path} was written by another version of mouche_solver")
        tremble = explore() if old else explore(**fields["tremble"])
        trainer = CardTrainer(
            numbered, fields["continuation"], fields["seed"], threads, batch, pot, tremble
        )
        if counts.keys() != trainer.counts.keys():
            raise ValueError("counts")
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        if isinstance(error, MoucheError):
            raise
        raise StorageError(f"{path} is damaged: its header contradicts itself") from None
    state = trainer.state()
    if old:
        _read_all(found, state)
    else:
        _read_rows(found, state)
    trainer.restore(counts)
    return trainer


def _read_all(found: TensorFile, state: dict[str, Any]) -> None:
    """All rows, as version 1 has them."""
    flat = {name: _flat(array) for name, array in state.items()}
    _check_lengths(found, {name: (array.dtype, len(array)) for name, array in flat.items()})
    for name, array in state.items():
        found.arrays[name].copy_to(flat[name], finite=array.dtype.kind == "f")


def _read_rows(found: TensorFile, state: dict[str, Any]) -> None:
    """The rows that training met."""
    rows: dict[str, Any] = {}
    for part, name in PARTS.items():
        if name not in found.arrays:
            raise StorageError(f"{found.path} is damaged: its arrays do not fit its rules")
        numbers = found.arrays[name].whole().view(np.int64)
        most = len(state["keys"] if part == "play" else state["said_visits"])
        if len(numbers) and not (
            numbers[0] >= 0 and numbers[-1] < most and (np.diff(numbers) > 0).all()
        ):
            raise StorageError(f"{found.path} is damaged: its rows do not fit its rules")
        rows[part] = numbers
    wanted = {PARTS[part]: (np.dtype(np.float64), len(numbers)) for part, numbers in rows.items()}
    for name, array in state.items():
        of, width = _part_of(name), int(np.prod(array.shape[1:]))
        length = array.size if of is None else len(rows[of]) * width
        wanted[name] = (_flat(array[:1]).dtype, length)
    _check_lengths(found, wanted)
    for name, array in state.items():
        of, kept = _part_of(name), found.arrays[name]
        read = np.zeros(len(kept), kept.dtype)
        kept.copy_to(read, finite=array.dtype.kind == "f")
        shape = array.shape if of is None else (len(rows[of]), *array.shape[1:])
        values = read.view(array.dtype).reshape(shape)
        if of is None:
            array[...] = values
        else:
            array[rows[of]] = values


def _check_lengths(found: TensorFile, wanted: dict[str, Any]) -> None:
    if {name: (array.dtype, len(array)) for name, array in found.arrays.items()} != wanted:
        raise StorageError(f"{found.path} is damaged: its arrays do not fit its rules")
