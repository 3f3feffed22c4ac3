"""Hand classes: sizes, both directions, weights, and what they may not see."""

from fractions import Fraction
from itertools import combinations, permutations
from math import comb

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mouche_solver.cards import CardRules, mask_of
from mouche_solver.cards.compiled.hands import HandClasses
from mouche_solver.errors import RulesError


def burnside(ranks: int, suits: int, size: int) -> int:
    """Orbits of hands under renaming of plain suits, from the cycle types alone."""
    plain = list(permutations(range(suits - 1)))
    total = 0
    for perm in plain:
        ways = [comb(ranks - 1, k) for k in range(size + 1)]  # the trump suit, hole closed
        seen: set[int] = set()
        for start in range(suits - 1):
            length, at = 0, start
            while at not in seen:
                seen.add(at)
                at, length = perm[at], length + 1
            if length:  # a cycle holds the same ranks in each of its suits
                new = [0] * (size + 1)
                for have, count in enumerate(ways):
                    for k in range((size - have) // length + 1):
                        new[have + k * length] += count * comb(ranks, k)
                ways = new
        total += ways[size]
    return Fraction(total, len(plain)).numerator


def brute_classes(rules: CardRules, turned: int, apart: tuple[int, ...] = ()) -> dict[int, int]:
    """Hand -> smallest hand of its class, trying every renaming of the loose suits."""
    pack = rules.pack
    loose = [s for s in range(len(pack.suits)) if s not in (pack.suit(turned), *apart)]
    least = {}
    for cards in combinations([c for c in range(pack.size) if c != turned], rules.hand_size):
        images = []
        for perm in permutations(loose):
            name = dict(zip(loose, perm, strict=True))
            images.append(
                mask_of(
                    name.get(pack.suit(c), pack.suit(c)) * pack.per_suit + pack.rank(c)
                    for c in cards
                )
            )
        least[mask_of(cards)] = min(images)
    return least


@pytest.mark.parametrize(
    "players, hands, expected",
    [(3, 80_730, 15_273), (4, 324_632, 60_668), (5, 1_533_939, 284_240), (6, 2_349_060, 434_550)],
)
def test_sizes_of_the_named_decks(players: int, hands: int, expected: int) -> None:
    pack = CardRules(players=players).pack
    classes = HandClasses(pack, 5, turned=3)
    assert classes.n_hands == hands
    assert classes.n_classes == expected == burnside(pack.per_suit, 4, 5)


@pytest.mark.parametrize("turned", [0, 8, 17, 35])
def test_numbering_has_no_gap_and_weights_are_counts(turned: int) -> None:
    classes = HandClasses(CardRules(players=4).pack, 5, turned)
    found = np.bincount(classes.classes_of_all(), minlength=classes.n_classes)
    assert (found == classes.weights()).all()
    every = np.arange(classes.n_classes)
    assert (classes.class_of(classes.hand_of(every)) == every).all()


SMALL = [
    CardRules(players=2, ranks="K Q J A", suits="C D H S", hand_size=3),
    CardRules(players=2, ranks="K Q J A 10", suits="D H S", hand_size=4),
    CardRules(players=2, ranks="K Q J A 10 9", suits="C S", hand_size=5),
    CardRules(players=2, ranks="K Q J A 10 9", suits="C", hand_size=2),
]


@pytest.mark.parametrize("rules", SMALL)
@pytest.mark.parametrize("apart", [(), (1,), (0, 2)])
def test_classes_are_orbits(rules: CardRules, apart: tuple[int, ...]) -> None:
    apart = tuple(s for s in apart if s < len(rules.pack.suits))
    for turned in range(0, rules.pack.size, 3):
        least = brute_classes(rules, turned, apart)
        classes = HandClasses(rules.pack, rules.hand_size, turned, apart=apart)
        numbers = classes.class_of(list(least))
        pairs = set(zip(numbers.tolist(), least.values(), strict=True))
        assert len(pairs) == len(set(least.values())) == classes.n_classes
        assert sorted({number for number, _ in pairs}) == list(range(classes.n_classes))


def test_hand_numbers_index_the_hands() -> None:
    classes = HandClasses(CardRules(players=3).pack, 5, turned=10)
    hands = classes.hands()
    assert (np.diff(hands) > 0).all()
    assert (classes.hand_number(hands) == np.arange(classes.n_hands)).all()


def test_trumps_away_from_the_turn_up_keep_its_suit_apart() -> None:
    pack = CardRules(players=4, pamphile=True).pack
    classes = HandClasses(pack, 5, turned=pack.card("JC"), trump=2)
    found = np.bincount(classes.classes_of_all(), minlength=classes.n_classes)
    assert (found == classes.weights()).all()
    assert set(found.tolist()) == {1, 2}  # only diamonds and spades are interchangeable


@settings(max_examples=40, deadline=None)
@given(data=st.data())
def test_renaming_plain_suits_changes_nothing(data: st.DataObject) -> None:
    pack = CardRules(players=6).pack
    turned = data.draw(st.integers(0, pack.size - 1))
    cards = data.draw(
        st.sets(st.integers(0, pack.size - 1).filter(lambda c: c != turned), min_size=5, max_size=5)
    )
    plain = [s for s in range(4) if s != pack.suit(turned)]
    name = {pack.suit(turned): pack.suit(turned)}
    name |= dict(zip(plain, data.draw(st.permutations(plain)), strict=True))
    renamed = [name[pack.suit(c)] * pack.per_suit + pack.rank(c) for c in cards]
    one, other = HandClasses(pack, 5, turned).class_of([mask_of(cards), mask_of(renamed)])
    assert one == other


@pytest.mark.parametrize("hand", [[0, 1, 2, 3], [0, 1, 2, 3, 7], [0, 1, 2, 3, 60]])
def test_masks_that_are_no_hand_are_refused(hand: list[int]) -> None:
    with pytest.raises(RulesError):
        HandClasses(CardRules(players=4).pack, 5, turned=7).class_of(mask_of(hand))
