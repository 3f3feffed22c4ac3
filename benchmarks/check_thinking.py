"""Values that `mouche cards advise` lists, against many more simulated continuations.

``python benchmarks/check_thinking.py --decisions 300`` takes random decisions of random deals with
3 to 6 players, half of them declarations. Listed values come from ``--samples`` guesses; each is
compared with that of ``--continuations`` guesses with other random numbers. Printed is the share
within 3 standard errors of the difference, for the search and for the table alone. ``--players 3
--skip 25 --decisions 25`` does the second part of the decisions with 3 players by itself.
"""

import argparse
from collections.abc import Iterator

import numpy as np

from mouche_solver.cards import CardRules
from mouche_solver.cards.kernels.deal import shuffle
from mouche_solver.cards.kernels.policies import declare
from mouche_solver.cards.kernels.records import CONTEXT
from mouche_solver.cards.kernels.tricks import to_move
from mouche_solver.cards.kernels.view import HAND
from mouche_solver.cards.measure.kernels_thinking import (
    after_declaring,
    before_declaring,
    to_my_choice,
)
from mouche_solver.cards.measure.thinking import said_words, tricks_of
from mouche_solver.cards.strategy.compile import new_table
from mouche_solver.cards.strategy.situation import Situation
from mouche_solver.cards.strategy.strategy import CardStrategy
from mouche_solver.cards.think.search import Budget
from mouche_solver.cards.think.thinker import Thinker
from mouche_solver.storage.cards.strategies import embedded_strategy


def decisions(strategy: CardStrategy, seed: int) -> Iterator[Situation]:
    """Random decisions, declarations and cards in turn."""
    game, policy, table = strategy.game, strategy.policy, new_table()
    state, rng = np.array([seed], np.uint64), np.random.default_rng(seed)
    players, play = strategy.rules.players, False
    while True:
        shuffle(game, table, state)
        me = int(rng.integers(players))
        turned = int(game["turned"][table["stock"][CONTEXT]])
        if not before_declaring(me, game, policy, table, state):
            continue
        if not play:
            yield Situation(int(table["hands"][me]), turned, me, said_words(table, me))
            play = True
            continue
        declare(me, policy, game, table, state)
        debts, inside = after_declaring(me, game, policy, table, state)
        if debts >= 0.0 or table["said"][me] < 0 or not to_my_choice(me, game, policy, table):
            continue
        at, said = table["at"], said_words(table, players)
        hand = int(at[0, HAND + int(to_move(at, 0))])
        yield Situation(hand, turned, me, said, int(table["laid"][me]), tricks_of(at, inside))
        play = False


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--decisions", type=int, default=300)
    parser.add_argument("--samples", type=int, default=2048)
    parser.add_argument("--continuations", type=int, default=20_000)
    parser.add_argument("--players", type=int, nargs="*", default=[3, 4, 5, 6])
    parser.add_argument("--skip", type=int, default=0, help="decisions of each that are left out")
    args = parser.parse_args()
    for players in args.players:
        strategy = embedded_strategy(CardRules(players=players))
        assert strategy is not None
        listed = Thinker(strategy, Budget(samples=args.samples, seed=1, trusting=True))
        truth = Thinker(strategy, Budget(samples=args.continuations, seed=2, trusting=True))
        inside, table_inside, left, table_bad = [], [], 0, []
        some = decisions(strategy, 100 + players)
        for _ in range(args.skip):
            next(some)
        for _ in range(args.decisions // len(args.players)):
            seen = next(some)
            thought, reference = listed.think(seen), truth.think(seen)
            if not thought.searched or not reference.searched:
                left += 1
                continue
            alone = Thinker(strategy, Budget(seconds=0.0)).think(seen)
            for one, two in zip(thought.choices, reference.choices, strict=True):
                error = np.hypot(one.error, two.error)
                gap = abs(one.option.value - two.option.value)
                inside.append(gap <= 3 * error + 1e-6)
            for one, two in zip(alone.choices, reference.choices, strict=False):
                if one.source == "training" and one.samples >= 100:
                    gap = abs(one.option.value - two.option.value)
                    table_inside.append(gap <= 3 * np.hypot(one.error, two.error) + 1e-6)
                    table_bad.append(gap)
        print(
            f"{players} players: {np.mean(inside):.1%} of {len(inside)} values of the search, "
            f"{np.mean(table_inside):.1%} of {len(table_inside)} of the table with 100 visits and "
            f"more (its median gap {np.median(table_bad):.3f} pots); "
            f"{left} decisions the table answered alone",
            flush=True,
        )


if __name__ == "__main__":
    main()
