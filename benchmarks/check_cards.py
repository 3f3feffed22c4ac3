"""The long comparison: card kernels against the referee, tables against plain search.

``python benchmarks/check_cards.py [states] [deals]`` compares legal cards and trick winners on so
many random states under random switches, and open-hand values on so many random deals of the usual
decks; the test suite does the same on fewer. It prints the number of mismatches and
ends with code 1 when there is one.
"""

import random
import sys
import time

import numpy as np
from bench_cards import random_hands

from mouche_solver.cards import CardRules, mask_of
from mouche_solver.cards.compiled.arrays import SWITCHES, compile_play
from mouche_solver.cards.kernels.play import best_of_suit_led, legal_cards, trick_winner
from mouche_solver.cards.odds.open_hands import OpenHands
from mouche_solver.cards.rules.tricks import legal_cards as referee_legal
from mouche_solver.cards.rules.tricks import trick_winner as referee_winner

BATCH = 2000  # states under one set of rules


def random_rules(rng: random.Random) -> CardRules:
    """Chips with or without Pamphile, or Mushka, under random switches."""
    switch = {name: rng.random() < 0.5 for name in SWITCHES}
    if rng.random() < 0.3:
        return CardRules.mushka(rng.randint(3, 7), **switch)
    return CardRules(players=rng.randint(2, 6), pamphile=rng.random() < 0.5, **switch)


def compare_states(rules: CardRules, states: int, rng: random.Random) -> int:
    """Mismatches between kernels and referee."""
    arrays, wrong = compile_play(rules), 0
    for _ in range(states):
        trump, length = rng.randrange(4), rng.randint(1, 5)
        cards = rng.sample(range(rules.pack.size), length + rng.randint(1, 5))
        if rules.scoring == "countdown" and rng.random() < 0.3:  # the one rare rule, often
            aces = [rules.pack.card("A" + rules.pack.suits[trump]), rules.pack.card("AS")]
            cards = list(dict.fromkeys([aces[0], *cards[: length - 1], aces[1], *cards]))
        trick, hand = np.array(cards[:length]), mask_of(cards[length:])
        winner = trick_winner(trick, trump, arrays)
        best = best_of_suit_led(trick, trump, arrays)
        legal = legal_cards(hand, trick[0], best, trick[winner], trump, arrays)
        expected = referee_legal(rules, trump, cards[:length], hand)
        wrong += legal != expected or winner != referee_winner(rules, trump, cards[:length])
    return wrong


def compare_values(active: int, table_cards: int, deals: int) -> int:
    """Deals whose value from the table differs from plain search."""
    rules = CardRules(players=active)
    hands, trumps = random_hands(rules, active, deals)
    table = OpenHands(rules, active, table_cards).tricks(hands, trumps)
    plain = OpenHands(rules, active, 0).tricks(hands, trumps)
    return int((table != plain).any(axis=1).sum())


def main(states: int, deals: int) -> int:
    """Print every comparison; 1 when anything differs."""
    rng, start = random.Random(1), time.perf_counter()
    wrong = sum(compare_states(random_rules(rng), BATCH, rng) for _ in range(states // BATCH))
    print(f"legal cards and winners: {states:,} states, {wrong} mismatches")
    for active, table_cards, share in ((2, 5, 1), (3, 4, 10), (4, 2, 100)):
        bad = compare_values(active, table_cards, deals // share)
        wrong += bad
        print(f"open hands, {active} in: {deals // share:,} deals, {bad} mismatches")
    print(f"{time.perf_counter() - start:.0f} s")
    return int(wrong > 0)


if __name__ == "__main__":
    given = [int(word) for word in sys.argv[1:]]
    sys.exit(main(*(given + [1_000_000, 200_000][len(given) :])))
