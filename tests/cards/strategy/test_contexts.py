"""Renaming a deal into its context changes nothing that the rules look at."""

import random
from functools import cache
from itertools import permutations
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mouche_solver.cards import CardRules, cards_of, mask_of
from mouche_solver.cards.rules.mouche import mouche_suit
from mouche_solver.cards.rules.tricks import legal_cards, trick_winner
from mouche_solver.cards.strategy.contexts import Frame, contexts, special_suit
from mouche_solver.cards.strategy.levels import Abstraction
from mouche_solver.errors import IllegalMoveError

RULES: dict[str, CardRules] = {
    "default": CardRules(players=3),
    "pamphile": CardRules(players=3, pamphile=True),
    "any suit": CardRules(players=4, pamphile=True, pamphile_any_suit=True),
    "rank matters": CardRules(players=3, pamphile=True, dealer_takes_trump=True),
    "jack is lowest": CardRules(
        ranks="K Q J", suits="C D H", players=2, hand_size=2, pamphile=True
    ),
    "mushka": CardRules.mushka(3),
    "free ace": CardRules.mushka(4, ace_instead_of_following=True),
    "ace inside": CardRules.mushka(3, ranks="K A Q J 10 9 8 7"),
}


def dealt(rules: CardRules, rng: random.Random) -> tuple[list[int], int, int | None]:
    """Some cards, a turn-up (a special one every third time), a suit if one must be named."""
    pack, special = rules.pack, rules.pamphile_card
    if rules.scoring == "countdown":
        special = rng.choice([pack.card("AS"), pack.card("AH")])
    cards = rng.sample(range(pack.size), min(pack.size - 1, 3 * rules.hand_size))
    turned = rng.choice([c for c in range(pack.size) if c not in cards])
    if special is not None and rng.random() < 1 / 3:
        turned = special
    cards = [c for c in cards if c != turned]
    named = turned == rules.pamphile_card
    return cards, turned, rng.randrange(len(pack.suits)) if named else None


@settings(max_examples=60, deadline=None)
@given(name=st.sampled_from(sorted(RULES)), seed=st.integers(0, 2**32))
def test_tricks_and_mouches_are_the_same_inside(name: str, seed: int) -> None:
    rules, rng = RULES[name], random.Random(seed)
    cards, turned, named = dealt(rules, rng)
    frame = Frame(rules, turned, named)
    there = contexts(rules)[frame.context]
    assert frame.inside(1 << turned) == 1 << there.turned
    inside = [cards_of(frame.inside(1 << card))[0] for card in cards]
    trick, new = cards[:3], inside[:3]
    hand, new_hand = mask_of(cards[3:]), mask_of(inside[3:])
    assert frame.outside(new_hand) == hand
    for length in (1, 2, 3):
        assert trick_winner(rules, frame.trump, trick[:length]) == trick_winner(
            rules, there.trump, new[:length]
        )
        legal = legal_cards(rules, frame.trump, trick[:length], hand)
        assert frame.inside(legal) == legal_cards(rules, there.trump, new[:length], new_hand)
    if rules.mouche:
        one, other = (
            mouche_suit(rules, trump, mask_of(c[: rules.hand_size]))
            for trump, c in ((frame.trump, cards), (there.trump, inside))
        )
        assert (one is None, one == frame.trump) == (other is None, other == there.trump)


@pytest.mark.parametrize("name", RULES)
def test_chances_are_those_of_the_turn_ups(name: str) -> None:
    """Counted over all turn-ups; under the Pamphile clubs and other suits share its card."""
    rules = RULES[name]
    pack, known = rules.pack, contexts(rules)
    counts = np.zeros(len(known))
    for turned in range(pack.size):
        if turned != rules.pamphile_card:
            counts[Frame(rules, turned).context] += 1 / pack.size
    for chance, count, context in zip((c.chance for c in known), counts, known, strict=True):
        assert context.named or chance == pytest.approx(count, abs=1e-12)
    assert sum(c.chance for c in known) == pytest.approx(1, abs=1e-12)
    assert sum(c.chance for c in known if c.named) == pytest.approx(
        0 if rules.pamphile_card is None else 1 / pack.size, abs=1e-12
    )


@cache
def made(name: str) -> Abstraction:
    return Abstraction(RULES[name], "hands")


def class_of(name: str, hand: int, turned: int, named: int | None) -> tuple[int, int]:
    frame = Frame(RULES[name], turned, named)
    return frame.context, int(made(name).hands[frame.context].class_of(frame.inside(hand)))


def rename(rules: CardRules, cards: int, names: Any) -> int:
    r = rules.pack.per_suit
    return mask_of(names[c // r] * r + c % r for c in cards_of(cards))


@settings(max_examples=60, deadline=None)
@given(name=st.sampled_from(["pamphile", "any suit"]), seed=st.integers(0, 2**32))
def test_two_hands_are_one_class_when_renaming_suits_makes_them_equal(name: str, seed: int) -> None:
    """All renamings that keep clubs, trumps with them; and never one that moves clubs."""
    rules, rng = RULES[name], random.Random(seed)
    cards, turned, named = dealt(rules, rng)
    hand, pack = mask_of(cards[:5]), rules.pack
    first = class_of(name, hand, turned, named)
    frame = Frame(rules, turned, named)
    for names in permutations(range(4)):
        moved = cards_of(rename(rules, 1 << turned, names))[0]
        new = rename(rules, hand, names)
        if names[0] == 0:
            suit = None if named is None else names[named]
            assert class_of(name, new, moved, suit) == first
        elif names[frame.trump] == frame.trump != 0 and turned // pack.per_suit != 0:
            clubs = pack.suit_mask(0)
            plain = [pack.suit_mask(s) for s in range(1, 4) if s != frame.trump]
            lone = all((hand & m).bit_count() != (hand & clubs).bit_count() for m in plain)
            if lone and pack.hand("JC") & (hand | new) == 0:
                assert class_of(name, new, turned, None) != first


def test_the_pamphile_is_told_apart_from_the_king_of_trumps() -> None:
    """It is a trump above the King; a coarse class is not shared between clubs and other trumps."""
    book, pack = made("pamphile"), RULES["pamphile"].pack
    feature = {}
    for hand in ("JC KH 9H 8D 8S", "QH KH 9H 8D 8S"):
        context, number = class_of("pamphile", pack.hand(hand), pack.card("10H"), None)
        feature[hand] = book.features[book.coarse_of[book.starts[context] + number]]
    assert [f.trumps for f in feature.values()] == [(2, 0, 0, 1), (0, 2, 0, 1)]
    groups = [set(book.coarse_of[a:b]) for a, b in zip(book.starts, book.starts[1:], strict=False)]
    assert not groups[0] & groups[1]


def test_who_may_name_trumps() -> None:
    rules = RULES["pamphile"]
    jack, king = rules.pack.card("JC"), rules.pack.card("KH")
    with pytest.raises(IllegalMoveError, match="say which suit the dealer named, one of C D H S"):
        Frame(rules, jack)
    with pytest.raises(IllegalMoveError, match="KH is turned up: trumps are named only under"):
        Frame(rules, king, 1)
    assert special_suit(CardRules(players=3)) is None
