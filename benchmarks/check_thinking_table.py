"""What a response in the declarations gains at a table that thinks, in mP a deal.

``python benchmarks/check_thinking_table.py --players 3`` trains a tabular response against the
shipped strategy, measures it against that strategy, then where all seats think before each
decision with ``--samples`` guesses. There it declares what its table says where that departs from
the strategy, and thinks otherwise; a deal counts 0 where both declare the same.
"""

import argparse
import os

from mouche_solver.cards import CardRules
from mouche_solver.cards.measure.best_response import Measured
from mouche_solver.cards.measure.tabular import TabularResponse
from mouche_solver.cards.measure.thinking_table import response_at_thinking_table
from mouche_solver.cards.think.search import Budget
from mouche_solver.storage.cards.strategies import embedded_strategy


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--players", type=int, default=3)
    parser.add_argument("--table-deals", type=int, default=1_000_000, help="that train")
    parser.add_argument("--test-deals", type=int, default=500_000, help="against the strategy")
    parser.add_argument("--deals", type=int, default=2_000, help="at the table that thinks")
    parser.add_argument("--samples", type=int, default=1024)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--threads", type=int, default=os.cpu_count() or 1)
    args = parser.parse_args()
    strategy = embedded_strategy(CardRules(players=args.players))
    assert strategy is not None
    response = TabularResponse(strategy, args.seed, args.threads)
    response.sample(args.table_deals)
    alone = response.measure(args.test_deals)
    print(f"{args.players} players, trained on {response.deals:,} deals")
    print(f"against the strategy: {said(alone)}", flush=True)
    budget = Budget(samples=args.samples)
    found, share = response_at_thinking_table(response, budget, args.deals, args.seed, args.threads)
    print(f"at a table that thinks: {said(found)}; departs in {share:.2%} of deals and seats")


def said(found: Measured) -> str:
    gain = found.gain
    seats = " ".join(f"{1000 * one:+.1f}" for one in found.gain_by_seat)
    return f"{1000 * gain.mean:+.1f} +- {1000 * gain.margin:.1f} ({seats}), {gain.deals:,} deals"


if __name__ == "__main__":
    main()
