"""What a study needs: a question, a folder for its output, words that go with its numbers."""

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

import pandas as pd

from mouche_solver.analysis.page.output import make_folder, save_figure, save_table
from mouche_solver.storage.atomic import atomic_path

if TYPE_CHECKING:
    from matplotlib.figure import Figure


class Study:
    """A script that asks one question and writes down what it found.

    The command line's ``--fast`` asks for a small case; ``--out FOLDER`` says where the output
    goes. Words of a notebook's own command line are passed over.

    Parameters
    ----------
    name : str
        Begins the name of each file.
    question : str
    argv : list of str, optional
        Words of the command line; those of this process when left out.

    Attributes
    ----------
    fast : bool
    folder : pathlib.Path
        ``analysis/output`` below the working folder by default.

    Raises
    ------
    StorageError
        When the folder cannot be made.

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     study = Study("coin", "Is it fair?", ["--fast", "--out", folder])
    ...     study.say("It is.")
    ...     study.finish().read_text().splitlines()
    It is.
    ['# Is it fair?', '', 'It is.']
    """

    def __init__(self, name: str, question: str, argv: list[str] | None = None) -> None:
        parser = argparse.ArgumentParser(name, description=question)
        parser.add_argument("--fast", action="store_true", help="a small case, in a minute or two")
        parser.add_argument("--out", default="analysis/output", help="folder of the output")
        given, _ = parser.parse_known_args(argv)
        self.name, self.question, self.fast = name, question, given.fast
        self.folder = make_folder(given.out)
        self._words = [f"# {question}"]

    def table(self, frame: pd.DataFrame, name: str) -> pd.DataFrame:
        """Write a table as CSV and parquet, and hand it back for the notebook to show."""
        save_table(frame, self.folder / f"{self.name}-{name}")
        return frame

    def figure(self, figure: "Figure", name: str) -> "Figure":
        """Write a figure as PDF and PNG, and hand it back for the notebook to show."""
        for kind in ("pdf", "png"):
            save_figure(figure, self.folder / f"{self.name}-{name}.{kind}")
        return figure

    def say(self, text: str) -> None:
        """A paragraph of the answer."""
        print(text)
        self._words.append(text)

    def finish(self) -> Path:
        """Write question and answer as Markdown."""
        path = self.folder / f"{self.name}.md"
        with atomic_path(path) as part:
            part.write_text("\n\n".join(self._words) + "\n", encoding="utf-8")
        return path
