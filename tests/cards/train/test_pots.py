"""Strategies for several pots: the same where the pot does not matter, and what a pot is worth."""

import os
import signal
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from mouche_solver.cards import CardRules
from mouche_solver.cards.strategy.levels import Abstraction
from mouche_solver.cards.train.loop import Step, run_training
from mouche_solver.cards.train.pot_values import next_shares, solve_pot_values
from mouche_solver.cards.train.pots import PotStrategies, PotTrainer
from mouche_solver.cards.train.trainer import Batch
from mouche_solver.errors import RulesError, StorageError
from mouche_solver.storage.cards.pots import holds_pots, load_pots, save_pots
from mouche_solver.storage.cards.strategies import load_strategy, save_strategy

POTS = (5, 10, 20)


def trained(pots: tuple[int, ...] = POTS, **changes: Any) -> PotTrainer:
    rules = CardRules(**({"players": 3} | changes))
    made = PotTrainer(Abstraction(rules, "coarse"), pots, seed=1, batch=Batch(256, 64, 2, 1 << 14))
    for _ in range(3):
        made.train_block(2)
    made.close()
    return made


def same(one: Any, other: Any) -> bool:
    return all(np.array_equal(a, other.state()[n]) for n, a in one.state().items() if n != "shares")


def test_without_a_cap_all_pots_give_one_strategy_and_a_huge_cap_is_none() -> None:
    free, huge = trained(), trained(cap=1000)
    for one, other in zip(free.trainers, huge.trainers, strict=True):
        assert same(one, free.trainers[0])
        assert same(one, other)
        assert one.shares.values == pytest.approx(free.trainers[0].shares.values, abs=1e-12)
    assert not same(trained(cap=5).trainers[2], free.trainers[2])


@pytest.mark.parametrize(
    "changes", [{}, {"cap": 10}, {"pamphile": True}, {"mouches_paid_in": "first-in-first-out"}]
)
def test_what_is_in_the_pot_is_somebodys(changes: dict[str, Any]) -> None:
    made = trained(**changes)
    assert made.values is not None
    assert made.values.sum(axis=0) == pytest.approx(POTS, abs=1e-6)
    for trainer in made.trainers:
        assert trainer.shares.values.sum() == pytest.approx(1, abs=1e-9)


def test_values_of_a_pot_by_hand() -> None:
    """Two players, a cap of 5: seat 0 takes all, and seat 1 makes the mouche every time."""
    rules = CardRules(players=2, cap=5)
    chips = np.array([[1.0, -1.0], [1.0, -0.5]])  # pots of 5 and 10
    made = np.array([[0.0, 1.0, 0.0]] * 2)
    values = solve_pot_values(rules, (5, 10), chips, made)
    # The next pot is 10 always: U0(p) = p - 5 + U1(10), the ante off, and U1(p) = U0(10) - 5.
    assert values == pytest.approx(np.array([[2.5, 7.5], [2.5, 2.5]]))
    assert next_shares(rules, (5, 10), values, made).sum(axis=1) == pytest.approx([1, 1])


def test_between_two_pots_the_behaviour_is_mixed() -> None:
    found = trained(cap=5).strategies()
    pack = found.rules.pack
    hand, turned = pack.hand("KC QD 10H 9H 8S"), pack.card("8C")
    low, middle, high = (
        np.array([o.probability for o in found.at(pot).declaration(hand, turned, 0, [])])
        for pot in (10, 14, 20)
    )
    assert middle == pytest.approx(0.6 * low + 0.4 * high)
    assert middle.sum() == pytest.approx(1)
    cards = [c.probability for c in found.at(14).play(hand, turned, 0, ["stand", "stand", "pass"])]
    assert sum(cards) == pytest.approx(1)
    assert (found.at(1), found.at(99)) == (found.strategies[0], found.strategies[2])
    with pytest.raises(RulesError, match="at least 1 chip"):
        found.at(0)


def test_one_file_holds_all_pots(tmp_path: Path) -> None:
    found, path = trained((5, 10), cap=5).strategies(), tmp_path / "pots"
    save_pots(found, path)
    again = load_pots(path, found.rules)
    assert holds_pots(path)
    assert again.pots == (5, 10)
    assert again.values == pytest.approx(found.values)
    assert [s.training for s in again.strategies] == [s.training for s in found.strategies]
    assert float(again.strategies[1].game["debt"]) == 0.5
    with pytest.raises(StorageError, match="holds strategies for several pots, which only"):
        load_strategy(path)
    save_strategy(found.strategies[0], tmp_path / "one")
    assert not holds_pots(tmp_path / "one")
    (tmp_path / "bad").write_bytes(path.read_bytes()[:-200])
    for name, words in (("one", "holds no strategies for several"), ("bad", "or is damaged")):
        with pytest.raises(StorageError, match=words):
            load_pots(tmp_path / name)


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_an_interrupt_ends_a_training_between_blocks(number: signal.Signals) -> None:
    book = Abstraction(CardRules(players=3), "coarse")
    made = PotTrainer(book, POTS, seed=1, batch=Batch(256, 64, 2, 1 << 14))

    def strike(step: Step) -> None:
        if step.phase == "training":
            os.kill(os.getpid(), number)

    ended = run_training(made, deals=10**9, report=strike)
    made.close()
    assert (ended.reason, made.blocks) == ("interrupted", 1)
    assert len({trainer.deals for trainer in made.trainers}) == 1
    assert made.strategies(ended.seconds).pots == POTS


def test_what_cannot_be_is_refused() -> None:
    book = Abstraction(CardRules(players=3), "coarse")
    for pots in [(5,), (10, 5), (0, 5)]:
        with pytest.raises(RulesError, match="from small to large"):
            PotTrainer(book, pots)
    with pytest.raises(RulesError, match="Mushka has no pot"):
        PotTrainer(Abstraction(CardRules.mushka(3), "coarse"), (5, 10))
    with pytest.raises(RulesError, match="from small to large"):
        PotStrategies(trained((5, 10)).strategies().strategies[:1])
