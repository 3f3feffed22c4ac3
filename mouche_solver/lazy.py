"""Public names that load on first use, for the ``__init__`` of the package and of its rooms."""

from collections.abc import Callable, Mapping
from importlib import import_module
from typing import Any


def attach(
    package: str, home: Mapping[str, str], extra: tuple[str, ...] = ()
) -> tuple[Callable[[str], Any], Callable[[], list[str]], list[str]]:
    """What a package needs to offer names of modules that it does not import yet.

    Parameters
    ----------
    package : str
        The package's ``__name__``.
    home : mapping
        For each public name, the module inside the package that defines it; a dot before it leads
        out of the package, to a module beside it.
    extra : tuple of str
        Public names that the package defines itself.

    Returns
    -------
    tuple
        The package's ``__getattr__``, ``__dir__`` and ``__all__``.

    Examples
    --------
    >>> get, _, names = attach("mouche_solver.dice", {"Claim": "rules"})
    >>> names, get("Claim")(3, 5)
    (['Claim'], Claim(quantity=3, face=5))
    """
    names = sorted({*home, *extra})

    def get(name: str) -> Any:
        if name in home:
            return getattr(import_module(f".{home[name]}", package), name)
        raise AttributeError(f"module {package!r} has no attribute {name!r}")

    return get, lambda: names, names
