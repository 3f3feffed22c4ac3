"""A small deal of three players: external-sampling MCCFR, each player's value and best response."""

import argparse

import numpy as np
import pyspiel
from open_spiel.python.algorithms import best_response, expected_game_score
from open_spiel.python.algorithms import external_sampling_mccfr as sampling

import mouche_solver.adapters.openspiel  # noqa: F401

GAME = (
    "python_mouche_cards(players=3,ranks=K;Q,suits=C;D,hand_size=1,exchange_cap=0,mouche=False,"
    "continuation=1/3;1/3;1/3)"
)


def main(arguments: list[str] | None = None) -> dict[str, list[float]]:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--game", default=GAME)
    parser.add_argument("--iterations", type=int, default=500)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args(arguments)

    np.random.seed(options.seed)  # noqa: NPY002  the solver draws from this global stream
    game = pyspiel.load_game(options.game)
    solver = sampling.ExternalSamplingSolver(game, sampling.AverageType.SIMPLE)
    for _ in range(options.iterations):
        solver.iteration()
    policy, root = solver.average_policy(), game.new_initial_state()
    values = list(expected_game_score.policy_value(root, [policy] * game.num_players()))
    best = [
        best_response.BestResponsePolicy(game, player, policy).value(root)
        for player in range(game.num_players())
    ]
    for player, (value, answer) in enumerate(zip(values, best, strict=True)):
        print(f"player {player}: {value:+.4f} antes, {answer:+.4f} with a best response")
    return {"values": values, "best": best}


if __name__ == "__main__":
    main()
