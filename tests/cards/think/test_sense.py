"""What every answer of the shipped strategies must keep to, for random hands and histories."""

import random
from typing import Any

import numpy as np
import pytest

from mouche_solver.cards import CardRules
from mouche_solver.cards.rules.mouche import mouche_suit
from mouche_solver.cards.rules.pack import cards_of
from mouche_solver.cards.strategy.situation import Situation
from mouche_solver.cards.think.search import Budget
from mouche_solver.cards.think.thinker import Thinker, Thought
from mouche_solver.storage.cards.strategies import embedded_strategy

PLAYERS = [3, 4, 5, 6]


def thinker_of(players: int, budget: Budget) -> Thinker:
    strategy = embedded_strategy(CardRules(players=players))
    assert strategy is not None
    return Thinker(strategy, budget)


def situations(players: int, number: int, seed: int) -> list[Situation]:
    rules, rng = CardRules(players=players), random.Random(seed)
    found: list[Situation] = []
    while len(found) < number:
        cards = rng.sample(range(rules.pack.size), rules.hand_size + 1)
        seat = rng.randrange(players)
        said = tuple(rng.choice(["pass", "pass", "stand", 2, 3]) for _ in range(seat))
        if seat == players - 1 and set(said) == {"pass"}:
            continue
        found.append(Situation(sum(1 << c for c in cards[1:]), cards[0], seat, said))
    return found


def passing(thought: Thought[Any]) -> float:
    return float(thought.options[0].probability)


@pytest.mark.parametrize("players", PLAYERS)
def test_nothing_is_advised_below_the_sure_tricks(players: int) -> None:
    """Of the table alone, with the values and bounds that it lists."""
    thinker = thinker_of(players, Budget(seconds=0.0))
    for seen in situations(players, 400, players):
        thought = thinker.think_declaration(seen)
        bounds = [
            j.option.value
            for j in thought.choices
            if j.source == "sure tricks" and j.option.value is not None
        ]
        if not bounds:
            continue
        advised = [o.value for o in thought.options if o.probability > 0 and o.value is not None]
        assert min(advised) >= max(bounds) - 1e-9


@pytest.mark.parametrize("players", PLAYERS)
def test_a_dealt_mouche_is_never_passed(players: int) -> None:
    rules = CardRules(players=players)
    alone = thinker_of(players, Budget(seconds=0.0))
    rng = random.Random(players)
    for seen in situations(players, 60, 50 + players):
        suit = rng.randrange(4)
        of_suit = [c for c in range(rules.pack.size) if rules.pack.suit(c) == suit]
        hand = sum(1 << c for c in rng.sample([c for c in of_suit if c != seen.turned], 5))
        assert mouche_suit(rules, rules.pack.suit(seen.turned), hand) is not None
        answer = alone.think_declaration(Situation(hand, seen.turned, seen.seat, seen.declared))
        assert passing(answer) == 0.0


@pytest.mark.parametrize("players", [3, 4])
def test_a_better_card_is_not_worth_less(players: int) -> None:
    """By more than 0.01 pots and 3 standard errors; it does not turn staying in into passing."""
    thinker = thinker_of(players, Budget(samples=2048, trusting=True))
    rules, checked = CardRules(players=players), 0
    for seen in situations(players, 40, 90 + players):
        if len(seen.declared) > 1 or checked == 8:
            continue
        card = min(cards_of(seen.hand))
        better = card + 1
        same = better < rules.pack.size and rules.pack.suit(better) == rules.pack.suit(card)
        if not same or better == seen.turned or seen.hand >> better & 1:
            continue
        hand = seen.hand ^ (1 << card | 1 << better)
        one = thinker.think_declaration(seen)
        two = thinker.think_declaration(Situation(hand, seen.turned, seen.seat, seen.declared))
        (low, low_error), (high, high_error) = worth(one), worth(two)
        assert high >= low - 0.01 - 3 * float(np.hypot(low_error, high_error))
        if passing(one) < 0.05 and passing(two) > 0.95:
            assert high - low < 0.05  # a near tie
        checked += 1
    assert checked >= 4


def worth(thought: Thought[Any]) -> tuple[float, float]:
    """The value of the best choice, and its standard error."""
    best = max(thought.choices, key=lambda judged: judged.option.value)
    return float(best.option.value), float(best.error or 0.0)
