"""Tournaments and the guessing baseline."""

import random

import numpy as np
import pytest

from mouche_solver.cards import CardRules, mask_of
from mouche_solver.cards.kernels import view as f
from mouche_solver.cards.kernels.baselines import thumb_declaration
from mouche_solver.cards.kernels.records import PLACES
from mouche_solver.cards.kernels.tricks import begin_play, legal_now, put, to_move
from mouche_solver.cards.measure.kernels_pimc import open_value
from mouche_solver.cards.measure.tournament import (
    GuessTables,
    baseline,
    measure_level,
    play_duplicate,
    play_pimc,
)
from mouche_solver.cards.odds.open_hands import OpenHands
from mouche_solver.cards.strategy.compile import compile_game, new_table
from mouche_solver.cards.strategy.levels import Abstraction
from mouche_solver.errors import RulesError

SMALL = CardRules(players=3, ranks="K Q J A 10", suits="C D H", hand_size=3)
ABSTRACTION = Abstraction(SMALL, "coarse")
GAME = compile_game(ABSTRACTION)


@pytest.mark.parametrize("inside", [2, 3])
def test_guessed_hands_are_worth_what_open_hands_are(inside: int) -> None:
    """The kernel that stands in the middle of a trick against the search that knows no middle."""
    tables, whole = GuessTables(SMALL), OpenHands(SMALL, inside, table_cards=0)
    levels = tables.pairs if inside == 2 else tables.threes
    rng = random.Random(inside)
    for _ in range(40):
        cards = rng.sample(range(1, SMALL.pack.size), 3 * inside)
        hands = [mask_of(cards[3 * p : 3 * p + 3]) for p in range(inside)]
        table = new_table()
        for p, hand in enumerate(hands):
            table["hands"][p], table["seats"][p] = hand, p
        table["stock"][4] = -1
        begin_play(inside, GAME, table)
        at = table["at"]
        best = [-1] * inside
        legal = int(legal_now(at, 0, 0, GAME, 0))
        for card in range(SMALL.pack.size):
            if not legal >> card & 1:
                continue
            at[1] = at[0]
            put(at, 1, 0, card, 0, GAME)
            assert to_move(at, 1) == 1
            packed = int(open_value(1, GAME, table, levels))
            tricks = [packed >> 5 * (inside - 1 - p) & 31 for p in range(inside)]
            best = max(best, tricks, key=lambda t: [t[0], *(-x for x in t[1:])])
        assert best == whole.tricks([hands], 0)[0].tolist()


def test_guessing_beats_random_cards_after_equal_declarations() -> None:
    thumb, chance = (baseline(ABSTRACTION, name) for name in ("thumb", "random"))
    shares = [1 / 3] * 3
    guess = play_pimc(GAME, GuessTables(SMALL), chance, chance, shares, 4096, samples=5)
    assert guess.low > 0
    assert play_duplicate(GAME, thumb, chance, shares, 4096).low > 0


def test_the_seed_decides_and_the_number_of_threads_does_not() -> None:
    thumb, chance = (baseline(ABSTRACTION, name) for name in ("thumb", "random"))
    one = play_duplicate(GAME, thumb, chance, [1 / 3] * 3, 10_000, seed=3, threads=1)
    two = play_duplicate(GAME, thumb, chance, [1 / 3] * 3, 10_000, seed=3, threads=2)
    assert one == two
    assert one.deals == 12_288
    assert one != play_duplicate(GAME, thumb, chance, [1 / 3] * 3, 10_000, seed=4)


def test_self_play_counts_everybody() -> None:
    level = measure_level(GAME, baseline(ABSTRACTION, "thumb"), 8192)
    assert sum(level.in_distribution) == pytest.approx(1)
    assert len(level.in_distribution) == 3
    assert level.shares.sum() == pytest.approx(1)


@pytest.mark.parametrize(
    "names, expected",
    [
        ("KC QC 9D 8H 9S", 0),  # the two best trumps
        ("KC 9D 8D 8H 9S", 4),  # one: the rest goes
        ("KD 9D 8D 8H 9S", -1),  # a King alone is not enough
        ("KD QD JD AD 10D", 0),  # a mouche
    ],
)
def test_the_rule_of_thumb_counts_sure_tricks(names: str, expected: int) -> None:
    rules = CardRules(players=3)
    game = compile_game(Abstraction(rules, "coarse"))
    hand = rules.pack.hand(names)
    unseen = ~(hand | 1 << rules.pack.card("8C"))
    mouche = len({name[-1] for name in names.split()}) == 1
    assert thumb_declaration(hand, mouche, 5, unseen, 0, game) == expected


def test_what_is_not_known_is_refused() -> None:
    with pytest.raises(RulesError, match="allowed are random, thumb"):
        baseline(ABSTRACTION, "expert")


def test_positions_have_room_for_every_table() -> None:
    assert new_table()["at"].shape[1] >= f.PLAYED + 52
    assert np.array([f.HAND, f.LAID, f.SAID, f.WON]).tolist() == [PLACES * i for i in range(4)]


@pytest.mark.parametrize("deals", [0, -1, 2.5, float("nan"), True, 10**18])
def test_deals_that_cannot_be_played(deals: float) -> None:
    policy = baseline(ABSTRACTION, "random")
    with pytest.raises(RulesError, match=r"deals=.*: (allowed are 1 to|give a whole)"):
        play_duplicate(GAME, policy, policy, [0.0] * 3, deals)
    with pytest.raises(RulesError, match=r"deals=.*: (allowed are 1 to|give a whole)"):
        measure_level(GAME, policy, deals)
