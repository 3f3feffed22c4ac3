"""Exchange charts against the strategy asked hand by hand."""

import json
from itertools import combinations
from types import SimpleNamespace

import numpy as np
import pytest

from mouche_solver.analysis import exchange_frame
from mouche_solver.cards import CardRules, exchange_chart
from mouche_solver.cards.rules.pack import cards_of, mask_of
from mouche_solver.cards.strategy.evidence import (
    FEW_VISITS,
    declaration_evidence,
    histories_alike,
)
from mouche_solver.cards.strategy.levels import Abstraction
from mouche_solver.cards.strategy.results import Declaration
from mouche_solver.cards.strategy.strategy import CardStrategy
from mouche_solver.cards.train.trainer import Batch, CardTrainer
from mouche_solver.cli import main
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


@pytest.mark.parametrize("declared", [["stand"], ["pass"]])
def test_what_the_values_of_a_chart_rest_on(
    strategy: CardStrategy, declared: list[str | int]
) -> None:
    """Against the evidence for every hand by itself; cells are counted once."""
    rules, classes = strategy.rules, strategy.abstraction.hands[0]
    turned = strategy.abstraction.contexts[0].turned
    number = strategy.abstraction.histories.index(declared)
    cells: dict[tuple[int, ...], dict[int, float]] = {}
    errors: dict[tuple[int, ...], list[float]] = {}
    for own, (hand, ways) in enumerate(
        zip(classes.hand_of(np.arange(classes.n_classes)), classes.weights(), strict=True)
    ):
        key = feature(rules, cards_of(int(hand)), turned)
        found = declaration_evidence(strategy, own, number)
        cell = int(strategy.behind(own, number)[0][-1])
        cells.setdefault(key, {})[cell] = found.visits
        errors.setdefault(key, []).extend([found.error] * round(float(ways)))
    chart = exchange_chart(strategy, seat=1, declared=declared)
    assert len(chart.rows()) == len(cells)
    for row in chart.rows():
        key = row["trumps"], row["best"], row["kings"], row["queens"], row["longest"]
        assert row["visits"] == pytest.approx(sum(cells[key].values()), abs=1)
        assert row["error"] == pytest.approx(np.mean(errors[key]))
        assert row["histories"] == histories_alike(strategy, number)


def test_histories_that_share_values_are_counted_at_every_level() -> None:
    """The last seat's histories are told apart one by one, or pooled by kind where many."""
    for players, chain in ((3, "hands"), (3, "hands-last"), (6, "medium-last")):
        book = Abstraction(CardRules(players=players), chain)
        said = book.histories
        of = {"coarse": said.class_of, "last": said.last_of}[book.levels[-1][1]]
        strategy = SimpleNamespace(abstraction=book)
        for seat in range(players):
            first = int(said.first[seat])
            last = int(said.first[seat + 1]) if seat + 1 < players else said.number
            for number in range(first, last, max(1, (last - first) // 5)):
                alike = sum(int(of[n]) == int(of[number]) for n in range(first, last))
                assert histories_alike(strategy, number) == alike  # type: ignore[arg-type]


def test_few_visits_are_marked_in_a_chart(capsys: pytest.CaptureFixture[str]) -> None:
    """A history that training met rarely: no value without its visits, in no format."""
    words = ["cards", "chart", "--players", "4", "--declared", "pass,stand,exchange3"]
    assert main([*words, "--format", "json"]) == 0
    rows = json.loads(capsys.readouterr().out)
    few = [row for row in rows if row["visits"] < FEW_VISITS and row["value"] is not None]
    assert few
    assert all(row["error"] > 0 for row in rows if row["value"] is not None)
    assert main(words) == 0
    text = capsys.readouterr().out
    assert f"{rows[0]['histories']} histories share these values" in text
    assert text.count("?") == len(few)
    assert main([*words, "--format", "csv"]) == 0
    assert "value,error,visits,histories" in capsys.readouterr().out.splitlines()[0]
