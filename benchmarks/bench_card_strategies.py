"""How fast card strategies are trained and how strong they are after a given number of deals.

    python benchmarks/bench_card_strategies.py --players 3 --deals 2000000 --threads 2

trains the usual chain of levels, plays it against the baselines and, with up to three players,
against guessing, and checks hands whose declaration is beyond doubt. Rates count processor
seconds, so that they hold on a machine that others use too.
"""

import argparse
import time
from collections.abc import Callable

from mouche_solver.cards import CardRules
from mouche_solver.cards.measure.challengers import challenge
from mouche_solver.cards.measure.tournament import (
    BASELINES,
    baseline,
    measure_level,
    play_duplicate,
)
from mouche_solver.cards.strategy.levels import usual_abstraction
from mouche_solver.cards.train.trainer import CardTrainer
from mouche_solver.core.memory import human, peak_memory

SURE = {"a mouche": "KD QD JD AD 10D", "three top trumps": "KC QC JC 10D 10H"}


def rate(trainer: CardTrainer, sample: Callable[[int], None], deals: int) -> float:
    """Sampled deals for each processor second of one core."""
    chunks = range(trainer.batch.chunks)
    start = time.process_time()
    for chunk in chunks:
        sample(chunk)
    return deals * len(chunks) / (time.process_time() - start)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--players", type=int, default=3)
    parser.add_argument("--deals", type=int, default=2_000_000, help="deals of declarations")
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--guesses", type=int, default=100)
    asked = parser.parse_args()
    rules = CardRules(players=asked.players)
    trainer = CardTrainer(usual_abstraction(rules), seed=asked.seed, threads=asked.threads)
    trainer.train_round()
    start = time.process_time()
    while trainer.declared < asked.deals:
        trainer.train_round()
    cores = time.process_time() - start
    print(f"{trainer.declared:,} + {trainer.played:,} deals in {cores:.0f} core-seconds")
    said = rate(trainer, trainer._sample_declarations, trainer.batch.declarations)
    cards = rate(trainer, trainer._sample_play, trainer.batch.plays)
    print(f"declarations {said:,.0f}, play {cards:,.0f} deals a core-second")
    trainer.close()
    strategy = trainer.strategy()
    shares, game = strategy.training.seat_shares, strategy.game
    print(f"{trainer.information_sets:,} information sets, {human(peak_memory() or 0)} at most")
    level = measure_level(game, strategy.policy, 200_000, 7, asked.threads)
    print("shares", [round(s, 4) for s in shares], "mouches", round(level.mouches, 4))
    print("players in", [round(p, 4) for p in level.in_distribution])
    for name in BASELINES:
        others = baseline(strategy.abstraction, name)
        gain = play_duplicate(game, strategy.policy, others, shares, 100_000, 7, asked.threads)
        print(f"one against {name}: {gain}")
    guesses = asked.guesses if asked.players <= 3 else 0
    for found in challenge(strategy, None, guesses, 100_000, 7, asked.threads):
        print(f"{found.challenger} against the strategy: {found.gain}")
    for name, cards_held in SURE.items():
        options = strategy.declaration(rules.pack.hand(cards_held), rules.pack.card("9C"), 0, [])
        print(f"{name}: passes {options[0].probability:.4f}, stands {options[1].probability:.4f}")


if __name__ == "__main__":
    main()
