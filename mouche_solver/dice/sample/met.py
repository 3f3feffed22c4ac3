"""How good thinking is at the positions that tables of human-like players lead to.

One seat thinks, all others are one human-like player. The *loss* of a decision is measured by
values that the advice did not list: fresh guessed deals name the best action, and other fresh deals
say what the advised mix loses against it, so that no action is both chosen and judged by the same
luck.
"""

import numpy as np

from mouche_solver.dice.people.players import Person
from mouche_solver.dice.people.sight import look
from mouche_solver.dice.round.met import Met, summed
from mouche_solver.dice.rules.referee import Round, roll
from mouche_solver.dice.rules.rules import Claim
from mouche_solver.dice.sample.thinking import Budget, Thinker


def met_at_table(thinker: Thinker, person: Person, rounds: int, seed: int, deals: int) -> Met:
    """Play rounds at tables of a person, and measure the decisions of the seat that thinks.

    Parameters
    ----------
    thinker : Thinker
    person : Person
        At all other seats.
    rounds : int
        At least 2; the seat that thinks goes round.
    seed : int
        The same seed rolls and draws the same.
    deals : int
        Guessed deals of each answer, and of each of both measurements.

    Returns
    -------
    Met
        ``won`` is the payoff of a round.
    """
    random = np.random.default_rng(seed)
    losses: list[list[float]] = []
    won = np.zeros(rounds)
    for number in range(rounds):
        found, loser, place = _play(thinker, person, number, random, deals)
        losses.append(found)
        won[number] = thinker.payoff[loser, place]
    return summed(person.name, losses, won)


def _play(
    thinker: Thinker, person: Person, number: int, random: np.random.Generator, deals: int
) -> tuple[list[float], int, int]:
    """One round: the losses of the decisions, who lost, and the seat that thought."""
    rules = thinker.rules
    place = number % rules.players
    cups = roll(rules, random)
    history: tuple[Claim, ...] = ()
    found = []
    while True:
        player = len(history) % rules.players
        sight = look(rules, history)
        row = sight.hands.index(cups[player])
        if player == place and sight.raises:
            first, second, third = random.integers(1, 2**32, 3).tolist()
            budget = Budget(samples=deals, seed=first)
            mix = thinker.think(cups[player], history, budget).probabilities
            fresh, judge = (
                thinker.payoffs(cups[player], history, Budget(samples=deals, seed=each)).mean(
                    axis=1
                )
                for each in (second, third)
            )
            found.append(float(judge[int(fresh.argmax())] - mix @ judge))
        else:
            mix = person.mix(rules, history)[row]
        chosen = int(random.choice(len(mix), p=mix / mix.sum())) - bool(history)
        if chosen < 0:
            break
        history = (*history, sight.raises[chosen])
    reveal = Round(rules, cups, history, doubted=True).reveal
    assert reveal is not None
    return found, reveal.loser, place
