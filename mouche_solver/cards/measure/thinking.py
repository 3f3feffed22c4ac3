"""A player who thinks against a table of the strategy, on the same deals.

Two numbers are measured. The *real* gain compares what the player gets with what the strategy gets
in the same deal. The *believed* gain adds up, over his decisions, what fresh guesses say that the
answer is worth more than the table's; by the performance difference lemma [1]_ its mean is the same
when the guesses are right, and it is much less noisy.

References
----------
.. [1] S. Kakade and J. Langford, Approximately optimal approximate reinforcement learning, 2002.
"""

from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from mouche_solver.cards.kernels import view as f
from mouche_solver.cards.kernels.deal import say, shuffle
from mouche_solver.cards.kernels.lookup import pick
from mouche_solver.cards.kernels.policies import whole_deal
from mouche_solver.cards.kernels.records import CONTEXT, PLACES, Table
from mouche_solver.cards.kernels.tricks import put, to_move
from mouche_solver.cards.measure.kernels_thinking import (
    after_declaring,
    before_declaring,
    to_my_choice,
)
from mouche_solver.cards.rules.pack import cards_of
from mouche_solver.cards.rules.rules import CardRules
from mouche_solver.cards.strategy.compile import new_table
from mouche_solver.cards.strategy.situation import Declared, Situation
from mouche_solver.cards.strategy.strategy import CardStrategy
from mouche_solver.cards.think.search import Budget
from mouche_solver.cards.think.thinker import Thinker, Thought
from mouche_solver.core.chunks import Crew, chunk_count, crew_of
from mouche_solver.core.statistics import mean_margin
from mouche_solver.core.streams import Purpose, stream
from mouche_solver.errors import RulesError

CHUNK = 8  # deals that share one random stream
FRESH = 7919  # added to the seed of the guesses that value an answer


@dataclass(frozen=True)
class ThinkingGain:
    """What a player gains who thinks, in pots a deal, with halves of 95% intervals.

    Attributes
    ----------
    real, real_margin : float
        Paired with the strategy's own play of the same deals.
    believed, believed_margin : float
        By fresh guesses at each decision.
    by_seat : tuple of float
        The believed gain in each seat.
    deals : int
        Each played in every seat.
    departing : float
        Decisions in a deal and seat at which the answer is not the table's.
    """

    real: float
    real_margin: float
    believed: float
    believed_margin: float
    by_seat: tuple[float, ...]
    deals: int
    departing: float

    @property
    def worse(self) -> tuple[float, float]:
        """The number with the lower end of its interval, and its margin."""
        pairs = ((self.real, self.real_margin), (self.believed, self.believed_margin))
        return min(pairs, key=lambda pair: pair[0] - pair[1])


@dataclass(frozen=True)
class _Seat:
    """What thinking brought in one seat of one deal."""

    real: float
    believed: float
    departed: int


def can_be_measured(rules: CardRules) -> bool:
    """Whether :func:`thinking_gain` takes these rules.

    Examples
    --------
    >>> can_be_measured(CardRules(players=4)), can_be_measured(CardRules(players=4, pamphile=True))
    (True, False)
    """
    return not (rules.dealer_takes_trump or rules.pamphile)


def check_measurable(strategy: CardStrategy) -> None:
    """Refuse a strategy with the debt lost, and rules that :func:`can_be_measured` refuses.

    Raises
    ------
    RulesError
    """
    if strategy.training.continuation == "none" or not can_be_measured(strategy.rules):
        raise RulesError(
            "thinking is measured with shares, where the turn-up is not taken, and without the "
            "Pamphile"
        )


def thinking_gain(
    strategy: CardStrategy,
    budget: Budget,
    deals: int,
    seed: int = 0,
    threads: int | Crew = 1,
    declaring: bool = True,
    playing: bool = True,
) -> ThinkingGain:
    """Measure a player who thinks.

    Parameters
    ----------
    strategy : CardStrategy
        With shares that add up to one, for rules without the Pamphile in which the dealer does not
        take the turn-up.
    budget : Budget
        Of each decision; its threads and seed are replaced.
    deals : int
        Each played in every seat; rounded up to whole chunks of 8.
    seed : int
    threads : int or Crew
        With a fixed number of samples the result does not depend on it.
    declaring, playing : bool
        Where he thinks; else he does what the table says.

    Raises
    ------
    RulesError
        For a strategy with the debt lost, or other rules.
    """
    check_measurable(strategy)
    players = strategy.rules.players
    thinker = Thinker(strategy, replace(budget, seed=seed, threads=1, settle=True, trusting=True))
    judge = Thinker(strategy, replace(thinker.budget, seed=seed + FRESH))
    minds = _Minds(thinker, judge, declaring, playing)
    with crew_of(threads) as crew:
        parts = crew.map(_Thinking(strategy, minds, seed), range(chunk_count(deals, CHUNK)))
    found = np.concatenate(parts)  # deal, seat, (real, believed, departed)
    means = found.mean(axis=1)
    number = len(found)
    real, believed = (
        mean_margin(float(means[:, i].sum()), float((means[:, i] ** 2).sum()), number)
        for i in range(2)
    )
    by_seat = tuple(found[:, :, 1].mean(axis=0).tolist())
    assert len(by_seat) == players
    return ThinkingGain(*real, *believed, by_seat, number, float(means[:, 2].mean()))


@dataclass(frozen=True)
class _Minds:
    """Who answers, who values answers, and what is thought about."""

    thinker: Thinker
    judge: Thinker
    declaring: bool
    playing: bool

    def answer(self, seen: Situation) -> tuple[Thought[Any], float, bool]:
        """The answer, what fresh guesses say that it gains, and whether it is another."""
        thought = self.thinker.think(seen)
        chances = np.array([option.probability for option in thought.options])
        moved = chances - np.array([judged.table for judged in thought.choices])
        if not thought.searched or np.abs(moved).max() < 1e-9:
            return thought, 0.0, bool(np.abs(moved).max() > 1e-9)
        again = self.judge.think(seen)
        values = np.array([o.value if again.searched else 0.0 for o in again.options])
        if not again.searched:
            return thought, 0.0, True
        return thought, float((moved * values).sum()), True


@dataclass(frozen=True)
class _Thinking:
    """Plays a chunk of deals with a thinker in each seat."""

    strategy: CardStrategy
    minds: _Minds
    seed: int

    def __call__(self, number: int) -> Any:
        dice = stream(Purpose.CARD_THINK_DEALS, self.seed, number)
        return _chunk(self.strategy, self.minds, dice)


def _chunk(strategy: CardStrategy, minds: _Minds, state: Any) -> Any:
    players, game, policy = strategy.rules.players, strategy.game, strategy.policy
    table, found = new_table(), np.zeros((CHUNK, players, 3))
    share = minds.thinker.shares
    for i in range(CHUNK):
        shuffle(game, table, state)
        start = state[0]
        debts = whole_deal(policy, policy, game, table, state)
        own = [float(table["chips"][seat]) + debts * share[seat] for seat in range(players)]
        end = state[0]
        for me in range(players):
            state[0] = start
            seat = _seat(strategy, minds, me, table, state)
            real = seat.real - own[me] if seat.departed else 0.0
            found[i, me] = real, seat.believed, seat.departed
        state[0] = end
    return found


def _seat(strategy: CardStrategy, minds: _Minds, me: int, table: Table, state: Any) -> _Seat:
    """Play the shuffled deal with a thinker in one seat."""
    game, policy, share = strategy.game, strategy.policy, float(minds.thinker.shares[me])
    context = int(table["stock"][CONTEXT])
    turned, believed, departed = int(game["turned"][context]), 0.0, 0
    if not before_declaring(me, game, policy, table, state):
        return _Seat(0.0, 0.0, 0)
    said = said_words(table, me)
    seen = Situation(int(table["hands"][me]), turned, me, said)
    if minds.declaring:
        thought, gain, other = minds.answer(seen)
        options = thought.options
        believed, departed = believed + gain, departed + other
    else:
        options = strategy.declare(seen)
    chances = np.array([option.probability for option in options])
    chosen = int(pick(chances, len(chances), table["luck"][me]))
    say(me, _legal_actions(strategy, table, me)[chosen], game, policy, table, state)
    debts, inside = after_declaring(me, game, policy, table, state)
    if debts >= 0.0 or table["said"][me] < 0:
        if debts < 0.0:
            to_my_choice(-1, game, policy, table)
            debts = float(table["total"][0])
        return _Seat(float(table["chips"][me]) + debts * share, believed, departed)
    everyone, laid = said_words(table, strategy.rules.players), int(table["laid"][me])
    while to_my_choice(me, game, policy, table):
        at = table["at"]
        place, trick = int(to_move(at, 0)), int(at[0, f.TRICK])
        seen = Situation(
            int(at[0, f.HAND + place]), turned, me, everyone, laid, tricks_of(at, inside)
        )
        if minds.playing:
            thought, gain, other = minds.answer(seen)
            cards = thought.options
            believed, departed = believed + gain, departed + other
        else:
            cards = strategy.choose(seen)
        chances = np.array([choice.probability for choice in cards])
        luck = table["luck"][PLACES + me * strategy.rules.hand_size + trick]
        card = cards[int(pick(chances, len(chances), luck))].card
        put(at, 0, place, card, int(game["trump"][context]), game)
    value = float(table["chips"][me]) + float(table["total"][0]) * share
    return _Seat(value, believed, departed)


def said_words(table: Table, seats: int) -> tuple[Declared, ...]:
    """What the first seats have declared, in words."""
    words: dict[int, Declared] = {-1: "pass", 0: "stand"}
    return tuple(words.get(int(n), int(n)) for n in table["said"][:seats])


def _legal_actions(strategy: CardStrategy, table: Table, me: int) -> tuple[int, ...]:
    from mouche_solver.cards.kernels.deal import legal_declarations

    return cards_of(int(legal_declarations(me, strategy.game, table)))


def tricks_of(at: Any, inside: int) -> tuple[tuple[int, ...], ...]:
    """The cards played, trick by trick."""
    cards = [int(card) for card in at[0, f.PLAYED : f.PLAYED + int(at[0, f.PLAYS])]]
    return tuple(tuple(cards[i : i + inside]) for i in range(0, len(cards), inside))
