"""The files that the package ships, each checked against the package's list of hashes."""

import hashlib
from functools import cache
from importlib.resources import files

from mouche_solver.core.json_text import parse_json
from mouche_solver.errors import StorageError

MANIFEST = "manifest.json"


def shipped(name: str) -> bytes | None:
    """A shipped file's content; None when the package has none of that name.

    Raises
    ------
    StorageError
        When the file is not the one that was shipped.

    Examples
    --------
    >>> shipped("no-such-file.npz") is None
    True
    """
    found = files("mouche_solver").joinpath("data", name)
    wanted = manifest().get(name)
    if wanted is None and not found.is_file():
        return None
    try:
        content = found.read_bytes()
    except OSError as error:
        raise StorageError(f"cannot read {found}: {error.strerror or error}") from None
    if hashlib.sha256(content).hexdigest() != wanted:
        raise StorageError(f"{found} is damaged, it is not the file shipped; install again")
    return content


@cache
def manifest() -> dict[str, str]:
    """The SHA-256 of every shipped file.

    Raises
    ------
    StorageError
    """
    listed = files("mouche_solver").joinpath("data", MANIFEST)
    try:
        found: dict[str, str] = dict(parse_json(listed.read_bytes()))
    except OSError as error:
        raise StorageError(f"cannot read {listed}: {error.strerror or error}") from None
    except (ValueError, TypeError):
        raise StorageError(f"{listed} is damaged; install again") from None
    return found
