"""Strategies against each other on the same dice, with intervals.

Every deal is played once for each rotation of the contestants around the table. A round lost
costs a point, and every round has one loser: a contestant that is as good as the rest of the table
loses 1 / players points a round.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mouche_solver.core.checks import check_seed, whole
from mouche_solver.core.chunks import Workers
from mouche_solver.core.statistics import Interval, mean_interval
from mouche_solver.core.streams import Purpose, stream
from mouche_solver.dice.people.players import Person
from mouche_solver.dice.rules.rules import DiceRules
from mouche_solver.dice.sample.arrays import IntArray, Machine, Side
from mouche_solver.dice.sample.game import sample_game
from mouche_solver.dice.sample.kernels_tournament import play_deals
from mouche_solver.dice.sample.odds_player import (
    ODDS_VIEW,
    odds_entries,
    person_entries,
    random_entries,
)
from mouche_solver.dice.sample.strategy import SampledStrategy
from mouche_solver.dice.sample.view import build_machine
from mouche_solver.dice.sweep.estimate import countable_tree
from mouche_solver.errors import RulesError

# Deals that share a stream of random numbers.
MOST_DEALS = 10**8  # what every deal loses each player is kept
_CHUNK = 2048


@dataclass(frozen=True)
class Contestant:
    """A strategy with a name; contestants of one name are one and the same."""

    name: str
    side: Side = field(repr=False)


def odds_player(rules: DiceRules, threshold: float) -> Contestant:
    """The odds-only player of :func:`mouche_solver.dice.sample.odds_player.odds_entries`."""
    if not 0 <= threshold <= 1:
        raise RulesError(f"threshold {threshold}: allowed are 0 to 1")
    tree = countable_tree(rules)
    side = Side(build_machine(tree, ODDS_VIEW), odds_entries(rules, tree, threshold))
    return Contestant(f"odds:{threshold:g}", side)


def random_player(rules: DiceRules) -> Contestant:
    """The player to whom all actions are alike."""
    tree = countable_tree(rules)
    return Contestant("random", Side(build_machine(tree, ODDS_VIEW), random_entries(tree)))


def human_player(rules: DiceRules, person: Person) -> Contestant:
    """One of :data:`mouche_solver.dice.people.players.PEOPLE` as a contestant."""
    tree = countable_tree(rules)
    side = Side(build_machine(tree, ODDS_VIEW), person_entries(tree, person))
    return Contestant(person.name, side)


def sampled_player(strategy: SampledStrategy, name: str = "sampled") -> Contestant:
    """A trained strategy as a contestant."""
    return Contestant(name, Side(strategy.machine, strategy.entries))


@dataclass(frozen=True)
class Tournament:
    """What was played.

    Attributes
    ----------
    names : tuple of str
        The contestants, each once.
    deals : int
    lost : float64 array, shape (deals, names)
        Points a round that each lost, averaged over its places at the table and the rotations.
    """

    names: tuple[str, ...]
    deals: int
    lost: NDArray[np.float64] = field(repr=False)

    def points_lost(self, name: str) -> tuple[float, Interval]:
        """Points a round that a contestant lost, with its 95 % interval."""
        return mean_interval(self.lost[:, self._column(name)])

    def margin(self, winner: str, loser: str) -> tuple[float, Interval]:
        """Points a round by which ``loser`` lost more than ``winner``, with its 95 % interval."""
        return mean_interval(self.lost[:, self._column(loser)] - self.lost[:, self._column(winner)])

    def to_records(self) -> list[dict[str, Any]]:
        """One object per contestant: points lost a round and the ends of the interval."""
        records = []
        for name in self.names:
            mean, (low, high) = self.points_lost(name)
            records.append({"player": name, "points_lost": mean, "low": low, "high": high})
        return records

    def _column(self, name: str) -> int:
        if name not in self.names:
            raise RulesError(f"no contestant {name!r}: there are {', '.join(self.names)}")
        return self.names.index(name)


def play_tournament(
    rules: DiceRules,
    contestants: Sequence[Contestant],
    deals: int = 100_000,
    seed: int = 0,
    threads: int | None = None,
) -> Tournament:
    """Play deals between contestants, one per seat, every deal in all rotations.

    Parameters
    ----------
    rules : DiceRules
    contestants : sequence of Contestant
        One per seat, in the order around the table; one may sit there several times.
    deals : int
        2 to 10**8; each takes 8 bytes a player.
    seed : int
    threads : int, optional
        All processors by default; the result does not depend on it.

    Raises
    ------
    RulesError
        When there are not as many contestants as seats, or too few or too many deals.

    Examples
    --------
    >>> rules = DiceRules(dice=(1, 1, 1))
    >>> table = [odds_player(rules, 0.5), random_player(rules), random_player(rules)]
    >>> result = play_tournament(rules, table, deals=2000, threads=1)
    >>> margin, (low, high) = result.margin("odds:0.5", "random")
    >>> low > 0
    True
    """
    if len(contestants) != rules.players:
        raise RulesError(
            f"{len(contestants)} contestants: {rules.players} seats need {rules.players}"
        )
    deals = whole("deals", deals)
    if deals < 2:
        raise RulesError(f"deals {deals}: at least 2 are needed")
    if deals > MOST_DEALS:
        raise RulesError(f"deals {deals}: at most {MOST_DEALS:,} are played at once")
    check_seed(seed)
    game = sample_game(countable_tree(rules))
    side, roots = combine([contestant.side for contestant in contestants])
    lost = np.zeros((deals, rules.players))

    def play(chunk: int) -> None:
        part = lost[chunk * _CHUNK : (chunk + 1) * _CHUNK]
        play_deals(game, side, roots, part, stream(Purpose.DICE_TOURNAMENT, seed, chunk))

    with Workers(threads) as workers:
        workers.map(play, range(-(-deals // _CHUNK)))
    names = tuple(dict.fromkeys(contestant.name for contestant in contestants))
    seats = [[c.name == name for c in contestants] for name in names]
    return Tournament(names, deals, np.stack([lost[:, s].mean(axis=1) for s in seats], axis=1))


def combine(sides: Sequence[Side]) -> tuple[Side, IntArray]:
    """All strategies in one automaton, and the state in which each starts.

    Parameters
    ----------
    sides : sequence of Side

    Returns
    -------
    side : Side
    roots : int64 array, shape (sides,)
    """
    machines = [side.machine for side in sides]
    states = np.cumsum([0, *(len(machine.last) for machine in machines)])
    entries = np.cumsum([0, *(machine.entries for machine in machines)])
    steps = np.cumsum([0, *(len(machine.after) for machine in machines)])
    parts = list(zip(machines, states, entries, steps, strict=False))
    whole = Machine(
        last=np.concatenate([machine.last for machine in machines]),
        begin=np.concatenate([*(m.begin[:-1] + at for m, _, at, _ in parts), entries[-1:]]),
        step=np.concatenate([machine.step + at for machine, _, _, at in parts]),
        after=np.concatenate([m.after + at for m, at, _, _ in parts]).astype(np.int32),
        code=np.concatenate([machine.code for machine in machines]),
    )
    return Side(whole, np.concatenate([side.entries for side in sides])), states[:-1]
