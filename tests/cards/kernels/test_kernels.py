"""The compiled kernels against the referee, for every option."""

import json
import random
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mouche_solver.cards import CardRules, cards_of, mask_of
from mouche_solver.cards.compiled.arrays import compile_deal, compile_play
from mouche_solver.cards.kernels.bits import count, highest, lowest
from mouche_solver.cards.kernels.mouche import NOT_ASKED, PASS, mouche_value
from mouche_solver.cards.kernels.play import best_of_suit_led, legal_cards, trick_winner
from mouche_solver.cards.measure.kernels_sampled_deals import ALONE, MOUCHE, TRICKS, DealLog
from mouche_solver.cards.measure.sampled_deals import sample_deals
from mouche_solver.cards.referee.actions import Exchange, NameTrump, Pass, Play, Shuffle, Stand
from mouche_solver.cards.referee.deal import Deal, start_deal
from mouche_solver.cards.referee.referee import apply
from mouche_solver.cards.rules.mouche import best_mouche, mouche_suit
from mouche_solver.cards.rules.pack import RANKS
from mouche_solver.cards.rules.tricks import legal_cards as referee_legal
from mouche_solver.cards.rules.tricks import trick_winner as referee_winner
from mouche_solver.cards.strategy.contexts import SMALL_HAND, rank_matters
from mouche_solver.core.random import below

SWITCHES = (
    "must_follow",
    "must_head",
    "head_when_trumped",
    "must_trump",
    "must_overtrump",
    "must_undertrump",
)
switches = st.fixed_dictionaries({name: st.booleans() for name in SWITCHES})


def play_rules(switch: dict[str, bool], variant: str) -> CardRules:
    if variant == "mushka":
        return CardRules.mushka(4, **switch)
    if variant == "mushka-ace":
        return CardRules.mushka(4, ace_instead_of_following=True, **switch)
    return CardRules(players=3, pamphile=variant == "pamphile", **switch)


@settings(max_examples=60, deadline=None)
@given(
    switch=switches,
    variant=st.sampled_from(["plain", "pamphile", "mushka", "mushka-ace"]),
    seed=st.integers(0, 2**32),
)
def test_legal_cards_and_winner_are_the_referees(
    switch: dict[str, bool], variant: str, seed: int
) -> None:
    rules = play_rules(switch, variant)
    arrays, rng = compile_play(rules), random.Random(seed)
    for _ in range(60):
        trump = rng.randrange(4)
        cards = rng.sample(range(rules.pack.size), 9)
        if variant.startswith("mushka") and rng.random() < 0.5:  # the rare case, often
            special = [rules.pack.card("A" + rules.pack.suits[trump]), rules.pack.card("AS")]
            cards = list(dict.fromkeys([special[0], *cards[:3], special[1], *cards[3:]]))
        length = rng.randrange(6)
        trick, hand = cards[:length], mask_of(cards[length:])
        expected = referee_legal(rules, trump, trick, hand)
        if not trick:
            assert legal_cards(hand, -1, -1, -1, trump, arrays) == expected
            continue
        played = np.array(trick)
        best_led = best_of_suit_led(played, trump, arrays)
        winner = trick_winner(played, trump, arrays)
        assert winner == referee_winner(rules, trump, trick)
        assert legal_cards(hand, trick[0], best_led, trick[winner], trump, arrays) == expected


CASES = json.loads((Path(__file__).parents[2] / "data" / "cards.json").read_text())


@pytest.mark.parametrize("case", CASES["legal_cards"] + CASES["trick_winner"] + CASES["pamphile"])
def test_written_cases(case: dict[str, Any]) -> None:
    rules = CardRules(players=6, pamphile=case in CASES["pamphile"])
    pack, arrays = rules.pack, compile_play(rules)
    trump, trick = pack.suit_number(case["trump"]), np.array(pack.cards(case["trick"]))
    winner = trick_winner(trick, trump, arrays)
    if "winner" in case:
        assert winner == case["winner"]
        return
    best_led = best_of_suit_led(trick, trump, arrays)
    hand = pack.hand(case["hand"])
    legal = legal_cards(hand, trick[0], best_led, trick[winner], trump, arrays)
    assert legal == pack.hand(case["legal"])


@settings(max_examples=60, deadline=None)
@given(
    order=st.sampled_from(["points", "highest-card"]),
    ace=st.sampled_from([1, 10]),
    pamphile=st.booleans(),
    any_suit=st.booleans(),
    seed=st.integers(0, 2**32),
)
def test_mouches_compare_as_the_referee_says(
    order: Any, ace: Any, pamphile: bool, any_suit: bool, seed: int
) -> None:
    rules = CardRules(
        players=2,
        ranks="K Q J A 10 9",
        suits="C H S",
        hand_size=3,
        mouche_order=order,
        ace_points=ace,
        pamphile=pamphile,
        pamphile_any_suit=any_suit,
    )
    deal, rng = compile_deal(rules), random.Random(seed)
    for _ in range(100):
        trump, cards = rng.randrange(3), rng.sample(range(18), 6)
        hands = mask_of(cards[:3]), mask_of(cards[3:])
        values = [mouche_value(hand, trump, deal) for hand in hands]
        holders = [s for s in (0, 1) if mouche_suit(rules, trump, hands[s]) is not None]
        assert [s for s in (0, 1) if values[s]] == holders
        if holders:
            assert best_mouche(rules, trump, hands, holders) == int(np.argmax(values))


DEALS: dict[str, CardRules] = {
    "default": CardRules(players=4),
    "two": CardRules(players=2),
    "six": CardRules(players=6),
    "short-stock": CardRules(players=6, deck="piquet"),
    "short-stock-own": CardRules(players=6, deck="piquet", own_discards_return=True),
    "short-stock-passed-out": CardRules(players=6, deck="piquet", passed_hands_return=False),
    "no-reshuffle": CardRules(players=6, deck="piquet", reshuffle=False),
    "capped": CardRules(players=3, exchange_cap=2),
    "no-exchange": CardRules(players=3, exchange_cap=0),
    "balzac": CardRules(players=3, dealer_takes_trump=True),
    "pamphile": CardRules(players=3, pamphile=True, dealer_takes_trump=True),
    "mouches": CardRules(players=4, ranks="K Q J A 10 9", suits="C H S", hand_size=3),
    "mouches-late": CardRules(
        players=3,
        ranks="K Q J A 10 9",
        suits="C H",
        hand_size=2,
        mouche_after_exchange=True,
        dealer_takes_trump=True,
        losing_holders_pay=False,
        passers_pay=True,
    ),
    "mouches-stood": CardRules(
        players=3,
        ranks="K Q J A 10 9",
        suits="C H",
        hand_size=2,
        mouche_must_stand=True,
        mouche_order="highest-card",
        pamphile=True,
        pamphile_any_suit=True,
    ),
    "no-mouche": CardRules(players=3, ranks="K Q J A 10", suits="C H", hand_size=2, mouche=False),
    "free": CardRules(players=4, must_follow=False),
    "undertrump": CardRules(players=5, must_undertrump=True, head_when_trumped=True),
    "mushka": CardRules.mushka(4, countdown_from=10**6),
    "mushka-seven": CardRules.mushka(7, countdown_from=10**6, ace_instead_of_following=True),
}


def replay(rules: CardRules, log: DealLog, i: int) -> Deal:
    """Send a logged deal through the referee, which refuses anything illegal."""
    hands = [cards_of(int(mask)) for mask in log.dealt[i]]
    drawn = [card for mask in log.drawn[i] for card in cards_of(int(mask))]
    used = [*(card for hand in hands for card in hand), int(log.turned[i])]
    stock = list(dict.fromkeys(c for c in drawn if c not in used))
    rest = [c for c in range(rules.pack.size) if c not in used and c not in stock]
    deal = start_deal(rules, [*used, *stock, *rest])
    if deal.phase == "name-trump":
        deal = apply(deal, NameTrump(deal.turn, int(log.trump[i])))
    for seat in range(rules.players):
        said = int(log.declared[i, seat])
        if said == NOT_ASKED:
            continue
        swap = int(log.swapped[i]) if seat == rules.players - 1 else -1
        given = None if swap < 0 else swap
        if said == PASS:
            deal = apply(deal, Pass(seat))
        elif said == 0:
            deal = apply(deal, Stand(seat, given))
        else:
            deal = apply(deal, Exchange(seat, cards_of(int(log.laid[i, seat])), given))
        if deal.phase == "shuffle":  # the cards it drew come first
            want = [c for c in cards_of(int(log.drawn[i, seat])) if deal.pile >> c & 1]
            later = [c for c in drawn if deal.pile >> c & 1 and c not in want]
            order = dict.fromkeys([*want, *later, *cards_of(deal.pile)])
            deal = apply(deal, Shuffle(tuple(order)))
    for card in log.played[i]:
        if card >= 0:
            deal = apply(deal, Play(deal.turn, int(card)))
    assert deal.phase == "over"
    return deal


@pytest.mark.parametrize("name", DEALS)
def test_random_deals_replay_through_the_referee(name: str) -> None:
    rules = DEALS[name]
    log = sample_deals(rules, number=250, seed=3)
    for i in range(250):
        check_deal(rules, log, i)


def check_deal(rules: CardRules, log: DealLog, i: int) -> None:
    """The referee allows every step of a logged deal and comes to the same end."""
    deal = replay(rules, log, i)
    assert deal.outcome is not None
    how = {"alone": ALONE, "mouche": MOUCHE, "tricks": TRICKS}[deal.outcome.how]
    assert log.how[i] == how
    if how == MOUCHE and _ranks_are_lost(rules, deal):
        return
    assert log.winner[i] == (-1 if deal.outcome.winner is None else deal.outcome.winner)
    if rules.scoring == "chips":
        assert np.flatnonzero(log.makes[i]).tolist() == list(deal.outcome.mouches)
    if how == TRICKS:
        assert log.tricks[i].tolist() == list(deal.tricks)


def _ranks_are_lost(rules: CardRules, deal: Deal) -> bool:
    """Two mouches of trumps meet in hands so large that contexts leave the turn-up's rank out."""
    if rank_matters(rules) or rules.hand_size <= SMALL_HAND:
        return False
    trumps = [s for s in deal.inside if mouche_suit(rules, deal.trump, deal.hands[s]) == deal.trump]
    return len(trumps) > 1


@st.composite
def any_rules(draw: Any) -> CardRules:
    """Any options on any small pack that can be dealt."""
    hand, players = draw(st.integers(1, 4)), draw(st.integers(2, 4))
    suits = draw(st.sampled_from(["C D H S", "C H S", "C S"]))
    need = -(-(hand * players + 1) // len(suits.split()))
    ranks = RANKS[: max(4, need + draw(st.integers(0, 2)))]
    names = (
        *SWITCHES,
        "reshuffle",
        "passed_hands_return",
        "own_discards_return",
        "dealer_takes_trump",
        "mouche",
        "mouche_after_exchange",
        "mouche_must_stand",
        "losing_holders_pay",
        "passers_pay",
        "pamphile",
        "pamphile_any_suit",
        "ace_instead_of_following",
        "mouche_after_swap",
        "pamphile_alone",
    )
    options: dict[str, Any] = {name: draw(st.booleans()) for name in names}
    if "S" in suits and draw(st.integers(0, 3)) == 0:
        off = dict.fromkeys(("mouche", "pamphile", "dealer_takes_trump"), False)
        options |= off | {"scoring": "countdown", "countdown_from": 10**6}
    return CardRules(
        players=players,
        ranks=ranks,
        suits=suits,
        hand_size=hand,
        exchange_cap=draw(st.sampled_from([None, 0, 1])),
        mouche_order=draw(st.sampled_from(["points", "highest-card"])),
        ace_points=draw(st.sampled_from([1, 10])),
        **options,
    )


@settings(max_examples=80, deadline=None)
@given(rules=any_rules(), seed=st.integers(0, 2**32))
def test_deals_under_any_options_replay_through_the_referee(rules: CardRules, seed: int) -> None:
    log = sample_deals(rules, number=12, seed=seed)
    for i in range(12):
        check_deal(rules, log, i)


def test_every_way_to_end_occurs_in_the_replayed_deals() -> None:
    hows = [set(sample_deals(DEALS[n], 250, 3).how.tolist()) for n in ("mouches", "mouches-late")]
    assert {0, 1, 2} <= set.union(*hows)


def test_the_same_seed_gives_the_same_deals_and_another_seed_others() -> None:
    rules = CardRules(players=3)
    one, again, other = (sample_deals(rules, 500, seed) for seed in (1, 1, 2))
    for first, second in zip(one, again, strict=True):
        assert (first == second).all()
    assert (one.dealt != other.dealt).any()


@given(mask=st.integers(1, 2**63 - 1))
def test_bits(mask: int) -> None:
    assert lowest(mask) == (mask & -mask).bit_length() - 1
    assert highest(mask) == mask.bit_length() - 1
    assert count(mask) == mask.bit_count()


def test_random_numbers_are_uniform() -> None:
    state = np.array([5], np.uint64)
    found = np.bincount([below(state, 7) for _ in range(70_000)], minlength=7)
    assert (abs(found - 10_000) < 500).all()  # 5 standard deviations


def test_each_card_is_dealt_to_each_seat_equally_often() -> None:
    log = sample_deals(CardRules(players=3), number=40_000, seed=9)
    held = (log.dealt[:, :, None] >> np.arange(28)) & 1
    assert abs(held.mean(axis=0) - 5 / 28).max() < 0.011  # 5.7 standard deviations
