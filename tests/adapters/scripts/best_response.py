"""Best response to a uniform opponent, and a game played against it."""

import argparse

import numpy as np
import pyspiel
from open_spiel.python import policy as policies
from open_spiel.python.algorithms import best_response, expected_game_score

import mouche_solver.adapters.openspiel  # noqa: F401


def main(arguments: list[str] | None = None) -> dict[str, float]:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--game", default="python_mouche_dice(dice=1;2,faces=3)")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args(arguments)

    game, rng = pyspiel.load_game(options.game), np.random.default_rng(options.seed)
    uniform = policies.UniformRandomPolicy(game)
    root = game.new_initial_state()
    answer = best_response.BestResponsePolicy(game, 0, uniform)
    others = [uniform] * (game.num_players() - 1)
    played = expected_game_score.policy_value(root, [answer, *others])[0]
    even = expected_game_score.policy_value(root, [uniform, *others])[0]
    print(f"player 0: {even:.6f} at random, {played:.6f} with the best response")

    state = game.new_initial_state()
    while not state.is_terminal():
        if state.is_chance_node():
            actions, weights = zip(*state.chance_outcomes(), strict=True)
        else:
            policy = answer if state.current_player() == 0 else uniform
            actions, weights = zip(*policy.action_probabilities(state).items(), strict=True)
        action = int(rng.choice(actions, p=weights))
        print(f"  {state.action_to_string(action)}")
        state.apply_action(action)
    print(f"  returns {state.returns()}")
    return {"value": answer.value(root), "played": played, "even": even}


if __name__ == "__main__":
    main()
