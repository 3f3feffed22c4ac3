"""What a table never declares, against an independent count of sure tricks."""

from itertools import permutations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mouche_solver.cards import CardRules
from mouche_solver.cards.kernels.records import BARRED, ONLY
from mouche_solver.cards.strategy.compile import compile_game
from mouche_solver.cards.strategy.floors import barred_cells, sure_tricks_of
from mouche_solver.cards.strategy.levels import Abstraction
from mouche_solver.storage.cards.strategies import embedded_strategy

RULES = CardRules(players=3)
BOOK = Abstraction(RULES)
GAME = compile_game(BOOK)


def surely(own: tuple[int, ...], higher: tuple[int, ...]) -> int:
    """The trumps that win against whatever higher trumps are put against them, by trying all."""
    most = 0
    for order in permutations(higher):
        beaten = sum(1 for mine, other in zip(own, order, strict=False) if other > mine)
        most = max(most, beaten)
    return len(own) - most


@settings(max_examples=200, deadline=None)
@given(st.sets(st.integers(0, 6), min_size=1, max_size=5))
def test_sure_tricks_are_what_no_order_of_unseen_trumps_beats(held: set[int]) -> None:
    """The turn-up is the lowest club; cards 0 to 6 are clubs, higher numbers are better."""
    turned = 0
    own = tuple(sorted(held - {turned}))
    hands = np.array([sum(1 << card for card in own)], np.int64)
    unseen = [card for card in range(7) if card not in held and card != turned]
    padded = tuple(unseen + [-1] * (len(own) - len(unseen)))
    assert sure_tricks_of(hands, 0, GAME, 1 << turned)[0] == surely(own, padded)


@pytest.mark.parametrize("players", [3, 4, 5, 6])
def test_shipped_tables_do_not_pass_three_top_trumps_or_a_mouche(players: int) -> None:
    strategy = embedded_strategy(CardRules(players=players))
    assert strategy is not None
    pack = strategy.rules.pack
    for said in (["stand"] * (players - 1), ["pass"] * (players - 2) + [3]):
        for cards in ("KS QS JS KH 8D", "KS QS JS AS 10S", "KH QH JH AH 10H"):
            options = strategy.declaration(pack.hand(cards), pack.card("8S"), players - 1, said)
            assert sum(o.probability for o in options) == pytest.approx(1)
            assert options[0].action == "pass"
            assert options[0].probability == 0


def test_what_is_barred_says_what_takes_its_place() -> None:
    strategy = embedded_strategy(RULES)
    assert strategy is not None
    codes = np.unique(barred_cells(strategy.abstraction, strategy.tables, strategy.game))
    width = len(strategy.abstraction.actions)
    assert all(c == 0 or BARRED < c < BARRED + width or c == ONLY + 1 for c in codes.tolist())


def test_nothing_is_barred_where_a_hand_is_not_worth_its_tricks() -> None:
    from mouche_solver.cards.train.trainer import Batch, CardTrainer

    for rules in (
        CardRules.mushka(3),
        CardRules(players=2, ranks="K Q J A", suits="C D", hand_size=3, reshuffle=False),
    ):
        trainer = CardTrainer(Abstraction(rules, "coarse"), batch=Batch(8, 8, 1, 64))
        trainer.train_round()
        assert not trainer.strategy().policy.barred.any()
