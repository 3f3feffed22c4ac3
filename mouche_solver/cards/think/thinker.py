"""A strategy that thinks before it answers: its table, lower bounds and a search at the decision.

Every choice is played through, all going on by the strategy's table [1]_, in deals guessed from
what the seat has seen, as a local best response does [2]_. The answer leaves the table only on
evidence, see :mod:`mouche_solver.cards.think.statistics` and docs/decisions/0027.

References
----------
.. [1] G. Tesauro and G. R. Galperin, On-line policy improvement using Monte-Carlo search, 1996.
.. [2] V. Lisy and M. Bowling, Equilibrium approximation quality of current no-limit poker bots
   (local best response), 2017.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, Generic, Literal, TypeVar

import numpy as np

from mouche_solver.cards.kernels import view as f
from mouche_solver.cards.kernels.records import PLACES, Game, Record, Table, new_record
from mouche_solver.cards.rules.mouche import mouche_suit
from mouche_solver.cards.rules.objective import per_chip
from mouche_solver.cards.rules.pack import cards_of
from mouche_solver.cards.rules.rules import CardRules
from mouche_solver.cards.strategy.advice import Adviser
from mouche_solver.cards.strategy.compile import new_table
from mouche_solver.cards.strategy.contexts import Frame
from mouche_solver.cards.strategy.evidence import (
    FEW_VISITS,
    declaration_evidence,
    play_evidence,
)
from mouche_solver.cards.strategy.floors import mouche_floor, mouche_risk, standing_floor
from mouche_solver.cards.strategy.results import CardChoice, Declaration
from mouche_solver.cards.strategy.situation import (
    Situation,
    draw_counts,
    said_numbers,
    set_position,
    set_table,
)
from mouche_solver.cards.strategy.strategy import CardStrategy
from mouche_solver.cards.think.floors import bounded, sure_tricks
from mouche_solver.cards.think.search import Budget, Found, search
from mouche_solver.cards.think.statistics import (
    Answer,
    Estimate,
    Floats,
    leave_table,
    value_of,
)

Option = TypeVar("Option", Declaration, CardChoice)
Source = Literal["search", "training", "sure tricks", "none"]

LEAST_EFFECTIVE = 50.0  # guesses of equal weight below which the table answers


@dataclass(frozen=True)
class Judged(Generic[Option]):
    """One choice with what is known of it.

    Attributes
    ----------
    option : Declaration or CardChoice
        With the probability and the value of the answer.
    table : float
        The table's probability.
    error : float or None
        Standard error of the value.
    samples : float
        Guesses played through, of equal weight, or visits in training.
    source : {"search", "training", "sure tricks", "none"}
        Where the value comes from; sure tricks are a lower bound.
    """

    option: Option
    table: float
    error: float | None
    samples: float
    source: Source

    @property
    def few(self) -> bool:
        """Whether the value rests on so few visits or guesses that nobody should see it bare."""
        return self.source in ("search", "training") and self.samples < FEW_VISITS


@dataclass(frozen=True)
class Thought(Generic[Option]):
    """An answer.

    Attributes
    ----------
    choices : tuple of Judged
    gain : Estimate
        What the answer is worth more than the table's, from guesses that had no part in choosing
        it; 0 where it is the table's.
    effective : float
        Effective sample size; 0 for the table alone.
    notes : tuple of str
        What a reader has to know: values that are pooled, guesses that allow for errors, why
        nothing was searched.
    """

    choices: tuple[Judged[Option], ...]
    gain: Estimate
    effective: float
    notes: tuple[str, ...]

    @property
    def options(self) -> list[Option]:
        """The choices with the answer's probabilities, as a strategy gives them."""
        return [judged.option for judged in self.choices]

    @property
    def searched(self) -> bool:
        """Whether the values come from a search."""
        return self.effective > 0.0


NO_GAIN = Estimate(0.0, 0.0, 0.0)


class Thinker(Adviser):
    """A strategy with a budget for thinking.

    Parameters
    ----------
    strategy : CardStrategy
    budget : Budget

    Examples
    --------
    >>> from mouche_solver.cards import CardRules
    >>> from mouche_solver.cards.strategy.levels import Abstraction
    >>> from mouche_solver.cards.train.trainer import Batch, CardTrainer
    >>> rules = CardRules(players=2, ranks="K Q J A", suits="C D", hand_size=3, reshuffle=False)
    >>> trainer = CardTrainer(Abstraction(rules), batch=Batch(64, 64, 2, 64))
    >>> trainer.train_round()
    >>> thinker = Thinker(trainer.strategy(), Budget(samples=512))
    >>> pack = rules.pack
    >>> thought = thinker.think_declaration(Situation(pack.hand("QC JC KD"), pack.card("KC"), 0))
    >>> thought.choices[0].option.action, thought.choices[0].option.probability
    ('pass', 0.0)
    """

    def __init__(self, strategy: CardStrategy, budget: Budget | None = None) -> None:
        self.strategy, self.budget = strategy, budget or Budget()
        self.shares: Floats = per_chip(strategy.training.seat_shares)

    @property
    def rules(self) -> CardRules:
        """The rules that the strategy is for."""
        return self.strategy.rules

    def name_trump(self, hand: int) -> int:
        """As the strategy; nothing is searched."""
        return self.strategy.name_trump(hand)

    def declare(self, seen: Situation) -> list[Declaration]:
        """The answer to :meth:`think_declaration`."""
        return self.think_declaration(seen).options

    def choose(self, seen: Situation) -> list[CardChoice]:
        """The answer to :meth:`think_card`."""
        return self.think_card(seen).options

    def think(self, seen: Situation) -> Thought[Any]:
        """What to declare, or which card to play once all have declared."""
        if len(seen.declared) < self.rules.players:
            return self.think_declaration(seen)
        return self.think_card(seen)

    def think_declaration(self, seen: Situation) -> Thought[Declaration]:
        """What to declare.

        Raises
        ------
        IllegalMoveError
            When the rules do not lead to such a situation.
        """
        from mouche_solver.cards.kernels import deal as t
        from mouche_solver.cards.kernels import lookup as k

        strategy, rules, game = self.strategy, self.strategy.rules, self.strategy.game
        options, seat = strategy.declare(seen), seen.seat
        frame, known = Frame(rules, seen.turned, seen.named), new_table()
        said = said_numbers(rules, seen.declared)
        set_table(rules, game, known, frame, seen)
        known["at"][0, f.GONE] = 1 << int(game["turned"][frame.context])
        legal = int(t.legal_declarations(seat, game, known))
        own = int(k.hand_class(known["hands"][seat], frame.context, strategy.policy))
        evidence = declaration_evidence(strategy, own, int(t.history(seat, game, known)))
        floors = self._floors(options, frame, seen)
        table = np.array([option.probability for option in options])
        listed = np.array([np.nan if o.value is None else o.value for o in options])
        answer = bounded(table, listed, floors) if len(options) > 1 else table
        judged = [
            _from_training(option, chance, evidence.error, evidence.visits, floor)
            for option, chance, floor in zip(options, answer, floors, strict=True)
        ]
        notes = [evidence.pooled] if evidence.pooled else []
        reason = self._why_not(said, None, frame)
        if self.budget.idle or reason:
            return Thought(tuple(judged), NO_GAIN, 0.0, (*notes, *([reason] if reason else [])))
        task = new_task(seat, len(said), self.shares)
        width = len(strategy.abstraction.actions)
        task["number"], task["alive"] = width, legal
        places = [a for a in range(width) if legal >> a & 1]
        full = np.zeros(width)
        full[places] = answer
        found = search(task, full, game, strategy.policy, known, self.budget)
        return _answered(judged, places, full, found, notes)

    def think_card(self, seen: Situation) -> Thought[CardChoice]:
        """Which card to play.

        Raises
        ------
        IllegalMoveError
            When the rules do not lead to such a position, or it is not this seat's turn.
        """
        strategy, rules, game = self.strategy, self.strategy.rules, self.strategy.game
        options = strategy.choose(seen)
        frame, known = Frame(rules, seen.turned, seen.named), new_table()
        said = said_numbers(rules, seen.declared)
        legal, place = set_position(rules, game, known, frame, seen)
        if legal.bit_count() == 1:
            only = Judged(options[0], 1.0, None, 0.0, "none")
            return Thought((only,), NO_GAIN, 0.0, ())
        evidence = play_evidence(strategy, self._slot(known, place, legal, frame.context))
        judged = [
            _from_training(o, o.probability, evidence.error, evidence.visits, -np.inf)
            for o in options
        ]
        reason = self._why_not(said, seen.swapped, frame)
        if self.budget.idle or reason:
            return Thought(tuple(judged), NO_GAIN, 0.0, (reason,) if reason else ())
        task = new_task(seen.seat, rules.players, self.shares, place)
        complete(task, game, known, said)
        cards = task["cards"]
        cards[:] = -1
        for n, option in enumerate(options):
            cards[n] = cards_of(frame.inside(1 << option.card))[0]
        number = add_candidates(task, legal, game, known)
        for card in cards[len(options) : number]:
            real = cards_of(frame.outside(1 << int(card)))[0]
            judged.append(Judged(CardChoice(real, 0.0, None), 0.0, None, 0.0, "none"))
        table = np.array([judged_card.table for judged_card in judged])
        found = search(task, table, game, strategy.policy, known, self.budget)
        return _answered(judged, list(range(number)), table, found, [])

    def _floors(self, options: Sequence[Declaration], frame: Frame, seen: Situation) -> Floats:
        """Lower bounds on the value of each declaration, -inf where there is none."""
        rules, game = self.strategy.rules, self.strategy.game
        floors = np.full(len(options), -np.inf)
        if rules.scoring == "countdown":
            return floors
        trump = int(game["trump"][frame.context])
        hand, said = seen.hand, said_numbers(rules, seen.declared)
        risk = mouche_risk(game, seen.seat, said)
        mouche = rules.mouche and mouche_suit(rules, frame.trump, hand) is not None
        out_of_play = 0 if rules.dealer_takes_trump else 1 << frame.turned
        everything = (1 << rules.pack.size) - 1
        for n, option in enumerate(options):
            if option.action == "pass" or option.swap is not None:
                continue
            kept = hand & ~sum(1 << card for card in option.cards)
            unseen = everything & ~kept & ~out_of_play
            sure = sure_tricks(frame.inside(kept), frame.inside(unseen), trump, game)
            if mouche and option.action == "stand":
                floors[n] = mouche_floor(risk, float(game["fee"]))
            else:
                floors[n] = standing_floor(sure, rules.hand_size, risk, float(game["fee"]))
        return floors

    def _slot(self, known: Table, place: int, legal: int, context: int) -> int:
        from mouche_solver.cards.kernels import lookup as k

        lossless = int(self.strategy.abstraction.play == "lossless")
        key = f.information(0, place, legal, context, lossless, self.strategy.game, known)
        number = int(known["choices"])
        if number == 1:
            return -1
        return int(k.play_mix(self.strategy.policy, np.uint64(key), number, known["mix"]))

    def _why_not(self, said: Sequence[int], swapped: int | None, frame: Frame) -> str:
        """Why guesses cannot explain this deal; empty when they can."""
        rules = self.strategy.rules
        draw_counts(rules, said)
        if sum(max(number, 0) for number in said) > rules.stock_size:
            return "cards laid aside were drawn again: the table answers alone"
        if swapped is not None:
            return "the dealer took the turn-up: the table answers alone"
        if self.strategy.abstraction.contexts[frame.context].named:
            return "the dealer named trumps: the table answers alone"
        return ""


TASK_OF_DECLARING = -1


def new_task(me: int, spoken: int, shares: Floats, place: int = TASK_OF_DECLARING) -> Record:
    """A search's task for a seat, without its choices."""
    from mouche_solver.cards.think.kernels_search import TASK

    task = new_record(TASK)
    task["me"], task["spoken"], task["place"] = me, spoken, place
    task["share"] = shares[me]
    return task


def complete(task: Record, game: Game, known: Table, said: Sequence[int]) -> None:
    """Write all declarations, and the seat's hand before the first trick, into what it knows."""
    from mouche_solver.cards.think.kernels_search import prepare

    for seat, number in enumerate(said):
        known["said"][seat] = number
    shown, me = np.zeros(PLACES, np.int64), int(task["me"])
    prepare(task, game, known, new_table(), shown)
    held = int(known["at"][0, f.HAND + int(task["place"])]) | int(shown[me])
    known["hands"][me] = known["dealt"][me] = held
    known["dealt"][me] |= int(known["laid"][me])


def add_candidates(task: Record, legal: int, game: Game, known: Table) -> int:
    """Fill in the task's cards: those that are there, then one of each other group of equals."""
    from mouche_solver.cards.think.kernels_search import candidates

    number = int(candidates(legal, int(task["place"]), game, known, task["cards"]))
    task["number"], task["alive"] = number, (1 << number) - 1
    return number


def _from_training(
    option: Option, chance: float, error: float, visits: float, floor: float
) -> Judged[Option]:
    """A choice as the table knows it, its value not below a lower bound."""
    table, value = option.probability, option.value
    source: Source = "training" if value is not None else "none"
    if floor > -np.inf and (value is None or value < floor):
        value, error, visits, source = float(floor), 0.0, 0.0, "sure tricks"
    shown = replace(option, probability=float(chance), value=value)
    return Judged(shown, table, None if source == "none" else error, visits, source)


def _answered(
    judged: Sequence[Judged[Option]],
    places: Sequence[int],
    table: Floats,
    found: Found | None,
    notes: Sequence[str],
) -> Thought[Option]:
    """The choices with what the search found; ``places`` are their columns."""
    if found is None:
        unlikely = "no deal explains what was said and played: the table answers alone"
        return Thought(tuple(judged), NO_GAIN, 0.0, (*notes, unlikely))
    samples = found.samples
    said = []
    if found.slip > 0.0:
        said.append(f"the others do not keep to the strategy: guesses with {found.slip:.0%} errors")
    if samples.effective < LEAST_EFFECTIVE:
        few = f"only {samples.effective:.0f} effective guesses: the table's probabilities"
        answer = Answer(table, int(np.argmax(table)), NO_GAIN)
        said.append(few)
    else:
        answer = leave_table(samples, table)
    shown = []
    for one, place in zip(judged, places, strict=True):
        value = value_of(samples, place)
        option = replace(one.option, probability=float(answer.probability[place]), value=value.mean)
        shown.append(Judged(option, one.table, value.error, value.samples, "search"))
    return Thought(tuple(shown), answer.gain, samples.effective, tuple(said))
