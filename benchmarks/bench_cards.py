"""Speed of hand classes, card kernels, open-hand play and odds, each against its claim.

``pytest benchmarks/bench_cards.py --benchmark-enable --benchmark-timer=time.process_time``
counts processor seconds, so that rates are per core on a machine that others use too. Compilation
and tables come first, apart: run with ``-s`` to see how long the tables took.
"""

import subprocess
import sys
import time
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from mouche_solver.cards import CardRules
from mouche_solver.cards.compiled.hands import HandClasses
from mouche_solver.cards.measure.sampled_deals import sample_deals
from mouche_solver.cards.odds.open_hands import OpenHands

Benchmark = Callable[..., Any]


def random_hands(rules: CardRules, active: int, deals: int) -> tuple[np.ndarray, np.ndarray]:
    """Masks (deals, active) and trump suits of random deals."""
    size = rules.hand_size
    order = np.argsort(np.random.default_rng(1).random((deals, rules.pack.size)), axis=1)
    hands = (1 << order[:, : active * size].reshape(deals, active, size)).sum(axis=2)
    return hands, order[:, active * size] // rules.pack.per_suit


def test_classes_of_all_hands_of_36_cards(benchmark: Benchmark) -> None:
    classes = HandClasses(CardRules(players=4).pack, 5, turned=0)
    numbers = benchmark.pedantic(classes.classes_of_all, rounds=20, warmup_rounds=1)
    assert len(numbers) == 324_632
    assert benchmark.stats.stats.median < 0.050


def test_classes_of_all_hands_of_52_cards_and_every_turn_up(benchmark: Benchmark) -> None:
    pack = CardRules(players=6).pack

    def every() -> int:
        return sum(int(HandClasses(pack, 5, t).classes_of_all()[-1]) for t in range(52))

    HandClasses(pack, 5, 0).classes_of_all()
    benchmark.pedantic(every, rounds=3)
    assert benchmark.stats.stats.median < 3


@pytest.mark.parametrize("players", [2, 3, 4, 5, 6])
def test_random_deals(benchmark: Benchmark, players: int) -> None:
    rules, deals = CardRules(players=players), 100_000
    benchmark.pedantic(sample_deals, (rules, deals, 1), rounds=5, warmup_rounds=1)
    rate = deals / benchmark.stats.stats.median
    benchmark.extra_info["deals per second"] = round(rate)
    assert rate > 300_000


OPEN = [(2, None, 1_000_000), (2, 0, 0), (3, None, 200_000), (3, 0, 0), (4, None, 0), (4, 0, 0)]


@pytest.mark.parametrize(("active", "table_cards", "claim"), OPEN)
def test_open_hands(benchmark: Benchmark, active: int, table_cards: int | None, claim: int) -> None:
    rules = CardRules(players=active)
    OpenHands(rules.replace(ranks="K Q", suits="C D H S", hand_size=1), active)  # compile
    start = time.process_time()
    play = OpenHands(rules, active, table_cards)
    built = time.process_time() - start
    deals = {2: 300_000, 3: 100_000, 4: 10_000}[active] // (1 if table_cards is None else 40)
    hands, trumps = random_hands(rules, active, deals)
    benchmark.pedantic(play.tricks, (hands, trumps), rounds=5, warmup_rounds=1)
    rate = deals / benchmark.stats.stats.median
    benchmark.extra_info |= {"deals per second": round(rate), "entries": play.entries}
    print(
        f"\n{active} active, {play.table_cards}-card table of {play.entries:,} entries in "
        f"{built:.2f} s; {rate:,.0f} deals a second"
    )
    assert rate > claim


def test_odds_on_the_command_line() -> None:
    code = "from mouche_solver.cli import main; main(['cards', 'odds', '--players', '4'])"
    waits = []
    for _ in range(5):
        start = time.perf_counter()
        subprocess.run([sys.executable, "-c", code], check=True, stdout=subprocess.DEVNULL)
        waits.append(time.perf_counter() - start)
    print(f"\nmouche cards odds: {sorted(waits)[2]:.2f} s of wall time")
    assert sorted(waits)[2] < 1
