"""Games that were left and are played on: one JSON file a game."""

import hashlib
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

from mouche_solver.cli.common import read_text
from mouche_solver.core.json_text import parse_json
from mouche_solver.errors import StorageError
from mouche_solver.storage.atomic import atomic_path

FORMAT, VERSION = "mouche-game", 1


def save_game(path: Path, game: str, fields: dict[str, Any]) -> None:
    """Write a game, whole or not at all.

    Parameters
    ----------
    path : Path
    game : {"cards", "dice"}
    fields : dict
        JSON types.
    """
    about = {"format": FORMAT, "version": VERSION, "game": game, **fields}
    about["sha256"] = _digest(about)
    with atomic_path(path) as part:
        part.write_text(json.dumps(about, indent=1) + "\n", encoding="utf-8")


def keep(
    game: str,
    save: Path | None,
    fields: dict[str, Any],
    transcript: Path | None,
    text: Callable[[], str],
) -> None:
    """Write a game that was left or is over, and its transcript: one that fails spares the other.

    Parameters
    ----------
    game : {"cards", "dice"}
    save, transcript : Path or None
        None for what is not wanted.
    fields : dict
        As for :func:`save_game`.
    text : callable
        Gives the transcript.
    """
    try:
        if save is not None:
            save_game(save, game, fields)
    finally:
        if transcript is not None:
            with atomic_path(transcript) as path:
                path.write_text(text(), encoding="utf-8")


def _digest(about: dict[str, Any]) -> str:
    """SHA-256 of the fields, however the file is laid out."""
    return hashlib.sha256(json.dumps(about, sort_keys=True).encode()).hexdigest()


def read_game(path: Path, game: str, kinds: dict[str, type]) -> dict[str, Any]:
    """The fields of a game that :func:`save_game` wrote.

    Parameters
    ----------
    path : Path
    game : {"cards", "dice"}
    kinds : dict
        The type of each field that is needed.

    Raises
    ------
    StorageError
        When it cannot be read, is damaged, or is no such game. Files of earlier versions have no
        checksum.
    """
    try:
        about = parse_json(read_text(path))
    except ValueError:
        about = None
    if not isinstance(about, dict) or about.get("format") != FORMAT:
        raise StorageError(f"{path} is not a game that mouche {game} play --save has kept")
    if "sha256" in about and about.pop("sha256") != _digest(about):
        raise StorageError(f"{path} is damaged: it fails its checksum")
    if about.get("version") != VERSION:
        raise StorageError(
            f"{path} has format version {about.get('version')}; this program reads {VERSION}"
        )
    if about.get("game") != game:
        raise StorageError(f"{path} is a game of {about.get('game')}, not of {game}")
    for name, kind in kinds.items():
        if type(about.get(name)) is not kind:
            raise StorageError(f"{path} is damaged: {name} is missing")
    return about
