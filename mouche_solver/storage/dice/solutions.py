"""Solutions of a two-player round in files."""

from collections.abc import Mapping
from dataclasses import asdict
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mouche_solver.core.quality import Quality
from mouche_solver.dice.round.solution import Header, RoundSolution, value_region
from mouche_solver.dice.rules.rules import DiceRules
from mouche_solver.dice.sweep.tree import RoundTree, round_tree
from mouche_solver.errors import StorageError
from mouche_solver.storage.checks import number, player, record, text, whole
from mouche_solver.storage.dice.fields import check_rules, read_rules, round_fields
from mouche_solver.storage.tensors import PathLike, write_tensors
from mouche_solver.storage.tensors_read import TensorFile, read_tensors

KIND, VERSION = "dice-solution", 1
# With probabilities in 32 bits; earlier programs refuse it by its version.
FINE_VERSION = 2


def save_solution(solution: RoundSolution, path: PathLike) -> None:
    """Write a solution to a file, whole or not at all.

    Parameters
    ----------
    solution : RoundSolution
    path : path-like
        By custom with the ending ``.safetensors``.

    Raises
    ------
    StorageError
        When the system refuses, or there is not enough room on the disk.
    """
    header = solution.header
    fields = {
        **round_fields(header.rules, solution.layout),
        "algorithm": header.algorithm,
        "iterations": header.iterations,
        "quality": asdict(header.quality),
        "unrounded": asdict(header.unrounded),
        "locked": header.locked,
        "tremble": header.tremble,
    }
    arrays: dict[str, Any] = {"probabilities": solution.probabilities}
    values = solution.trunk_values or solution.remeasured().trunk_values
    assert values is not None  # a measured solution has them
    for owner, size in enumerate(_value_sizes(solution.tree)):
        arrays[f"trunk_values_{owner}"] = values[owner][:size]
    fine = solution.probabilities.dtype == np.float32
    write_tensors(path, KIND, FINE_VERSION if fine else VERSION, fields, arrays)


def open_solution(path: PathLike) -> TensorFile:
    """A solution's header and arrays as they are in the file.

    Raises
    ------
    StorageError
        When the file is missing, damaged, truncated or something else.
    """
    return read_tensors(path, KIND, VERSION, FINE_VERSION)


def load_solution(
    path: PathLike, threads: int | None = None, rules: DiceRules | None = None
) -> RoundSolution:
    """Open a solution; its probabilities stay in the file until they are asked for.

    Those of a fine solution, in 32 bits, are read once to be checked.

    Parameters
    ----------
    path : path-like
    threads : int, optional
        For passes over the whole round; all processors by default.
    rules : DiceRules, optional
        Refuse a solution of another round than these rules describe.

    Raises
    ------
    StorageError
        When the file is missing, damaged, truncated, something else or about another round.

    Examples
    --------
    >>> import os, tempfile
    >>> from mouche_solver.core.run import Limits
    >>> from mouche_solver.dice.round.solve import solve_round
    >>> solution = solve_round(DiceRules(dice=(1, 1), faces=2), limits=Limits(1e-5))
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     file = os.path.join(folder, "1v1.safetensors")
    ...     save_solution(solution, file)
    ...     load_solution(file).policy("2", "1x2") == solution.policy("2", "1x2")
    True
    """
    found = open_solution(path)
    header = _header(path, found.fields)
    _, layout = read_rules(path, found.fields)
    check_rules(path, header.rules, rules)
    sizes, fine = _value_sizes(round_tree(header.rules)), found.version == FINE_VERSION
    wanted = {
        "probabilities": (np.dtype("<f4" if fine else "<u2"), layout.entries),
        "trunk_values_0": (np.dtype("<f4"), sizes[0]),
        "trunk_values_1": (np.dtype("<f4"), sizes[1]),
    }
    if {n: (a.dtype, len(a)) for n, a in found.arrays.items()} != wanted:
        raise StorageError(f"{path} is damaged: its arrays do not fit its rules")
    if fine:
        _check_probabilities(path, found.arrays["probabilities"].whole())
    parts = [found.arrays[f"trunk_values_{number}"] for number in (0, 1)]
    values = tuple(part.whole() for part in parts)
    for part, numbers in zip(parts, values, strict=True):
        part.check_finite(numbers)
    return RoundSolution(header, found.arrays["probabilities"], values, threads)


def _check_probabilities(path: PathLike, numbers: NDArray[np.float32]) -> None:
    """Refuse what no probability can be; a whole number of 16 bits always can."""
    if not ((numbers >= 0) & (numbers <= 1)).all():
        raise StorageError(f"{path} is damaged: a probability is not between 0 and 1")


def _value_sizes(tree: RoundTree) -> list[int]:
    """Numbers of each player among the values that a solution keeps."""
    region = value_region(tree)
    return [0, 0] if region is None else [int(size) for size in region.vector_size]


def _header(path: PathLike, fields: Mapping[str, Any]) -> Header:
    try:
        return Header(
            rules=DiceRules.from_dict(fields["rules"]),
            algorithm=text(fields["algorithm"]),
            iterations=whole(fields["iterations"]),
            quality=record(Quality, fields["quality"]),
            unrounded=record(Quality, fields["unrounded"]),
            locked=player(fields["locked"]),
            tremble=number(fields.get("tremble", 0.0)),
        )
    except (KeyError, TypeError, ValueError) as error:
        raise StorageError(f"{path} is damaged: {error}") from None
