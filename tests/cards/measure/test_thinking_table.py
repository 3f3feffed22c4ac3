"""A response at a table that thinks: what changes nothing gains nothing, threads do not matter."""

from typing import Any

import numpy as np
import pytest

from mouche_solver.cards import CardRules
from mouche_solver.cards.measure.tabular import TabularResponse
from mouche_solver.cards.measure.thinking_table import response_at_thinking_table
from mouche_solver.cards.strategy.levels import Abstraction
from mouche_solver.cards.think.search import Budget
from mouche_solver.cards.train.trainer import Batch, CardTrainer
from mouche_solver.errors import RulesError

RULES = CardRules(players=2, ranks="K Q J A", suits="C D", hand_size=3, reshuffle=False)
FEW = Budget(samples=256)


def response_of(shares: str = "1/2,1/2") -> TabularResponse:
    trainer = CardTrainer(Abstraction(RULES), shares, batch=Batch(8, 8, 1, 64))
    trainer.train_round()
    trainer.close()
    return TabularResponse(trainer.strategy(), seed=1)


def always(response: TabularResponse, action: int, monkeypatch: pytest.MonkeyPatch) -> Any:
    def departures(nodes: Any) -> Any:
        legal = nodes[:, 2] >> action & 1 == 1
        return np.where(legal, action, -1)

    monkeypatch.setattr(response, "departures", departures)
    return response


def test_who_departs_from_nothing_gains_exactly_nothing() -> None:
    found, share = response_at_thinking_table(response_of(), FEW, 20, 3)
    assert (found.gain.mean, found.gain.margin, share) == (0.0, 0.0, 0.0)


def test_who_always_passes_loses_and_threads_do_not_matter(monkeypatch: pytest.MonkeyPatch) -> None:
    passing = always(response_of(), 0, monkeypatch)
    one, two = (response_at_thinking_table(passing, FEW, 60, 3, threads) for threads in (1, 2))
    assert one == two
    found, share = one
    assert share > 0.3
    assert found.gain.high < 0
    assert found.gain.mean == pytest.approx(np.mean(found.gain_by_seat))


def test_a_trained_response_gains_less_than_against_the_strategy() -> None:
    """The strategy was hardly trained: thinkers no longer do what the response was made for."""
    response = response_of()
    response.sample(40_000)
    alone = response.measure(40_000)
    assert alone.gain.low > 0.02
    found, share = response_at_thinking_table(response, FEW, 100, 3)
    assert 0 < share < 1
    assert found.gain.mean - found.gain.margin < alone.gain.mean


def test_a_lost_debt_is_no_yardstick() -> None:
    with pytest.raises(RulesError, match="shares"):
        response_at_thinking_table(response_of("none"), FEW, 8)
