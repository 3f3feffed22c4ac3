"""The folders of the user that things are kept in."""

import os
from pathlib import Path

from mouche_solver.errors import StorageError


def data_folder() -> Path:
    """The user's data folder: ``$XDG_DATA_HOME/mouche-solver``, or the one in the home folder.

    Raises
    ------
    StorageError
        When there is no home folder.
    """
    return _folder("XDG_DATA_HOME", ".local", "share")


def cache_folder() -> Path:
    """What may be deleted at any time: ``$XDG_CACHE_HOME/mouche-solver``, or that at home.

    Raises
    ------
    StorageError
        When there is no home folder.
    """
    return _folder("XDG_CACHE_HOME", ".cache")


def _folder(variable: str, *at_home: str) -> Path:
    base = os.environ.get(variable)
    try:
        return (Path(base) if base else Path.home().joinpath(*at_home)) / "mouche-solver"
    except RuntimeError:  # a user whom the system does not know, without HOME
        raise StorageError(f"there is no home folder: name a folder in {variable}") from None
