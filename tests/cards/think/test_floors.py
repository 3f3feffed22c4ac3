"""Sure tricks against a matching of trumps, and what they forbid."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from scipy.sparse import csr_array
from scipy.sparse.csgraph import maximum_bipartite_matching

from mouche_solver.cards import CardRules
from mouche_solver.cards.strategy.compile import compile_game
from mouche_solver.cards.strategy.floors import mouche_risk
from mouche_solver.cards.strategy.levels import Abstraction
from mouche_solver.cards.think.floors import bounded, sure_tricks

GAME = compile_game(Abstraction(CardRules(players=4), "coarse"))
RANKS = 9  # trumps are cards 0 to 8, the higher the better


@given(st.lists(st.sampled_from(["held", "unseen", "gone"]), min_size=RANKS, max_size=RANKS))
def test_sure_tricks_are_what_no_matching_takes(where: list[str]) -> None:
    held = [card for card in range(RANKS) if where[card] == "held"]
    unseen = [card for card in range(RANKS) if where[card] == "unseen"]
    beats = np.array([[u > h for u in unseen] for h in held], int).reshape(len(held), len(unseen))
    taken = 0
    if held and unseen:
        taken = int((maximum_bipartite_matching(csr_array(beats)) >= 0).sum())
    masks = (sum(1 << card for card in cards) for cards in (held, unseen))
    assert sure_tricks(*masks, 0, GAME) == len(held) - taken


def test_who_stands_may_have_a_mouche() -> None:
    assert mouche_risk(GAME, 3, (-1, -1, 2)) == 0.0
    assert mouche_risk(GAME, 0, ()) < mouche_risk(GAME, 3, (0, -1, 2))


def test_the_floor_leaves_what_may_be_better() -> None:
    table, floors = np.array([0.5, 0.3, 0.2]), np.array([-np.inf, 0.2, 0.2])
    assert bounded(table, np.array([0.3, 0.1, 0.1]), floors).tolist() == [0.5, 0.3, 0.2]
    only = bounded(np.array([1.0, 0.0, 0.0]), np.array([0.1, 0.3, np.nan]), floors)
    assert only.tolist() == [0.0, 1.0, 0.0]
