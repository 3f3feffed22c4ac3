"""Card strategies in files."""

from pathlib import Path

import numpy as np
import pytest

from mouche_solver.cards import CardRules
from mouche_solver.cards.measure.tournament import play_duplicate
from mouche_solver.cards.strategy.levels import Abstraction
from mouche_solver.cards.strategy.strategy import CardStrategy
from mouche_solver.cards.train.trainer import Batch, CardTrainer
from mouche_solver.errors import StorageError
from mouche_solver.storage.cards.strategies import (
    embedded_strategy,
    load_strategy,
    save_strategy,
)

RULES = CardRules(players=2, ranks="K Q J A", suits="C D H", hand_size=3)


@pytest.fixture(scope="module")
def strategy() -> CardStrategy:
    trainer = CardTrainer(Abstraction(RULES, "exact"), seed=2, batch=Batch(128, 64, 2, 1 << 12))
    for _ in range(40):
        trainer.train_round()
    trainer.close()
    return trainer.strategy()


def test_what_is_read_is_what_was_written_but_for_rounding(
    strategy: CardStrategy, tmp_path: Path
) -> None:
    file = tmp_path / "a.npz"
    save_strategy(strategy, file)
    again = load_strategy(file, RULES)
    assert again.training == strategy.training
    assert again.abstraction.layout_hash == strategy.abstraction.layout_hash
    pack, turned = RULES.pack, RULES.pack.card("QH")
    for names in ("KC QC JC", "KH AD QD", "JH AH KD"):
        one = strategy.declaration(pack.hand(names), turned, 1, [2])
        other = again.declaration(pack.hand(names), turned, 1, [2])
        assert [(a.action, a.cards) for a in one] == [(a.action, a.cards) for a in other]
        for a, b in zip(one, other, strict=True):
            assert a.probability == pytest.approx(b.probability, abs=0.01)
            assert a.value == pytest.approx(b.value, abs=1e-3)
        cards = strategy.play(pack.hand(names), turned, 0, ["stand", "stand"])
        read = again.play(pack.hand(names), turned, 0, ["stand", "stand"])
        assert [c.card for c in cards] == [c.card for c in read]
        chances = [c.probability for c in cards]
        assert chances == pytest.approx([c.probability for c in read], abs=0.01)


def test_rounding_loses_nothing_that_a_tournament_sees(
    strategy: CardStrategy, tmp_path: Path
) -> None:
    save_strategy(strategy, tmp_path / "a.npz")
    rounded = load_strategy(tmp_path / "a.npz")
    gain = play_duplicate(
        strategy.game, rounded.policy, strategy.policy, strategy.training.seat_shares, 20_000
    )
    assert abs(gain.mean) < 0.003 + gain.margin


def refusal(file: Path) -> str | None:
    """Why a file is refused, None when it is not."""
    try:
        load_strategy(file)
    except StorageError as error:
        return str(error)
    return None


def test_a_damaged_file_is_refused_in_one_line(strategy: CardStrategy, tmp_path: Path) -> None:
    file = tmp_path / "a.npz"
    save_strategy(strategy, file)
    raw = bytearray(file.read_bytes())
    for where in range(40, len(raw), len(raw) // 23):
        hurt = bytearray(raw)
        hurt[where] ^= 0x55
        file.write_bytes(hurt)
        words = refusal(file)
        if words is None:  # a byte that no reader looks at
            visits = load_strategy(file).tables.visits
            assert np.array_equal(visits > 0, strategy.tables.visits > 0)
        else:
            assert "\n" not in words
    file.write_bytes(raw[: len(raw) // 2])
    with pytest.raises(StorageError, match="damaged"):
        load_strategy(file)
    with pytest.raises(StorageError, match="cannot read"):
        load_strategy(tmp_path / "none.npz")


def test_a_strategy_for_other_rules_is_refused(strategy: CardStrategy, tmp_path: Path) -> None:
    save_strategy(strategy, tmp_path / "a.npz")
    with pytest.raises(StorageError, match="must_head=True instead of False"):
        load_strategy(tmp_path / "a.npz", RULES.replace(must_head=False))


def test_a_short_file_declares_and_plays_the_same(tmp_path: Path) -> None:
    """Only values and visits are coarser: 1/500 pot, and a twentieth."""
    strategy = embedded_strategy(CardRules(players=3))
    assert strategy is not None
    save_strategy(strategy, tmp_path / "long.npz")
    save_strategy(strategy, tmp_path / "short.npz", short=True)
    found = load_strategy(tmp_path / "short.npz")
    sizes = [(tmp_path / name).stat().st_size for name in ("long.npz", "short.npz")]
    assert sizes[1] < sizes[0]  # by a sixth where values were not coarse before
    one, two = strategy.tables, found.tables
    assert np.array_equal(one.probability, two.probability)
    assert np.array_equal(one.play_probability, two.play_probability)
    assert np.abs(one.value - two.value).max() <= 0.00101
    assert np.array_equal(one.visits > 0, two.visits > 0)
    met = one.visits > 100
    assert np.abs(two.visits[met] / one.visits[met] - 1).max() < 0.05
