"""Players that know nothing but the odds: baselines, and the stand-in where nothing was learned.

They look at the last claim and their own dice alone, so that a view of one claim holds them.
"""

import numpy as np
from numpy.typing import NDArray

from mouche_solver.dice.odds import claim_table
from mouche_solver.dice.people.players import Person
from mouche_solver.dice.people.sight import look_at
from mouche_solver.dice.rules.rules import DiceRules
from mouche_solver.dice.sample.arrays import Machine
from mouche_solver.dice.sample.view import View, build_machine, seat_period
from mouche_solver.dice.sweep.tree import RoundTree

# The weakest of memories: the last claim.
ODDS_VIEW = View(1, 0, 0)
# What stands in for positions that training hardly met.
STAND_IN = 0.5

Entries = NDArray[np.float32]


def odds_entries(rules: DiceRules, tree: RoundTree, threshold: float) -> Entries:
    """The odds-only player: make the likeliest legal claim if it is likely enough, else doubt.

    Parameters
    ----------
    rules : DiceRules
    tree : RoundTree
    threshold : float
        The least chance of being correct that a claim needs. The opener makes the likeliest claim
        however unlikely; of equally likely claims the lowest comes first.

    Returns
    -------
    float32 array
        Entries of the machine of :data:`ODDS_VIEW`, 0 or 1.
    """
    machine = build_machine(tree, ODDS_VIEW)
    entries = np.zeros(machine.entries, dtype=np.float32)
    period = seat_period(rules.dice)
    chances = [_chances(rules, tree, seat) for seat in range(period)]
    for state, claim in enumerate(map(int, machine.last)):
        raises = list(tree.raises[claim])
        if not raises:
            continue
        seat = int(machine.code[state]) % period
        actions = len(raises) + (claim > 0)
        of_hand = tree.classes[seat].of_hand[tree.level[claim]]
        likely = chances[seat][:, raises]
        best = likely.argmax(axis=1)
        spoken = best + (claim > 0)
        if claim > 0:
            spoken = np.where(likely.max(axis=1) >= threshold, spoken, 0)
        entries[machine.begin[state] + of_hand * actions + spoken] = 1.0
    return entries


def random_entries(tree: RoundTree) -> Entries:
    """The random player: every action alike, as entries of the machine of :data:`ODDS_VIEW`."""
    return np.ones(build_machine(tree, ODDS_VIEW).entries, dtype=np.float32)


def _chances(rules: DiceRules, tree: RoundTree, seat: int) -> NDArray[np.float64]:
    """Chance that each claim is correct for each hand, shape (hands, claims); 0 for none."""
    quantity, face = np.array([claim for claim in tree.claims if claim]).T
    table = np.zeros((len(tree.classes[seat].hands), len(tree.claims)))
    for row, hand in enumerate(tree.classes[seat].hands):
        table[row, 1:] = claim_table(rules, hand)[quantity - 1, face - 1]
    return table


def spread(coarse: Machine, entries: Entries, machine: Machine, tree: RoundTree) -> Entries:
    """The same strategy as entries of a machine that remembers more.

    ``coarse`` is the machine of :data:`ODDS_VIEW`.
    """
    period = seat_period(tree.rules.dice)
    known = {
        (int(claim), int(code) % period): state
        for state, (claim, code) in enumerate(zip(coarse.last, coarse.code, strict=True))
    }
    pairs = zip(machine.last.tolist(), (machine.code % period).tolist(), strict=True)
    source = np.array([known[pair] for pair in pairs])
    size = np.diff(machine.begin)
    shift = np.repeat(coarse.begin[source] - machine.begin[:-1], size)
    found: Entries = entries[np.arange(machine.entries) + shift]
    return found


def person_entries(tree: RoundTree, person: Person) -> Entries:
    """A person whose rule looks at the last claim alone, as entries of that machine."""
    machine = build_machine(tree, ODDS_VIEW)
    entries = np.zeros(machine.entries, dtype=np.float32)
    period = seat_period(tree.rules.dice)
    for state, number in enumerate(map(int, machine.last)):
        claim = tree.claims[number]
        if not tree.raises[number]:
            continue
        seat = int(machine.code[state]) % period
        mix = person.rule(look_at(tree.rules, seat, claim))
        of_hand = tree.classes[seat].of_hand[tree.level[number]]
        block = entries[machine.begin[state] : machine.begin[state + 1]].reshape(-1, mix.shape[1])
        block[of_hand] = mix
    return entries
