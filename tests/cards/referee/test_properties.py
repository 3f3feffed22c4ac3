"""Random games of every option: chips are conserved, what is written can be replayed."""

from itertools import pairwise

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from mouche_solver.cards import CardRules
from mouche_solver.cards.referee.actions import Play
from mouche_solver.cards.referee.referee import apply, legal_actions
from mouche_solver.cards.referee.simulate import random_game
from mouche_solver.cards.referee.transcript import replay, write
from mouche_solver.cards.rules.pack import RANKS, SUITS, cards_of
from mouche_solver.errors import IllegalMoveError

FLAGS = [
    "dealer_takes_trump",
    "reshuffle",
    "passed_hands_return",
    "own_discards_return",
    "mouche",
    "mouche_after_exchange",
    "mouche_must_stand",
    "losing_holders_pay",
    "passers_pay",
    "must_follow",
    "must_head",
    "head_when_trumped",
    "must_trump",
    "must_overtrump",
    "must_undertrump",
    "pamphile",
    "pamphile_any_suit",
    "debts",
]
CHOICES = {
    "mouche_order": ["points", "highest-card"],
    "ace_points": [10, 1],
    "question": ["off", "on", "silence-is-yes"],
    "mouches_paid_in": ["all", "largest-first", "first-in-first-out"],
    "pamphile_pays": ["chip", "fifth"],
}


@st.composite
def any_rules(draw: st.DrawFn) -> CardRules:
    """Rules with every option drawn, on decks small enough to run out and to hold mouches."""
    fields = {flag: draw(st.booleans()) for flag in FLAGS}
    fields |= {name: draw(st.sampled_from(values)) for name, values in CHOICES.items()}
    if not fields["mouche"]:
        fields["question"] = "off"
    fields["sweep"] = fields["mouches_paid_in"] != "all" and draw(st.booleans())
    if fields["mouches_paid_in"] != "all":
        fields["one_at_a_time"] = draw(st.sampled_from(["overall", "per-deal"]))
    players, size = draw(st.sampled_from([(2, 2), (3, 2), (4, 2), (3, 3), (2, 4), (4, 5), (6, 5)]))
    cards = players * size + 1
    suits = SUITS[: draw(st.integers(2 if cards <= 26 else 3 if cards <= 39 else 4, 4))]
    least = max(3, -(-cards // len(suits)))
    count = draw(st.integers(least, min(13, least + 2)))
    return CardRules(
        players=players,
        hand_size=size,
        ranks=RANKS[:count],
        suits=suits,
        ante=size * draw(st.integers(1, 2)),
        cap=draw(st.sampled_from([None, 2 * size])),
        chips=draw(st.integers(0, 30)),
        rounds=draw(st.integers(1, 3)),
        exchange_cap=draw(st.sampled_from([None, 0, 1])),
        **fields,
    )


@settings(max_examples=250, deadline=None)
@given(any_rules(), st.integers(0, 2**32))
def test_chips_are_conserved_after_every_step(rules: CardRules, seed: int) -> None:
    for game_seed in range(seed, seed + 10):
        record = random_game(rules, game_seed, max_deals=3)
        for game in record.steps():
            assert game.chips == sum(rules.starting_chips)
            assert game.pot >= 0
            assert all(waiting > 0 for waiting in game.waiting)
            assert rules.debts or min(game.stacks) >= 0


@settings(max_examples=60, deadline=None)
@given(any_rules(), st.integers(0, 2**32))
def test_what_is_written_is_read_back(rules: CardRules, seed: int) -> None:
    record = random_game(rules, seed, max_deals=4)
    again = replay(write(record))
    assert again.record == record
    assert again.games == tuple(record.after_deals())


@settings(max_examples=60, deadline=None)
@given(any_rules(), st.integers(0, 2**32))
def test_every_card_is_in_one_place_and_every_trick_is_won(rules: CardRules, seed: int) -> None:
    for game in random_game(rules, seed, max_deals=3).steps():
        deal = game.deal
        if deal is None:
            continue
        places = [*map(cards_of, deal.hands), deal.stock, (deal.face_up,)]
        places += [tuple(card for _, card in trick) for trick in (*deal.history, deal.trick)]
        cards = [card for place in places for card in place]
        assert len(cards) == len(set(cards))
        assert sum(deal.tricks) == len(deal.history)
        assert deal.phase != "play" or len(deal.inside) > 1


@settings(max_examples=40, deadline=None)
@given(any_rules(), st.integers(0, 2**32))
def test_cards_are_legal_or_refused(rules: CardRules, seed: int) -> None:
    for before, _ in pairwise(random_game(rules, seed, max_deals=2).steps()):
        deal = before.deal
        if deal is None or deal.phase != "play":
            continue
        legal = {action.card for action in legal_actions(deal) if isinstance(action, Play)}
        assert legal
        for card in range(rules.pack.size):
            if card not in legal:
                with pytest.raises(IllegalMoveError):
                    apply(deal, Play(deal.turn, card))


@settings(max_examples=12, deadline=None)
@given(st.integers(3, 7), st.booleans(), st.integers(0, 2**32))
def test_mushka_counts_down_to_zero(players: int, instead: bool, seed: int) -> None:
    rules = CardRules.mushka(players, ace_instead_of_following=instead)
    # Random players may drift away from zero for ever: the rules set no end.
    record = random_game(rules, seed, max_deals=200)
    final = record.final()
    assume(final.over)
    assert len(final.winners) == 1
    for game in record.steps():
        assert min(game.points) > 0 or game.over
    assert replay(write(record)).games[-1] == final


def test_a_seed_is_a_game() -> None:
    assert random_game(CardRules(), 5) == random_game(CardRules(), 5)
    assert random_game(CardRules(), 5) != random_game(CardRules(), 6)
