"""Sense checks of the shipped strategies: the worst cases of today's files, with margins."""

import pytest

from mouche_solver.cards import CardRules
from mouche_solver.cards.measure.sense import CHECKS, sense_checks
from mouche_solver.errors import RulesError
from mouche_solver.storage.cards.strategies import embedded_strategy

# Worst case, and share of the cases beyond the limit, of files trained with 16 to 80 million deals.
WORST = {"better card, value": 0.45, "better card, pass": 1.0, "likely but worse": 0.85}
BEYOND = {"better card, value": 0.12, "better card, pass": 0.01, "likely but worse": 0.11}


@pytest.mark.parametrize("players", [3, 4, 5, 6])
def test_shipped_strategies(players: int) -> None:
    strategy = embedded_strategy(CardRules(players=players))
    assert strategy is not None
    found = {one.check: one for one in sense_checks(strategy, hands=1000, histories=12, seed=2)}
    assert list(found) == list(CHECKS)
    for check in ("mouche passes", "below sure tricks"):
        assert found[check].worst == 0
        assert found[check].cases > 100
    for check, most in WORST.items():
        assert 0 < found[check].worst <= most
        assert found[check].beyond <= BEYOND[check]
        assert len(found[check].hand) == 5


def test_a_table_that_passes_is_found_out() -> None:
    """The same file with nothing barred."""
    strategy = embedded_strategy(CardRules(players=4))
    assert strategy is not None
    strategy.policy.barred[:] = 0
    found = {one.check: one for one in sense_checks(strategy, hands=1000, histories=40)}
    assert found["below sure tricks"].worst > 0.2
    assert found["below sure tricks"].beyond > 0


def test_mushka_is_refused() -> None:
    from mouche_solver.cards.strategy.levels import Abstraction
    from mouche_solver.cards.train.trainer import Batch, CardTrainer

    trainer = CardTrainer(Abstraction(CardRules.mushka(3), "coarse"), batch=Batch(8, 8, 1, 64))
    trainer.train_round()
    with pytest.raises(RulesError, match="games with a pot"):
        sense_checks(trainer.strategy())
