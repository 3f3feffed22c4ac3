"""``mouche_solver.load`` opens every file that the package writes, by its contents."""

from importlib.resources import files
from pathlib import Path

import numpy as np
import pytest

import mouche_solver as ms
from mouche_solver.cards import CardTrainer
from mouche_solver.cards.strategy.levels import Abstraction
from mouche_solver.cards.train.trainer import Batch
from mouche_solver.dice import SampledStrategy
from mouche_solver.dice.round.solve import RoundSolver
from mouche_solver.errors import RulesError, StorageError
from mouche_solver.solutions import CardPots, CardSolution, DiceBook, DiceSolution, solve_pots
from mouche_solver.storage import save_checkpoint
from mouche_solver.storage.cards.checkpoints import save_training

SMALL = {"ranks": "K Q J", "suits": "C D", "hand_size": 2}
ROUND = ms.DiceRules(dice=(1, 1), faces=3)


@pytest.mark.parametrize(
    ("name", "kind"),
    [("dice-book", DiceBook), ("dice-table", SampledStrategy), ("cards", CardSolution)],
)
def test_shipped_files(name: str, kind: type) -> None:
    file = min(files("mouche_solver").joinpath("data").glob(f"{name}-*.npz"), key=str)  # type: ignore[attr-defined]
    assert isinstance(ms.load(file), kind)


def test_a_solved_round(tmp_path: Path) -> None:
    solution = ms.solve_dice(ROUND, target=1e-4, threads=1)
    solution.save(tmp_path / "round.npz")  # the ending says nothing
    found = ms.load(tmp_path / "round.npz", threads=1)
    assert isinstance(found, DiceSolution)
    assert found.frame().equals(solution.frame())


def test_a_book_saves_itself_and_has_frames(tmp_path: Path) -> None:
    book = ms.load(files("mouche_solver").joinpath("data", "dice-book-0b8153789ccaf99a.npz"))
    book.save(tmp_path / "book")
    again = ms.load(tmp_path / "book")
    assert isinstance(again, DiceBook)
    assert again.frame().equals(book.frame())
    assert again.quality == book.quality


def test_a_card_strategy_is_solved_saved_and_opened(tmp_path: Path) -> None:
    rules = ms.CardRules(players=2, **SMALL)
    solution = ms.solve_cards(rules, deals=1000, seed=3, threads=1)
    assert solution.training.seed == 3
    assert solution.quality is None
    told = CardSolution.of(solution.with_known(0.25, 0.125, "somebody"))
    assert told.quality == (0.25, 0.125, "somebody")
    told.save(tmp_path / "cards")
    found = ms.load(tmp_path / "cards")
    assert isinstance(found, CardSolution)
    assert found.quality == told.quality
    said = ["pass", "stand", "exchange1", "exchange2"]
    assert np.allclose(found.frame()[said], told.frame()[said], atol=1 / 255)


def test_pots(tmp_path: Path) -> None:
    rules = ms.CardRules(players=2, cap=4, **SMALL)
    found = solve_pots(rules, [2, 8], deals=1000, threads=1)
    found.save(tmp_path / "pots")
    again = ms.load(tmp_path / "pots")
    assert isinstance(again, CardPots)
    assert again.pots == (2, 8)


def test_checkpoints_carry_on(tmp_path: Path) -> None:
    solver = RoundSolver(ROUND, threads=1)
    solver.iterate()
    save_checkpoint(solver, tmp_path / "dice")
    found = ms.load(tmp_path / "dice", threads=1)
    assert isinstance(found, RoundSolver)
    assert found.iteration == solver.iteration
    trainer = CardTrainer(Abstraction(ms.CardRules(players=2, **SMALL)), batch=Batch(64, 64, 2, 64))
    trainer.train_round()
    save_training(trainer, tmp_path / "cards")
    again = ms.load(tmp_path / "cards", threads=1)
    assert isinstance(again, CardTrainer)
    assert again.round == 1
    trainer.close()
    again.close()


@pytest.mark.parametrize(
    "content", [b"", b"PK\x03\x04 and no more", b"something else", b"\x00" * 99]
)
def test_foreign_files(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "file"
    path.write_bytes(content)
    with pytest.raises(StorageError, match=r"file .*(damaged|truncated|not a)"):
        ms.load(path)


def test_what_is_no_file(tmp_path: Path) -> None:
    with pytest.raises(StorageError, match="No such file"):
        ms.load(tmp_path / "missing")
    with pytest.raises(StorageError, match="not a regular file"):
        ms.load(tmp_path)
    np.savez(tmp_path / "other.npz", a=np.ones(3))
    with pytest.raises(StorageError, match="not a card strategy, a book or any other file"):
        ms.load(tmp_path / "other.npz")


@pytest.mark.parametrize("limits", [{"deals": 0}, {"threads": 0}, {"pot": -1}, {"seed": -1}])
def test_limits(limits: dict[str, int]) -> None:
    with pytest.raises(RulesError, match=next(iter(limits))):
        ms.solve_cards(ms.CardRules(players=2, **SMALL), **({"deals": 64} | limits))
