"""Sampled deals against tournaments, exact charts and the rules; unseen exchanges."""

from dataclasses import replace

import numpy as np
import pytest

from mouche_solver.cards import CardRules, exchange_chart
from mouche_solver.cards.measure.census import Census, Stands, take_census, try_unseen_exchanges
from mouche_solver.cards.measure.tournament import measure_level
from mouche_solver.cards.strategy.levels import Abstraction
from mouche_solver.cards.strategy.strategy import CardStrategy
from mouche_solver.cards.train.trainer import Batch, CardTrainer
from mouche_solver.errors import RulesError

SMALL = {"ranks": "K Q J A", "suits": "C D H", "hand_size": 2}


@pytest.fixture(scope="module")
def strategy() -> CardStrategy:
    trainer = CardTrainer(
        Abstraction(CardRules(players=3, **SMALL)), seed=3, batch=Batch(128, 64, 2, 1 << 12)
    )
    for _ in range(20):
        trainer.train_round()
    trainer.close()
    return trainer.strategy()


@pytest.fixture(scope="module")
def census(strategy: CardStrategy) -> Census:
    return take_census(strategy, 20_000, seed=5)


@pytest.fixture(scope="module")
def stands(strategy: CardStrategy) -> Stands:
    return try_unseen_exchanges(strategy, 20_000, seed=5)


def test_the_deals_are_those_of_a_tournament(strategy: CardStrategy, census: Census) -> None:
    level = measure_level(strategy.game, strategy.policy, 20_000, seed=5)
    np.testing.assert_allclose(census.shares, level.shares, rtol=1e-9)
    assert census.debts.mean() == pytest.approx(level.mouches)
    inside = np.bincount(census.inside, minlength=4) / len(census.inside)
    assert (inside[0] + inside[1], *inside[2:]) == pytest.approx(level.in_distribution)


def test_cards_tricks_and_chips_are_those_of_the_rules(census: Census) -> None:
    rules = census.strategy.rules
    assert (np.bitwise_count(census.dealt) == rules.hand_size).all()
    held = np.bitwise_count(census.held)
    np.testing.assert_array_equal(held, np.where(census.said != -1, rules.hand_size, 0))
    unasked = census.said == -2
    assert unasked.any()
    assert not unasked[:, :2].any()
    np.testing.assert_array_equal(unasked[:, 2], census.inside == 0)
    together = np.bitwise_or.reduce(census.held, axis=1)
    np.testing.assert_array_equal(np.bitwise_count(together), held.sum(axis=1))
    stood = census.said == 0
    np.testing.assert_array_equal(census.held[stood], census.dealt[stood])
    played = census.tricks.max(axis=1) >= 0
    took = np.where(census.tricks > 0, census.tricks, 0)
    np.testing.assert_array_equal(took.sum(axis=1)[played], rules.hand_size)
    np.testing.assert_array_equal((census.tricks >= 0)[played], (census.said >= 0)[played])
    no_trick = census.tricks == 0
    np.testing.assert_allclose(
        census.chips[played], (took / rules.hand_size - no_trick)[played], atol=1e-12
    )
    np.testing.assert_allclose(census.chips.sum(axis=1) + census.debts, 1)
    np.testing.assert_allclose(census.values.sum(axis=1), 1)


def test_declarations_are_as_frequent_as_the_chart_says(census: Census) -> None:
    chart = exchange_chart(census.strategy, seat=0)
    expected = chart.weight @ chart.mix
    for said, chance in zip(range(-1, 3), expected, strict=True):
        found = (census.said[:, 0] == said).mean()
        assert abs(found - chance) < 4 * np.sqrt(chance * (1 - chance) / len(census.said)) + 1e-9


def test_errors_of_shares_are_those_of_other_seeds(census: Census) -> None:
    others = [take_census(census.strategy, 20_000, seed=s).shares for s in range(10, 18)]
    spread = np.std(others, axis=0, ddof=1)
    assert (spread < 3 * census.share_errors).all()
    assert (spread > census.share_errors / 3).all()


def test_shares_with_a_whole_pot_of_debts(census: Census) -> None:
    """Everybody gets the same of a deal from which one pot is carried over, but for its chips."""
    chips, debts = np.array([[0.1, -0.2, 0.1]]), np.ones(1)
    whole = replace(census, chips=chips, debts=debts)
    np.testing.assert_allclose(whole.shares, chips[0] + np.roll(whole.shares, 1))
    assert whole.shares.sum() == pytest.approx(1)


def test_every_stand_is_tried(census: Census, stands: Stands) -> None:
    rules = census.strategy.rules
    suits = [rules.pack.suit_mask(suit) for suit in range(3)]
    mouche = np.any([census.dealt & ~suit == 0 for suit in suits], axis=0)
    deal, seat = np.nonzero((census.said == 0) & ~mouche)
    np.testing.assert_array_equal(stands.deal, deal)
    np.testing.assert_array_equal(stands.seat, seat)
    np.testing.assert_array_equal(stands.hand, census.dealt[deal, seat])
    assert stands.deals == len(census.debts)


def test_who_is_alone_gains_nothing_by_other_cards(census: Census, stands: Stands) -> None:
    alone = census.inside[stands.deal] == 1
    gain = stands.gain[alone]
    assert len(gain) > 100
    assert (gain[~np.isnan(gain)] == 0).all()
    assert np.isnan(gain).mean() < 0.5  # draws of one suit are left out
    assert np.nanstd(stands.gain[~alone]) > 0.1


def test_a_good_hand_loses_by_two_other_cards(census: Census, stands: Stands) -> None:
    rules = census.strategy.rules
    best = rules.pack.hand("KC") | rules.pack.hand("KD")  # clubs are trumps
    context = [c.turned for c in census.strategy.abstraction.contexts].index(rules.pack.card("AC"))
    sure = (stands.hand == best) & (stands.context == context)
    assert sure.sum() > 5
    assert np.nanmean(stands.gain[sure, 1]) < 0


def test_threads_change_nothing_and_seeds_do(strategy: CardStrategy, census: Census) -> None:
    again = take_census(strategy, 20_000, seed=5, threads=2)
    np.testing.assert_array_equal(again.chips, census.chips)
    assert (take_census(strategy, 20_000, seed=6).dealt != census.dealt).any()


@pytest.mark.parametrize("call", [take_census, try_unseen_exchanges])
def test_numbers_out_of_range(strategy: CardStrategy, call) -> None:
    with pytest.raises(RulesError, match=r"deals=0: allowed are 1 to 4,000,000"):
        call(strategy, 0)
    with pytest.raises(RulesError, match="threads=0: at least 1"):
        call(strategy, 10, threads=0)
