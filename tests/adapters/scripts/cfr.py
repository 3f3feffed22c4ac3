"""Solve a game with CFR and print how its exploitability falls."""

import argparse

import pyspiel
from open_spiel.python.algorithms import cfr, exploitability

import mouche_solver.adapters.openspiel  # noqa: F401


def main(arguments: list[str] | None = None) -> dict[str, float]:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--game", default="python_mouche_dice(dice=1;1,faces=3)")
    parser.add_argument("--iterations", type=int, default=200)
    parser.add_argument("--print-every", type=int, default=20)
    options = parser.parse_args(arguments)

    game = pyspiel.load_game(options.game)
    solver = cfr.CFRSolver(game)
    first = exploitability.exploitability(game, solver.average_policy())
    for iteration in range(1, options.iterations + 1):
        solver.evaluate_and_update_policy()
        if iteration % options.print_every == 0:
            reached = exploitability.exploitability(game, solver.average_policy())
            print(f"iteration {iteration}: exploitability {reached:.6f}")
    return {"first": first, "last": exploitability.exploitability(game, solver.average_policy())}


if __name__ == "__main__":
    main()
