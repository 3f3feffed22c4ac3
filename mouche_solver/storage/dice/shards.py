"""Checkpoints in shards: a folder with one file for the trunk and one for each holder.

Below the folder, every iteration that was kept has a folder of its own; it is complete once the
trunk's file is there, which is written last. Shards are slices of the round's entries, so another
number of holders can read them.
"""

import re
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from mouche_solver.core.minimisers import checked_tremble, schedule
from mouche_solver.dice.rules.rules import DiceRules
from mouche_solver.dice.sweep.layout import Layout
from mouche_solver.errors import StorageError
from mouche_solver.storage.checks import number, text, whole
from mouche_solver.storage.dice.fields import read_rules, round_fields
from mouche_solver.storage.tensors import Array, write_tensors
from mouche_solver.storage.tensors_read import TensorFile, read_tensors

KIND, VERSION = "dice-shard", 1
_TRUNK = "trunk.safetensors"
_ITERATION = re.compile(r"iteration-(\d+)")
_SHARD = re.compile(r"entries-(\d+)-(\d+)\.safetensors")


@dataclass(frozen=True)
class ShardHeader:
    """What every shard of a checkpoint says.

    Attributes
    ----------
    rules : DiceRules
    algorithm : str
    iteration : int
        Iterations done.
    tremble : float
        What every action keeps.
    """

    rules: DiceRules
    algorithm: str
    iteration: int
    tremble: float


def save_shard(
    folder: Path, header: ShardHeader, layout: Layout, held: slice, arrays: Mapping[str, Array]
) -> None:
    """Write one shard, whole or not at all; the trunk's comes last.

    Parameters
    ----------
    folder : Path
        Of the checkpoint; made where it is missing.
    header : ShardHeader
    layout : Layout
    held : slice
        Which entries of the round the arrays hold.
    arrays : mapping of str to array

    Raises
    ------
    StorageError
        When the system refuses, or there is not enough room on the disk.
    """
    inner = folder / f"iteration-{header.iteration}"
    try:
        inner.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise StorageError(f"cannot write {inner}: {error.strerror or error}") from None
    name = f"entries-{held.start}-{held.stop}.safetensors" if held.start else _TRUNK
    fields = {
        **round_fields(header.rules, layout),
        "algorithm": header.algorithm,
        "iteration": header.iteration,
        "tremble": header.tremble,
        "first": held.start,
        "last": held.stop,
    }
    write_tensors(inner / name, KIND, VERSION, fields, arrays)


def load_shard(folder: Path, header: ShardHeader, held: slice, arrays: Mapping[str, Array]) -> None:
    """Fill arrays from the shards of an iteration, however they were cut.

    Parameters
    ----------
    folder : Path
    header : ShardHeader
        Of the iteration that is wanted.
    held : slice
        Which entries of the round the arrays hold.
    arrays : mapping of str to array
        Modified in place.

    Raises
    ------
    StorageError
        When shards are missing, damaged, or of another solve.
    """
    inner = folder / f"iteration-{header.iteration}"
    opened = [_open(path, header) for path in _shard_paths(inner)]
    reached = held.start
    # Shards may overlap where runs with other holders kept the same iteration: with the same bits.
    for first, last, found in sorted(opened, key=lambda shard: shard[:2]):
        end = min(last, held.stop)
        if first <= reached < end:
            here = slice(reached - held.start, end - held.start)
            _fill(
                found, slice(reached - first, end - first), {n: a[here] for n, a in arrays.items()}
            )
            reached = end
    if reached != held.stop:
        raise StorageError(f"{inner} is incomplete: shards of some holders are missing")


def _fill(found: TensorFile, where: slice, arrays: Mapping[str, Array]) -> None:
    if {name: array.dtype for name, array in found.arrays.items()} != {
        name: array.dtype for name, array in arrays.items()
    }:
        raise StorageError(f"{found.path} is damaged: its arrays do not fit its rules")
    for name, array in arrays.items():
        numbers = found.arrays[name][where]
        found.arrays[name].check_finite(numbers)
        array[:] = numbers


def latest_shards(folder: Path) -> ShardHeader:
    """The newest complete iteration of a folder.

    Raises
    ------
    StorageError
        When there is none, or its trunk is damaged.
    """
    complete = [n for n, inner in _iterations(folder).items() if (inner / _TRUNK).exists()]
    if not complete:
        raise StorageError(f"{folder} holds no complete checkpoint of a cluster")
    path = folder / f"iteration-{max(complete)}" / _TRUNK
    fields = read_tensors(path, KIND, VERSION).fields
    return _header(path, fields)


def drop_shards(folder: Path, but: int | None = None) -> None:
    """Remove the shards of all iterations, or of all but one; other files are left alone."""
    for iteration, inner in _iterations(folder).items():
        if iteration != but:
            # The trunk goes first: without it the rest counts for nothing.
            for path in [inner / _TRUNK, *_shard_paths(inner)]:
                path.unlink(missing_ok=True)
            with suppress(OSError):
                inner.rmdir()
    if but is None:
        with suppress(OSError):
            folder.rmdir()


def _iterations(folder: Path) -> dict[int, Path]:
    try:
        found = list(folder.iterdir())
    except OSError as error:
        raise StorageError(f"cannot read {folder}: {error.strerror or error}") from None
    named = ((_ITERATION.fullmatch(inner.name), inner) for inner in found)
    return {int(match[1]): inner for match, inner in named if match}


def _shard_paths(inner: Path) -> list[Path]:
    trunk = inner / _TRUNK
    others = [path for path in inner.glob("entries-*") if _SHARD.fullmatch(path.name)]
    return ([trunk] if trunk.exists() else []) + sorted(others)


def _open(path: Path, wanted: ShardHeader) -> tuple[int, int, TensorFile]:
    found = read_tensors(path, KIND, VERSION)
    if _header(path, found.fields) != wanted:
        raise StorageError(f"{path} belongs to another solve")
    try:
        first, last = whole(found.fields["first"]), whole(found.fields["last"])
        if any(len(array) != last - first for array in found.arrays.values()):
            raise ValueError("its arrays are of another length than it says")
    except (KeyError, ValueError) as error:
        raise StorageError(f"{path} is damaged: {error}") from None
    return first, last, found


def _header(path: Path, fields: Mapping[str, Any]) -> ShardHeader:
    rules, _ = read_rules(path, fields)
    try:
        return ShardHeader(
            rules,
            schedule(text(fields["algorithm"])).algorithm,
            whole(fields["iteration"]),
            checked_tremble(number(fields["tremble"])),
        )
    except (KeyError, TypeError, ValueError) as error:
        raise StorageError(f"{path} is damaged: {error}") from None
