"""What the abstraction may and may not merge."""

import random
from functools import cache

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mouche_solver.cards import CardRules, cards_of, mask_of
from mouche_solver.cards.kernels import lookup as k
from mouche_solver.cards.kernels import view as f
from mouche_solver.cards.rules.mouche import mouche_suit
from mouche_solver.cards.strategy.compile import compile_game, compile_policy, new_table
from mouche_solver.cards.strategy.contexts import Frame, contexts
from mouche_solver.cards.strategy.levels import Abstraction, hand_feature
from mouche_solver.cards.strategy.situation import Situation, set_position
from mouche_solver.errors import RulesError

RULES = CardRules(players=3)
PACK = RULES.pack


@cache
def made(play: str = "coarse") -> Abstraction:
    return Abstraction(RULES, "exact", play=play)  # type: ignore[arg-type]


@cache
def policy_of(play: str = "coarse"):
    abstraction = made(play)
    rows = np.zeros((sum(abstraction.cells), len(abstraction.actions)), np.float32)
    return compile_policy(
        abstraction,
        rows,
        rows[:, 0].copy(),
        np.zeros(64, np.uint64),
        np.zeros((64, 5), np.float32),
        abstraction.priors,
    )


def cell(level: int, hand: int, turned: int, said: list) -> int:
    frame, policy = Frame(RULES, turned), policy_of()
    own = k.hand_class(frame.inside(hand), frame.context, policy)
    return int(k.cell_of(level, own, made().histories.index(said), policy))


def rename(cards: int, names: list[int]) -> int:
    r = PACK.per_suit
    return mask_of(names[c // r] * r + c % r for c in cards_of(cards))


@settings(max_examples=60, deadline=None)
@given(seed=st.integers(0, 2**32), names=st.permutations(range(4)))
def test_renaming_suits_changes_no_cell(seed: int, names: list[int]) -> None:
    """Any renaming, trumps with it: a deal in hearts is a deal in clubs."""
    drawn = random.Random(seed).sample(range(PACK.size), 6)
    hand, turned = mask_of(drawn[:5]), drawn[5]
    moved = cards_of(rename(1 << turned, names))[0]
    for level in range(3):
        assert cell(level, hand, turned, ["pass", 2]) == cell(
            level, rename(hand, names), moved, ["pass", 2]
        )


@settings(max_examples=60, deadline=None)
@given(seed=st.integers(0, 2**32))
def test_coarse_hands_never_join_what_matters(seed: int) -> None:
    """Hands of one coarse class agree on the mouche and on the number of trumps."""
    abstraction, rng = made(), random.Random(seed)
    classes = abstraction.hands[0]
    group = abstraction.coarse_of == rng.randrange(len(abstraction.features))
    hands = classes.hand_of(np.flatnonzero(group)).tolist()
    suits = {(s := mouche_suit(RULES, 0, h)) is not None and s == 0 for h in hands}
    mouches = {mouche_suit(RULES, 0, h) is not None for h in hands}
    trumps = {(h & PACK.suit_mask(0)).bit_count() for h in hands}
    assert (len(suits), len(mouches), len(trumps)) == (1, 1, 1)


def test_a_mouche_is_never_joined_with_another_hand() -> None:
    turned = PACK.card("8C")
    flush, broken = PACK.hand("KD JD AD 10D 9D"), PACK.hand("KD JD AD 10D 9H")
    assert cell(0, flush, turned, []) != cell(0, broken, turned, [])
    assert hand_feature(RULES, 0, turned, flush).mouche == "plain"
    trumps = PACK.hand("KC QC JC AC 10C")
    assert hand_feature(RULES, 0, turned, trumps).mouche == "trump"


def test_levels_are_numbered_without_gaps_and_refine_each_other() -> None:
    abstraction = made()
    assert abstraction.cells == (37 * 9, 855 * 15, 15273 * 15, 15273 * 57)
    maps, histories = abstraction.hand_maps, abstraction.histories
    for finer, rougher in (
        (maps["coarse"], maps["rough"]),
        (maps["lossless"], maps["coarse"]),
        (histories.class_of, histories.rough_of),
    ):
        pairs = set(zip(finer.tolist(), rougher.tolist(), strict=True))
        assert len(pairs) == int(finer.max()) + 1  # each finer class lies in one rougher
        assert set(rougher.tolist()) == set(range(int(rougher.max()) + 1))
    assert set(abstraction.coarse_of.tolist()) == set(range(len(abstraction.features)))
    said = abstraction.histories
    assert [said.said(n) for n in (0, 1, 8)] == [(), (-1,), (-1, -1)]
    assert all(said.index([_word(d) for d in said.said(n)]) == n for n in range(said.number))


def _word(digit: int) -> str | int:
    return "pass" if digit < 0 else "stand" if digit == 0 else digit


def test_coarse_histories_tell_how_many_passed_stood_exchanged_few_and_many() -> None:
    said = made().histories
    assert said.class_of[said.index([2, "pass"])] == said.class_of[said.index(["pass", 1])]
    assert said.class_of[said.index([2, "pass"])] != said.class_of[said.index([3, "pass"])]
    assert said.class_of[said.index(["stand"])] != said.class_of[said.index([1])]


@pytest.mark.parametrize("names", ["8C", "10C", "KC"])
def test_the_rank_of_the_turn_up_does_not_matter_by_default(names: str) -> None:
    """The hole closes up: the best four trumps left are the same hand."""
    turned = PACK.card(names)
    trumps = [c for c in reversed(range(7)) if c != turned][:4]
    hand = mask_of(trumps) | PACK.hand("KD")
    ground = mask_of([6, 5, 4, 3]) | PACK.hand("KD")
    assert cell(1, hand, turned, []) == cell(1, ground, PACK.card("8C"), [])


def test_the_rank_of_the_turn_up_matters_when_the_dealer_may_take_it() -> None:
    rules = RULES.replace(dealer_takes_trump=True)
    assert len(contexts(rules)) == 7
    assert sum(c.chance for c in contexts(rules)) == pytest.approx(1)
    abstraction = Abstraction(rules, "coarse")
    assert abstraction.hand_count == 7 * 15273


def play_key(play: str, hand: str, played: list[str], laid: str, said: list) -> tuple[int, int]:
    """Key and number of choices of the first player in, with 8C turned up."""
    turned, table, abstraction = PACK.card("8C"), new_table(), made(play)
    game = compile_game(abstraction)
    tricks = [list(PACK.cards(trick)) for trick in played]
    words = tuple("stand" if word == "0" else int(word) for word in said)
    frame, played = Frame(RULES, turned), tuple(map(tuple, tricks))
    seen = Situation(PACK.hand(hand), turned, 0, words, PACK.hand(laid), played)
    legal, place = set_position(RULES, game, table, frame, seen)
    key = f.information(0, place, legal, frame.context, int(play == "lossless"), game, table)
    return int(key), int(table["choices"])


@pytest.mark.parametrize("play", ["coarse", "lossless"])
def test_what_i_laid_down_is_part_of_what_i_know(play: str) -> None:
    """With the King of diamonds laid down the Queen is the best diamond."""
    hand = "QD 10D 9H 8H 9S"
    one, _ = play_key(play, hand, [], "KD", ["1", "0", "0"])
    other, _ = play_key(play, hand, [], "KH", ["1", "0", "0"])
    assert one != other


@pytest.mark.parametrize("play", ["coarse", "lossless"])
def test_renaming_plain_suits_changes_no_key_of_the_play(play: str) -> None:
    one = play_key(play, "QD 10D 9H", ["KH 10H QH", "KD 8D 9D"], "8H", ["1", "0", "0"])
    other = play_key(play, "QH 10H 9S", ["KS 10S QS", "KH 8H 9H"], "8S", ["1", "0", "0"])
    assert one == other
    trumps = play_key(play, "QC 10C 9H", ["KH 10H QH", "KC 9C JC"], "8H", ["1", "0", "0"])
    assert trumps != one


def test_lossless_play_tells_apart_what_coarse_play_joins() -> None:
    """An eight or a nine led long ago is the same to the coarse level."""
    said = ["0", "0", "0"]
    one, other = (["KS 9S 8S"], ["KS 8S 9S"])
    hand = "KD 10D 9H QC"
    assert play_key("coarse", hand, one, "", said) == play_key("coarse", hand, other, "", said)
    assert play_key("lossless", hand, one, "", said) != play_key("lossless", hand, other, "", said)


def test_coarse_play_joins_cards_of_equal_rank_among_the_unseen() -> None:
    """King and Queen of diamonds are one choice, 10 and 9 too."""
    _, number = play_key("coarse", "KD QD 10H 9H KC", [], "", ["0", "0", "0"])
    assert number == 3
    _, number = play_key("lossless", "KD QD 10H 9H KC", [], "", ["0", "0", "0"])
    assert number == 5


def test_what_is_not_known_is_refused() -> None:
    with pytest.raises(RulesError, match="allowed are coarse, medium, hands, exact"):
        Abstraction(RULES, "fine")
    with pytest.raises(RulesError, match="at most 62"):
        Abstraction(RULES.replace(dealer_takes_trump=True), laying="every")
