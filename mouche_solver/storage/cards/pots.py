"""Strategies for several pots in one file: an uncompressed zip of the single strategies' files."""

import json
import zipfile
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np

from mouche_solver.cards.rules.rules import CardRules
from mouche_solver.cards.train.pots import PotStrategies
from mouche_solver.errors import MoucheError, StorageError
from mouche_solver.storage.atomic import atomic_path
from mouche_solver.storage.cards.strategies import POTS, PathLike, load_strategy, save_strategy

FORMAT, VERSION = "mouche-card-pots", 1


def save_pots(found: PotStrategies, path: PathLike) -> None:
    """Write the strategies of all pots; the file is complete or not there.

    Raises
    ------
    StorageError
        When it cannot be written.
    """
    values = None if found.values is None else found.values.tolist()
    about = {"format": FORMAT, "version": VERSION, "pots": found.pots, "values": values}
    with TemporaryDirectory() as folder, atomic_path(path) as part, zipfile.ZipFile(part, "w") as z:
        z.writestr(POTS, json.dumps(about))
        for pot, strategy in zip(found.pots, found.strategies, strict=True):
            one = Path(folder, _name(pot))
            save_strategy(strategy, one)
            z.write(one, one.name)


def holds_pots(path: PathLike) -> bool:
    """Whether a file holds strategies for several pots."""
    try:
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
    try:
        with zipfile.ZipFile(path) as file, TemporaryDirectory() as folder:
            about = json.loads(file.read(POTS))
            if about["format"] != FORMAT or about["version"] != VERSION:
                raise StorageError(f"{path} is of another version than this program reads")
            strategies = [
                load_strategy(file.extract(_name(int(pot)), folder), rules) for pot in about["pots"]
            ]
            values = about["values"]
            found = PotStrategies(strategies, None if values is None else np.array(values))
            shape = found.rules.players, len(strategies)
            fits = found.values is None or found.values.shape == shape
            if not fits or found.pots != tuple(about["pots"]):
                raise StorageError(f"{path} is damaged: its pots do not fit its strategies")
            return found
    except OSError as error:
        raise StorageError(f"cannot read {path}: {error.strerror or error}") from None
    except StorageError:
        raise
    except (zipfile.BadZipFile, KeyError, ValueError, TypeError, MoucheError):
        raise StorageError(f"{path} holds no strategies for several pots, or is damaged") from None


def _name(pot: int) -> str:
    return f"pot-{pot}.npz"
