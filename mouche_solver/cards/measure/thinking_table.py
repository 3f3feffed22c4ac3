"""A tabular response in the declarations at a table where everybody thinks.

The response is trained against the strategy alone. Here all seats answer by a search of each
decision, and the responder too, but where his table departs from the strategy: there he declares
what it says. Both ways are played to the end on the same cards and the same luck; where he declares
what he would have declared anyhow the difference is 0 and nothing is played. What the response
gains against the strategy it may gain no longer, see docs/decisions/0037; a response that is
trained against thinkers might gain more.
"""

from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mouche_solver.cards.kernels import view as f
from mouche_solver.cards.kernels.bits import lowest
from mouche_solver.cards.kernels.deal import (
    count_in,
    history,
    lay_out,
    legal_declarations,
    say,
    settle_early,
    shuffle,
    unasked,
)
from mouche_solver.cards.kernels.lookup import hand_class, pick
from mouche_solver.cards.kernels.records import CONTEXT, PLACES, Table
from mouche_solver.cards.kernels.tricks import begin_play, legal_now, pay_tricks, put, to_move
from mouche_solver.cards.measure.best_response import Measured, measured
from mouche_solver.cards.measure.tabular import TabularResponse
from mouche_solver.cards.measure.thinking import check_measurable, said_words, tricks_of
from mouche_solver.cards.rules.pack import cards_of
from mouche_solver.cards.strategy.compile import new_table
from mouche_solver.cards.strategy.situation import Situation
from mouche_solver.cards.think.search import Budget
from mouche_solver.cards.think.thinker import Thinker
from mouche_solver.core.chunks import Workers
from mouche_solver.core.streams import Purpose, stream

Floats = NDArray[np.float64]


def response_at_thinking_table(
    response: TabularResponse, budget: Budget, deals: int, seed: int = 0, threads: int = 1
) -> tuple[Measured, float]:
    """Measure a trained response where all others think, and he too beside it.

    Parameters
    ----------
    response : TabularResponse
        Trained against the strategy with which everybody thinks.
    budget : Budget
        Of each decision; its threads and seed are replaced. All trust that the others keep to the
        strategy.
    deals : int
        Each with the responder in every seat.
    seed, threads : int
        With a fixed number of samples the result does not depend on the threads.

    Returns
    -------
    measured : Measured
        The gain over declaring as a thinker.
    share : float
        How often he declares something else, of all deals and seats.

    Raises
    ------
    RulesError
        As :func:`check_measurable` has it.
    """
    strategy = response.strategy
    check_measurable(strategy)
    own = replace(budget, seed=seed, threads=1, settle=True, trusting=True)
    thinker, players = Thinker(strategy, own), strategy.rules.players

    def job(number: int) -> Floats:
        state = stream(Purpose.CARD_THINK_DEALS, seed, number)
        return _Deal(thinker, response, state).differences()

    with Workers(threads) as workers:
        found = np.array(workers.map(job, range(deals)))  # deal, seat, (difference, departed)
    gains = found[:, :, 0].sum(axis=0)
    means = found[:, :, 0].mean(axis=1)
    sums = np.concatenate([[means.sum(), (means**2).sum()], gains, gains])
    return measured(sums, deals, players), float(found[:, :, 1].mean())


@dataclass
class _Deal:
    """One shuffled deal, played again and again by seats that think."""

    thinker: Thinker
    response: TabularResponse
    state: NDArray[np.uint64]
    table: Table = field(default_factory=new_table)
    known: dict[Situation, Floats] = field(default_factory=dict)

    def differences(self) -> Floats:
        """For each seat what the response gains in it, and whether it departs."""
        strategy, table = self.thinker.strategy, self.table
        shuffle(strategy.game, table, self.state)
        start, found = self.state[0], np.zeros((strategy.rules.players, 2))
        for me in range(len(found)):
            asked, usual, other = self._asked(me, start)
            if asked and other != usual:
                one, two = (self._value(me, action, start) for action in (other, usual))
                found[me] = one - two, 1.0
        return found

    def _asked(self, me: int, start: np.uint64) -> tuple[bool, int, int]:
        """Whether a seat is asked; what it declares as a thinker, and with the response."""
        strategy, table = self.thinker.strategy, self.table
        if not self._declared(me, -1, -1, start):
            return False, -1, -1
        usual = self._declaration(me)
        hand = hand_class(table["hands"][me], table["stock"][CONTEXT], strategy.policy)
        legal = int(legal_declarations(me, strategy.game, table))
        node = np.array([[hand, history(me, strategy.game, table), legal]], np.int64)
        other = int(self.response.departures(node)[0])
        return True, usual, usual if other < 0 else other

    def _declared(self, until: int, me: int, action: int, start: np.uint64) -> bool:
        """Lay the cards out and declare up to a seat; whether that seat is asked."""
        strategy, table = self.thinker.strategy, self.table
        self.state[0] = start
        lay_out(strategy.game, table)
        for seat in range(until):
            if unasked(seat, strategy.game, table):
                return False
            chosen = action if seat == me else self._declaration(seat)
            say(seat, chosen, strategy.game, strategy.policy, table, self.state)
        return until < strategy.rules.players and not unasked(until, strategy.game, table)

    def _declaration(self, seat: int) -> int:
        """The action of a seat that thinks."""
        strategy, table = self.thinker.strategy, self.table
        turned = int(strategy.game["turned"][table["stock"][CONTEXT]])
        seen = Situation(int(table["hands"][seat]), turned, seat, said_words(table, seat))
        chances = self._chances(seen)
        legal = cards_of(int(legal_declarations(seat, strategy.game, table)))
        return legal[int(pick(chances, len(chances), table["luck"][seat]))]

    def _chances(self, seen: Situation) -> Floats:
        if seen not in self.known:
            options = self.thinker.think(seen).options
            self.known[seen] = np.array([option.probability for option in options])
        return self.known[seen]

    def _value(self, me: int, action: int, start: np.uint64) -> float:
        """What a seat gets that declares so, all thinking otherwise."""
        strategy, table = self.thinker.strategy, self.table
        game, context = strategy.game, table["stock"][CONTEXT]
        self._declared(strategy.rules.players, me, action, start)
        inside = int(count_in(game, table))
        debts = float(settle_early(inside, game, table))
        if debts < 0.0:
            begin_play(inside, game, table)
            said, at = said_words(table, strategy.rules.players), table["at"]
            while at[0, f.TRICK] < strategy.rules.hand_size:
                place = to_move(at, 0)
                legal = int(legal_now(at, 0, place, game, context))
                card = int(lowest(legal))
                if legal & (legal - 1):
                    card = self._card(int(place), said, inside)
                put(at, 0, place, card, game["trump"][context], game)
            debts = float(pay_tricks(game, table))
        return float(table["chips"][me]) + debts * float(self.thinker.shares[me])

    def _card(self, place: int, said: Any, inside: int) -> int:
        """The card of a seat that thinks."""
        strategy, table = self.thinker.strategy, self.table
        at, seat = table["at"], int(table["seats"][place])
        turned = int(strategy.game["turned"][table["stock"][CONTEXT]])
        hand, laid = int(at[0, f.HAND + place]), int(table["laid"][seat])
        seen = Situation(hand, turned, seat, said, laid, tricks_of(at, inside))
        cards = self.thinker.choose(seen)
        chances = np.array([choice.probability for choice in cards])
        luck = table["luck"][PLACES + seat * strategy.rules.hand_size + int(at[0, f.TRICK])]
        return cards[int(pick(chances, len(chances), luck))].card
