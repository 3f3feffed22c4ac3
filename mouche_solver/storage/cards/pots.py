"""Strategies for several pots in one file: an uncompressed zip of the single strategies' files."""

import io
import json
import zipfile

import numpy as np

from mouche_solver.cards.rules.rules import CardRules
from mouche_solver.cards.train.pots import PotStrategies
from mouche_solver.core.json_text import parse_json
from mouche_solver.errors import MoucheError, StorageError, TooLargeError
from mouche_solver.storage.atomic import atomic_path
from mouche_solver.storage.cards.strategies import POTS, strategy_of, write_strategy
from mouche_solver.storage.checks import check_finite, whole
from mouche_solver.storage.npz import NpzFile, PathLike, is_archive, read_file, seal

FORMAT, VERSION = "mouche-card-pots", 1
WHAT = "a file of card strategies for several pots"


def save_pots(found: PotStrategies, path: PathLike) -> None:
    """Write the strategies of all pots; the file is complete or not there.

    Raises
    ------
    StorageError
        When it cannot be written.
    """
    values = None if found.values is None else found.values.tolist()
    about = {"format": FORMAT, "version": VERSION, "pots": found.pots, "values": values}
    with atomic_path(path) as part, part.open("w+b") as file:
        with zipfile.ZipFile(file, "w") as archive:
            archive.writestr(POTS, json.dumps(about))
            for pot, strategy in zip(found.pots, found.strategies, strict=True):
                one = io.BytesIO()
                write_strategy(strategy, one)
                archive.writestr(_name(pot), one.getvalue())
        seal(file)


def holds_pots(path: PathLike) -> bool:
    """Whether a file holds strategies for several pots."""
    try:
        if not is_archive(path):
            return False
        with zipfile.ZipFile(path) as file:
            return POTS in file.namelist()
    except (OSError, zipfile.BadZipFile):
        return False


def load_pots(path: PathLike, rules: CardRules | None = None) -> PotStrategies:
    """Read the strategies of all pots.

    Raises
    ------
    StorageError
        When the file is missing, damaged, of another kind, version or for other rules.
    """
    foreign = StorageError(f"{path} holds no strategies for several pots, or is damaged")
    raw = read_file(path)
    try:
        file = NpzFile(path, raw, WHAT)
    except StorageError:
        raise foreign from None
    if POTS not in file:
        raise foreign
    try:
        about = parse_json(file.member(POTS))
        if about["format"] != FORMAT or about["version"] != VERSION:
            raise StorageError(f"{path} is of another version than this program reads")
        inside = [f"{path}: {_name(whole(pot))}" for pot in about["pots"]]
        strategies = [
            strategy_of(NpzFile(name, file.member(_name(pot)), "a card strategy"), rules)
            for name, pot in zip(inside, about["pots"], strict=True)
        ]
        values = about["values"]
        table = None if values is None else np.array(values, np.float64)
        found = PotStrategies(strategies, table)
        if table is not None:
            check_finite(table)
        shape = found.rules.players, len(strategies)
        if (table is not None and table.shape != shape) or found.pots != tuple(about["pots"]):
            raise StorageError(f"{path} is damaged: its pots do not fit its strategies")
        return found
    except (StorageError, TooLargeError):
        raise
    except (KeyError, ValueError, TypeError, MoucheError):
        raise foreign from None


def _name(pot: int) -> str:
    return f"pot-{pot}.npz"
