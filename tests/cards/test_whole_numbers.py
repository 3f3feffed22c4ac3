"""Numpy's whole numbers count as Python's at every public door; other numbers are refused."""

from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from mouche_solver.cards import (
    Abstraction,
    CardRules,
    CardStrategy,
    CardTrainer,
    HandClasses,
    apply,
    cards_of,
    exchange_chart,
    legal_cards,
    mask_of,
    sample_deals,
    start_deal,
    take_census,
    trick_winner,
)
from mouche_solver.cards.odds import (
    Seen,
    Want,
    cards_out,
    hit_table,
    improves,
    stock_runs_out,
    trumps_dealt,
    trumps_exchanging,
)
from mouche_solver.cards.odds.unseen import hits
from mouche_solver.cards.referee.actions import Exchange, Pass, Play, Stand
from mouche_solver.cards.rules.mouche import mouche_points, mouche_suit
from mouche_solver.cards.strategy.situation import Situation
from mouche_solver.cards.train.trainer import Batch
from mouche_solver.errors import IllegalMoveError, MoucheError, RulesError

SMALL = {"players": 2, "ranks": "K Q J", "suits": "C D", "hand_size": 2, "reshuffle": False}
RULES = CardRules(players=3)
PACK = RULES.pack
I8, I32, I64, U64 = np.int8, np.int32, np.int64, np.uint64


def assert_plain(value: Any) -> None:
    """No number of numpy's anywhere in it."""
    if isinstance(value, tuple | list):
        for each in value:
            assert_plain(each)
    else:
        assert not isinstance(value, np.generic), repr(value)


@pytest.fixture(scope="module")
def strategy() -> CardStrategy:
    trainer = CardTrainer(Abstraction(CardRules(**SMALL)), batch=Batch(64, 64, 2, 64))
    trainer.train_round()
    return trainer.strategy()


def test_rules_keep_plain_numbers_and_the_same_hashes() -> None:
    fields: dict[str, Any] = {
        "players": I64(3),
        "hand_size": I8(5),
        "chips": (I32(9), I32(9), I32(9)),
        "rounds": U64(2),
        "ante": I64(5),
        "cap": I64(10),
        "exchange_cap": I8(4),
        "ace_points": I64(10),
        "first_dealer": I64(1),
    }
    rules = CardRules(**fields)
    plain = CardRules(
        **{k: tuple(map(int, v)) if k == "chips" else int(v) for k, v in fields.items()}
    )
    assert rules == plain
    assert (rules.game_hash, rules.to_json()) == (plain.game_hash, plain.to_json())
    assert_plain(list(vars(rules).values()))


@pytest.mark.parametrize("field", ["players", "hand_size", "chips", "rounds", "exchange_cap"])
def test_rules_refuse_other_numbers(field: str) -> None:
    with pytest.raises(RulesError, match=field):
        CardRules(**{field: 3.0})  # type: ignore[arg-type]


def test_chances_do_not_depend_on_who_asks_first() -> None:
    """Numbers that overflow would stay in the cache, for they are equal to plain ones."""
    first = hits(I8(40), I8(20), I8(18))
    assert first == hits(40, 20, 18)
    assert sum(first) == 1
    with pytest.raises(RulesError, match="give a whole number"):
        hits(40.0, 20, 18)  # type: ignore[arg-type]
    assert hits(40, 20, 18) == first
    assert np.array_equal(hit_table(I8(30), I8(10)), hit_table(30, 10))


def test_odds_take_any_whole_number() -> None:
    hand, turned, laid = PACK.hand("QS JS 9H 8D 10C"), PACK.card("8S"), PACK.hand("9H 8D")
    seen, numpy_seen = Seen(hand, turned, laid), Seen(I64(hand), I8(turned), U64(laid))
    assert numpy_seen == seen
    assert_plain(list(vars(numpy_seen).values()))
    assert trumps_dealt(RULES, numpy_seen, I8(3)) == trumps_dealt(RULES, seen, 3)
    assert trumps_exchanging(RULES, I8(2)) == trumps_exchanging(RULES, 2)
    king = PACK.hand("KS")
    assert cards_out(RULES, numpy_seen, I64(king), I8(2)) == cards_out(RULES, seen, king, 2)
    assert improves(RULES, numpy_seen, [Want(I64(king), I8(1))]) == improves(
        RULES, seen, [Want(king)]
    )
    declared = [{3: Fraction(1, 2), -1: Fraction(1, 2)}] * 3
    asked = [{I8(k): p for k, p in each.items()} for each in declared]
    assert stock_runs_out(RULES, asked) == stock_runs_out(RULES, declared)


def test_cards_and_tricks_take_any_whole_number() -> None:
    hand, trick = PACK.hand("KH QH 9C"), PACK.cards("JH 10H")
    assert mask_of(np.array(cards_of(I64(hand)), I8)) == hand
    assert_plain(cards_of(U64(hand)))
    legal = legal_cards(RULES, I8(0), np.array(trick, I8), I64(hand))
    assert legal == legal_cards(RULES, 0, trick, hand)
    assert_plain(legal)
    assert trick_winner(RULES, I8(0), np.array(trick, I8)) == trick_winner(RULES, 0, trick)
    assert mouche_suit(RULES, I8(0), I64(PACK.hand("KD QD"))) == 1
    assert_plain(mouche_points(RULES, I64(PACK.hand("KD 9D"))))


def test_a_deal_keeps_plain_numbers() -> None:
    deal = start_deal(RULES, np.arange(PACK.size), stacks=np.array([50, 50, 50]), pot=I32(5))
    assert deal == start_deal(RULES, range(PACK.size), stacks=(50, 50, 50), pot=5)
    deal = apply(deal, Exchange(I64(0), tuple(np.array([0, 1], I8))))
    deal = apply(apply(deal, Pass(I8(1))), Stand(2))
    while deal.phase == "play":
        card = next(c for c in cards_of(deal.hands[deal.turn]) if _may_play(deal, c))
        deal = apply(deal, Play(I64(deal.turn), I8(card)))
    assert_plain([v for name, v in vars(deal).items() if name not in ("rules", "outcome")])


def _may_play(deal: Any, card: int) -> bool:
    try:
        apply(deal, Play(deal.turn, card))
    except IllegalMoveError:
        return False
    return True


def test_strategies_answer_any_whole_number(strategy: CardStrategy) -> None:
    pack = strategy.rules.pack
    hand, turned = pack.hand("QC JD"), pack.card("KC")
    plain = strategy.declaration(hand, turned, 0, [])
    assert strategy.declaration(I64(hand), I8(turned), I32(0), []) == plain
    assert strategy.declaration(hand, turned, 1, [I64(1)]) == strategy.declaration(
        hand, turned, 1, [1]
    )
    first = strategy.play(hand, turned, 0, ["stand", "stand"])
    assert strategy.play(U64(hand), I8(turned), I8(0), ["stand", "stand"], I64(0)) == first
    told = strategy.posterior(turned, [1], 0, known=hand)
    assert strategy.posterior(I8(turned), [I8(1)], I8(0), known=I64(hand)) == told
    chart = exchange_chart(strategy, I64(1), [I64(1)])
    assert chart.rows() == exchange_chart(strategy, 1, [1]).rows()
    assert_plain(list(vars(Situation(I64(hand), I8(turned), I8(0), (I8(1),))).values()))
    with pytest.raises(IllegalMoveError, match="give a whole number"):
        strategy.declaration(float(hand), turned, 0, [])  # type: ignore[arg-type]


def test_samples_and_trainers_take_any_whole_number(strategy: CardStrategy) -> None:
    rules = strategy.rules
    one, other = sample_deals(rules, I64(50), I8(3)), sample_deals(rules, 50, 3)
    assert all((a == b).all() for a, b in zip(one, other, strict=True))
    census = take_census(strategy, I64(4096), I8(1), I8(1))
    assert (census.dealt == take_census(strategy, 4096, 1, 1).dealt).all()
    trainer = CardTrainer(
        strategy.abstraction, seed=I64(3), threads=I8(1), batch=Batch(I64(8), 8, 1, 64)
    )
    trainer.train_round()
    assert_plain([trainer.seed, trainer.declared, trainer.strategy().training.seed])
    classes = HandClasses(rules.pack, I8(2), I8(0), I8(0))
    assert classes.n_classes == HandClasses(rules.pack, 2, 0, 0).n_classes
    assert_plain([classes.turned, classes.trump, classes.hand_size])
    with pytest.raises(MoucheError, match="seed"):
        CardTrainer(strategy.abstraction, seed=1.5)  # type: ignore[arg-type]
