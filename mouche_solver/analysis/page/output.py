"""Tables and figures in files, and tables for the eye."""

import os
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pandas as pd

from mouche_solver.errors import StorageError, UsageError
from mouche_solver.storage.atomic import atomic_path

if TYPE_CHECKING:
    from matplotlib.figure import Figure
    from pandas.io.formats.style import Styler

PathLike = str | os.PathLike[str]
_PICTURES = ("pdf", "png", "svg")


def save_table(frame: pd.DataFrame, path: PathLike) -> None:
    """Write a table as ``path.csv`` and ``path.parquet``, each whole or not at all.

    Raises
    ------
    StorageError
        When a file cannot be written.

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     save_table(pd.DataFrame({"chance": [0.5]}), Path(folder, "half"))
    ...     sorted(file.name for file in Path(folder).iterdir())
    ['half.csv', 'half.parquet']
    """
    # Parquet knows no names but text.
    flat = frame.reset_index()
    flat.columns = pd.Index([str(name) for name in flat.columns])
    for name, column in flat.items():
        # Where every text is missing, or there is no row, the file still says that they are texts.
        if isinstance(column.dtype, pd.CategoricalDtype) and column.isna().all():
            flat[name] = column.astype(object)
        if flat[name].dtype == object and flat[name].isna().all():
            flat[name] = flat[name].astype("string")
    with atomic_path(f"{os.fspath(path)}.csv") as part:
        part.write_text(flat.to_csv(index=False, lineterminator="\n"), "utf-8", newline="")
    with atomic_path(f"{os.fspath(path)}.parquet") as part:
        flat.to_parquet(part, index=False)


def save_figure(figure: "Figure", path: PathLike) -> None:
    """Write a figure as PDF, PNG or SVG, whichever the ending says.

    Raises
    ------
    UsageError
        For another ending.
    StorageError
        When the file cannot be written.
    """
    kind = Path(path).suffix.removeprefix(".").lower()
    if kind not in _PICTURES:
        raise UsageError(f"{path}: a figure's file ends with .{', .'.join(_PICTURES)}")
    with atomic_path(path) as part:
        figure.savefig(part, format=kind, dpi=200, bbox_inches="tight")


def make_folder(path: PathLike) -> Path:
    """A folder for output, made when it is missing.

    Raises
    ------
    StorageError
        When it cannot be made.
    """
    folder = Path(path)
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise StorageError(f"cannot make folder {path}: {error.strerror or error}") from None
    return folder


def styled(frame: pd.DataFrame, formats: Mapping[str, str] | None = None) -> "Styler":
    """A table for a notebook or a page: percentages, shaded by size, with its caption.

    Parameters
    ----------
    frame : DataFrame
        Whose ``attrs["caption"]`` becomes the caption.
    formats : mapping, optional
        Format of single columns; numbers are percentages otherwise, whole numbers stay.

    Returns
    -------
    pandas.io.formats.style.Styler

    Examples
    --------
    >>> "25.0%" in styled(pd.DataFrame({"chance": [0.25]})).to_html()
    True
    """
    from mouche_solver.analysis.page.figures import CELLS

    chances = frame.select_dtypes("float64").columns
    given: dict[Any, Any] = dict.fromkeys(chances, "{:.1%}") | dict(formats or {})
    style = frame.style.format(given, na_rep="-")
    style = style.background_gradient(cmap=CELLS, subset=chances, vmin=0.0, vmax=1.0)
    return style.set_caption(frame.attrs.get("caption", ""))
