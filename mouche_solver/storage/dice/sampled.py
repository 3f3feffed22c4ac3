"""Sampled strategies as files, and the ones that the package ships.

A compressed ``.npz`` without pickles: the header as JSON text, and the probabilities as levels of
1 / 255 in the order of the view's automaton.
"""

import hashlib
import os

import numpy as np

from mouche_solver.dice.rules.rules import DiceRules
from mouche_solver.dice.sample.arrays import Machine
from mouche_solver.dice.sample.strategy import SampledStrategy, Training
from mouche_solver.dice.sample.view import View, build_machine
from mouche_solver.dice.sweep.estimate import countable_tree
from mouche_solver.errors import MoucheError, StorageError
from mouche_solver.storage.checks import record, text
from mouche_solver.storage.npz import NpzFile, read_npz, write_npz
from mouche_solver.storage.shipped import shipped

FORMAT = "mouche-dice-table"
VERSION = 1
WHAT = "a sampled strategy"
# Bytes of a header at most, with what the archive says of its members.
_HEADER = 1 << 16


def save_sampled(strategy: SampledStrategy, path: str | os.PathLike[str]) -> None:
    """Write a strategy; the file is complete or not there.

    Raises
    ------
    StorageError
        When it cannot be written.
    """
    about = {
        "format": FORMAT,
        "version": VERSION,
        "rules": strategy.rules.to_dict(),
        "round_hash": strategy.rules.round_hash,
        "view": strategy.view.to_dict(),
        "machine_hash": machine_hash(strategy.machine),
        "training": strategy.training.to_dict(),
        "measured": dict(strategy.measured),
        "levels_hash": _digest(strategy.levels.tobytes()),
    }
    write_npz(path, about, {"levels": strategy.levels})


def load_sampled(path: str | os.PathLike[str]) -> SampledStrategy:
    """Read a strategy.

    Raises
    ------
    StorageError
        When the file is missing, damaged, of another kind or version.
    """
    return _checked(read_npz(path, WHAT))


def embedded_table(rules: DiceRules) -> SampledStrategy | None:
    """The strategy that the package ships for these rules, if it does."""
    name = f"dice-table-{rules.round_hash}.npz"
    content = shipped(name)
    return None if content is None else _checked(NpzFile(name, content, WHAT))


def sampled_bytes(rules: DiceRules, view: View) -> int:
    """How large a file may become; most take a third of it, since small levels pack well.

    Raises
    ------
    RulesError, TooLargeError
        As the training.
    """
    return build_machine(countable_tree(rules), view).entries + _HEADER


def machine_hash(machine: Machine) -> str:
    """A hash of where every number lies."""
    numbers = (machine.last, machine.begin, machine.step, machine.after, machine.code)
    return _digest(b"".join(each.astype("<i8").tobytes() for each in numbers))


def _checked(file: NpzFile) -> SampledStrategy:
    path, about = file.path, file.header(FORMAT, VERSION)
    try:
        rules, view = DiceRules.from_dict(about["rules"]), View(**about["view"])
        training = record(Training, about["training"])
        measured = about["measured"]
        if not isinstance(measured, dict):
            raise ValueError("measured")
        machine = build_machine(countable_tree(rules), view)
        ordered = machine_hash(machine) == about["machine_hash"]
        wanted = text(about["levels_hash"])
    except (KeyError, TypeError, ValueError, MoucheError):
        raise StorageError(f"{path} has a damaged header") from None
    if not ordered:
        raise StorageError(
            f"{path} was written by another version of mouche_solver, which orders its numbers "
            "in another way; train the strategy again"
        )
    fits = file.declared("levels") == (np.dtype(np.uint8), (machine.entries,))
    levels = file.array("levels") if fits else None
    if levels is None or _digest(levels.tobytes()) != wanted:
        raise StorageError(f"{path} is damaged: its numbers fail their checksum")
    return SampledStrategy(rules, view, levels, training, measured)


def _digest(raw: bytes) -> str:
    return hashlib.sha256(raw).hexdigest()[:16]
