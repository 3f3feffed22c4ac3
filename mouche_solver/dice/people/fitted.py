"""A player who is known from his written rounds.

The model starts from the nearest of the six human-like players, softened by slips, and tilts it by
what was counted. Every decision belongs to a kind: the doubt or the raise, and how likely the
claim in question looked to his hand (five steps). The weight of a kind is
``(seen + PRIOR) / (expected + PRIOR)``, where ``expected`` is how often the nearest player would
have done so with the same hands at the same moments: the posterior of a count that the prior
expects.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from mouche_solver.dice.people.players import PEOPLE, Person
from mouche_solver.dice.people.sight import Floats, Sight, look, look_at
from mouche_solver.dice.people.slips import SLIP, prior, slip_weights
from mouche_solver.dice.rules.referee import Round
from mouche_solver.dice.rules.rules import Claim, DiceRules
from mouche_solver.errors import MoucheError, UsageError

# Decisions of a kind that the nearest of the six counts for.
PRIOR = 5.0
_STEPS = 5


class Opponent(Protocol):
    """Somebody of whom it is known what his hands do."""

    @property
    def name(self) -> str:
        """What he is called."""
        ...

    def mix(self, rules: DiceRules, history: Sequence[Claim] = ()) -> Floats:
        """Probabilities of shape (hands, actions), the doubt first where there is a claim."""
        ...


class Habit(Opponent, Protocol):
    """An opponent who looks at his dice and the claim that stands, not at those before it."""

    def mix_at(self, rules: DiceRules, player: int, last: Claim | None) -> Floats:
        """As :meth:`Opponent.mix`, by who is to act and the claim that stands."""
        ...


@dataclass(frozen=True)
class Fitted:
    """A model of one player.

    Attributes
    ----------
    name : str
    nearest : Person
        The one of the six whose play makes his rounds likeliest.
    rounds : int
        Rounds that the model rests on.
    tilt : float64 array, shape (10,)
        The weight of each kind of decision.
    """

    name: str
    nearest: Person
    rounds: int
    tilt: Floats

    def mix(self, rules: DiceRules, history: Sequence[Claim] = ()) -> Floats:
        """Probabilities of shape (hands, actions), the doubt first where there is a claim."""
        return self.mix_at(rules, len(history) % rules.players, history[-1] if history else None)

    def mix_at(self, rules: DiceRules, player: int, last: Claim | None) -> Floats:
        """As :meth:`mix`, by who is to act and the claim that stands."""
        sight = look_at(rules, player, last)
        mix = with_slips(sight, self.nearest.mix_at(rules, player, last))
        weight = mix * self.tilt[kinds(sight)]
        return np.asarray(weight / weight.sum(axis=1, keepdims=True))


def kinds(sight: Sight) -> NDArray[np.int64]:
    """The kind of each decision, shape (hands, actions): doubts are 0 to 4, raises 5 to 9."""
    raises = _STEPS + _step_of(sight.likely)
    if sight.last is None:
        return raises
    return np.concatenate([_step_of(sight.standing)[:, None], raises], axis=1)


def _step_of(chance: Floats) -> NDArray[np.int64]:
    return np.minimum((chance * _STEPS).astype(np.int64), _STEPS - 1)


def with_slips(sight: Sight, mix: Floats) -> Floats:
    """A mix with slips, so that nothing is impossible; both of shape (hands, actions)."""
    if not sight.raises:
        return mix
    slips = np.stack(
        [slip_weights(sight.rules, sight.player, claim) for claim in sight.raises], axis=1
    )
    if sight.last is not None:
        slips = np.concatenate([1.0 - 0.9 * sight.standing[:, None], slips], axis=1)
    slips /= slips.sum(axis=1, keepdims=True)
    return np.asarray((1.0 - SLIP) * mix + SLIP * slips)


def softened(person: Person, rules: DiceRules, history: Sequence[Claim]) -> Floats:
    """A person's mix with slips."""
    return with_slips(look(rules, history), person.mix(rules, history))


def fitted(rules: DiceRules, text: str, name: str) -> Fitted:
    """The model of the player whose cup is marked in written rounds.

    Parameters
    ----------
    rules : DiceRules
    text : str
        One round a line, ``cups : claims doubt``, cups in playing order and apart by ``/``; the
        player's cup begins with ``*``. Empty lines and lines that begin with ``#`` are passed over.
    name : str
        What the text is called in messages.

    Raises
    ------
    UsageError
        When a line is not of these rules, has no reveal, or marks no cup or several.

    Examples
    --------
    >>> model = fitted(DiceRules(dice=(1, 1)), "5 / *3 : 1x5 1x6 doubt", "rounds")
    >>> model.rounds, model.nearest.name
    (1, 'believer')
    """
    rounds = [
        _read(rules, line, f"{name}, line {number}")
        for number, line in enumerate(text.splitlines(), start=1)
        if line.strip() and not line.lstrip().startswith("#")
    ]
    if not rounds:
        raise UsageError(f"{name}: holds no round; a line is such as '5,5 / *3,1 : 2x5 3x5 doubt'")
    chances = {each: _likelihood(person, rounds) for each, person in PEOPLE.items()}
    nearest = PEOPLE[max(chances, key=lambda each: chances[each])]
    seen, expected = np.zeros(2 * _STEPS), np.zeros(2 * _STEPS)
    for moment, row, column in _decisions(rounds):
        kind = kinds(look(rules, moment))[row]
        seen[kind[column]] += 1
        np.add.at(expected, kind, softened(nearest, rules, moment)[row])
    return Fitted(name, nearest, len(rounds), (seen + PRIOR) / (expected + PRIOR))


Written = tuple[Round, int]


def _read(rules: DiceRules, line: str, where: str) -> Written:
    cups, colon, claims = line.partition(":")
    parts = cups.split("/")
    marked = [place for place, cup in enumerate(parts) if cup.strip().startswith("*")]
    if not colon or len(marked) != 1:
        raise UsageError(
            f"{where}: write 'cups : claims doubt' and mark his cup with *, one cup a round"
        )
    try:
        played = Round.replay(rules, cups.replace("*", ""), claims)
    except MoucheError as error:
        raise UsageError(f"{where}: {error}") from None
    if not played.doubted:
        raise UsageError(f"{where}: the round has no reveal; it must end with 'doubt'")
    return played, marked[0]


def _decisions(rounds: list[Written]) -> list[tuple[tuple[Claim, ...], int, int]]:
    """For each of his decisions the claims before it, his hand's row and the action's column."""
    found = []
    for played, place in rounds:
        for moment in played.moments():
            sight = look(played.rules, moment.history)
            if moment.to_act != place or not sight.raises:
                continue
            done = len(moment.history)
            column = 0
            if done < len(played.history):
                column = sight.raises.index(played.history[done]) + (done > 0)
            found.append((moment.history, sight.hands.index(played.cups[place]), column))
    return found


def _likelihood(person: Person, rounds: list[Written]) -> float:
    rules = rounds[0][0].rules
    return float(
        sum(
            np.log(softened(person, rules, moment)[row, column])
            for moment, row, column in _decisions(rounds)
        )
    )


def opponent_range(
    opponent: Opponent, rules: DiceRules, player: int, history: Sequence[Claim]
) -> Floats:
    """The hands of a person who has spoken so, shape (hands,); each claim may be a slip.

    Returns
    -------
    float64 array, shape (hands,)
        Sums to one.
    """
    found = prior(rules, player)
    for done in range(player, len(history), rules.players):
        sight = look(rules, history[:done])
        column = sight.raises.index(history[done]) + (done > 0)
        spoken = opponent.mix(rules, history[:done])[:, column]
        found = found * ((1.0 - SLIP) * spoken + SLIP * slip_weights(rules, player, history[done]))
        found /= found.sum()
    return found
