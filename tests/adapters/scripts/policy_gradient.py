"""REINFORCE with a linear softmax policy on the information state tensor; numpy alone.

OpenSpiel's own policy gradient and deep CFR need torch or jax; this learns through the same
``rl_environment``, against a uniform opponent.
"""

import argparse

import numpy as np
import pyspiel
from open_spiel.python import rl_environment

import mouche_solver.adapters.openspiel  # noqa: F401


def distribution(weights: np.ndarray, features: np.ndarray, legal: list[int]) -> np.ndarray:
    scores = features @ weights[:, legal]
    scores = np.exp(scores - scores.max())
    return scores / scores.sum()


def main(arguments: list[str] | None = None) -> dict[str, float]:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--game", default="python_mouche_dice(dice=1;1,faces=3)")
    parser.add_argument("--episodes", type=int, default=4000)
    parser.add_argument("--rate", type=float, default=0.3)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args(arguments)

    rng = np.random.default_rng(options.seed)
    environment = rl_environment.Environment(options.game, include_full_state=False)
    environment.seed(options.seed)
    size = environment.observation_spec()["info_state"][0]
    weights = np.zeros((size, environment.action_spec()["num_actions"]))
    rewards = []
    for _ in range(options.episodes):
        step, moves = environment.reset(), []
        while not step.last():
            seat = step.observations["current_player"]
            legal = step.observations["legal_actions"][seat]
            if seat == 0:
                features = np.asarray(step.observations["info_state"][seat])
                chances = distribution(weights, features, legal)
                choice = rng.choice(len(legal), p=chances)
                moves.append((features, legal, chances, choice))
            else:
                choice = rng.integers(len(legal))
            step = environment.step([legal[choice]])
        rewards.append(step.rewards[0])
        for features, legal, chances, choice in moves:
            slope = -chances
            slope[choice] += 1
            weights[:, legal] += options.rate * rewards[-1] * np.outer(features, slope)
    learned = float(np.mean(rewards[-max(1, options.episodes // 5) :]))
    game = pyspiel.load_game(options.game)
    policy = pyspiel.UniformRandomPolicy(game)
    uniform = pyspiel.expected_returns(game.new_initial_state(), policy, -1, True)[0]
    print(f"mean reward of player 0: {uniform:.3f} at random, {learned:.3f} learned")
    return {"uniform": uniform, "learned": learned}


if __name__ == "__main__":
    main()
