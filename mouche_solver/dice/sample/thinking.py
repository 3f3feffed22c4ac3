"""What an action is worth at a table of three or more: the round played on in guessed deals.

The other cups are guessed from the claims: the chance of a hand is its prior times, for each claim
of its player, what the strategy (or a described player) would do, and now and then a slip. Every
action is then played on in the same deals, all seats by the strategy. The advice keeps the
strategy's mix over the actions that are not clearly worse than the best one.

Everything is numpy over many deals at once: the first answer waits for no compiler.

References
----------
.. [1] Ginsberg, GIB: imperfect information in a computationally challenging game, 2001.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from time import perf_counter

import numpy as np
from numpy.typing import NDArray

from mouche_solver.core.streams import Purpose, key
from mouche_solver.dice.people.fitted import Opponent, opponent_range
from mouche_solver.dice.people.sight import look, own_counts
from mouche_solver.dice.round.strategy import HandLike, History, checked_history
from mouche_solver.dice.rules.hands import Hand
from mouche_solver.dice.rules.notation import format_hand, parse_hand
from mouche_solver.dice.rules.rules import Claim, DiceRules
from mouche_solver.dice.sample.strategy import SampledStrategy
from mouche_solver.dice.sweep.payoffs import loser_pays
from mouche_solver.errors import UsageError

Floats = NDArray[np.float64]

# Continuations that are played at once: fewer cost as much.
TOGETHER = 60_000
# Deals at least, and at most: more would only fill memory.
LEAST, MOST = 16, 1_000_000
# What an action may be worth less than the best one and keep its probability, as a share of what
# the round can win or lose; and the standard errors that make a difference clear.
LOSS, CLEAR = 0.0025, 2.0


@dataclass(frozen=True)
class Budget:
    """How long to think: so many seconds, or so many guessed deals.

    Parameters
    ----------
    seconds : float
        Not looked at where ``samples`` is given.
    samples : int, optional
        The same number and seed give the same answer anywhere.
    seed : int
    """

    seconds: float = 1.0
    samples: int | None = None
    seed: int = 1

    def __post_init__(self) -> None:
        if not 0 < self.seconds <= 3600:
            raise UsageError(f"--think {self.seconds:g}: allowed are above 0 to 3600 seconds")
        if self.samples is not None and not LEAST <= self.samples <= MOST:
            raise UsageError(f"--samples {self.samples}: allowed are {LEAST} to {MOST:,}")


@dataclass(frozen=True)
class Thought:
    """What thinking found for one hand.

    Attributes
    ----------
    actions : tuple of str
        The doubt first where there is a claim, then the raises in ascending order.
    probabilities : float64 array, shape (actions,)
        The advice.
    table : float64 array, shape (actions,)
        What the strategy says without thinking.
    values, errors : float64 array, shape (actions,)
        Mean payoff of each action, and its standard error.
    gaps : float64 array, shape (actions,)
        Standard error of how much less each action is worth than :attr:`main`. Smaller than the
        errors tell: all actions are played in the same deals.
    samples : int
        Guessed deals.
    trained : bool
        Whether training met the position.
    """

    actions: tuple[str, ...]
    probabilities: Floats
    table: Floats
    values: Floats
    errors: Floats
    gaps: Floats
    samples: int
    trained: bool

    @property
    def main(self) -> int:
        """The place of the action that is advised most, of equals that which is worth most."""
        return _main(self.probabilities, self.values)

    @property
    def value(self) -> float:
        """Of the advice."""
        return float(self.probabilities @ self.values)


def _main(probabilities: Floats, values: Floats) -> int:
    return int(np.lexsort((values, probabilities))[-1])


@dataclass(frozen=True)
class Survey:
    """What a position is worth to the player to act over all hands that he may hold.

    Attributes
    ----------
    actions : tuple of str
        Those that the strategy takes often enough to be played on.
    values, errors : float64 array, shape (actions,)
        Mean payoff of each action with any of the hands, and its standard error.
    value, error : float
        Of following the strategy, and its standard error.
    samples : int
        Guessed deals.
    """

    actions: tuple[str, ...]
    values: Floats
    errors: Floats
    value: float
    error: float
    samples: int


class _Itself:
    """The strategy as somebody whose hands are guessed."""

    name = "strategy"

    def __init__(self, strategy: SampledStrategy) -> None:
        self.strategy = strategy

    def mix(self, rules: DiceRules, history: Sequence[Claim] = ()) -> Floats:
        return self.strategy.table(history).probabilities


class Thinker:
    """A sampled strategy that plays its choices through before it answers.

    Parameters
    ----------
    strategy : SampledStrategy
    points : tuple of int, optional
        Points of the players in playing order: what counts is then the chance to win the match,
        see :func:`match_chances`. Without it a round lost is -1, won 1 / (players - 1).
    opponent : Opponent, optional
        Whose hands are guessed at the other seats; the strategy's own without it.

    Examples
    --------
    >>> from mouche_solver.dice import SampleLimits, train_sampled
    >>> rules = DiceRules(dice=(1, 1, 1), faces=2)
    >>> thinker = Thinker(train_sampled(rules, limits=SampleLimits(300_000), threads=1))
    >>> thought = thinker.think("1", "3x2", Budget(samples=100))
    >>> thought.actions, thought.values.tolist()
    (('doubt',), [0.5])
    """

    def __init__(
        self,
        strategy: SampledStrategy,
        points: tuple[int, ...] | None = None,
        opponent: Opponent | None = None,
    ) -> None:
        self.strategy, self.rules = strategy, strategy.rules
        self.opponent: Opponent = opponent or _Itself(strategy)
        players = self.rules.players
        self.points = points
        self.payoff = loser_pays(players)[0] if points is None else match_chances(points)
        self._sums = np.zeros(len(strategy.levels) + 1, dtype=np.int64)
        np.cumsum(strategy.levels, out=self._sums[1:])
        self._odds: dict[tuple[int, int], NDArray[np.int64]] = {}
        tree = strategy.tree
        self._raises = np.array([len(raises) for raises in tree.raises])
        self._quantity = np.array([claim.quantity if claim else 0 for claim in tree.claims])
        self._face = np.array([claim.face - 1 if claim else 0 for claim in tree.claims])

    def think(self, hand: HandLike, history: History, budget: Budget) -> Thought:
        """The advice for one hand after a line of claims.

        Raises
        ------
        NotationError, IllegalMoveError
            When hand or history do not fit the rules.
        """
        claims = checked_history(self.rules, history)
        me = len(claims) % self.rules.players
        text = hand if isinstance(hand, str) else format_hand(hand)
        dice = parse_hand(self.rules, text, me)
        advice = self.strategy.policy(dice, claims)
        names = tuple(each.action for each in advice.actions)
        table = np.array([each.probability for each in advice.actions])
        payoffs = self.payoffs(dice, claims, budget)
        values = payoffs.mean(axis=1)
        deals = payoffs.shape[1]
        errors = payoffs.std(axis=1, ddof=1) / np.sqrt(deals)
        sight = look(self.rules, claims)
        refuted = sight.refuted()[sight.hands.index(dice)]
        kept = self._kept(payoffs, values) & ~refuted
        weight = np.where(kept, table, 0.0)
        if weight.sum() < 1e-3:
            weight = (values >= values[kept].max() - 1e-12) & kept
        mixed = np.asarray(weight / weight.sum(), dtype=np.float64)
        behind = payoffs[_main(mixed, values)] - payoffs
        gaps = behind.std(axis=1, ddof=1) / np.sqrt(deals)
        return Thought(names, mixed, table, values, errors, gaps, deals, bool(advice.trained))

    def survey(self, history: History, budget: Budget, least: float = 0.0005) -> Survey:
        """What the likely actions are worth over the whole range of the player to act.

        Parameters
        ----------
        history : str or sequence of Claim
        budget : Budget
        least : float
            Actions that the strategy takes more rarely over the range are left out.

        Raises
        ------
        NotationError, IllegalMoveError
            When the history does not fit the rules.
        """
        claims = checked_history(self.rules, history)
        me = len(claims) % self.rules.players
        table = self.strategy.sound_table(claims)
        ranges = self._ranges(None, claims)
        often = ranges[me] @ table.probabilities
        places = np.flatnonzero(often >= min(least, float(often.max())))
        mixes = table.probabilities[:, places]
        sums = mixes.sum(axis=1, keepdims=True)
        even = np.full_like(mixes, 1.0 / len(places))  # hands that do rare things alone
        mixes = np.where(sums > 1e-9, mixes / np.maximum(sums, 1e-9), even)
        payoffs, hands = self._sampled(claims, ranges, places, budget)
        followed = (mixes[hands].T * payoffs).sum(axis=0)
        deals = payoffs.shape[1]
        root = np.sqrt(deals)
        return Survey(
            tuple(table.actions[place] for place in places),
            payoffs.mean(axis=1),
            payoffs.std(axis=1, ddof=1) / root,
            float(followed.mean()),
            float(followed.std(ddof=1) / root),
            deals,
        )

    def _kept(self, payoffs: Floats, values: Floats) -> NDArray[np.bool_]:
        """The actions that are not clearly worse than the best one, on the same deals."""
        behind = payoffs[int(values.argmax())] - payoffs
        error = behind.std(axis=1, ddof=1) / np.sqrt(payoffs.shape[1])
        span = float(self.payoff.max() - self.payoff.min())
        return np.asarray(behind.mean(axis=1) <= np.maximum(LOSS * span, CLEAR * error))

    def payoffs(self, dice: Hand, claims: tuple[Claim, ...], budget: Budget) -> Floats:
        """Payoffs of every action in the guessed deals, shape (actions, deals)."""
        actions = len(look(self.rules, claims).raises) + bool(claims)
        return self._sampled(claims, self._ranges(dice, claims), np.arange(actions), budget)[0]

    def _sampled(
        self,
        claims: tuple[Claim, ...],
        ranges: list[Floats],
        places: NDArray[np.int64],
        budget: Budget,
    ) -> tuple[Floats, NDArray[np.int64]]:
        """Payoffs of shape (places, deals), and the hand of the player to act in each deal."""
        chunk = max(LEAST, TOGETHER // len(places))
        wanted, found, held, done = budget.samples or MOST, list[Floats](), [], 0
        end = perf_counter() + budget.seconds
        me = len(claims) % self.rules.players
        while done < wanted:
            # A chunk's size does not hang on the number wanted: fewer deals are the first of more.
            random = np.random.default_rng(key(Purpose.DICE_THINK, budget.seed, len(found)))
            hands = np.stack([
                np.minimum(np.searchsorted(np.cumsum(each), random.random(chunk)), len(each) - 1)
                for each in ranges
            ])  # fmt: skip
            played = self._chunk(claims, hands, places, random)
            found.append(played[:, : wanted - done])
            held.append(hands[me, : wanted - done])
            done += found[-1].shape[1]
            if budget.samples is None and perf_counter() > end:
                break
        return np.concatenate(found, axis=1), np.concatenate(held)

    def _ranges(self, dice: Hand | None, claims: tuple[Claim, ...]) -> list[Floats]:
        """What each seat may hold; the player to act his dice, if they are known."""
        me = len(claims) % self.rules.players
        found = []
        for seat in range(self.rules.players):
            if seat == me and dice is not None:
                hands = self.strategy.tree.classes[seat].hands
                found.append(np.eye(len(hands))[hands.index(dice)])
            else:
                who = _Itself(self.strategy) if seat == me else self.opponent
                found.append(opponent_range(who, self.rules, seat, claims))
        return found

    def _chunk(
        self,
        claims: tuple[Claim, ...],
        hands: NDArray[np.int64],
        places: NDArray[np.int64],
        random: np.random.Generator,
    ) -> Floats:
        """Payoffs of shape (places, deals): the same deals, shape (seats, deals), for each."""
        actions, deals = len(places), hands.shape[1]
        hands, chosen = np.tile(hands, (1, actions)), np.repeat(places - bool(claims), deals)
        loser = self._played_on(claims, hands, chosen, random)
        paid = self.payoff[loser, len(claims) % self.rules.players]
        return np.asarray(paid.reshape(actions, deals))

    def losers(
        self,
        claims: tuple[Claim, ...],
        hands: NDArray[np.int64],
        random: np.random.Generator,
        places: NDArray[np.int64] | None = None,
    ) -> NDArray[np.int64]:
        """Who loses each of many deals when all play on by the strategy.

        Parameters
        ----------
        claims : tuple of Claim
            What was said before.
        hands : int64 array, shape (seats, deals)
            Places of the open cups in ``strategy.tree.classes[seat].hands``.
        random : numpy.random.Generator
        places : int64 array, shape (deals,), optional
            What the player to act does first, a place among his actions; drawn without it.

        Returns
        -------
        int64 array, shape (deals,)
            In playing order.
        """
        if places is None:
            start = np.full(hands.shape[1], self.strategy.state(claims), dtype=np.int64)
            chosen = self._drawn_next(start, np.arange(len(start)), len(claims), hands, random)
        else:
            chosen = places - bool(claims)
        return self._played_on(claims, hands, chosen, random)

    def _played_on(
        self,
        claims: tuple[Claim, ...],
        hands: NDArray[np.int64],
        chosen: NDArray[np.int64],
        random: np.random.Generator,
    ) -> NDArray[np.int64]:
        """Who loses each deal after an action: -1 for a doubt, else the place of a raise."""
        machine, players = self.strategy.machine, self.rules.players
        counts = np.stack([own_counts(self.rules, seat)[hands[seat]] for seat in range(players)])
        total = counts.sum(axis=0)
        state = np.full(len(chosen), self.strategy.state(claims), dtype=np.int64)
        loser = np.full(len(chosen), -1, dtype=np.int64)
        turn, live = len(claims), np.arange(len(chosen))
        while True:
            ended = chosen < 0
            over = live[ended]
            claim = machine.last[state[over]]
            shown = total[over, self._face[claim]]
            needed = self._quantity[claim]
            correct = shown == needed if self.rules.truth == "exactly" else shown >= needed
            loser[over] = (turn - 1 + correct) % players
            live, chosen = live[~ended], chosen[~ended]
            if not len(live):
                return loser
            state[live] = machine.after[machine.step[state[live]] + chosen]
            turn += 1
            chosen = self._drawn_next(state, live, turn, hands, random)

    def _drawn_next(
        self,
        state: NDArray[np.int64],
        live: NDArray[np.int64],
        turn: int,
        hands: NDArray[np.int64],
        random: np.random.Generator,
    ) -> NDArray[np.int64]:
        """What the next player does in the deals that go on: -1 doubts, else a raise's place."""
        tree, machine = self.strategy.tree, self.strategy.machine
        seat, doubt = turn % self.rules.players, int(turn > 0)
        at = state[live]
        claim = machine.last[at]
        of_hand = tree.classes[seat].of_hand[tree.level[claim], hands[seat, live]]
        choices = self._raises[claim] + doubt
        first = machine.begin[at] + of_hand * choices
        drawn = self._drawn(first, choices, random)
        for number in np.unique(claim[drawn < 0]):
            here = np.flatnonzero((drawn < 0) & (claim == number))
            drawn[here] = self._by_odds(int(number), seat)[hands[seat, live[here]]]
        return drawn - doubt

    def _drawn(
        self, first: NDArray[np.int64], choices: NDArray[np.int64], random: np.random.Generator
    ) -> NDArray[np.int64]:
        """An action of each information set, whose entries begin at ``first``; -1 where unmet."""
        drawn = np.zeros(len(first), dtype=np.int64)
        free = np.flatnonzero(choices > 1)  # the rest must doubt, and have no entries
        first, choices = first[free], choices[free]
        low = self._sums[first]
        weight = self._sums[first + choices] - low
        share = random.random(len(free))
        # Whole numbers, as the sums are: beside floats numpy would copy all sums into floats first.
        wanted = (low + share * weight).astype(np.int64)
        found = np.searchsorted(self._sums, wanted, side="right") - 1 - first
        drawn[free] = np.where(weight > 0, np.clip(found, 0, choices - 1), -1)
        return drawn

    def _by_odds(self, claim: int, seat: int) -> NDArray[np.int64]:
        if (claim, seat) not in self._odds:
            self._odds[claim, seat] = self.strategy.by_odds(claim, seat)
        return self._odds[claim, seat]


def match_chances(points: tuple[int, ...]) -> Floats:
    """Chance to win the match after a round, when every later round is lost by all alike.

    The chances of a table whose rounds are solved need every round of the match; ``mouche dice
    match`` has them for small ones.

    Parameters
    ----------
    points : tuple of int
        Of each player, at least 1.

    Returns
    -------
    float64 array, shape (players, players)
        ``[loser, player]``.

    Examples
    --------
    >>> match_chances((1, 1, 1)).tolist()
    [[0.0, 0.5, 0.5], [0.5, 0.0, 0.5], [0.5, 0.5, 0.0]]
    """
    found = []
    for loser in range(len(points)):
        after = [have - (seat == loser) for seat, have in enumerate(points)]
        row = []
        for seat, have in enumerate(after):
            others = tuple(sorted(each for other, each in enumerate(after) if other != seat))
            row.append(_alike(have, others))
        found.append(row)
    return np.array(found)


@cache
def _alike(mine: int, others: tuple[int, ...]) -> float:
    if mine == 0:
        return 0.0
    live = tuple(each for each in others if each)
    if not live:
        return 1.0
    total = _alike(mine - 1, live)
    for place, have in enumerate(live):
        total += _alike(mine, tuple(sorted((*live[:place], have - 1, *live[place + 1 :]))))
    return total / (len(live) + 1)
