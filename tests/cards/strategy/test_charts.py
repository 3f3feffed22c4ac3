"""Exchange charts against the strategy asked hand by hand."""

from itertools import combinations

import numpy as np
import pytest

from mouche_solver.analysis import exchange_frame
from mouche_solver.cards import CardRules, exchange_chart
from mouche_solver.cards.rules.pack import mask_of
from mouche_solver.cards.strategy.levels import Abstraction
from mouche_solver.cards.strategy.results import Declaration
from mouche_solver.cards.strategy.strategy import CardStrategy
from mouche_solver.cards.train.trainer import Batch, CardTrainer
from mouche_solver.errors import IllegalMoveError

SMALL = {"ranks": "K Q J A", "suits": "C D H", "hand_size": 2}


def trained(rules: CardRules, laying: str = "rule") -> CardStrategy:
    trainer = CardTrainer(
        Abstraction(rules, laying=laying), seed=3, batch=Batch(128, 64, 2, 1 << 12)
    )
    for _ in range(20):
        trainer.train_round()
    trainer.close()
    return trainer.strategy()


@pytest.fixture(scope="module")
def strategy() -> CardStrategy:
    return trained(CardRules(players=3, **SMALL))


def feature(rules: CardRules, hand: tuple[int, ...], turned: int) -> tuple[int, ...]:
    """Trumps, place of the best, kings, queens, longest plain suit, read from the cards' names."""
    pack = rules.pack
    names = pack.names(hand)
    up = pack.name(turned)
    order = [rank + up[-1] for rank in ("K", "Q", "J", "A") if rank + up[-1] != up]
    trumps = [name for name in names if name[-1] == up[-1]]
    plain = [name for name in names if name[-1] != up[-1]]
    best = min((order.index(name) + 1 for name in trumps), default=0)
    kings, queens = (sum(name[0] == rank for name in plain) for rank in "KQ")
    longest = max(sum(name[-1] == suit for name in plain) for suit in "CDH")
    return len(trumps), best, kings, queens, longest


def column(option: Declaration) -> int:
    return {"pass": 0, "stand": 1}.get(option.action, 1 + len(option.cards))


@pytest.mark.parametrize("turned", ["AC", "QH"])
@pytest.mark.parametrize("declared", [["stand"], ["pass"], [2]])
def test_a_chart_is_the_mean_of_the_declarations_of_its_hands(
    strategy: CardStrategy, turned: str, declared: list[str | int]
) -> None:
    """Whatever card is turned up, every hand that can be dealt asked by itself."""
    rules, up = strategy.rules, strategy.rules.pack.card(turned)
    hands = list(combinations([c for c in range(rules.pack.size) if c != up], rules.hand_size))
    sums: dict[tuple[int, ...], np.ndarray] = {}
    for hand in hands:
        row = sums.setdefault(feature(rules, hand, up), np.zeros(2 + rules.max_exchange + 2))
        for option in strategy.declaration(mask_of(hand), up, 1, declared):
            row[column(option)] += option.probability
            row[-2] += option.probability * (option.value or 0.0)
        row[-1] += 1
    chart = exchange_chart(strategy, seat=1, declared=declared)
    keys = list(zip(chart.trumps, chart.best, chart.kings, chart.queens, chart.longest))  # noqa: B905
    assert sorted(keys) == sorted(sums)
    for i, key in enumerate(keys):
        row = sums[key]
        assert chart.weight[i] == pytest.approx(row[-1] / len(hands))
        assert chart.mix[i] == pytest.approx(row[:-2] / row[-1], abs=1e-6)
        assert chart.value[i] == pytest.approx(row[-2] / row[-1], abs=1e-5)


@pytest.mark.parametrize(
    "more, laying",
    [
        ({}, "rule"),
        ({}, "every"),
        ({"dealer_takes_trump": True}, "rule"),
        ({"mouche_must_stand": True}, "rule"),
    ],
)
def test_rows_and_weights_add_up_to_one(more: dict[str, bool], laying: str) -> None:
    strategy = trained(CardRules(players=3, **SMALL, **more), laying)
    for seat, declared in ((0, None), (1, ["stand"]), (2, [1, "pass"])):
        chart = exchange_chart(strategy, seat, declared)
        assert chart.mix.sum(axis=1) == pytest.approx(1)
        assert chart.weight.sum() == pytest.approx(1)
        assert (chart.mix >= 0).all()


def test_what_is_laid_down_most_often() -> None:
    """With one card in a hand an exchange can lay down nothing else."""
    strategy = trained(CardRules(players=2, ranks="K Q J A", suits="C D H", hand_size=1))
    chart = exchange_chart(strategy, 0)
    for i, row in enumerate(chart.rows()):
        if chart.mix[i, 2] == 0:
            assert row["laid"] == ""
            continue
        kind = "trump" if row["trumps"] else "king" if row["kings"] else "queen"
        low = not (row["trumps"] or row["kings"] or row["queens"])
        assert row["laid"] == ("1 low" if low else f"1 {kind}")
        assert row["laid_share"] == pytest.approx(1)


def test_seat_and_history_fill_each_other_in(strategy: CardStrategy) -> None:
    assert exchange_chart(strategy).seat == 0
    assert exchange_chart(strategy, declared=["pass", "stand"]).seat == 2
    assert exchange_chart(strategy, seat=1).declared == ("pass",)
    with pytest.raises(IllegalMoveError, match="dealer is not asked"):
        exchange_chart(strategy, seat=2)
    with pytest.raises(IllegalMoveError, match="seat 1 declares after 1 others, not 2"):
        exchange_chart(strategy, seat=1, declared=["pass", "stand"])


def test_a_chart_as_a_frame(strategy: CardStrategy) -> None:
    chart = exchange_chart(strategy, seat=1)
    frame = exchange_frame(chart)
    assert frame.index.names == ["trumps", "best", "kings", "queens", "longest"]
    assert frame[list(chart.actions)].to_numpy() == pytest.approx(chart.mix)
    assert frame["weight"].sum() == pytest.approx(1)
