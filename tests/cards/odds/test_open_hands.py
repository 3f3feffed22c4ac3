"""Open-hand values: against a search written with the referee, and what they may not see."""

import random
from functools import cache

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mouche_solver.cards import CardRules, cards_of, mask_of
from mouche_solver.cards.odds.open_hands import OpenHands
from mouche_solver.cards.rules.tricks import legal_cards, trick_winner
from mouche_solver.errors import RulesError, TooLargeError


def chips(rules: CardRules, tricks: tuple[int, ...]) -> tuple[float, ...]:
    return tuple(t / rules.hand_size - (t == 0) for t in tricks)


def referee_value(rules: CardRules, trump: int, hands: tuple[int, ...]) -> tuple[int, ...]:
    """Tricks under best play: every node of the game, chips compared, nothing clever."""
    n = len(hands)

    @cache
    def best(hands: tuple[int, ...], trick: tuple[int, ...], leader: int, won: tuple[int, ...]):
        if len(trick) == n:
            taker = (leader + trick_winner(rules, trump, trick)) % n
            won = tuple(t + (p == taker) for p, t in enumerate(won))
            return best(hands, (), taker, won) if any(hands) else won
        mover = (leader + len(trick)) % n
        outcomes = []
        for card in cards_of(legal_cards(rules, trump, trick, hands[mover])):
            left = tuple(h ^ (1 << card) if p == mover else h for p, h in enumerate(hands))
            outcomes.append(best(left, (*trick, card), leader, won))

        def liking(tricks: tuple[int, ...]) -> tuple[float, ...]:
            money = chips(rules, tricks)
            others = [-money[(mover + k) % n] for k in range(1, n)]
            return money[mover], *others

        return max(outcomes, key=liking)

    return best(hands, (), 0, (0,) * n)


def random_hands(rules: CardRules, active: int, rng: random.Random) -> tuple[int, ...]:
    size = rules.hand_size
    cards = rng.sample(range(rules.pack.size), active * size)
    return tuple(mask_of(cards[p * size : (p + 1) * size]) for p in range(active))


VARIANTS = {
    "default": {},
    "free-heading": {"must_head": False},
    "heading-always": {"head_when_trumped": True, "must_undertrump": True},
    "no-overtrump": {"must_overtrump": False},
    "no-trumping": {"must_trump": False},
    "free": {"must_follow": False},
    "pamphile": {"pamphile": True},
}
SHAPES = [(2, 4), (3, 3), (4, 2)]


@pytest.mark.parametrize("active, size", SHAPES)
@pytest.mark.parametrize("variant", VARIANTS)
def test_table_and_search_agree_with_the_referee(variant: str, active: int, size: int) -> None:
    rules = CardRules(
        players=active, ranks="K Q J A 10", suits="C D H S", hand_size=size, **VARIANTS[variant]
    )
    rng = random.Random(4)
    deals = [random_hands(rules, active, rng) for _ in range(25)]
    trumps = [rng.randrange(4) for _ in deals]
    expected = [referee_value(rules, t, h) for h, t in zip(deals, trumps, strict=True)]
    for cards in range(size + 1):
        found = OpenHands(rules, active, table_cards=cards).tricks(deals, trumps)
        assert found.tolist() == [list(value) for value in expected]


def test_two_players_with_full_hands() -> None:
    rules, rng = CardRules(players=2), random.Random(1)
    deals = [random_hands(rules, 2, rng) for _ in range(8)]
    expected = [referee_value(rules, 1, hands) for hands in deals]
    assert OpenHands(rules, 2).tricks(deals, 1).tolist() == [list(v) for v in expected]


def test_two_player_table_is_plain_search_on_many_deals() -> None:
    rules = CardRules(players=2)
    rng = random.Random(2)
    deals = [random_hands(rules, 2, rng) for _ in range(2000)]
    trumps = [rng.randrange(4) for _ in deals]
    table, plain = OpenHands(rules, 2), OpenHands(rules, 2, table_cards=0)
    assert table.table_cards == 5
    assert (table.tricks(deals, trumps) == plain.tricks(deals, trumps)).all()


THREE = CardRules(players=3, ranks="K Q J A 10 9", suits="C D H S", hand_size=3)


@settings(max_examples=30, deadline=None)
@given(seed=st.integers(0, 2**32), names=st.permutations([1, 2, 3]))
def test_renaming_plain_suits_changes_nothing(seed: int, names: list[int]) -> None:
    hands = random_hands(THREE, 3, random.Random(seed))
    r = THREE.pack.per_suit
    suit = [0, *names]
    renamed = [mask_of(suit[c // r] * r + c % r for c in cards_of(h)) for h in hands]
    found = three().tricks([hands, renamed], 0)
    assert (found[0] == found[1]).all()


@settings(max_examples=30, deadline=None)
@given(seed=st.integers(0, 2**32))
def test_only_relative_ranks_count(seed: int) -> None:
    """Push the cards of each suit down as far as they go."""
    hands = random_hands(THREE, 3, random.Random(seed))
    r, out = THREE.pack.per_suit, sorted(c for h in hands for c in cards_of(h))
    place = {c: c // r * r + sum(d // r == c // r for d in out[:i]) for i, c in enumerate(out)}
    pushed = [mask_of(place[c] for c in cards_of(h)) for h in hands]
    found = three().tricks([hands, pushed], 0)
    assert (found[0] == found[1]).all()


@cache
def three() -> OpenHands:
    return OpenHands(THREE, 3)


def test_chips_are_the_share_of_the_pot_less_the_mouche() -> None:
    rules, rng = CardRules(players=2), random.Random(5)
    play = OpenHands(rules, 2)
    deals = [random_hands(rules, 2, rng) for _ in range(300)]
    won = play.tricks(deals, 0)
    assert (won.sum(axis=1) == 5).all()
    assert 0 in won
    expected = [chips(rules, tuple(t)) for t in won.tolist()]
    assert np.array_equal(play.chips(deals, 0), np.array(expected))


def test_what_does_not_fit_is_refused() -> None:
    with pytest.raises(RulesError, match="Mushka"):
        OpenHands(CardRules.mushka(4), 2)
    with pytest.raises(RulesError, match="allowed are 2 to 3"):
        OpenHands(CardRules(players=3), 4)
    with pytest.raises(TooLargeError, match="entries"):
        OpenHands(CardRules(players=4), 4, table_cards=4)
    play = OpenHands(CardRules(players=2), 2)
    with pytest.raises(RulesError, match="held twice"):
        play.tricks([[31, 31]], 0)
    with pytest.raises(RulesError, match="shape"):
        play.tricks([31, 992], 0)
