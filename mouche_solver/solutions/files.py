"""One call that opens every file that the package writes."""

import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

from mouche_solver.errors import StorageError
from mouche_solver.storage.tensors import PathLike

# What tells the kinds of zip archives apart: the name of one of their members.
_POTS, _STRATEGY, _BOOK, _SAMPLED = "pots.json", "cells.npy", "values_0.npy", "levels.npy"


def load(path: PathLike, threads: int | None = None) -> Any:
    """Open any file that this package wrote, on the command line or by ``save``.

    Parameters
    ----------
    path : path-like
    threads : int, optional
        For what the result computes later; all processors by default.

    Returns
    -------
    DiceSolution
        For a solution of ``mouche dice solve``. Its probabilities stay in the file until they are
        asked for.
    DiceBook
        For an opening book of ``mouche dice book``.
    SampledStrategy
        For a file of ``mouche dice sample``.
    CardSolution
        For a strategy of ``mouche cards solve``.
    CardPots
        For strategies of several pots.
    RoundSolver or CardTrainer
        For a checkpoint: it carries the run on.

    Raises
    ------
    StorageError
        When the file is missing, damaged or something else.
    TooLargeError
        When what a checkpoint carries on does not fit into memory.

    Examples
    --------
    >>> import tempfile
    >>> from mouche_solver import DiceRules, load, solve_dice
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     file = Path(folder, "round.safetensors")
    ...     solve_dice(DiceRules(dice=(1, 1), faces=3), target=1e-4).save(file)
    ...     round(load(file).value, 3)
    -0.111
    """
    return _OPENERS[kind_of(path)](path, threads)


class _UselessError(StorageError):
    """No file, or part of an archive: no reader can use it."""


def kind_of(path: PathLike) -> str:
    """Which kind of file it is, by its contents and not by its name.

    Returns
    -------
    str
        A key of what :func:`load` opens, such as ``dice-solution`` or ``card-strategy``.

    Raises
    ------
    StorageError
        When the file cannot be read or is of no kind that this package writes.
    """
    where = Path(path)
    if where.exists() and not where.is_file():
        raise _UselessError(f"cannot read {path}: it is not a regular file")
    try:
        with where.open("rb") as file:
            zipped = file.read(4) == b"PK\x03\x04"
        if not zipped:
            from mouche_solver.storage.tensors_read import open_tensors

            return _known(path, str(open_tensors(path).fields.get("kind")))
        with zipfile.ZipFile(where) as archive:
            names = set(archive.namelist())
    except OSError as error:
        raise StorageError(f"cannot read {path}: {error.strerror or error}") from None
    except zipfile.BadZipFile:
        raise _UselessError(f"{path} is damaged: it begins like an archive and is none") from None
    kinds = {
        _POTS: "card-pots",
        _STRATEGY: "card-strategy",
        _BOOK: "dice-book",
        _SAMPLED: "dice-sampled",
    }
    return _known(path, next((kind for name, kind in kinds.items() if name in names), "foreign"))


# What a file is, in words, by its kind.
WORDS = {
    "dice-solution": "a solution of mouche dice solve",
    "dice-book": "an opening book of mouche dice book",
    "dice-sampled": "a strategy of mouche dice sample",
    "dice-checkpoint": "a checkpoint of mouche dice solve",
    "card-strategy": "a strategy of mouche cards solve",
    "card-pots": "a file of mouche cards solve with strategies for several pots",
    "card-checkpoint": "a checkpoint of mouche cards solve",
}


def refuse_others(path: PathLike, *kinds: str) -> None:
    """Refuse a file of this package that is of another kind, and say what it is.

    A file that cannot be read, or is none of ours, is left for its reader to refuse. A part of an
    archive is not, since a reader of another kind would call it foreign, nor is a device, whose end
    some readers look for.

    Raises
    ------
    StorageError
        When the file is of a kind that is not among ``kinds``, part of an archive, or no file.
    """
    try:
        kind = kind_of(path)
    except _UselessError:
        raise
    except StorageError:
        return
    if kind not in kinds:
        wanted = " or ".join(WORDS[each] for each in kinds)
        raise StorageError(f"{path} is {WORDS[kind]}; needed is {wanted}")


def _known(path: PathLike, kind: str) -> str:
    if kind not in _OPENERS:
        raise StorageError(
            f"{path} is not a card strategy, a book or any other file that mouche_solver writes"
        )
    return kind


def _dice_solution(path: PathLike, threads: int | None) -> Any:
    from mouche_solver.solutions.dice import DiceSolution
    from mouche_solver.storage.dice.solutions import load_solution

    return DiceSolution.of(load_solution(path, threads), threads)


def _dice_book(path: PathLike, threads: int | None) -> Any:
    from mouche_solver.solutions.dice import DiceBook
    from mouche_solver.storage.dice.books import load_book

    return DiceBook.of(load_book(path))


def _dice_sampled(path: PathLike, threads: int | None) -> Any:
    from mouche_solver.storage.dice.sampled import load_sampled

    return load_sampled(path)


def _dice_checkpoint(path: PathLike, threads: int | None) -> Any:
    from mouche_solver.storage.dice.checkpoints import load_checkpoint, resume

    return resume(load_checkpoint(path), threads)


def _card_strategy(path: PathLike, threads: int | None) -> Any:
    from mouche_solver.solutions.cards import CardSolution
    from mouche_solver.storage.cards.strategies import load_strategy

    return CardSolution.of(load_strategy(path))


def _card_pots(path: PathLike, threads: int | None) -> Any:
    from mouche_solver.solutions.cards import CardPots
    from mouche_solver.storage.cards.pots import load_pots

    return CardPots.of(load_pots(path))


def _card_checkpoint(path: PathLike, threads: int | None) -> Any:
    import os

    from mouche_solver.storage.cards.checkpoints import resume_training

    return resume_training(path, threads or os.cpu_count() or 1)


_OPENERS: dict[str, Callable[[PathLike, int | None], Any]] = {
    "dice-solution": _dice_solution,
    "dice-book": _dice_book,
    "dice-sampled": _dice_sampled,
    "dice-checkpoint": _dice_checkpoint,
    "card-strategy": _card_strategy,
    "card-pots": _card_pots,
    "card-checkpoint": _card_checkpoint,
}
