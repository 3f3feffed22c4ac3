"""Checkpoints: the whole state of a solve in a file, so that it can be carried on."""

from dataclasses import dataclass

from mouche_solver.core.minimisers import checked_tremble, schedule
from mouche_solver.dice.round.solve import RoundSolver
from mouche_solver.dice.rules.rules import DiceRules
from mouche_solver.errors import RulesError, StorageError
from mouche_solver.storage.checks import number, player, text, whole
from mouche_solver.storage.dice.fields import read_rules, round_fields
from mouche_solver.storage.tensors import PathLike, write_tensors
from mouche_solver.storage.tensors_read import CheckedArray, read_tensors

KIND, VERSION = "dice-checkpoint", 1


@dataclass(frozen=True)
class Checkpoint:
    """A state in a file; its arrays are read when they are asked for.

    Attributes
    ----------
    rules : DiceRules
    algorithm : str
    iteration : int
        Iterations done.
    locked : int or None
        A player whose strategy is given.
    tremble : float
        What every action keeps; 0 in files that say nothing of it.
    arrays : dict of str to CheckedArray
        What :meth:`mouche_solver.dice.round.solve.RoundSolver.state` gave.
    """

    path: PathLike
    rules: DiceRules
    algorithm: str
    iteration: int
    locked: int | None
    tremble: float
    arrays: dict[str, CheckedArray]

    @property
    def compact(self) -> bool:
        """Whether regrets and averages have 16 bits below the trunk."""
        return "task_regret" in self.arrays


def save_checkpoint(solver: RoundSolver, path: PathLike) -> None:
    """Write a solver's state to a file, whole or not at all.

    Raises
    ------
    StorageError
        When the system refuses, or there is not enough room on the disk.
    """
    fields = {
        **round_fields(solver.rules, solver.sweep.layout),
        "algorithm": solver.schedule.algorithm,
        "iteration": solver.iteration,
        "locked": solver.sweep.locked,
        "tremble": solver.tremble,
    }
    write_tensors(path, KIND, VERSION, fields, solver.state())


def load_checkpoint(path: PathLike) -> Checkpoint:
    """Open a checkpoint.

    Raises
    ------
    StorageError
        When the file is missing, damaged, truncated or something else.
    """
    found = read_tensors(path, KIND, VERSION)
    rules, _ = read_rules(path, found.fields)
    try:
        return Checkpoint(
            path=path,
            rules=rules,
            algorithm=schedule(text(found.fields["algorithm"])).algorithm,
            iteration=whole(found.fields["iteration"]),
            locked=player(found.fields["locked"]),
            tremble=checked_tremble(number(found.fields.get("tremble", 0.0))),
            arrays=dict(found.arrays),
        )
    except (KeyError, TypeError, ValueError) as error:
        raise StorageError(f"{path} is damaged: {error}") from None


def resume(checkpoint: Checkpoint, threads: int | None = None) -> RoundSolver:
    """A solver that goes on where the checkpoint was written, bit by bit as if it never stopped.

    Raises
    ------
    StorageError
        When the arrays are damaged or do not fit the rules.
    TooLargeError
        When the solve does not fit into memory.
    """
    try:
        solver = RoundSolver(
            checkpoint.rules,
            checkpoint.algorithm,
            threads,
            checkpoint.tremble,
            compact=checkpoint.compact,
        )
    except RulesError as error:
        raise StorageError(f"{checkpoint.path} is damaged: {error}") from None
    state = solver.state()
    if {n: (a.dtype, len(a)) for n, a in checkpoint.arrays.items()} != {
        n: (a.dtype, len(a)) for n, a in state.items()
    }:
        raise StorageError(f"{checkpoint.path} is damaged: its arrays do not fit its rules")
    for name, array in state.items():
        checkpoint.arrays[name].copy_to(array)
    solver.done = checkpoint.iteration
    solver.sweep.locked = checkpoint.locked
    return solver
