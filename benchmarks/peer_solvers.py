"""Other solvers on OpenSpiel's ``liars_dice``, one die each with six sides; prints one JSON object.

Run by ``bench_dice.py`` in the environments of ``peers.sh``; it needs nothing of this project:
``build/peers/cfr/bin/python benchmarks/peer_solvers.py noregret``.
"""

import contextlib
import json
import os
import sys
import time
from collections.abc import Callable
from pathlib import Path

GAME = "liars_dice(numdice=1,dice_sides=6)"
TARGET, PATIENCE = 1e-4, 40.0
Result = dict[str, float | None]


def best(function: Callable[[], object], repeats: int, calls: int = 1) -> tuple[float, float]:
    """Least wall and least processor seconds of a call."""
    wall = cpu = float("inf")
    for _ in range(repeats):
        start, spent = time.perf_counter(), time.process_time()
        for _ in range(calls):
            function()
        cpu = min(cpu, (time.process_time() - spent) / calls)
        wall = min(wall, (time.perf_counter() - start) / calls)
    return wall, cpu


def noregret(kernel: str = "FPKer") -> Result:
    """CFR+ with alternating updates, on one of noregret's numerical libraries."""
    import noregret as nr

    library = getattr(nr, kernel)()
    start = time.perf_counter()
    game = nr.to_efg(library, nr.OpenSpielGame(library, GAME))
    build = time.perf_counter() - start
    polytopes = game.row_sequence_form_polytope, game.column_sequence_form_polytope
    learners = [nr.CFR_plus(library, polytope) for polytope in polytopes]
    playing = [learner.output(False) for learner in learners]

    def iterate() -> None:  # the loop of noregret's own regret_minimization
        for player, learner in enumerate(learners):
            learner.observe(game.utility(player, playing[1 - player]))
            playing[player] = learner.output(False)

    def exploitability() -> float:
        return float(game.exploitability(*(learner.average_strategy for learner in learners)))

    start = time.perf_counter()
    reached: float | None = None
    while reached is None and time.perf_counter() - start < PATIENCE:
        for _ in range(25):
            iterate()
        if exploitability() <= TARGET:
            reached = time.perf_counter() - start
    iterations = learners[0].iteration_count
    wall, cpu = best(iterate, 20, 5)
    return {
        "build": build,
        "iteration": wall,
        "iteration_cpu": cpu,
        "to_target": reached,
        "iterations": iterations,
        "exploitability": best(exploitability, 20)[0],
    }


def liteefg() -> Result:
    """CFR+ as LiteEFG's baseline has it."""
    import LiteEFG as leg
    import pyspiel
    from LiteEFG.baselines import CFRplus

    start = time.perf_counter()
    graph = CFRplus.graph()
    game = pyspiel.load_game(GAME)
    environment = leg.OpenSpielEnv(game, traverse_type="Enumerate", regenerate=False)
    environment.set_graph(graph)
    build = time.perf_counter() - start

    def iterate() -> None:
        graph.update_graph(environment)
        environment.update_strategy(graph.current_strategy())

    wall, cpu = best(iterate, 8)
    measure = best(
        lambda: environment.exploitability(graph.current_strategy(), "linear-avg-iterate"), 5
    )
    return {"build": build, "iteration": wall, "iteration_cpu": cpu, "exploitability": measure[0]}


def nashbench() -> Result:
    """The exact exploitability of the uniform policy; nashbench has no solver."""
    import nashbench as nb

    game = nb.make("liars_dice", numdice=1, dice_sides=6)

    def measure() -> float:
        return float(nb.exploitability(game, lambda observation, legal: legal / legal.sum()))

    start = time.perf_counter()
    measure()
    first = time.perf_counter() - start
    return {"build": first, "exploitability": best(measure, 30)[0]}


def use_mkl() -> None:
    """Point noregret to the library of the mkl package, which it does not find by itself."""
    found = next(Path(sys.prefix, "lib").glob("libmkl_rt.so*"), None)
    if found is not None:
        os.environ["MKL_RT"] = str(found)
    os.environ["MKL_NUM_THREADS"] = "1"  # more are slower at this size


if __name__ == "__main__":
    use_mkl()
    run = {
        "noregret": noregret,
        "noregret-mkl": lambda: noregret("MKLKer"),
        "liteefg": liteefg,
        "nashbench": nashbench,
    }[sys.argv[1]]
    with contextlib.redirect_stdout(sys.stderr):  # LiteEFG prints from the library
        result = run()
    print(json.dumps(result))
