"""Sampled strategies as files, and the ones that the package ships.

A compressed ``.npz`` without pickles: the header as JSON text, and the probabilities as levels of
1 / 255 in the order of the view's automaton.
"""

import hashlib
import json
import os
import zipfile
from importlib.resources import as_file, files
from pathlib import Path
from typing import Any
from zlib import error as ZlibError

import numpy as np

from mouche_solver.core.json_text import parse_json
from mouche_solver.dice.rules.rules import DiceRules
from mouche_solver.dice.sample.arrays import Machine
from mouche_solver.dice.sample.strategy import SampledStrategy, Training
from mouche_solver.dice.sample.view import View
from mouche_solver.errors import MoucheError, StorageError
from mouche_solver.storage.atomic import atomic_path

FORMAT = "mouche-dice-table"
VERSION = 1


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
    with atomic_path(path) as part, part.open("wb") as file:
        np.savez_compressed(file, header=np.array(json.dumps(about)), levels=strategy.levels)


def load_sampled(path: str | os.PathLike[str]) -> SampledStrategy:
    """Read a strategy.

    Raises
    ------
    StorageError
        When the file is missing, damaged, of another kind or version.
    """
    try:
        # numpy leaves a file open that it has opened itself and cannot read.
        with Path(path).open("rb") as raw, np.load(raw, allow_pickle=False) as file:
            about, levels = parse_json(str(file["header"])), file["levels"]
    except OSError as error:
        raise StorageError(f"cannot read {path}: {error.strerror or error}") from None
    except (ValueError, KeyError, EOFError, AttributeError, zipfile.BadZipFile, ZlibError):
        raise StorageError(f"{path} is not a sampled strategy, or it is damaged") from None
    return _checked(path, about, levels)


def embedded_table(rules: DiceRules) -> SampledStrategy | None:
    """The strategy that the package ships for these rules, if it does."""
    found = files("mouche_solver").joinpath("data", f"dice-table-{rules.round_hash}.npz")
    if not found.is_file():
        return None
    with as_file(found) as path:
        return load_sampled(path)


def machine_hash(machine: Machine) -> str:
    """A hash of where every number lies."""
    numbers = (machine.last, machine.begin, machine.step, machine.after, machine.code)
    return _digest(b"".join(each.astype("<i8").tobytes() for each in numbers))


def _checked(path: str | os.PathLike[str], about: Any, levels: Any) -> SampledStrategy:
    if not isinstance(about, dict) or about.get("format") != FORMAT:
        raise StorageError(f"{path} is not a sampled strategy")
    if about.get("version") != VERSION:
        raise StorageError(
            f"{path} has version {about.get('version')} of the format, this program reads {VERSION}"
        )
    try:
        strategy = SampledStrategy(
            DiceRules.from_dict(about["rules"]),
            View(**about["view"]),
            levels,
            Training(**about["training"]),
            about["measured"],
        )
        ordered = machine_hash(strategy.machine) == about["machine_hash"]
        intact = _digest(levels.tobytes()) == about["levels_hash"]
    except (KeyError, TypeError, MoucheError):
        raise StorageError(f"{path} has a damaged header") from None
    if not ordered:
        raise StorageError(
            f"{path} was written by another version of mouche_solver, which orders its numbers "
            "in another way; train the strategy again"
        )
    if not intact or levels.dtype != np.uint8 or levels.shape != (strategy.machine.entries,):
        raise StorageError(f"{path} is damaged: its numbers fail their checksum")
    return strategy


def _digest(raw: bytes) -> str:
    return hashlib.sha256(raw).hexdigest()[:16]
