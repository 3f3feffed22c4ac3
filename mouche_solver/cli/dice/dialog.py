"""The dialog of one round between a person and others."""

from dataclasses import dataclass

import numpy as np

from mouche_solver.cli.dialog import LeftError, ask, mix_text, say
from mouche_solver.core.answers import Advice, Option
from mouche_solver.core.statistics import NORMAL_95
from mouche_solver.dice.people.players import Person
from mouche_solver.dice.round.strategy import RoundStrategy
from mouche_solver.dice.rules.hands import Hand
from mouche_solver.dice.rules.notation import (
    DOUBT,
    describe_legal,
    dice_count,
    format_hand,
    parse_claim,
)
from mouche_solver.dice.rules.referee import Action, Round
from mouche_solver.dice.sample.strategy import SampledStrategy
from mouche_solver.errors import IllegalMoveError

STRATEGY = "The strategy"
Answering = RoundStrategy | SampledStrategy


class LeftRoundError(LeftError):
    """The person has left in the middle of a round, which is kept."""

    def __init__(self, state: Round) -> None:
        super().__init__()
        self.state = state


class _TakenBackError(Exception):
    """The person takes a claim back."""


@dataclass(frozen=True)
class Seats:
    """Who plays a round, by place in the playing order.

    Attributes
    ----------
    names : tuple of str
    person : int
        The person's place; -1 when the person has left the match.
    players : tuple of Person or None
        Human-like players; the strategy where there is none.
    strategy : RoundStrategy, SampledStrategy or None
        For this round; None where no strategy is known.
    """

    names: tuple[str, ...]
    person: int
    players: tuple[Person | None, ...]
    strategy: Answering | None

    def act(self, place: int, state: Round, mixing: np.random.Generator) -> Action:
        """What somebody else than the person says."""
        player = self.players[place]
        if player is None:
            assert self.strategy is not None  # somebody plays by rules where none is known
            return _draw(self.strategy.policy(state.cups[place], state.history), mixing)
        said = player.act(state.rules, state.cups[place], state.history, mixing)
        return DOUBT if isinstance(said, str) else said


def play_person(state: Round, seats: Seats, mixing: np.random.Generator) -> Round:
    """Play one round to its doubt.

    Parameters
    ----------
    state : Round
        Before its first claim, or where it was left.
    seats : Seats
    mixing : numpy.random.Generator
        Draws the others' actions.

    Raises
    ------
    LeftRoundError
        When the person leaves; it holds the round so far.
    """
    place = seats.person
    if place >= 0:
        say(f"Your dice: {format_hand(state.cups[place])}")
    if state.history:
        said = ", ".join(
            f"{seats.names[n % len(seats.names)]} {claim}" for n, claim in enumerate(state.history)
        )
        say(f"So far: {said}")
    before: list[Round] = []  # the person's own decisions, to be taken back
    while (player := state.to_act) is not None:
        if player == place:
            try:
                before.append(state)
                state = _ask(state, seats, len(before) > 1)
            except _TakenBackError:
                before.pop()
                state = before.pop()
                say("Taken back.")
            except LeftError as error:
                raise LeftRoundError(state) from error
        else:
            action = seats.act(player, state, mixing)
            say(f"{seats.names[player]} says: {action}")
            state = state.play(action)
    _reveal(state, seats)
    return state


def _reveal(state: Round, seats: Seats) -> None:
    reveal = state.reveal
    assert reveal is not None  # nobody is to act only after a doubt
    others = [n for n in range(len(state.cups)) if n != seats.person]
    if len(others) == 1:
        say(f"The other cup: {format_hand(state.cups[others[0]])}")
    else:
        shown = "; ".join(f"{seats.names[n]} {format_hand(state.cups[n])}" for n in others)
        say(f"The other cups: {shown}")
    loser = "You lose" if reveal.loser == seats.person else f"{seats.names[reveal.loser]} loses"
    say(f"{dice_count(reveal.count)} for {reveal.claim}. {loser} a point.")


def review(strategy: Answering, played: Round, place: int) -> None:
    """Say what the strategy would have done with the person's hand at each of its moves."""
    for moment in played.moments():
        if moment.to_act != place:
            continue
        done = len(moment.history)
        action = str(played.history[done]) if done < len(played.history) else DOUBT
        after = f"after {moment.last}" if moment.last else "at the start"
        hand = played.cups[place]
        if isinstance(strategy, SampledStrategy):
            said = _priced(strategy, hand, moment, action)
        else:
            advice = strategy.policy(hand, moment.history)
            value = next((each.value for each in advice.actions if each.action == action), None)
            mix = mix_text((each.action, each.probability) for each in advice.actions)
            said = f"{action}{_worth(value)}; the strategy: {mix}{_worth(advice.value)}"
            if value is not None and advice.value is not None and advice.value - value >= LEAST:
                said += f"; it cost {advice.value - value:.3f}"
        say(f"  {after} you said {said}")


LEAST = 0.0005  # points that are worth a word


def _priced(strategy: SampledStrategy, hand: Hand, moment: Round, action: str) -> str:
    """What was said at a table of three and more, with what it cost and how sure that is."""
    from mouche_solver.review.tables import choices, price, think

    thought = think(strategy, hand, moment.history)
    mix = choices(thought)
    own = next((each for each in mix if each.action == action), None)
    shown = mix_text((each.action, each.probability) for each in mix)
    text = f"{action}{'' if own is None else _worth(own.value, own.error)}; the strategy: {shown}"
    if own is None:
        return text
    cost = price(thought, action)
    if cost.best == action or cost.loss < LEAST:
        return text
    return f"{text}; it cost {cost.loss:.3f} +- {cost.error:.3f}"


def _worth(value: float | None, error: float | None = None) -> str:
    """A value, with half its 95% interval where it is sampled."""
    if value is None:
        return ""
    return f" (worth {value:+.3f}" + (f" +- {NORMAL_95 * error:.3f})" if error else ")")


def _ask(state: Round, seats: Seats, can_undo: bool) -> Round:
    def read(line: str) -> Round | None:
        word = line.strip().lower()
        if word == "hint":
            _hint(state, seats.strategy)
            return None
        if word == "undo":
            if not can_undo:
                raise IllegalMoveError("there is no claim of this round to take back")
            raise _TakenBackError
        return state.play(DOUBT if word == DOUBT else parse_claim(word))

    def legal() -> str:
        return f"{describe_legal(state.rules, state.last)}. Also: hint, undo, help"

    # Before the first claim there is nothing to doubt.
    choice = "Your claim such as 2x5" + (", doubt" if state.last is not None else "")
    found = None
    while found is None:
        found = ask(choice, read, legal)
    return found


def _hint(state: Round, strategy: Answering | None) -> None:
    """What the strategy would do in the person's place, with values."""
    if strategy is None:
        say("  no strategy is known for this round")
        return
    place = state.to_act
    assert place is not None
    if isinstance(strategy, SampledStrategy):
        from mouche_solver.review.tables import choices, think

        for one in sorted(
            choices(think(strategy, state.cups[place], state.history)),
            key=lambda choice: -choice.probability,
        ):
            if one.probability >= 0.005:
                say(f"  {one.probability:4.0%} {one.action}{_worth(one.value, one.error)}")
        return
    advice = strategy.policy(state.cups[place], state.history)
    for each in sorted(advice.actions, key=lambda option: -option.probability):
        if each.probability >= 0.005:
            say(f"  {each.probability:4.0%} {each.action}{_worth(each.value)}")


def _draw(advice: Advice[Option[str]], mixing: np.random.Generator) -> Action:
    chances = np.array([each.probability for each in advice.actions])
    chosen = advice.actions[int(mixing.choice(len(chances), p=chances / chances.sum()))].action
    return DOUBT if chosen == DOUBT else RoundStrategy.read_claim(chosen)
