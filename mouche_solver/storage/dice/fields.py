"""What every file about a two-player round says: its rules, and how its numbers are ordered."""

import hashlib
from collections.abc import Mapping
from typing import Any

import numpy as np

from mouche_solver.dice.rules.rules import ROUND_FIELDS, DiceRules
from mouche_solver.dice.sweep.estimate import checked_tree
from mouche_solver.dice.sweep.layout import Layout, plan_layout
from mouche_solver.errors import MoucheError, StorageError
from mouche_solver.storage.tensors import PathLike


def round_fields(rules: DiceRules, layout: Layout) -> dict[str, Any]:
    """The fields that say which round a file is about."""
    return {
        "rules": rules.to_dict(),
        "round_hash": rules.round_hash,
        "layout_hash": layout_hash(layout),
    }


def read_rules(path: PathLike, fields: Mapping[str, Any]) -> tuple[DiceRules, Layout]:
    """The rules of a file and the layout of its numbers.

    Raises
    ------
    StorageError
        When the rules are impossible, or this program orders the numbers in another way.
    """
    try:
        rules = DiceRules.from_dict(fields["rules"])
        layout = plan_layout(checked_tree(rules))
        same = rules.round_hash == fields["round_hash"]
    except (MoucheError, KeyError) as error:
        raise StorageError(f"{path} is damaged: {error}") from None
    if not same or layout_hash(layout) != fields.get("layout_hash"):
        raise StorageError(
            f"{path} was written by another version of mouche_solver, which orders its numbers "
            f"in another way; solve the round again"
        )
    return rules, layout


def check_rules(path: PathLike, found: DiceRules, wanted: DiceRules | None) -> None:
    """Refuse a file about another round than the one that is wanted; None takes any.

    Raises
    ------
    StorageError
    """
    if wanted is None or found.round_hash == wanted.round_hash:
        return
    there = [name for name in ROUND_FIELDS if getattr(found, name) != getattr(wanted, name)]
    raise StorageError(
        f"{path} is for other rules: {', '.join(f'{n}={getattr(found, n)}' for n in there)}, "
        f"not {', '.join(f'{n}={getattr(wanted, n)}' for n in there)}"
    )


def layout_hash(layout: Layout) -> str:
    """A hash of where every number lies."""
    digest = hashlib.sha256(b"mouche-layout-1")
    regions = {id(task.region): task.region for task in layout.tasks}
    if layout.trunk is not None:
        regions[id(layout.trunk)] = layout.trunk
    for region in regions.values():
        numbers = np.concatenate(
            [[region.root, region.entries], region.expand, region.rows, region.entry]
        )
        digest.update(numbers.astype("<i8").tobytes())
    places = [(task.region.root, task.first, task.rows, task.base) for task in layout.tasks]
    digest.update(np.array(places, dtype="<i8").tobytes())
    return digest.hexdigest()[:16]
