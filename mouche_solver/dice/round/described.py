"""What a described player does in a subgame, as entries of its region."""

import numpy as np

from mouche_solver.dice.people.fitted import Habit, with_slips
from mouche_solver.dice.people.sight import look_at
from mouche_solver.dice.people.slips import prior
from mouche_solver.dice.sweep.arrays import Floats
from mouche_solver.dice.sweep.layout import Region
from mouche_solver.dice.sweep.tree import RoundTree


def described_entries(
    opponent: Habit, tree: RoundTree, region: Region, player: int, slips: bool = True
) -> Floats:
    """The mixes of a described player wherever he acts.

    Where the round is thinned, what he would give to claims that are left out goes to the others
    in the proportion in which he makes them; his doubts stay.

    Parameters
    ----------
    opponent : Habit
    tree : RoundTree
        Perhaps one of which claims are left out.
    region : Region
        Below one history.
    player : int
        His place.
    slips : bool
        Whether he slips now and then.

    Returns
    -------
    float32 array, shape (entries,)
        Probabilities at his information sets, 0 at those of the other player.
    """
    entries = np.zeros(region.entries, dtype=np.float32)
    rolled = prior(tree.rules, player)
    for number in region.expand:
        cell = int(number)
        claim, mover = divmod(cell, 2)
        if mover != player or not tree.raises[claim]:
            continue
        mix = _kept(opponent, tree, claim, player, slips)
        of_hand = tree.classes[player].of_hand[tree.level[claim]]
        classes = int(tree.classes[player].size[tree.level[claim]])
        weight = np.bincount(of_hand, rolled, classes)
        by_class = [np.bincount(of_hand, rolled * each, classes) / weight for each in mix.T]
        block = np.stack(by_class)[:, :, None]
        rows, at = int(region.rows[cell]), int(region.entry[cell])
        size = block.size * rows
        entries[at : at + size].reshape(len(by_class), classes, rows)[...] = block
    return entries


def _kept(opponent: Habit, tree: RoundTree, claim: int, player: int, slips: bool) -> np.ndarray:
    """Probabilities of the actions that a tree keeps, shape (hands, actions)."""
    last = tree.claims[claim]
    sight = look_at(tree.rules, player, last)
    mix = opponent.mix_at(tree.rules, player, last)
    mix = with_slips(sight, mix) if slips else mix
    doubts = int(last is not None)
    places = {raised: place for place, raised in enumerate(sight.raises, start=doubts)}
    kept = mix[:, [places[stated] for n in tree.raises[claim] if (stated := tree.claims[n])]]
    raised, left = mix[:, doubts:].sum(axis=1), kept.sum(axis=1)
    kept[left <= 0.0, 0] = 1.0  # without slips he may make only claims that are left out
    kept *= (raised / np.where(left > 0.0, left, 1.0))[:, None]
    return np.concatenate([mix[:, :doubts], kept], axis=1)
