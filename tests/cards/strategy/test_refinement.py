"""Every finer class of hands lies inside one coarser class, for every variant of the rules."""

import itertools
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from mouche_solver.cards import Abstraction, CardRules
from mouche_solver.cards.measure.cells import CellLevels
from mouche_solver.cards.train.trainer import Batch, CardTrainer
from mouche_solver.storage.cards.strategies import load_strategy, save_strategy

VARIANTS: dict[str, dict[str, Any]] = {
    "plain": {},
    "six players": {"players": 6},
    "pamphile": {"pamphile": True},
    "pamphile in any mouche": {"pamphile": True, "pamphile_any_suit": True},
    "pamphile and the turn-up": {"pamphile": True, "dealer_takes_trump": True},
    "dealer takes the turn-up": {"dealer_takes_trump": True},
    "no mouche": {"mouche": False},
    "aces count one": {"ace_points": 1, "ranks": "K Q J A 10 9", "suits": "C D H", "hand_size": 3},
    "five players": {"players": 5, "pamphile": True},
}
MUSHKA = {"mushka": 4, "mushka for three": 3}
CHAIN = ("rough", "coarse", "medium", "lossless")


def rules_of(name: str) -> CardRules:
    if name in MUSHKA:
        return CardRules.mushka(MUSHKA[name])
    return CardRules(**({"players": 3} | VARIANTS[name]))


def joined(finer: NDArray[np.int32], coarser: NDArray[np.int32]) -> int:
    """How many finer classes hold hands of more than one coarser class."""
    pairs = np.unique(np.stack([finer, coarser], axis=1), axis=0)
    return int((np.bincount(pairs[:, 0]) > 1).sum())


def assert_refined(rules: CardRules) -> None:
    book = Abstraction(rules, "medium")
    maps = {level: book.hands_of(level) for level in (*CHAIN, "best-trump")}
    for coarser, finer in itertools.pairwise(CHAIN):
        assert joined(maps[finer], maps[coarser]) == 0, (coarser, finer)
    assert joined(maps["coarse"], maps["best-trump"]) == 0
    for level, numbers in maps.items():
        assert len(np.unique(numbers)) == int(numbers.max()) + 1, level
    levels = CellLevels(book, 2).hands
    for coarser, finer in zip(levels, list(levels)[1:], strict=False):
        assert joined(levels[finer], levels[coarser]) == 0, (coarser, finer)


@pytest.mark.parametrize("name", [*VARIANTS, *MUSHKA])
def test_every_finer_class_lies_inside_one_coarser_class(name: str) -> None:
    assert_refined(rules_of(name))


@st.composite
def small_rules(draw: Any) -> CardRules:
    """Small packs with every option that changes contexts or classes."""
    players = draw(st.integers(2, 3))
    suits = draw(st.sampled_from(["C D H S", "C H S", "C S"]))
    ranks = ("K", "Q", "J", "A", "10", "9")[: draw(st.integers(4, 6))]
    room = (len(ranks) * len(suits.split()) - 1) // players
    size = draw(st.integers(1, min(3, room)))
    countdown = draw(st.booleans())
    names = ("pamphile", "dealer_takes_trump", "mouche", "pamphile_any_suit")
    options = {name: draw(st.booleans()) and not countdown for name in names}
    return CardRules(
        players=players,
        ranks=ranks,
        suits=suits,
        hand_size=size,
        scoring="countdown" if countdown else "chips",
        ace_points=draw(st.sampled_from([1, 10])),
        mouche_order=draw(st.sampled_from(["points", "highest-card"])),
        **options,
    )


@settings(max_examples=40, deadline=None)
@given(rules=small_rules())
def test_classes_refine_each_other_under_any_options(rules: CardRules) -> None:
    assert_refined(rules)


def test_with_one_context_medium_classes_have_their_old_numbers() -> None:
    """So every file for the plain rules, the shipped ones too, is read as it was written."""
    book = Abstraction(CardRules(players=3), "medium")
    old = replace(book, medium="joined")
    assert (book.hand_maps["medium"] == old.hand_maps["medium"]).all()
    assert book.layout_hash == old.layout_hash


def test_the_old_numbers_join_hands_of_different_coarse_classes() -> None:
    """What was wrong: the hands of each context were numbered by themselves."""
    old = Abstraction(CardRules(players=3, pamphile=True), "medium", medium="joined")
    assert joined(old.hand_maps["medium"], old.coarse_of) > 0
    assert old.layout_hash != replace(old, medium="refined").layout_hash


def test_a_file_with_the_old_numbers_still_opens(tmp_path: Path) -> None:
    rules = CardRules(
        players=2, ranks="K Q J A", suits="C D H", hand_size=2, pamphile=True, reshuffle=False
    )
    trainer = CardTrainer(Abstraction(rules, "medium", medium="joined"), batch=Batch(64, 64, 2, 64))
    trainer.train_round()
    strategy = trainer.strategy()
    save_strategy(strategy, tmp_path / "old.npz")
    again = load_strategy(tmp_path / "old.npz")
    assert again.abstraction.medium == "joined"
    assert again.abstraction.cells == strategy.abstraction.cells
    hand, turned = rules.pack.hand("KC QD"), rules.pack.card("AH")
    wanted = [round(o.probability, 2) for o in strategy.declaration(hand, turned, 0, [])]
    found = [round(o.probability, 2) for o in again.declaration(hand, turned, 0, [])]
    assert found == pytest.approx(wanted, abs=0.011)
