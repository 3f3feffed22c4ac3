"""Advice wherever a round has come to: a strategy, mended where good play never leads.

A solution says what to do on the lines that good play reaches. :class:`Advisor` answers from it
there. Where a line of claims is too rare for the solution's error to vouch for it, the position is
solved again: each player's range is that of players who err
(:mod:`mouche_solver.dice.people.slips`), the round below is thinned where it is too large, and the
other player keeps what he was worth before he left the path (the gadget of
:mod:`mouche_solver.dice.round.resolve`).

The mix that was solved is kept but for actions that lose much by their listed values. To play the
best listed action alone would look better, and would tell the other player what every hand does:
whoever leaves the path on purpose would win from it. Off the path half of the mix leans towards
what wins from people (:mod:`mouche_solver.dice.people.worth`). Decision 0041 has the measurements.

Everywhere, an action that the own dice refute is never advised: a doubt of a claim that they
alone make true, and a claim that no dice of the other can make true while the doubt wins.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from mouche_solver.core.quality import Quality
from mouche_solver.dice.people.fitted import Habit, opponent_range
from mouche_solver.dice.people.sight import look
from mouche_solver.dice.people.slips import erring, prior, slip_weights
from mouche_solver.dice.people.worth import worth_to_people
from mouche_solver.dice.round.book import OpeningBook
from mouche_solver.dice.round.described import described_entries
from mouche_solver.dice.round.line import doubt_values, mixed_at, region_place
from mouche_solver.dice.round.resolve import (
    Described,
    Resolved,
    Subproblem,
    against_described,
    resolve,
)
from mouche_solver.dice.round.strategy import (
    ERRING,
    HandMix,
    HandTable,
    History,
    RoundStrategy,
)
from mouche_solver.dice.round.thin import thinned
from mouche_solver.dice.rules.rules import Claim, DiceRules
from mouche_solver.dice.sweep.layout import subgame_region
from mouche_solver.dice.sweep.tree import RoundTree

Floats = NDArray[np.float64]

# What the hands at a position of the path may lose on average before it is solved again.
MEAN_LOSS = 0.002
# An action worth so much less than the best listed one is an error, and left out where the mix of
# a hand loses more than this.
ERROR, LOSS = 0.05, 0.005
# Off the path this share of the mix leans towards what wins from people among actions so near,
LEANS, NEAR = 0.5, 0.03
# and there an action that wins this much more from them is e times as likely.
_FOLLOWS = 0.25
# How likely every action near the best is before people are asked.
_OPEN = 0.001
# Share of the other player's range that is believed, the rest may have come on purpose.
BELIEF = 0.5
# Every hand of the own range is kept a little, so that each is solved.
_KEPT = 0.02


@dataclass(frozen=True)
class Reply:
    """What a reply to a described player is worth, in payoffs of +1 and -1.

    Attributes
    ----------
    gain : float64 array, shape (hands,)
        More than the usual advice wins from him if he is as described; the moves after this one
        are the same. Zero where the usual advice is as good and stays.
    risk : float
        What a player who is not so, and knows the reply, wins more than he should, averaged over
        his hands as they are rolled.
    """

    gain: Floats
    risk: float


@dataclass(frozen=True)
class _Walk:
    """What a line of claims says. ``sound`` is the number of claims that good play makes."""

    ranges: tuple[Floats, Floats]
    reach: float
    sound: int
    promised: tuple[Floats | None, Floats | None]


class Advisor(RoundStrategy):
    """A strategy that gives sound advice at every position.

    Parameters
    ----------
    strategy : RoundStrategy
        A solution or an opening book.
    opponent : Habit, optional
        Who sits at the other side, where he is known.
    trust : float
        Share of the other player that is believed to be as described, 0 to 1.
    notify : callable, optional
        Receives a line before something that may take seconds.
    """

    def __init__(
        self,
        strategy: RoundStrategy,
        opponent: Habit | None = None,
        trust: float = 0.5,
        notify: Callable[[str], None] = lambda text: None,
    ) -> None:
        self.strategy, self.rules = strategy, strategy.rules
        self.opponent, self.trust, self.notify = opponent, trust, notify
        self._tables: dict[tuple[Claim, ...], HandTable] = {}
        self._walks: dict[tuple[Claim, ...], _Walk] = {}
        self.replies: dict[tuple[Claim, ...], Reply] = {}

    @property
    def quality(self) -> Quality:
        """Of the strategy that is mended."""
        return self.strategy.quality

    @property
    def quality_text(self) -> str:
        """Of the strategy that is mended."""
        return self.strategy.quality_text

    def table(self, history: History = "") -> HandTable:
        """The strategy of every hand; see :class:`RoundStrategy`."""
        claims = self.read_history(history)
        if claims not in self._tables:
            found = self._found(claims)
            self._tables[claims] = ruled_out(self.rules, found)
        return self._tables[claims]

    def mixed(self, history: History = "") -> HandMix:
        """Probabilities; see :class:`RoundStrategy`."""
        return self.table(history)

    def reply(self, history: History = "") -> Reply:
        """What the answer to the described opponent gains and risks."""
        claims = self.read_history(history)
        self.table(claims)
        return self.replies[claims]

    def doubted(self, history: History) -> float | None:
        """How often the last claim is doubted, by all hands of the player to act.

        Returns
        -------
        float or None
            By the described opponent's own rule where there is one. None where it is not known
            without solving, and where nothing else is left.
        """
        claims = self.read_history(history)
        if not claims or not look(self.rules, claims).raises:
            return None
        if self.opponent is not None:
            player = len(claims) % 2
            his = opponent_range(self.opponent, self.rules, player, claims[:-1])
            return float(his @ self.opponent.mix(self.rules, claims)[:, 0])
        if not self._solved_before(claims):
            return None
        table = self.strategy.table(claims)
        return float(table.ranges[table.player] @ table.probabilities[:, 0])

    def sound(self, history: History = "") -> bool:
        """Whether good play makes all these claims."""
        claims = self.read_history(history)
        return self._walk(claims).sound == len(claims)

    # Lines of claims.

    def _walk(self, claims: tuple[Claim, ...]) -> _Walk:
        if claims not in self._walks:
            self._walks[claims] = self._step(claims)
        return self._walks[claims]

    def _step(self, claims: tuple[Claim, ...]) -> _Walk:
        if not claims:
            start = (prior(self.rules, 0), prior(self.rules, 1))
            return _Walk(start, 1.0, 0, (None, None))
        before, past = self._walk(claims[:-1]), claims[:-1]
        if self._solved_before(past):
            return self._step_by_book(before, claims)
        player = len(past) % 2
        ranges, promised = list(before.ranges), list(before.promised)
        reach, sound = 0.0, before.sound
        weights = slip_weights(self.rules, player, claims[-1])
        if before.sound == len(past):
            mix = self.strategy.mixed(past)
            column = mix.actions.index(str(claims[-1]))
            spoken = mix.probabilities[:, column]
            reach = before.reach * float(before.ranges[player] @ spoken)
            if self._vouched(reach):
                sound, weights = len(claims), spoken
            else:
                values = self.strategy.table(past).values
                best = values.max(axis=1)
                promised[player] = best
                weights = erring(spoken, best - values[:, column])
        ranges[player] = before.ranges[player] * weights
        ranges[player] /= ranges[player].sum()
        return _Walk((ranges[0], ranges[1]), reach, sound, (promised[0], promised[1]))

    def _solved_before(self, claims: tuple[Claim, ...]) -> bool:
        """Whether a book has a position with ranges and values that were solved for it."""
        book = self.strategy
        return isinstance(book, OpeningBook) and book.solved_everywhere and book.holds(claims)

    def _step_by_book(self, before: _Walk, claims: tuple[Claim, ...]) -> _Walk:
        """One claim more after a position that a book has solved, wherever that is."""
        past, player = claims[:-1], (len(claims) - 1) % 2
        here = self.strategy.table(past)
        column = here.actions.index(str(claims[-1]))
        spoken, best = here.probabilities[:, column], here.values.max(axis=1)
        ranges, promised = list(here.ranges), list(before.promised)
        reach, sound = here.reach * float(here.ranges[player] @ spoken), before.sound
        if self._solved_before(claims):
            after = self.strategy.table(claims)
            ranges, reach = list(after.ranges), after.reach
            sound = before.sound if after.assumed else len(claims)
            weights = None
        elif here.reach > 0 and self._vouched(reach):
            sound, weights = len(claims), spoken
        else:
            weights = erring(spoken, best - here.values[:, column])
        if weights is not None:
            ranges[player] = ranges[player] * weights / (ranges[player] @ weights)
        if sound < len(claims):
            promised[player] = best
        return _Walk((ranges[0], ranges[1]), reach, sound, (promised[0], promised[1]))

    def _vouched(self, reach: float) -> bool:
        """Whether claims of this probability say something: rarer ones are what noise left."""
        return reach > max(self.strategy.quality.exploitability, 1e-9)

    # Answers.

    def _found(self, claims: tuple[Claim, ...]) -> HandTable:
        walk = self._walk(claims)
        if not look(self.rules, claims).raises:
            assumed = ERRING if walk.sound < len(claims) else ""
            found = replace(self.strategy.table(claims), assumed=assumed)
            self.replies[claims] = Reply(np.zeros(len(found.hands)), 0.0)
            return found
        if self.opponent is not None:
            return self._against(claims, walk, self.opponent)
        return self._plain(claims, walk)

    def _solved(
        self, claims: tuple[Claim, ...], walk: _Walk
    ) -> tuple[HandTable, RoundTree, Resolved]:
        """The table of a position that is solved again, against players who err."""
        tree, problem = self._problem(claims, walk)
        self._tell(claims)
        resolved = resolve(problem)
        mixed, values = root_answer(tree, problem, resolved)
        assumed = ERRING if walk.sound < len(claims) else ""
        return self._table(claims, walk.ranges, mixed, values, assumed), tree, resolved

    def _plain(self, claims: tuple[Claim, ...], walk: _Walk) -> HandTable:
        """What the advice is when nothing is known of the other player."""
        if self._solved_before(claims):
            table = self.strategy.table(claims)
            return self._off_path(table) if table.assumed else without_errors(table)
        if walk.sound < len(claims):
            return self._off_path(self._solved(claims, walk)[0])
        table = self.strategy.table(claims)
        if float(table.ranges[table.player] @ losses(table)) > MEAN_LOSS:
            solved = without_errors(self._solved(claims, walk)[0])
            return replace(solved, reach=table.reach, assumed="")
        return without_errors(table)

    def _off_path(self, table: HandTable) -> HandTable:
        """The mix of a position that good play never reaches."""
        worth = worth_to_people(self.rules, table.history)
        return without_errors(table) if worth is None else leaning_to_people(table, worth)

    def _against(self, claims: tuple[Claim, ...], walk: _Walk, opponent: Habit) -> HandTable:
        """A reply to a described player's hands and later moves, as far as he is trusted."""
        plain = self._plain(claims, walk)
        if not claims or self.trust == 0.0:
            self.replies[claims] = Reply(np.zeros(len(plain.hands)), 0.0)
            return plain
        other = 1 - plain.player
        his = opponent_range(opponent, self.rules, other, claims)
        tree, problem = self.described(claims, his)
        self._tell(claims)
        resolved = resolve(problem)
        mixed, values = root_answer(tree, problem, resolved)
        ranges = list(walk.ranges)
        ranges[other] = self.trust * his + (1.0 - self.trust) * walk.ranges[other]
        assumed = f"hands and later moves of the {opponent.name} player, trusted by "
        assumed += f"{self.trust:.0%}"
        found = self._table(claims, (ranges[0], ranges[1]), mixed, values, assumed)
        table = ruled_out(self.rules, replace(without_errors(found), reach=plain.reach))
        _, so = root_answer(tree, problem, against_described(problem, resolved))
        of_hand = tree.classes[plain.player].of_hand[tree.level[tree.index[claims[-1]]]]
        usual = ruled_out(self.rules, plain)
        gain = ((table.probabilities - usual.probabilities) * so.T[of_hand]).sum(axis=1)
        # Safety may cost a hand more than it wins from him: the usual advice is then better.
        keeps = gain < 0.0
        mixed = np.where(keeps[:, None], usual.probabilities, table.probabilities)
        values = np.where(keeps[:, None], usual.values, table.values)
        table = replace(table, probabilities=mixed, values=values)
        gain = np.where(keeps, 0.0, gain)
        self.replies[claims] = Reply(gain, resolved.loss)
        return table

    def described(self, claims: tuple[Claim, ...], his: Floats) -> tuple[RoundTree, Subproblem]:
        """The subgame in which the described player is answered.

        Parameters
        ----------
        claims : tuple of Claim
            At least one.
        his : float64 array, shape (hands,)
            His range after them.

        Returns
        -------
        RoundTree, Subproblem
        """
        assert self.opponent is not None
        walk, other = self._walk(claims), 1 - len(claims) % 2
        promised = list(walk.promised)
        if walk.sound >= len(claims) - 1:
            promised[other] = self.strategy.table(claims[:-1]).values.max(axis=1)
        tree, problem = self._problem(claims, replace(walk, promised=(promised[0], promised[1])))
        region = subgame_region(tree, problem.cell)
        known = Described(
            self.trust,
            by_class(tree, problem.cell // 2, other, his),
            described_entries(self.opponent, tree, region, other),
        )
        return tree, replace(problem, described=known)

    def _problem(self, claims: tuple[Claim, ...], walk: _Walk) -> tuple[RoundTree, Subproblem]:
        player = len(claims) % 2
        last = claims[-1] if claims else None
        tree = thinned(self.rules, last, player)
        number = tree.index[last]
        ranges = [by_class(tree, number, each, walk.ranges[each]) for each in (0, 1)]
        own = by_class(tree, number, player, prior(self.rules, player))
        ranges[player] = (1 - _KEPT) * ranges[player] + _KEPT * own
        promised = walk.promised[1 - player]
        least = None if promised is None else least_by_class(tree, number, 1 - player, promised)
        belief = BELIEF
        return tree, Subproblem(
            tree, 2 * number + player, (ranges[0], ranges[1]), least, player, belief
        )

    def _table(
        self,
        claims: tuple[Claim, ...],
        ranges: tuple[Floats, Floats],
        mixed: Floats,
        values: Floats,
        assumed: str,
    ) -> HandTable:
        """A table from probabilities and values of shape (actions, classes)."""
        tree = thinned(self.rules, claims[-1] if claims else None, len(claims) % 2)
        player = len(claims) % 2
        number = tree.index[claims[-1] if claims else None]
        of_hand = tree.classes[player].of_hand[tree.level[number]]
        sight = look(self.rules, claims)
        actions = [str(claim) for claim in sight.raises]
        return HandTable(
            history=claims,
            player=player,
            hands=sight.hands,
            actions=tuple(["doubt", *actions] if claims else actions),
            probabilities=mixed.T[of_hand],
            values=values.T[of_hand],
            ranges=ranges,
            reach=0.0 if assumed else self._walk(claims).reach,
            assumed=assumed,
        )

    def _tell(self, claims: tuple[Claim, ...]) -> None:
        after = " ".join(map(str, claims)) or "the start"
        self.notify(f"solving the position after {after} again")


def by_class(tree: RoundTree, claim: int, player: int, chances: Floats) -> Floats:
    """A range over hands, summed over the classes after a claim."""
    return tree.classes[player].summed((0, int(tree.level[claim])), chances)


def least_by_class(tree: RoundTree, claim: int, player: int, values: Floats) -> Floats:
    """The least of the hands' values in each class after a claim."""
    return tree.classes[player].least((0, int(tree.level[claim])), values)


def root_answer(tree: RoundTree, problem: Subproblem, resolved: Resolved) -> tuple[Floats, Floats]:
    """Probabilities and values at the root of a solved region, both (actions, classes)."""
    claim, player = divmod(problem.cell, 2)
    game = resolved.game
    place = region_place(game.region, ())
    mixed = mixed_at(tree, place, game.average)
    game.evaluate(player, resolved.free.astype(np.float32))
    values = [
        np.asarray(game.child_values(player, after), dtype=np.float64)
        for after in tree.raises[claim]
    ]
    if claim:
        values.insert(0, doubt_values(tree, claim, player, resolved.flow))
    return mixed, np.stack(values)


def losses(table: HandTable) -> Floats:
    """What each hand's mix loses against its own best listed action, shape (hands,)."""
    mean = (table.probabilities * table.values).sum(axis=1)
    return np.asarray(table.values.max(axis=1) - mean)


def without_errors(table: HandTable) -> HandTable:
    """The table without actions that lose ``ERROR`` or more, where a mix loses by them."""
    poor = losses(table) > LOSS
    if not poor.any():
        return table
    kept = np.where(_near(table, ERROR), table.probabilities, 0.0)
    nothing = kept.sum(axis=1, keepdims=True) <= 1e-9
    kept = np.where(nothing, table.values >= table.values.max(axis=1, keepdims=True), kept)
    kept /= kept.sum(axis=1, keepdims=True)
    return replace(table, probabilities=np.where(poor[:, None], kept, table.probabilities))


def leaning_to_people(table: HandTable, worth: Floats) -> HandTable:
    """The table without errors, and with half of its mix leaning to what wins from people.

    Whoever left the path is hardly the player that the values assume, and small differences of
    values rest on that.

    Parameters
    ----------
    table : HandTable
    worth : float64 array, shape (hands, actions)
        What actions win from people.

    Returns
    -------
    HandTable
        No row loses more than ``ERROR`` against its best listed action.
    """
    near, sound = _near(table, NEAR), without_errors(table).probabilities
    best = np.where(near, worth, -np.inf).max(axis=1, keepdims=True)
    liked = np.where(near, (sound + _OPEN) * np.exp((worth - best) / _FOLLOWS), 0.0)
    liked /= liked.sum(axis=1, keepdims=True)
    return replace(table, probabilities=(1.0 - LEANS) * sound + LEANS * liked)


def _near(table: HandTable, least: float) -> NDArray[np.bool_]:
    return np.asarray(table.values > table.values.max(axis=1, keepdims=True) - least)


def ruled_out(rules: DiceRules, table: HandTable) -> HandTable:
    """The table without actions that the own dice refute."""
    banned = look(rules, table.history).refuted()
    if not banned.any():
        return table
    kept = np.where(banned, 0.0, table.probabilities)
    total = kept.sum(axis=1, keepdims=True)
    values = np.where(banned, -np.inf, table.values)
    best = (values >= values.max(axis=1, keepdims=True)).astype(np.float64)
    kept = np.where(
        total > 1e-12, kept / np.maximum(total, 1e-12), best / best.sum(axis=1)[:, None]
    )
    return replace(table, probabilities=kept)
