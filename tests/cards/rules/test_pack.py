"""Card numbers, masks and names."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mouche_solver.cards import CardRules, cards_of, mask_of
from mouche_solver.errors import NotationError

PACK = CardRules(players=6).pack


def test_numbers_order_suits_and_ranks() -> None:
    assert [PACK.card(name) for name in ("2C", "KC", "2D", "KS")] == [0, 12, 13, 51]
    assert PACK.suit(PACK.card("10H")) == 2
    assert PACK.rank(PACK.card("JH")) > PACK.rank(PACK.card("AH")) > PACK.rank(PACK.card("10H"))
    assert mask_of(range(13, 26)) == PACK.suit_mask(1)


@settings(max_examples=50)
@given(st.sets(st.integers(0, 51)))
def test_names_and_masks_go_back_and_forth(cards: set[int]) -> None:
    assert set(cards_of(mask_of(cards))) == cards
    assert PACK.hand(PACK.mask_names(mask_of(cards))) == mask_of(cards)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("KH, 1H", "'1H' is not in the pack: rank then suit, ranks K Q J A 10"),
        ("HK", "'HK' is not in the pack"),
        ("KH QH KH", "KH is named twice"),
    ],
)
def test_bad_cards_are_named(text: str, message: str) -> None:
    with pytest.raises(NotationError, match=message):
        PACK.cards(text)


def test_a_small_pack_knows_only_its_cards() -> None:
    with pytest.raises(NotationError, match="ranks K Q J A 10 9 8, suits C D H S"):
        CardRules(players=3).pack.card("7S")
    with pytest.raises(NotationError, match="suits of this pack are C D"):
        CardRules(players=2, suits="C D").pack.suit_number("H")
