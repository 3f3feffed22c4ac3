"""Random playouts per second of the adapters beside OpenSpiel's own Python games.

Run this file for a table; ``pytest benchmarks/bench_openspiel.py`` holds the claim. Rounds of the
games alternate, so that all see the same machine, and seconds are those of the processor.
"""

import random
import statistics
import time

import pyspiel
from open_spiel.python.games import liars_poker  # noqa: F401  registers python_liars_poker

import mouche_solver.adapters.openspiel  # noqa: F401  registers both games

REFERENCE = "python_liars_poker(hand_length=5,num_digits=6)"
DICE, CARDS = "python_mouche_dice", "python_mouche_cards"
GAMES = (DICE, "python_mouche_dice(match=True)", CARDS, "python_mouche_cards(players=2)")
DEALS_A_SECOND = 1000  # cards with four players, on a core of its own
PLAYOUTS, REPEATS = 200, 7


def playouts(game: pyspiel.Game, count: int, seed: int) -> int:
    """Play at random to the end; returns the number of actions."""
    rng, actions = random.Random(seed), 0
    for _ in range(count):
        state = game.new_initial_state()
        while not state.is_terminal():
            if state.is_chance_node():
                outcomes, weights = zip(*state.chance_outcomes(), strict=True)
                state.apply_action(rng.choices(outcomes, weights)[0])
            else:
                state.apply_action(rng.choice(state.legal_actions()))
            actions += 1
    return actions


def rates() -> dict[str, tuple[float, float]]:
    """Median playouts and actions per second by game."""
    games = {name: pyspiel.load_game(name) for name in (REFERENCE, *GAMES)}
    seen: dict[str, list[tuple[float, float]]] = {name: [] for name in games}
    for repeat in range(REPEATS):
        for name, game in games.items():
            start = time.process_time()
            actions = playouts(game, PLAYOUTS, repeat)
            elapsed = time.process_time() - start
            seen[name].append((PLAYOUTS / elapsed, actions / elapsed))
    return {
        name: tuple(map(statistics.median, zip(*values, strict=True)))
        for name, values in seen.items()
    }


def test_dice_playouts_are_as_fast_as_liars_poker() -> None:
    measured = rates()
    assert measured[DICE][0] >= measured[REFERENCE][0]


def test_a_thousand_deals_of_cards_a_second() -> None:
    assert rates()[CARDS][0] >= DEALS_A_SECOND


if __name__ == "__main__":
    for game_name, (plays, steps) in rates().items():
        print(f"{game_name:50} {plays:9.0f} playouts/s {steps:9.0f} actions/s")
