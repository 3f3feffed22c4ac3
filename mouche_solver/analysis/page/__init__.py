"""What every page and figure shares."""

import os
import sys
from contextlib import suppress


def _import_matplotlib() -> None:
    """Import matplotlib also where the environment names a backend that there is not.

    Nothing here needs one; a backend that there is stays the one of the process.
    """
    named = os.environ["MPLBACKEND"]
    os.environ["MPLBACKEND"] = "agg"
    try:
        import matplotlib
    finally:
        os.environ["MPLBACKEND"] = named
    with suppress(ValueError):
        matplotlib.rcParams["backend"] = named


if "MPLBACKEND" in os.environ and "matplotlib" not in sys.modules:
    _import_matplotlib()
