"""How far a card strategy can be beaten, at least, while its training goes on.

    python benchmarks/bench_card_convergence.py --players 3 --deals 500000 1000000 2000000

trains the usual chain of levels and stops at each number of deals (of declarations) to measure the
challengers: the rule of thumb, a response in the declarations, a local response in the play, and
both together. Gains are lower bounds, in thousandths of the pot a deal.
"""

import argparse
import time

from mouche_solver.cards import CardRules
from mouche_solver.cards.measure.challengers import Responses, best_known, challenge
from mouche_solver.cards.strategy.levels import usual_abstraction
from mouche_solver.cards.train.trainer import CardTrainer


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--players", type=int, default=3)
    parser.add_argument("--deals", type=int, nargs="+", default=[250_000, 1_000_000, 4_000_000])
    parser.add_argument("--response-deals", type=int, default=1_000_000)
    parser.add_argument("--play-deals", type=int, default=2_000)
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--seed", type=int, default=1)
    asked = parser.parse_args()
    responses = Responses(asked.response_deals, asked.play_deals)
    rules = CardRules(players=asked.players)
    trainer = CardTrainer(usual_abstraction(rules), seed=asked.seed, threads=asked.threads)
    seconds = 0.0
    for deals in sorted(asked.deals):
        start = time.process_time()
        while trainer.declared < deals:
            trainer.train_round()
        seconds += time.process_time() - start
        strategy = trainer.strategy()
        found = challenge(strategy, None, 0, 100_000, 7, asked.threads, responses)
        best = best_known(found)
        print(
            f"{trainer.declared:,} deals, {seconds:.0f} core-seconds: best known gain "
            f"{best.gain} by {best.challenger}"
        )
        for challenger in found:
            print(f"    {challenger.challenger}: {challenger.gain}", flush=True)
    trainer.close()


if __name__ == "__main__":
    main()
