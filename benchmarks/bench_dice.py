"""Speed and memory of the dice solver, each against its claim and, where there is one, a peer.

``pytest benchmarks/bench_dice.py --benchmark-enable -s`` prints what was measured. Other solvers
take part when ``benchmarks/peers.sh`` has installed them. Least times of several short rounds
count, so that other work on the machine disturbs little; processor seconds stand beside them. A
solution of 5 v 5 named by the variable ``MOUCHE_SOLUTION`` is queried instead of a small one.
"""

import json
import os
import subprocess
import sys
import time
from collections.abc import Callable
from functools import cache, partial
from pathlib import Path
from typing import Any

import numpy as np
import pyspiel
import pytest
from open_spiel.python.algorithms import cfr

from mouche_solver.core.run import Limits
from mouche_solver.core.trees.extensive import sequence_form
from mouche_solver.core.trees.lp import _solve
from mouche_solver.dice import DiceRules
from mouche_solver.dice.exact import DiceRound
from mouche_solver.dice.round.book import OpeningBook
from mouche_solver.dice.round.line import follow
from mouche_solver.dice.round.solution import RoundSolution
from mouche_solver.dice.round.solve import RoundSolver, solve_round
from mouche_solver.storage.dice.books import embedded_book
from mouche_solver.storage.dice.solutions import load_solution, save_solution

Benchmark = Callable[..., Any]
HERE = Path(__file__).parent
LIARS_DICE = DiceRules(dice=(1, 1), wild=6, raise_rule="quantity-first")
SPIEL = "liars_dice(numdice=1,dice_sides=6)"


def measured(
    benchmark: Benchmark, function: Callable[[], object], rounds: int, calls: int = 1
) -> float:
    """Least wall seconds of a call; notes the least processor seconds too."""
    cpu = []

    def call() -> None:
        start = time.process_time()
        for _ in range(calls):
            function()
        cpu.append((time.process_time() - start) / calls)

    benchmark.pedantic(call, rounds=rounds, warmup_rounds=1)
    seconds = benchmark.stats.stats.min / calls
    note(benchmark, seconds=seconds, cpu_seconds=min(cpu))
    return seconds


def note(benchmark: Benchmark, **figures: object) -> None:
    """Keep figures with the benchmark's result, and show them."""
    benchmark.extra_info.update(figures)
    shown = ", ".join(
        f"{name} {figure:.3g}" if isinstance(figure, float) else f"{name} {figure}"
        for name, figure in figures.items()
    )
    print(f"\n    {benchmark.name}: {shown}")


def in_new_process(command: list[str]) -> Any:
    """What a program prints as JSON."""
    done = subprocess.run(command, capture_output=True, text=True, timeout=180)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


@cache
def peer(name: str) -> dict[str, float | None]:
    """A peer's figures, or a skip when it is not installed."""
    room = "nashbench" if name == "nashbench" else "cfr"
    python = HERE.parent / "build" / "peers" / room / "bin" / "python"
    if not python.exists():
        pytest.skip("run benchmarks/peers.sh to install the peers")
    return dict(in_new_process([str(python), str(HERE / "peer_solvers.py"), name]))


def cfr_plus() -> RoundSolver:
    """This project on liar's dice, with the algorithm that all peers have."""
    return RoundSolver(LIARS_DICE, "cfr+")


def least(function: Callable[[], object], repeats: int) -> float:
    """Least wall seconds of a call."""
    seconds = []
    for _ in range(repeats):
        start = time.perf_counter()
        function()
        seconds.append(time.perf_counter() - start)
    return min(seconds)


# Liar's dice, one die each: an iteration of CFR+, its exploitability, and the way to 1e-4.


def test_liars_dice_iteration(benchmark: Benchmark) -> None:
    solver = cfr_plus()
    assert measured(benchmark, solver.iterate, rounds=200, calls=10) <= 0.5e-3


@pytest.mark.parametrize(
    ("name", "times"), [("noregret", 14), ("noregret-mkl", 14), ("liteefg", 300)]
)
def test_liars_dice_iteration_beside_a_library(
    benchmark: Benchmark, name: str, times: float
) -> None:
    theirs = peer(name)
    ours = measured(benchmark, cfr_plus().iterate, rounds=50, calls=10)
    # Both take one thread; processor seconds are fair to a peer whose turn was disturbed.
    note(benchmark, **theirs, ratio=theirs["iteration_cpu"] / ours)
    assert theirs["iteration_cpu"] >= times * ours


def test_liars_dice_iteration_beside_openspiel(benchmark: Benchmark) -> None:
    game = pyspiel.load_game(SPIEL)
    theirs = least(pyspiel.CFRPlusSolver(game).evaluate_and_update_policy, 12)
    ours = measured(benchmark, cfr_plus().iterate, rounds=50, calls=10)
    note(benchmark, openspiel=theirs, ratio=theirs / ours)
    assert theirs >= 300 * ours


def test_liars_dice_iteration_beside_openspiel_in_python(benchmark: Benchmark) -> None:
    theirs = least(cfr.CFRPlusSolver(pyspiel.load_game(SPIEL)).evaluate_and_update_policy, 2)
    ours = measured(benchmark, cfr_plus().iterate, rounds=50, calls=10)
    note(benchmark, openspiel_python=theirs, ratio=theirs / ours)
    assert theirs >= 3000 * ours


def test_liars_dice_exploitability(benchmark: Benchmark) -> None:
    solution = solve_round(LIARS_DICE, limits=Limits(1e-4))
    assert solution.measure().exploitability <= 1.1e-4
    assert measured(benchmark, solution.measure, rounds=100) <= 5e-3
    game = pyspiel.load_game(SPIEL)
    uniform = pyspiel.UniformRandomPolicy(game)
    note(benchmark, openspiel=least(lambda: pyspiel.nash_conv(game, uniform, True), 2))


@pytest.mark.parametrize("name", ["noregret", "noregret-mkl", "liteefg", "nashbench"])
def test_liars_dice_exploitability_beside_a_library(benchmark: Benchmark, name: str) -> None:
    theirs = peer(name)["exploitability"]
    solution = solve_round(LIARS_DICE, limits=Limits(1e-4))
    ours = measured(benchmark, solution.measure, rounds=50)
    note(benchmark, peer=theirs, ratio=theirs / ours)
    assert theirs > ours


@pytest.mark.parametrize(("target", "most"), [(1e-4, 1.0), (1e-6, 3.0)])
def test_liars_dice_beside_the_linear_program(
    benchmark: Benchmark, target: float, most: float
) -> None:
    form = sequence_form(DiceRound(LIARS_DICE))
    # HiGHS alone: neither building the game nor proving the value counts.
    highs = least(lambda: _solve(form), 2)
    # The one small round in which discounted CFR is faster (docs/decisions/0042).
    solve = partial(solve_round, LIARS_DICE, limits=Limits(target), algorithm="dcfr")
    found = solve()
    ours = measured(benchmark, solve, rounds=5)
    note(benchmark, iterations=found.header.iterations, highs=highs, ratio=highs / ours)
    assert abs(found.value + 7 / 258) <= target + 1e-6
    assert ours < most


# Two dice each, with the rules of liar's dice.


@pytest.mark.parametrize(("faces", "most"), [(4, 0.020), (5, 0.4)])
def test_two_dice_each(benchmark: Benchmark, faces: int, most: float) -> None:
    rules = DiceRules(dice=(2, 2), faces=faces, wild=faces, raise_rule="quantity-first")
    solver = RoundSolver(rules, "cfr+")
    seconds = measured(benchmark, solver.iterate, rounds=12)
    note(benchmark, entries=solver.entries, ns_per_entry=seconds / solver.entries * 1e9)
    note(benchmark, exploitability=least(solver.measure, 3))
    assert seconds <= most


# Large rounds, each in a process of its own: time, memory, and what the memory gives.

BLUFF = {"dice": [2, 2], "wild": 6, "raise_rule": "quantity-first"}
GIB = 1 << 30


@pytest.mark.parametrize(
    ("rules", "threads", "most_bytes"),
    [({}, 2, 8 * GIB), ({}, 1, 8 * GIB), ({"wild": 1}, 2, 13 * GIB), (BLUFF, 2, 16 * GIB)],
    ids=["5v5", "5v5-one-thread", "5v5-ones-wild", "2v2-liars-dice"],
)
def test_large_rounds(
    benchmark: Benchmark, rules: dict[str, object], threads: int, most_bytes: int
) -> None:
    command = [sys.executable, str(HERE / "large_round.py"), json.dumps(rules)]
    command += ["--threads", str(threads)]
    found = benchmark.pedantic(in_new_process, (command,), rounds=1)
    share = found["gigabytes_per_second"] / found["machine_gigabytes_per_second"]
    note(benchmark, **found, share_of_bandwidth=share)
    assert found["ns_per_entry"] <= 12
    assert found["peak_bytes"] <= found["estimated_bytes"] <= most_bytes


# What a user waits for.

FIRST = """
import json, sys, time
from mouche_solver.core.run import Limits
from mouche_solver.dice import DiceRules
from mouche_solver.dice.round.solve import solve_round

told = {}
rules = DiceRules(dice=tuple(json.loads(sys.argv[1])))
report = lambda event: told.setdefault(event.phase, (time.time(), time.process_time()))
solve_round(rules, limits=Limits(1e-9, iterations=1), report=report)
print(json.dumps(told["iterating"]))
"""


@pytest.mark.parametrize("dice", [[1, 1], [3, 3]], ids=str)
def test_a_new_process_starts_iterating(benchmark: Benchmark, dice: list[int]) -> None:
    def until_first_iteration() -> tuple[float, float]:
        start = time.time()
        told, cpu = in_new_process([sys.executable, "-c", FIRST, json.dumps(dice)])
        return told - start, cpu

    seen: list[tuple[float, float]] = []
    until_first_iteration()  # fills the cache of compiled kernels
    benchmark.pedantic(lambda: seen.append(until_first_iteration()), rounds=5)
    wall, cpu = map(min, zip(*seen, strict=True))
    note(benchmark, seconds=wall, cpu_seconds=cpu)
    assert wall < 2


@pytest.fixture(scope="module")
def solution_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    given = os.environ.get("MOUCHE_SOLUTION")
    if given:
        return Path(given)
    path = tmp_path_factory.mktemp("solution") / "4v4.safetensors"
    rules = DiceRules(dice=(4, 4))
    save_solution(solve_round(rules, limits=Limits(1e-9, iterations=20)), path)
    return path


def lines_of_play(solution: RoundSolution, count: int) -> list[tuple[int, ...]]:
    """Claim numbers of random lines, from all depths alike."""
    rng = np.random.default_rng(7)
    lines = []
    while len(lines) < count:
        line: tuple[int, ...] = ()
        for _ in range(rng.integers(0, 9)):
            raises = solution.tree.raises[line[-1] if line else 0]
            if len(raises) < 2:
                break
            line = (*line, int(rng.choice(raises[: max(1, len(raises) // 2)])))
        if solution.tree.raises[line[-1] if line else 0]:
            lines.append(line)
    return lines


def test_opening_a_file(benchmark: Benchmark, solution_file: Path) -> None:
    measured(benchmark, lambda: load_solution(solution_file), rounds=5)
    note(benchmark, bytes=solution_file.stat().st_size)
    assert solution_file.stat().st_size <= 700e6


def test_probabilities_from_a_file(benchmark: Benchmark, solution_file: Path) -> None:
    solution = load_solution(solution_file)
    each = [least(lambda n=n: solution.strategies(n), 5) for n in lines_of_play(solution, 100)]
    measured(benchmark, lambda: solution.strategies(()), rounds=20)
    note(benchmark, median=float(np.median(each)), longest=max(each))
    assert max(each) < 0.010


def test_advice_from_a_file(benchmark: Benchmark, solution_file: Path) -> None:
    """With expected payoffs, which may need the strategies below to be evaluated."""
    solution = load_solution(solution_file)
    lines = [[solution.tree.claims[n] for n in line] for line in lines_of_play(solution, 40)]
    each = [least(lambda x=line: solution.table(x), 2) for line in lines]
    measured(benchmark, solution.table, rounds=5)
    note(benchmark, median=float(np.median(each)), longest=max(each))
    assert max(each) < 5


def rim_lines(book: OpeningBook, count: int) -> list[tuple[int, ...]]:
    """Lines to the rim of the book: every other one as the book plays, the rest at random."""
    rng = np.random.default_rng(11)
    lines: list[tuple[int, ...]] = []
    while len(lines) < count:
        line: tuple[int, ...] = ()
        while 2 * (line[-1] if line else 0) + len(line) % 2 in book.trunk.expand:
            raises = book.tree.raises[line[-1] if line else 0]
            chance = np.ones(len(raises))
            if len(lines) % 2 == 0:
                mover = follow(book.tree, [book.tree.claims[n] for n in line], book.strategy)
                flow = mover.flow(book.tree, mover.player)
                chance = book.strategy(line)[-len(raises) :] @ flow + 1e-9
            line = (*line, int(rng.choice(raises, p=chance / chance.sum())))
        if book.tree.raises[line[-1]] and line not in lines:
            lines.append(line)
    return lines


@pytest.mark.parametrize("wild", [None, 1], ids=["default", "ones-wild"])
def test_re_solving_below_the_book(benchmark: Benchmark, wild: int | None) -> None:
    book = embedded_book(DiceRules(wild=wild))
    if book is None:
        pytest.skip("the package ships no book for these rules")
    lines = rim_lines(book, 10)
    book.table([book.tree.claims[n] for n in lines[0]])  # compiles
    seconds, losses = [], []
    for line in lines:
        claims = [book.tree.claims[n] for n in line]
        start = time.perf_counter()
        for protect in (0, 1):
            opening = follow(book.tree, claims, book.strategy)
            losses.append(book.resolve(opening, protect).loss)
        seconds.append((time.perf_counter() - start) / 2)
        book.table(claims)
    note(benchmark, median=float(np.median(seconds)), longest=max(seconds), most_lost=max(losses))
    measured(benchmark, lambda: book.table(""), rounds=5)
    assert max(losses) <= 2e-3
    assert max(seconds) < 5
