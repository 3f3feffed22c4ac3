"""The dialog of one round between a person and a strategy."""

import numpy as np

from mouche_solver.cli.dialog import ask, mix_text, say
from mouche_solver.core.answers import Advice, Option
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


def play_person(
    strategy: RoundStrategy, cups: tuple[Hand, ...], place: int, mixing: np.random.Generator
) -> Round:
    """Play one round to its doubt.

    Parameters
    ----------
    strategy : RoundStrategy
        Plays the other cup.
    cups : tuple of tuple of int
        In playing order.
    place : int
        The person's place in the playing order.
    mixing : numpy.random.Generator
        Draws the strategy's actions.

    Raises
    ------
    LeftError
        When the person leaves.
    """
    state = Round(strategy.rules, cups)
    say(f"Your dice: {format_hand(cups[place])}")
    while (player := state.to_act) is not None:
        if player == place:
            state = _ask(state, strategy)
        else:
            action = _draw(strategy.policy(cups[player], state.history), mixing)
            say(f"The strategy says: {action}")
            state = state.play(action)
    reveal = state.reveal
    assert reveal is not None  # nobody is to act only after a doubt
    say(f"The other cup: {format_hand(cups[1 - place])}")
    verdict = "You lose" if reveal.loser == place else "The strategy loses"
    say(f"{dice_count(reveal.count)} for {reveal.claim}. {verdict} a point.")
    return state


def review(strategy: RoundStrategy, played: Round, place: int) -> None:
    """Say what the strategy would have done with the person's hand at each of its moves."""
    for moment in played.moments():
        if moment.to_act != place:
            continue
        done = len(moment.history)
        action = str(played.history[done]) if done < len(played.history) else DOUBT
        advice = strategy.policy(played.cups[place], moment.history)
        value = next(each.value for each in advice.actions if each.action == action)
        after = f"after {moment.last}" if moment.last else "at the start"
        mix = mix_text((each.action, each.probability) for each in advice.actions)
        say(
            f"  {after} you said {action} (worth {value:+.3f}); "
            f"the strategy: {mix} (worth {advice.value:+.3f})"
        )


def _ask(state: Round, strategy: RoundStrategy) -> Round:
    def read(line: str) -> Round | None:
        word = line.strip().lower()
        if word == "hint":
            _hint(state, strategy)
            return None
        return state.play(DOUBT if word == DOUBT else parse_claim(word))

    # Before the first claim there is nothing to doubt.
    choice = "Your claim such as 2x5" + (", doubt" if state.last is not None else "")
    found = None
    while found is None:
        found = ask(choice, read, lambda: describe_legal(state.rules, state.last))
    return found


def _hint(state: Round, strategy: RoundStrategy) -> None:
    """What the strategy would do in the person's place, with values."""
    advice = strategy.policy(state.cups[len(state.history) % 2], state.history)
    for each in sorted(advice.actions, key=lambda option: -option.probability):
        if each.probability >= 0.005:
            say(f"  {each.probability:4.0%} {each.action} (worth {each.value:+.3f})")


def _draw(advice: Advice[Option[str]], mixing: np.random.Generator) -> Action:
    chances = np.array([each.probability for each in advice.actions])
    chosen = advice.actions[int(mixing.choice(len(chances), p=chances / chances.sum()))].action
    return DOUBT if chosen == DOUBT else RoundStrategy.read_claim(chosen)
