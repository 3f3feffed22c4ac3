"""The luck of dice at tables of three and more: every cup rolled, every draw of a known player.

A control variate in the manner of AIVAT, as :mod:`mouche_solver.review.luck` is for two. Cups are
lifted in playing order. What the first so many are worth is played out by the strategy with open
cups, the others drawn, from random numbers that are the same in every review: a function of those
cups and of nothing else. The luck of a cup is its value minus the mean over all hands in its place,
with their exact chances, so that its expectation is zero to rounding, however roughly the values
are known and whoever plays.
"""

from collections.abc import Collection

import numpy as np
from numpy.typing import NDArray

from mouche_solver.core.streams import Purpose, key
from mouche_solver.dice.rules.notation import DOUBT
from mouche_solver.dice.rules.referee import Round
from mouche_solver.dice.rules.rules import Claim
from mouche_solver.dice.sample.strategy import SampledStrategy
from mouche_solver.dice.sample.thinking import Thinker
from mouche_solver.dice.sweep.payoffs import loser_pays
from mouche_solver.review.luck import prior
from mouche_solver.review.tables import thinker_of

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
# Rounds played out for each hand of a cup, and for each action that a known player may draw.
ROLLED, DRAWN = 128, 256
SEED = 1
# How much of the correction counts where one player is unknown and where nobody is known; between
# them it follows the number of known players (docs/decisions/0039).
ONE_UNKNOWN, NOBODY_KNOWN = 0.5, 0.1


def share(players: int, known: int) -> float:
    """How much of the correction counts: fixed before the round, so that nothing is biased.

    The values are those of rounds in which all follow the strategy. The more players are unknown,
    the less they tell.

    Examples
    --------
    >>> [share(3, known) for known in range(4)]
    [0.1, 0.25, 0.5, 1.0]
    """
    if known == players:
        return 1.0
    return max(NOBODY_KNOWN, ONE_UNKNOWN * known / (players - 1))


def table_luck(strategy: SampledStrategy, played: Round, known: Collection[int] = ()) -> Floats:
    """Everybody's luck in a round: the rolls, and the draws of those who follow the strategy.

    Parameters
    ----------
    strategy : SampledStrategy
    played : Round
    known : collection of int
        Places in playing order of those who draw their actions from ``strategy``.

    Returns
    -------
    float64 array, shape (players,)
        In playing order, in points of a round; the sum is zero.

    Examples
    --------
    >>> from mouche_solver.dice import SampleLimits, train_sampled
    >>> from mouche_solver.dice.rules.rules import DiceRules
    >>> rules = DiceRules(dice=(1, 1, 1), faces=2)
    >>> strategy = train_sampled(rules, limits=SampleLimits(300_000), threads=1)
    >>> luck = table_luck(strategy, Round(rules, ((1,), (2,), (2,))))
    >>> luck.shape, abs(float(luck.sum())) < 1e-9
    ((3,), True)
    """
    thinker = thinker_of(strategy)
    classes = strategy.tree.classes
    cups = np.array([
        classes[place].hands.index(tuple(sorted(cup))) for place, cup in enumerate(played.cups)
    ])  # fmt: skip
    luck = _rolls(thinker, cups)
    if known:
        luck = luck + _draws(thinker, played, cups, known)
    return share(len(cups), len(set(known))) * luck


def roll_values(thinker: Thinker, cups: Ints, place: int) -> Floats:
    """What every hand of a place is worth after the cups before it were lifted.

    Parameters
    ----------
    thinker : Thinker
    cups : int64 array, shape (players,)
        Numbers of the hands; those from ``place`` on are not looked at.
    place : int

    Returns
    -------
    float64 array, shape (hands, players)
    """
    rules = thinker.rules
    random = np.random.default_rng(key(Purpose.DICE_LUCK, SEED, 0, place))
    many = len(thinker.strategy.tree.classes[place].hands)
    hands = np.empty((rules.players, many * ROLLED), dtype=np.int64)
    hands[:place] = cups[:place, None]
    hands[place] = np.repeat(np.arange(many), ROLLED)
    for later in range(place + 1, rules.players):
        chances = prior(rules, later)
        hands[later] = random.choice(len(chances), many * ROLLED, p=chances)
    return _means(thinker, (), hands, None, many, random)


def _rolls(thinker: Thinker, cups: Ints) -> Floats:
    total = np.zeros(len(cups))
    for place, hand in enumerate(cups):
        values = roll_values(thinker, cups, place)
        total += values[hand] - prior(thinker.rules, place) @ values
    return total


def _draws(thinker: Thinker, played: Round, cups: Ints, known: Collection[int]) -> Floats:
    """The values of what known players drew minus those of their mixes, with open cups."""
    strategy, total = thinker.strategy, np.zeros(len(cups))
    for moment in played.moments():
        claims, place = moment.history, len(moment.history) % len(cups)
        if place not in known:
            continue
        advice = strategy.policy(played.cups[place], claims).actions
        mix = np.array([each.probability for each in advice])
        word = str(played.history[len(claims)]) if len(claims) < len(played.history) else DOUBT
        drawn = [each.action for each in advice].index(word)
        # A draw without a choice is no event, and what the strategy never does was no draw.
        places = np.flatnonzero(mix)
        if len(places) < 2 or mix[drawn] <= 0.0:
            continue
        random = np.random.default_rng(key(Purpose.DICE_LUCK, SEED, 1, len(claims)))
        hands = np.tile(cups[:, None], len(places) * DRAWN)
        first = np.repeat(places, DRAWN)
        values = _means(thinker, claims, hands, first, len(places), random)
        total += values[np.flatnonzero(places == drawn)[0]] - mix[places] @ values
    return total


def _means(
    thinker: Thinker,
    claims: tuple[Claim, ...],
    hands: Ints,
    first: Ints | None,
    blocks: int,
    random: np.random.Generator,
) -> Floats:
    """Mean payoffs of equal blocks of deals, shape (blocks, players)."""
    losers = thinker.losers(claims, hands, random, first).reshape(blocks, -1)
    players = len(hands)
    often = np.stack([(losers == each).mean(axis=1) for each in range(players)], axis=1)
    return np.asarray(often @ loser_pays(players)[0])
