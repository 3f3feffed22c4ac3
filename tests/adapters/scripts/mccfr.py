"""Run external-sampling MCCFR and print its NashConv."""

import argparse

import numpy as np
import pyspiel
from open_spiel.python.algorithms import exploitability, external_sampling_mccfr

import mouche_solver.adapters.openspiel  # noqa: F401


def main(arguments: list[str] | None = None) -> dict[str, float]:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--game", default="python_mouche_dice(dice=1;1,faces=3,wild=1)")
    parser.add_argument("--iterations", type=int, default=2000)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args(arguments)

    np.random.seed(options.seed)  # noqa: NPY002  the solver draws from this global stream
    game = pyspiel.load_game(options.game)
    solver = external_sampling_mccfr.ExternalSamplingSolver(game)
    first = exploitability.nash_conv(game, solver.average_policy())
    for _ in range(options.iterations):
        solver.iteration()
    last = exploitability.nash_conv(game, solver.average_policy())
    print(f"{options.iterations} iterations: NashConv {first:.4f} -> {last:.4f}")
    return {"first": first, "last": last}


if __name__ == "__main__":
    main()
