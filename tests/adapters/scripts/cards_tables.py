"""Deal cards to bots at tables of several sizes: how often each kind of bot wins chips.

One bot passes on bad hands, the others choose at random; states are saved and restored on the way.
"""

import argparse
import random

import numpy as np
import pyspiel
from open_spiel.python.bots import uniform_random

import mouche_solver.adapters.openspiel  # noqa: F401


class Cautious(pyspiel.Bot):
    """Passes with fewer than two trumps, else stands; plays the card of the largest number."""

    def step(self, state: pyspiel.State) -> int:
        actions = {state.action_to_string(action): action for action in state.legal_actions()}
        if "pass" not in actions:
            return actions[max(actions, key=actions.get)]
        hand, table = state.observation_string().split(" : ")[:2]
        trump = table.split()[-1]
        trumps = sum(card.endswith(trump) for card in hand.split()[1:])
        return actions["pass" if trumps < 2 else "stand"]

    def restart_at(self, state: pyspiel.State) -> None:
        """It keeps nothing."""


def play(game: pyspiel.Game, bots: list[pyspiel.Bot], rng: random.Random) -> np.ndarray:
    state = game.new_initial_state()
    while not state.is_terminal():
        if state.is_chance_node():
            outcomes, chances = zip(*state.chance_outcomes(), strict=True)
            state.apply_action(rng.choices(outcomes, chances)[0])
        else:
            state.apply_action(bots[state.current_player()].step(state))
        if rng.random() < 0.02:
            _, state = pyspiel.deserialize_game_and_state(
                pyspiel.serialize_game_and_state(game, state)
            )
    return np.array(state.returns())


def main(arguments: list[str] | None = None) -> dict[int, float]:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--deals", type=int, default=500)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args(arguments)

    if "python_mouche_cards" not in pyspiel.registered_names():
        raise SystemExit("the game is not registered")
    gained = {}
    for players in (3, 4, 5, 6):
        shares = ";".join([f"1/{players}"] * players)
        game = pyspiel.load_game(
            "python_mouche_cards", {"players": players, "continuation": shares}
        )
        rng = random.Random(options.seed)
        bots: list[pyspiel.Bot] = [Cautious()]
        for seat in range(1, players):
            generator = np.random.RandomState(options.seed + seat)
            bots.append(uniform_random.UniformRandomBot(seat, generator))
        total = sum(play(game, bots, rng) for _ in range(options.deals))
        gained[players] = float(total[0]) / options.deals
        print(f"{players} players: the cautious one wins {gained[players]:+.3f} antes a deal")
    return gained


if __name__ == "__main__":
    main()
