"""Checkpoints of a card training: its whole state, so that it can be carried on."""

from dataclasses import asdict
from typing import Any

import numpy as np

from mouche_solver.cards.rules.rules import CardRules
from mouche_solver.cards.strategy.levels import Abstraction
from mouche_solver.cards.train.trainer import Batch, CardTrainer
from mouche_solver.errors import MoucheError, StorageError
from mouche_solver.storage.checks import number, record, whole
from mouche_solver.storage.tensors import PathLike, write_tensors
from mouche_solver.storage.tensors_read import read_tensors

KIND, VERSION = "card-checkpoint", 1


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
    }
    arrays = {name: _flat(array) for name, array in trainer.state().items()}
    write_tensors(path, KIND, VERSION, fields, arrays)


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
        trainer = CardTrainer(numbered, fields["continuation"], fields["seed"], threads, batch, pot)
        if counts.keys() != trainer.counts.keys():
            raise ValueError("counts")
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        if isinstance(error, MoucheError):
            raise
        raise StorageError(f"{path} is damaged: its header contradicts itself") from None
    state = trainer.state()
    flat = {name: _flat(array) for name, array in state.items()}
    if {n: (a.dtype, len(a)) for n, a in found.arrays.items()} != {
        n: (a.dtype, len(a)) for n, a in flat.items()
    }:
        raise StorageError(f"{path} is damaged: its arrays do not fit its rules")
    for name, array in state.items():
        found.arrays[name].copy_to(flat[name], finite=array.dtype.kind == "f")
    trainer.restore(counts)
    return trainer
