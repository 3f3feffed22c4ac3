"""Does the answer hang on how often people are taken to err?

``python benchmarks/check_slips.py --positions 50`` asks for the declaration of the five hands that
the model of errors was made for, and of random last seats with 3 to 6 players, with other sets of
slip rates. Printed is how often the answer, the likeliest declaration, is that of the usual rates,
and what the answer with other rates is worth less by the usual rates where it is another.
"""

import argparse
from collections.abc import Iterator

import numpy as np

from mouche_solver.cards import CardRules
from mouche_solver.cards.kernels.deal import shuffle
from mouche_solver.cards.kernels.records import CONTEXT
from mouche_solver.cards.measure.kernels_thinking import before_declaring
from mouche_solver.cards.strategy.compile import new_table
from mouche_solver.cards.strategy.situation import Situation
from mouche_solver.cards.strategy.strategy import CardStrategy
from mouche_solver.cards.think import search
from mouche_solver.cards.think.search import Budget
from mouche_solver.cards.think.thinker import Thinker
from mouche_solver.storage.cards.strategies import embedded_strategy

USUAL = search.SLIPS
OTHERS = ((0.0,), (0.0, 0.02), (0.0, 0.05), (0.0, 0.1), (0.0, 0.01, 0.05), (0.0, 0.05, 0.2))
# Players, hand, turn-up, what was said.
EXAMPLES = (
    (4, "KS QS JS KH 8D", "7S", ("pass", "stand", 3)),
    (4, "KS QS JS KH 8D", "7S", ("stand", "stand", "stand")),
    (4, "JS 10S 9S 8S 6H", "7S", ("pass", "stand")),
    (5, "KS QS JS KH 8D", "7S", ("stand",) * 4),
    (6, "KS QS JS KH 8D", "7S", ("stand",) * 4),
)


def examples() -> Iterator[tuple[CardStrategy, Situation]]:
    """The hands that the model was made for."""
    for players, hand, turned, said in EXAMPLES:
        strategy = embedded_strategy(CardRules(players=players))
        assert strategy is not None
        pack = strategy.rules.pack
        yield strategy, Situation(pack.hand(hand), pack.card(turned), len(said), said)


def fresh(number: int, seed: int) -> Iterator[tuple[CardStrategy, Situation]]:
    """Dealers with random hands after random declarations, weighted towards rare ones."""
    rng = np.random.default_rng(seed)
    words = ("pass", "stand", 1, 2, 3)
    done = 0
    while done < number:
        strategy = embedded_strategy(CardRules(players=3 + done % 4))
        assert strategy is not None
        game, table = strategy.game, new_table()
        state = np.array([rng.integers(1 << 60)], np.uint64)
        shuffle(game, table, state)
        me = strategy.rules.players - 1
        if not before_declaring(me, game, strategy.policy, table, state):
            continue
        said = tuple(words[int(n)] for n in rng.integers(len(words), size=me))
        if all(word == "pass" for word in said):
            continue
        turned = int(game["turned"][table["stock"][CONTEXT]])
        done += 1
        yield strategy, Situation(int(table["hands"][me]), turned, me, said)


def answer(strategy: CardStrategy, seen: Situation, slips: tuple[float, ...], guesses: int):
    """The likeliest declaration with its place, and all values with errors."""
    search.SLIPS = slips
    thought = Thinker(strategy, Budget(samples=guesses, seed=3)).think(seen)
    search.SLIPS = USUAL
    chances = [option.probability for option in thought.options]
    return int(np.argmax(chances)), thought


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--positions", type=int, default=50)
    parser.add_argument("--guesses", type=int, default=1024)
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    for name, positions in (
        ("examples", list(examples())),
        ("fresh", list(fresh(args.positions, args.seed))),
    ):
        usual = [answer(*position, USUAL, args.guesses) for position in positions]
        known = [n for n, (_, thought) in enumerate(usual) if thought.searched]
        passes = sum(usual[n][0] == 0 for n in known)
        print(f"{name}: {len(known)} of {len(positions)} searched, {passes} pass by {USUAL}")
        for slips in OTHERS:
            same, turned, lost = 0, 0, []
            for n in known:
                strategy, seen = positions[n]
                best, _ = answer(strategy, seen, slips, args.guesses)
                same += best == usual[n][0]
                turned += (best == 0) != (usual[n][0] == 0)
                values = [option.value or 0.0 for option in usual[n][1].options]
                lost.append(values[usual[n][0]] - values[best])
            print(
                f"  {slips}: the same answer {same} of {len(known)}, in instead of pass or the "
                f"other way {turned}; by the usual rates it loses {np.mean(lost):.4f} on average, "
                f"{max(lost):.3f} at most",
                flush=True,
            )


if __name__ == "__main__":
    main()
