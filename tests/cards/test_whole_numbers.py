"""Numpy's whole numbers count as Python's at every public door; other numbers are refused."""

from decimal import Decimal
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from mouche_solver.adapters.cards.params import CardSetup
from mouche_solver.adapters.gambit import export_cards_efg
from mouche_solver.cards import (
    Abstraction,
    CardRules,
    CardStrategy,
    CardTrainer,
    HandClasses,
    OpenHands,
    apply,
    cards_of,
    challenge,
    exchange_chart,
    legal_cards,
    mask_of,
    random_game,
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
    mouche_given_stood,
    stock_runs_out,
    trumps_dealt,
    trumps_exchanging,
)
from mouche_solver.cards.odds.unseen import hits
from mouche_solver.cards.referee.actions import Exchange, Pass, Play, Stand
from mouche_solver.cards.rules.mouche import mouche_points, mouche_suit
from mouche_solver.cards.strategy.situation import Situation
from mouche_solver.cards.think.search import Budget
from mouche_solver.cards.train.trainer import Batch
from mouche_solver.errors import IllegalMoveError, MoucheError, RulesError
from mouche_solver.solutions import train_cards

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


# What is no number of the kind that is needed; each had ended in a traceback, in a hang, or in an
# answer.
NO_WHOLE = [1.5, 3.0, np.float64(3), "3", "", b"3", True, float("nan"), None, [], ...]
DEAL = tuple(range(PACK.size))
HAND = PACK.hand("KH QH 9H 8D 8C")
SEEN = Seen(HAND, PACK.card("9S"), laid=PACK.hand("8D 8C"))


@pytest.mark.parametrize("value", NO_WHOLE, ids=repr)
def test_what_is_no_whole_number_is_refused_at_every_door(
    strategy: CardStrategy, value: Any
) -> None:
    rules = strategy.rules
    doors = [
        lambda: start_deal(RULES, (value, *DEAL[1:])),
        lambda: start_deal(RULES, DEAL, stacks=(value, 1, 1)),
        lambda: start_deal(RULES, DEAL, waiting=(value,)),
        lambda: start_deal(RULES, DEAL, points=(value, 1, 1)),
        lambda: Seen(hand=value),
        lambda: Seen(laid=value),
        lambda: Seen(drawn=value),
        lambda: Want(value),
        lambda: Want(256, least=value),
        lambda: stock_runs_out(
            RULES, [{value: 1}] * 3 if not isinstance(value, list) else [{None: 1}] * 3
        ),
        lambda: random_game(RULES, value, max_deals=1),
        lambda: OpenHands(RULES, value),
        lambda: train_cards(rules, value),
        lambda: challenge(strategy, guesses=value, deals=64),
        lambda: hit_table(value, 2),
        lambda: sample_deals(RULES, value, 1),
        lambda: export_cards_efg(CardSetup(rules), value),
        lambda: export_cards_efg(CardSetup(rules, value)),
    ]
    if value is not None:  # nothing is said of these
        doors += [
            lambda: Seen(turned=value),
            lambda: Want(256, most=value),
            lambda: random_game(RULES, 1, max_deals=value),
            lambda: OpenHands(RULES, 2, value),
            lambda: exchange_chart(strategy, seat=value),
            lambda: Budget(samples=value),
        ]
    if not isinstance(value, str):  # a word that is none has its own line
        doors.append(lambda: exchange_chart(strategy, declared=[value]))
    for door in doors:
        with pytest.raises(MoucheError) as told:
            door()
        assert "\n" not in str(told.value)


def test_numbers_beyond_the_pack_are_refused_at_once() -> None:
    """They had ended in a hang, no memory and divisions by zero."""
    for name in ("hand", "turned", "laid", "drawn"):
        for value in (-1, 2**63, 10**30):
            with pytest.raises(MoucheError):
                trumps_dealt(RULES, Seen(**({"hand": HAND, "turned": 20} | {name: value})))
    for number in (-1, 2**63, 10**30):
        for door in (hit_table, lambda n, _: sample_deals(RULES, n, 1)):
            with pytest.raises(RulesError):
                door(number, 2)


def test_small_integers_of_numpy_do_not_overflow() -> None:
    assert OpenHands(RULES, I8(3), I8(2)).entries == OpenHands(RULES, 3, 2).entries
    names = [str(random_game(RULES, seed, max_deals=I8(1))) for seed in (5, I64(5), U64(5))]
    assert len(set(names)) == 1
    deal = start_deal(RULES, DEAL, stacks=(I8(100),) * 3, waiting=(I8(100),))
    assert_plain([deal.stacks, deal.waiting])


def test_chances_are_numbers_of_any_kind() -> None:
    right = mouche_given_stood(RULES, Fraction(1, 4))
    for chance in (0.25, np.float32(0.25), Decimal("0.25")):
        assert mouche_given_stood(RULES, chance) == right  # type: ignore[arg-type]
        declared = [{2: chance, -1: 1 - chance}] * 3
        assert stock_runs_out(RULES, declared) == stock_runs_out(
            RULES, [{2: Fraction(1, 4), -1: Fraction(3, 4)}] * 3
        )
    for wrong in ("0.25", True, float("nan"), None, [0.25], 1j, float("inf")):
        with pytest.raises(RulesError, match="stands"):
            mouche_given_stood(RULES, wrong)  # type: ignore[arg-type]
