"""A player who thinks, against a table that was hardly trained."""

import pytest

from mouche_solver.cards import CardRules
from mouche_solver.cards.measure.thinking import thinking_gain
from mouche_solver.cards.strategy.levels import Abstraction
from mouche_solver.cards.think.search import Budget
from mouche_solver.cards.train.trainer import Batch, CardTrainer
from mouche_solver.cli import main
from mouche_solver.errors import RulesError
from mouche_solver.storage.cards.strategies import embedded_strategy

RULES = CardRules(players=2, ranks="K Q J A", suits="C D", hand_size=3, reshuffle=False)


def test_thinking_beats_a_table_that_plays_evenly() -> None:
    """Both measures say so, and results do not depend on the threads."""
    trainer = CardTrainer(Abstraction(RULES), "1/2,1/2", batch=Batch(8, 8, 1, 64))
    trainer.train_round()
    strategy = trainer.strategy()
    one, two = (thinking_gain(strategy, Budget(samples=512), 96, 3, threads) for threads in (1, 2))
    assert one == two
    assert one.believed > one.believed_margin > 0
    assert abs(one.real - one.believed) < 2 * (one.real_margin + one.believed_margin)
    assert one.departing > 0.1


def test_a_lost_debt_is_no_yardstick() -> None:
    trainer = CardTrainer(Abstraction(RULES), "none", batch=Batch(8, 8, 1, 64))
    trainer.train_round()
    with pytest.raises(RulesError, match="shares"):
        thinking_gain(trainer.strategy(), Budget(samples=512), 8)
    pamphile = embedded_strategy(CardRules(players=4, pamphile=True))
    assert pamphile is not None
    with pytest.raises(RulesError, match="without the Pamphile"):
        thinking_gain(pamphile, Budget(samples=512), 8)


def test_a_tournament_asks_for_seconds(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["cards", "tournament", "think:soon", "thumb", "--players", "3"]) == 2
    assert "such as think:0.2" in capsys.readouterr().err
