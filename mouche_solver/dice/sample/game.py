"""A round's claims and hands as the sampling kernels take them."""

from typing import Any

import numpy as np

from mouche_solver.dice.rules.hands import matches
from mouche_solver.dice.sample.arrays import SampleGame
from mouche_solver.dice.sweep.tree import RoundTree


def sample_game(tree: RoundTree) -> SampleGame:
    """The arrays of a round."""
    rules, players = tree.rules, tree.rules.players
    most = max(len(classes.hands) for classes in tree.classes)
    levels = len(tree.classes[0].size)
    group = np.zeros((players, len(tree.claims), most), dtype=np.int32)
    merge = np.zeros((players, levels, levels, most), dtype=np.int32)
    prior = np.zeros((players, most))
    held = np.zeros((players, len(tree.claims), most), dtype=np.int64)
    shown = np.zeros((players, most, rules.faces), dtype=np.int64)
    chance = np.ones((players, most))
    for seat, classes in enumerate(tree.classes):
        many = len(classes.hands)
        group[seat, :, :many] = classes.of_hand[tree.level]
        shown[seat, :many] = [
            [matches(hand, face, rules.wild) for face in range(1, rules.faces + 1)]
            for hand in classes.hands
        ]
        chance[seat, : many - 1] = np.cumsum(classes.prior)[:-1]
        merge[seat, :, :, :many] = classes.merge
        prior[seat, :many] = classes.prior
        held[seat, :, :many] = tree.own_count[seat]
    many_raises = [len(each) for each in tree.raises]
    stated: list[Any] = [claim or (0, 1) for claim in tree.claims]
    return SampleGame(
        raises_start=np.concatenate([[0], np.cumsum(many_raises)]),
        raises=np.array([after for each in tree.raises for after in each], dtype=np.int64),
        quantity=np.array([quantity for quantity, _ in stated], dtype=np.int64),
        face=np.array([face - 1 for _, face in stated], dtype=np.int64),
        level=tree.level,
        size=np.stack([classes.size for classes in tree.classes]),
        merge=merge,
        prior=prior,
        held=held,
        group=group,
        shown=shown,
        chance=chance,
        exact=rules.truth == "exactly",
    )
