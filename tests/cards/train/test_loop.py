"""Training as a whole: reproducible, resumable, shares that add up, chips that are conserved."""

import os
import signal
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from mouche_solver.cards import CardRules
from mouche_solver.cards.measure.tournament import baseline, measure_level, play_duplicate
from mouche_solver.cards.rules.objective import Shares, solve_shares
from mouche_solver.cards.strategy.levels import Abstraction
from mouche_solver.cards.train.kernels import Tremble
from mouche_solver.cards.train.loop import Step, run_training
from mouche_solver.cards.train.trainer import Batch, CardTrainer
from mouche_solver.errors import IllegalMoveError, RulesError
from mouche_solver.storage.cards.checkpoints import (
    KIND,
    VERSION,
    resume_training,
    save_training,
)
from mouche_solver.storage.tensors import write_tensors
from mouche_solver.storage.tensors_read import read_tensors

RULES = CardRules(players=3)
BATCH = Batch(256, 64, 4, 1 << 14)


def trainer(threads: int = 1, seed: int = 1, rules: CardRules = RULES, **options: Any):
    return CardTrainer(
        Abstraction(rules, "hands"), seed=seed, threads=threads, batch=BATCH, **options
    )


def trained(rounds: int, **options: Any) -> CardTrainer:
    made = trainer(**options)
    for _ in range(rounds):
        made.train_round()
    made.close()
    return made


def same(one: CardTrainer, other: CardTrainer) -> bool:
    return all(np.array_equal(a, other.state()[n]) for n, a in one.state().items())


def test_the_seed_decides_and_the_number_of_threads_does_not() -> None:
    assert same(trained(6), trained(6, threads=3))
    assert not same(trained(6), trained(6, seed=2))


def test_a_resumed_training_is_the_uninterrupted_one(tmp_path: Path) -> None:
    half = trained(4)
    save_training(half, tmp_path / "half")
    again = resume_training(tmp_path / "half", threads=2)
    for _ in range(4):
        again.train_round()
    again.close()
    whole = trained(8)
    assert same(again, whole)
    assert again.counts == whole.counts


def test_a_checkpoint_of_version_1_is_read(tmp_path: Path) -> None:
    """It held all rows, and no trembles."""
    half = trained(4)
    save_training(half, tmp_path / "new")
    fields = dict(read_tensors(tmp_path / "new", KIND, VERSION).fields)
    kept = {n: v for n, v in fields.items() if n not in ("kind", "version", "tremble", "checks")}
    flat = {n: np.ascontiguousarray(a).reshape(-1) for n, a in half.state().items()}
    arrays = {n: a if a.dtype.kind == "f" else a.view(np.float64) for n, a in flat.items()}
    write_tensors(tmp_path / "old", KIND, 1, kept, arrays)
    again = resume_training(tmp_path / "old")
    again.close()
    assert same(again, half)
    assert (tmp_path / "new").stat().st_size < (tmp_path / "old").stat().st_size / 2


def test_trembles_are_resumed_too(tmp_path: Path) -> None:
    options: dict[str, Any] = {"tremble": Tremble(0.2, 0.05, True)}
    half = trained(2, **options)
    save_training(half, tmp_path / "half")
    again = resume_training(tmp_path / "half", threads=2)
    for _ in range(2):
        again.train_round()
    again.close()
    assert same(again, trained(4, **options))


def test_an_interrupt_in_the_last_round_changes_nothing(tmp_path: Path) -> None:
    """What is carried on to the same deals is the uninterrupted training, however often."""
    path, deals = tmp_path / "state", 3 * BATCH.chunks * (BATCH.declarations + BATCH.plays)
    whole = trainer()
    assert run_training(whole, deals=deals).reason == "deals"
    cut = trainer()

    def strike(step: Step) -> None:
        if step.phase == "training" and step.deals == deals:
            os.kill(os.getpid(), signal.SIGINT)

    ended = run_training(cut, None, deals, strike, lambda: save_training(cut, path))
    assert (ended.reason, cut.deals) == ("interrupted", deals)
    for _ in range(2):
        again = resume_training(path)
        ended = run_training(again, deals=deals)
        assert (ended.reason, ended.deals_per_second) == ("deals", 0.0)
        assert again.counts == whole.counts
        assert same(again, whole)
        save_training(again, path)
        tables, others = again.strategy().tables, whole.strategy().tables
        assert np.array_equal(tables.probability, others.probability)
        assert np.array_equal(tables.play_probability, others.play_probability)
        again.close()
    whole.close()
    cut.close()


def test_the_rate_is_about_this_run_alone() -> None:
    made = trained(2)
    before = made.deals
    ended = run_training(made, deals=made.deals + 1)
    assert ended.deals_per_second * ended.seconds == pytest.approx(made.deals - before, rel=0.05)


@pytest.mark.parametrize("players", [2, 3, 6])
def test_shares_add_up_and_follow_from_what_was_paid(players: int) -> None:
    made = trained(3, rules=CardRules(players=players))
    shares = made.shares
    assert shares.values.sum() == pytest.approx(1, abs=1e-12)
    assert shares.chips.sum() == pytest.approx(1 - shares.debts, abs=1e-9)
    again = shares.chips + shares.debts * np.roll(shares.values, 1)
    assert again == pytest.approx(shares.values, abs=1e-9)


def test_given_shares_stay_and_none_is_nothing() -> None:
    assert Shares(2, "1/3,2/3").per_chip == pytest.approx([2 / 3, 1 / 3])
    assert not Shares(3, "none").values.any()
    assert solve_shares(np.array([0.5, 0.5]), 0.0) == pytest.approx([0.5, 0.5])


VARIANTS: dict[str, Any] = {
    "heading off": {"must_head": False},
    "two cards": {"exchange_cap": 2},
    "dealer takes": {"dealer_takes_trump": True},
    "mouche late": {"mouche_after_exchange": True, "passers_pay": True},
    "holders free": {"losing_holders_pay": False, "mouche_must_stand": True},
    "cap": {"cap": 5},
    "piquet": {"players": 6, "deck": "piquet"},
    "own back": {"players": 6, "deck": "piquet", "own_discards_return": True},
    "two": {"players": 2},
    "free": {"must_follow": False},
}


@pytest.mark.parametrize("name", VARIANTS)
def test_every_variant_trains_and_conserves_the_pot(name: str) -> None:
    """What the seats get and what is carried over is the pot, in training and in a tournament."""
    rules = CardRules(**({"players": 3} | VARIANTS[name]))
    made = trained(2, rules=rules)
    assert made.shares.chips.sum() == pytest.approx(1 - made.shares.debts, abs=1e-9)
    strategy = made.strategy()
    level = measure_level(strategy.game, strategy.policy, 4096)
    assert level.shares.sum() == pytest.approx(1)
    thumb = baseline(made.abstraction, "thumb")
    mirror = play_duplicate(strategy.game, thumb, thumb, level.shares, 4096)
    assert mirror.mean == pytest.approx(0, abs=1e-9)


def test_some_seconds_beat_random_players() -> None:
    made = CardTrainer(Abstraction(RULES, "coarse"), seed=1, batch=Batch(512, 128, 4, 1 << 18))
    ended = run_training(made, deals=40_000)
    made.close()
    assert (ended.reason, made.deals >= 40_000) == ("deals", True)
    strategy = made.strategy()
    chance, shares = baseline(made.abstraction, "random"), made.shares.values
    assert play_duplicate(strategy.game, strategy.policy, chance, shares, 8000).low > 0.1
    assert play_duplicate(strategy.game, chance, strategy.policy, shares, 8000).high < -0.05


def test_what_cannot_be_is_refused() -> None:
    with pytest.raises(RulesError, match="needs a limit"):
        run_training(trainer())
    for deals in (2.5, float("nan"), True):
        with pytest.raises(RulesError, match=r"deals=.*: give a whole number"):
            run_training(trainer(), deals=deals)
    with pytest.raises(RulesError, match="power of two"):
        Batch(slots=100)
    strategy = trained(1).strategy()
    pack, turned = RULES.pack, RULES.pack.card("8C")
    hand = pack.hand("KC QC JD AH 10H")
    for words, seat, said in [
        ("declares after 1 others", 1, []),
        ("dealer is not asked", 2, ["pass", "pass"]),
        ("exchange of 1 to 5", 1, [6]),
        ("seats are 0 to 2", 3, [1, 1, 1]),
    ]:
        with pytest.raises(IllegalMoveError, match=words):
            strategy.declaration(hand, turned, seat, said)  # type: ignore[arg-type]
    with pytest.raises(IllegalMoveError, match="turned up and in the hand"):
        strategy.declaration(hand, pack.card("KC"), 0, [])
    with pytest.raises(IllegalMoveError, match="turn of seat 0"):
        strategy.play(hand, turned, 1, ["stand", "stand", "pass"])
    with pytest.raises(IllegalMoveError, match="may not play"):
        strategy.play(
            pack.hand("KC JD AH 10H"),
            turned,
            1,
            ["stand", "stand", "pass"],
            played=[pack.cards("QD QC")],
        )
    with pytest.raises(IllegalMoveError, match="in two places"):
        strategy.play(hand, turned, 0, [1, "stand", "pass"], laid=pack.hand("KC"))


def test_a_posterior_is_a_distribution_and_moves_with_what_was_said() -> None:
    strategy = trained(30).strategy()
    pack, turned = RULES.pack, RULES.pack.card("8C")
    means = []
    for said in ("pass", "stand"):
        found = strategy.posterior(turned, [said], of=0, known=pack.hand("KC QC"))  # type: ignore[list-item]
        assert sum(found.values()) == pytest.approx(1)
        means.append(sum(p * sum(feature.trumps) for feature, p in found.items()))
    assert means[0] < means[1]
