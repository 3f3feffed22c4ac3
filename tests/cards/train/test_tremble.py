"""Opponents that explore: what is reached, and that weights take it out again."""

import numpy as np
import pytest

from mouche_solver.cards import CardRules
from mouche_solver.cards.kernels.deal import new_deal
from mouche_solver.cards.strategy.compile import new_table
from mouche_solver.cards.strategy.levels import Abstraction
from mouche_solver.cards.train.kernels import Tremble, sample_declarations
from mouche_solver.cards.train.trainer import Batch, CardTrainer, new_log
from mouche_solver.core.streams import Purpose, stream
from mouche_solver.errors import RulesError

RULES = CardRules(players=4)
BATCH = Batch(256, 64, 4, 1 << 14)


def trained(tremble: Tremble, rounds: int = 12) -> CardTrainer:
    made = CardTrainer(Abstraction(RULES, "coarse"), seed=1, batch=BATCH, tremble=tremble)
    for _ in range(rounds):
        made.train_round()
    made.close()
    return made


def test_trembles_reach_histories_that_good_play_hardly_does() -> None:
    steady, shaken = (trained(t) for t in (Tremble(0, 0, False), Tremble(0.3, 0, False)))
    first = steady.abstraction.cells[0]
    columns = steady.abstraction.histories.classes

    def met(trainer: CardTrainer) -> int:
        cells = trainer.declarations.visits[first : first + trainer.abstraction.cells[1]]
        return int((cells.reshape(-1, columns).sum(axis=0) >= 20).sum())

    assert met(shaken) > met(steady) + 3


def test_the_weights_of_explored_declarations_have_the_mean_one() -> None:
    """They turn means over trembling deals into means over deals without: E[p / q] = 1."""
    trainer = trained(Tremble(0, 0, False))
    book, game, table = trainer.abstraction, trainer.game, new_table()
    state, log = stream(Purpose.CARD_DEALS, 3, 0), new_log(trainer.abstraction, 4, 0)
    weights = []
    for _ in range(4000):
        log.counts[:] = 0
        new_deal(game, table, state)
        weights.append(
            sample_declarations(0, 3, 0.3, True, game, trainer.policy(), table, log, state)
        )
    error = np.std(weights) / len(weights) ** 0.5
    assert book.rules.players == 4
    assert 0 <= min(weights) < 1 < max(weights)
    assert abs(np.mean(weights) - 1) < 4 * error


def test_weighted_trembles_leave_the_values_of_a_fixed_strategy_as_they_are() -> None:
    """One round learns against one and the same strategy, whoever trembles."""
    batch = Batch(8192, 64, 4, 1 << 14)
    values = []
    for tremble in (Tremble(0, 0, False), Tremble(0.2, 0, True)):
        made = CardTrainer(Abstraction(RULES, "coarse"), seed=1, batch=batch, tremble=tremble)
        made.train_round()
        made.close()
        first = made.abstraction.cells[0]
        memory = made.declarations
        weight = memory.weight[:first].astype(float)
        values.append((memory.value[:first] * weight).sum() / weight.sum())
    assert values[0] == pytest.approx(values[1], abs=0.01)


@pytest.mark.parametrize("tremble", [Tremble(-0.1, 0, False), Tremble(0, 0.7, False)])
def test_impossible_trembles_are_refused(tremble: Tremble) -> None:
    with pytest.raises(RulesError, match="a share from 0 to"):
        CardTrainer(Abstraction(RULES, "coarse"), batch=BATCH, tremble=tremble)
