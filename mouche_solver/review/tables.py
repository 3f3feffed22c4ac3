"""Values at dice tables of three and more: the decision is played through in guessed deals.

It is the thinking of ``mouche dice advise`` (:mod:`mouche_solver.dice.sample.thinking`) with a
fixed number of guessed deals and one seed, so that the same position has the same values anywhere.
"""

from typing import NamedTuple

from mouche_solver.core.statistics import NORMAL_95
from mouche_solver.dice.people.sight import look
from mouche_solver.dice.rules.hands import Hand
from mouche_solver.dice.rules.rules import Claim
from mouche_solver.dice.sample.strategy import SampledStrategy
from mouche_solver.dice.sample.thinking import LEAST, TOGETHER, Budget, Survey, Thinker, Thought
from mouche_solver.review.record import CLOSE, Choice, Mark, mark_of

# Continuations of an answer that somebody waits for, and of a decision that is priced: about a
# tenth of a second, and a third.
LIVE, PRICED = TOGETHER, 4 * TOGETHER
UNMET = "training hardly met the position"
_MOST_KEPT, _ONE_CHUNK = 5, 1e-9
_KEPT: dict[int, Thinker] = {}


def thinker_of(strategy: SampledStrategy) -> Thinker:
    """Somebody who thinks with a strategy; the last few are kept."""
    found = _KEPT.get(id(strategy))
    if found is None or found.strategy is not strategy:
        while len(_KEPT) >= _MOST_KEPT:
            del _KEPT[next(iter(_KEPT))]
        found = _KEPT[id(strategy)] = Thinker(strategy)
    return found


def think(
    strategy: SampledStrategy, hand: Hand, claims: tuple[Claim, ...], work: int = LIVE
) -> Thought:
    """What every action of a hand is worth, with standard errors.

    Parameters
    ----------
    strategy : SampledStrategy
    hand : tuple of int
    claims : tuple of Claim
    work : int
        Continuations: actions times guessed deals.
    """
    actions = len(look(strategy.rules, claims).raises) + bool(claims)
    budget = Budget(samples=max(LEAST, work // actions))
    return thinker_of(strategy).think(hand, claims, budget)


def survey(strategy: SampledStrategy, claims: tuple[Claim, ...]) -> Survey:
    """What the likely actions are worth over all hands of the player to act."""
    return thinker_of(strategy).survey(claims, Budget(seconds=_ONE_CHUNK))


def choices(thought: Thought) -> tuple[Choice, ...]:
    """What was found: a mix over what is not clearly worse than the best, values with errors."""
    columns = thought.probabilities, thought.values, thought.errors, NORMAL_95 * thought.gaps
    rows = zip(thought.actions, *(column.tolist() for column in columns), strict=True)
    return tuple(Choice(*row) for row in rows)


class Price(NamedTuple):
    """What an action cost; ``error`` is half a 95% interval of the loss."""

    value: float
    best_value: float
    loss: float
    best: str
    error: float
    mark: Mark
    trivial: bool


def price(thought: Thought, action: str, unit: float = 1.0) -> Price:
    """What one of several actions cost.

    It is held against the action that is advised most: the largest of many noisy values would be
    too large. A loss within its error has no mark.
    """
    mix = choices(thought)
    done, best = mix[thought.actions.index(action)], mix[thought.main]
    if done.probability >= best.probability - 1e-9:
        best = done
    values, top = thought.values, float(thought.values.max())
    assert done.value is not None  # thinking prices everything
    assert best.value is not None
    loss = max(0.0, best.value - done.value)
    error = 0.0 if best is done else done.gap or 0.0
    mark = mark_of(loss, unit) if loss > error else ""
    near = int((values >= top - CLOSE * unit).sum())
    return Price(done.value, best.value, loss, best.action, error, mark, near < 2)
