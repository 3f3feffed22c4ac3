"""Strategies with gaps filled in and seldom-met parts left out."""

import numpy as np
import pytest

from mouche_solver.cards import Abstraction, CardRules, CardStrategy, CardTrainer
from mouche_solver.cards.strategy.edit import NEARBY, filled_in, trimmed
from mouche_solver.cards.train.trainer import Batch
from mouche_solver.cli.app import main
from mouche_solver.errors import RulesError
from mouche_solver.storage.cards.strategies import load_strategy, save_strategy

RULES = CardRules(players=3, ranks="K Q J A", suits="C D H", hand_size=2)


@pytest.fixture(scope="module")
def strategy() -> CardStrategy:
    trainer = CardTrainer(Abstraction(RULES), seed=3, batch=Batch(16, 256, 2, 1 << 12))
    for _ in range(30):
        trainer.train_round()
    trainer.close()
    return trainer.strategy()


def test_what_was_met_often_answers_as_before(strategy: CardStrategy) -> None:
    """Cards of the play that stay are found again, the others are chosen evenly."""
    small = trimmed(strategy, 3)
    pack, turned = RULES.pack, RULES.pack.card("AH")
    same = dropped = 0
    for hand in ("KC QD", "QC QD", "AC JC", "KH AD", "JC AD"):
        said = pack.hand(hand), turned, 0, ["stand", 1, "stand"]
        for one, other in zip(strategy.play(*said), small.play(*said), strict=True):
            same += one.probability == other.probability and other.value is not None
            dropped += other.value is None
    assert same > 0
    kept = small.tables.play_visits[small.tables.keys != 0]
    assert kept.min() >= 3
    assert len(kept) == (strategy.tables.play_visits >= 3).sum()
    assert set(small.tables.keys) <= set(strategy.tables.keys)


def test_the_coarsest_level_stays(strategy: CardStrategy) -> None:
    cells = strategy.abstraction.cells[0]
    small = trimmed(strategy, 10**6).tables
    assert (small.visits[:cells] == strategy.tables.visits[:cells]).all()
    assert not small.visits[cells:].any()
    assert not small.keys.any()


def test_a_gap_takes_the_mean_of_the_same_hands(strategy: CardStrategy) -> None:
    """Each row of the coarsest level against the formula, one cell at a time."""
    columns, cells = strategy.abstraction.histories.rough, strategy.abstraction.cells[0]
    old, new = strategy.tables, filled_in(strategy).tables
    gaps = 0
    for cell in range(cells):
        same = range(cell - cell % columns, cell - cell % columns + columns)
        seen = sum(float(old.visits[c]) for c in same)
        if seen == 0:  # a similar class speaks for it
            assert new.visits[cell] == 1
            assert new.probability[cell].sum() == pytest.approx(1, abs=1e-5)
            continue
        mean = sum(float(old.visits[c]) * old.value[c].astype(float) for c in same) / seen
        own = float(old.visits[cell])
        wanted = (own * old.value[cell] + NEARBY * mean) / (own + NEARBY)
        assert new.value[cell] == pytest.approx(wanted, abs=1e-5)
        assert new.visits[cell] == max(own, 1)
        gaps += own == 0
    assert gaps > 0
    assert np.array_equal(new.value[cells:], old.value[cells:])


def test_the_command(strategy: CardStrategy, tmp_path, capsys: pytest.CaptureFixture[str]) -> None:
    save_strategy(strategy, tmp_path / "a.npz")
    words = ["cards", "trim", str(tmp_path / "a.npz"), "--out", str(tmp_path / "b.npz")]
    assert main(words) == 0
    assert "b.npz has" in capsys.readouterr().out
    assert (load_strategy(tmp_path / "b.npz").tables.play_visits != 1).all()
    assert main([*words, "--visits", "0"]) == 2
    assert "visits=0: at least 1" in capsys.readouterr().err
    with pytest.raises(RulesError, match="at least 1"):
        trimmed(strategy, 0)
