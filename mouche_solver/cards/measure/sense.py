"""Sense checks: what no good strategy does, looked for in a table, with the worst case of each.

The hands are all classes, or a random part of them; the histories all that a seat can meet, or a
random part of them. What is listed is what ``mouche cards advise --think 0`` answers from. See
docs/decisions/0030.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from mouche_solver.cards.compiled.arrays import effective_order
from mouche_solver.cards.kernels.records import HISTORY
from mouche_solver.cards.strategy.compile import new_table
from mouche_solver.cards.strategy.contexts import Context, Frame
from mouche_solver.cards.strategy.floors import (
    mouche_floor,
    mouche_risk,
    standing_floor,
    sure_tricks_of,
)
from mouche_solver.cards.strategy.situation import Declared, Situation, set_table
from mouche_solver.cards.strategy.strategy import CardStrategy
from mouche_solver.errors import RulesError

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

LIKELY = 0.05  # from this probability on a declaration should be about as good as the best
NEAR = 0.02  # pots that a likely declaration may be listed below the best
LOWER = 0.01  # pots that a better card may lower a value by
PASS, STAND = 0, 1
CHECKS = {
    "mouche passes": "probability of passing a dealt mouche",
    "below sure tricks": "probability of passing, where it is listed below what standing is worth",
    "better card, value": "pots that a better card of the suit lowers the listed value by",
    "better card, pass": "rise in the probability of passing by a better card of the suit",
    "likely but worse": "pots that a declaration of 5% and more is listed below the best",
}
LIMITS = (0.0, 0.0, LOWER, 0.5, NEAR)


@dataclass(frozen=True)
class Sense:
    """One check.

    Attributes
    ----------
    check : str
        A key of ``CHECKS``, which says what is measured.
    worst : float
    limit : float
        What the check allows.
    beyond : float
        Share of the cases, hands weighted by how often they are dealt and histories evenly, that
        are beyond the limit.
    cases : int
    hand : tuple of int
        The cards of the worst case; for a better card, of the hand before.
    declared : tuple of int
        What was said before it: -1 pass, 0 stand, else cards exchanged.
    """

    check: str
    worst: float
    limit: float
    beyond: float
    cases: int
    hand: tuple[int, ...]
    declared: tuple[int, ...]


@dataclass
class _Found:
    worst: float = 0.0
    beyond: float = 0.0
    weight: float = 0.0
    cases: int = 0
    hand: int = 0
    number: int = -1
    turned: int = 0


def sense_checks(
    strategy: CardStrategy, hands: int = 4000, histories: int = 60, seed: int = 0
) -> list[Sense]:
    """Look for what no good strategy does.

    Parameters
    ----------
    strategy : CardStrategy
        For a game with a pot.
    hands, histories : int
        Most hand classes of a context, and histories of a seat; a random part where there are more.
        All dealt mouches are looked at.
    seed : int

    Raises
    ------
    RulesError
        Under Mushka, where a hand is not worth its tricks.

    Examples
    --------
    >>> from mouche_solver.cards import CardRules
    >>> from mouche_solver.storage.cards.strategies import embedded_strategy
    >>> found = sense_checks(embedded_strategy(CardRules(players=3)), hands=200, histories=4)
    >>> found[0].check, found[0].worst
    ('mouche passes', 0.0)
    """
    if strategy.rules.scoring == "countdown":
        raise RulesError("Mushka: the sense checks are for games with a pot")
    found = [_Found() for _ in CHECKS]
    rng = np.random.default_rng(seed)
    for context in strategy.abstraction.contexts:
        if not context.named:
            _check_context(strategy, context, (hands, histories), rng, found)
    pack, said = strategy.rules.pack, strategy.abstraction.histories
    return [
        Sense(
            check,
            one.worst,
            limit,
            one.beyond / max(one.weight, 1e-300),
            one.cases,
            tuple(c for c in range(pack.size) if one.hand >> c & 1),
            said.said(one.number) if one.number >= 0 else (),
        )
        for check, limit, one in zip(CHECKS, LIMITS, found, strict=True)
    ]


def _check_context(
    strategy: CardStrategy,
    context: Context,
    most: tuple[int, int],
    rng: np.random.Generator,
    found: list[_Found],
) -> None:
    rules, game = strategy.rules, strategy.game
    frame = Frame(rules, context.turned)
    classes = strategy.abstraction.hands[frame.context]
    numbers = np.arange(classes.n_classes)
    first = int(strategy.abstraction.starts[frame.context])
    features = strategy.abstraction.features
    coarse = strategy.abstraction.coarse_of[first + numbers]
    dealt = np.array([bool(f.mouche) for f in features])[coarse]
    usual = numbers[~dealt]
    if len(usual) > most[0]:
        usual = np.sort(rng.choice(usual, most[0], replace=False))
    chosen = np.concatenate([numbers[dealt], usual])
    hands = classes.hand_of(chosen)
    weights = classes.weights()[chosen].astype(np.float64)
    better, of = _better(hands, context, strategy)
    away = 0 if rules.dealer_takes_trump else 1 << context.turned
    sure = sure_tricks_of(hands, context.trump, game, away)
    for seat, number in _histories(strategy, most[1], rng):
        chances, values = _listed(strategy, frame, seat, number, np.concatenate([hands, better]))
        risk = mouche_risk(game, seat, strategy.abstraction.histories.said(number))
        own, listed = chances[: len(hands)], values[: len(hands)]
        shown = _Shown(hands, weights, number, context.turned)
        shown.note(found[0], own[: dealt.sum(), PASS], LIMITS[0], slice(0, int(dealt.sum())))
        floor = standing_floor(sure, rules.hand_size, risk, float(game["fee"]))
        floor[: dealt.sum()] = mouche_floor(risk, float(game["fee"]))
        passes = np.where(~(listed[:, PASS] >= floor), own[:, PASS], 0.0)
        held = np.flatnonzero(floor > -np.inf)
        shown.note(found[1], passes[held], LIMITS[1], held)
        worth = np.nansum(np.where(own > 0, own * listed, 0.0), axis=1)
        worth[np.isnan(listed).all(axis=1)] = np.nan
        more, above = chances[len(hands) :], values[len(hands) :]
        better_worth = np.nansum(np.where(more > 0, more * above, 0.0), axis=1)
        better_worth[np.isnan(above).all(axis=1)] = np.nan
        shown.note(found[2], worth[of] - better_worth, LIMITS[2], of)
        shown.note(found[3], more[:, PASS] - own[of, PASS], LIMITS[3], of)
        best = np.fmax.reduce(listed, axis=1, keepdims=True)  # NaN without any value
        gaps = np.where(own > LIKELY, best - listed, -np.inf)
        shown.note(found[4], gaps.max(axis=1), LIMITS[4], slice(None))


@dataclass(frozen=True)
class _Shown:
    hands: Ints
    weights: Floats
    number: int
    turned: int

    def note(self, one: _Found, amounts: Floats, limit: float, rows: slice | Ints) -> None:
        """Take amounts of some hands into a check; NaN where there is nothing to compare."""
        weights, hands = self.weights[rows], self.hands[rows]
        known = ~np.isnan(amounts)
        if not known.any():
            return
        one.cases += int(known.sum())
        one.weight += float(weights[known].sum())
        one.beyond += float(weights[known & (amounts > limit + 1e-9)].sum())
        at = int(np.nanargmax(amounts))
        if amounts[at] > one.worst:
            one.worst, one.hand = float(amounts[at]), int(hands[at])
            one.number, one.turned = self.number, self.turned


def _better(hands: Ints, context: Context, strategy: CardStrategy) -> tuple[Ints, Ints]:
    """Hands with one card replaced by the next better of its suit, and the hands they come from."""
    order = effective_order(strategy.rules, context.trump)
    found, of = [], []
    turned = 1 << context.turned
    for cards in order:
        free = [card for card in cards if 1 << card != turned]
        for low, high in pairwise(free):
            rows = np.flatnonzero((hands >> low & 1 == 1) & (hands >> high & 1 == 0))
            found.append(hands[rows] ^ (1 << low) ^ (1 << high))
            of.append(rows)
    return np.concatenate(found), np.concatenate(of)


def _histories(
    strategy: CardStrategy, most: int, rng: np.random.Generator
) -> Iterator[tuple[int, int]]:
    """Seats and numbers of histories; impossible ones are left to the caller."""
    first = strategy.abstraction.histories.first
    for seat in range(strategy.rules.players):
        numbers = np.arange(first[seat], first[seat + 1])
        if len(numbers) > most:
            numbers = np.sort(rng.choice(numbers, most, replace=False))
        for number in numbers.tolist():
            if _possible(strategy, seat, number):
                yield seat, number


def _possible(strategy: CardStrategy, seat: int, number: int) -> bool:
    """Whether the seat is asked, and there were cards enough for what was said."""
    said = strategy.abstraction.histories.said(number)
    rules = strategy.rules
    alone = seat == rules.players - 1 and all(n < 0 for n in said)
    return not alone and sum(max(n, 0) for n in said) <= rules.stock_size


def as_declared(said: Sequence[int]) -> tuple[Declared, ...]:
    """Numbers of declarations as words: -1 pass, 0 stand, else cards exchanged.

    Examples
    --------
    >>> as_declared([-1, 0, 3])
    ('pass', 'stand', 3)
    """
    words: dict[int, Declared] = {-1: "pass", 0: "stand"}
    return tuple(words.get(number, number) for number in said)


def _listed(
    strategy: CardStrategy, frame: Frame, seat: int, number: int, hands: Ints
) -> tuple[Floats, Floats]:
    from mouche_solver.cards.measure.kernels_sense import Listed, list_hands

    declared = as_declared(strategy.abstraction.histories.said(number))
    table, game = new_table(), strategy.game
    seen = Situation(frame.outside(int(hands[0])), frame.turned, seat, declared)
    set_table(strategy.rules, game, table, frame, seen)
    shape = len(hands), len(strategy.abstraction.actions)
    out = Listed(np.zeros(shape), np.zeros(shape))
    list_hands(
        hands,
        seat,
        int(game["first_history"][seat] + table["stock"][HISTORY]),
        strategy.tables.value,
        np.array(strategy.abstraction.learning_priors),
        strategy.policy,
        game,
        table,
        out,
    )
    return out.chances, out.values
