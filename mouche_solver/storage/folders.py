"""The folders of the user that things are kept in."""

import os
from pathlib import Path


def data_folder() -> Path:
    """The user's data folder: ``$XDG_DATA_HOME/mouche-solver``, or the one in the home folder."""
    base = os.environ.get("XDG_DATA_HOME") or str(Path.home() / ".local" / "share")
    return Path(base) / "mouche-solver"


def cache_folder() -> Path:
    """What may be deleted at any time: ``$XDG_CACHE_HOME/mouche-solver``, or that at home."""
    base = os.environ.get("XDG_CACHE_HOME") or str(Path.home() / ".cache")
    return Path(base) / "mouche-solver"
