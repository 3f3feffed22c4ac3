"""Answers of the shipped strategies that a player would find sensible, and values that are true."""

from collections import defaultdict
from typing import Any

import numpy as np
import pytest

from mouche_solver.cards import CardRules
from mouche_solver.cards.kernels.deal import (
    count_in,
    legal_declarations,
    new_deal,
    restore,
    save,
    settle_early,
    unasked,
)
from mouche_solver.cards.kernels.policies import declare
from mouche_solver.cards.kernels.tricks import begin_play, play_out, put
from mouche_solver.cards.strategy.answers import all_answers, hand_shapes
from mouche_solver.cards.strategy.compile import new_table
from mouche_solver.cards.strategy.levels import Abstraction
from mouche_solver.cards.strategy.situation import Situation
from mouche_solver.cards.strategy.strategy import CardStrategy
from mouche_solver.cards.think.kernels_search import continued
from mouche_solver.cards.think.search import Budget
from mouche_solver.cards.think.thinker import Thinker, Thought
from mouche_solver.cards.train.trainer import Batch, CardTrainer
from mouche_solver.errors import RulesError
from mouche_solver.storage.cards.strategies import embedded_strategy

FEW = Budget(samples=4096)
ALONE = Budget(seconds=0.0)
PAIR = CardRules(players=2, ranks="K Q J A", suits="C D", hand_size=2, reshuffle=False)


def shipped(players: int) -> CardStrategy:
    found = embedded_strategy(CardRules(players=players))
    assert found is not None
    return found


def ask(players: int, hand: str, seat: int, declared: list[Any], budget: Budget) -> Thought[Any]:
    strategy = shipped(players)
    pack = strategy.rules.pack
    thinker = Thinker(strategy, budget)
    return thinker.think_declaration(
        Situation(pack.hand(hand), pack.card("7S"), seat, tuple(declared))
    )


def passing(thought: Thought[Any]) -> float:
    return sum(o.probability for o in thought.options if o.action == "pass")


EXAMPLES = [
    (4, "KS QS JS KH 8D", 3, ["pass", "stand", 3]),
    (4, "KS QS JS KH 8D", 3, ["stand"] * 3),
    (4, "JS 10S 9S 8S 6H", 2, ["pass", "stand"]),
    (5, "KS QS JS KH 8D", 4, ["stand"] * 4),
    (6, "KS QS JS KH 8D", 4, ["stand"] * 4),
    (6, "KS QS JS KH 8D", 5, ["stand"] * 5),
]


@pytest.mark.parametrize("budget", [ALONE, FEW], ids=["table", "think"])
@pytest.mark.parametrize("example", EXAMPLES)
def test_sure_tricks_are_not_passed(example: Any, budget: Budget) -> None:
    thought = ask(*example, budget)
    assert passing(thought) < 0.01
    kept = [o for o in thought.options if o.probability > 0.05]
    trumps = thought.options[1].cards
    assert trumps == ()
    assert all(len(o.cards) <= 2 for o in kept)  # nobody lays a sure trick down


def test_three_trumps_are_seldom_passed_to_people_who_stand() -> None:
    """After three stands: random hands with three and more trumps, the likelier the oftener.

    Against the table, which stands with strong hands alone, passing is right for most of them, and
    the table passes most; people err, and then it is not.
    """
    strategy, said = shipped(4), ("stand",) * 3
    found = all_answers(strategy, 3, said)[0]
    held = hand_shapes(strategy.rules, found.context, found.hands).trumps >= 3
    weight = np.where(held, found.weight, 0.0) / found.weight[held].sum()
    chosen = np.random.default_rng(1).choice(len(weight), 6, p=weight)
    passed = {}
    for trusting in (True, False):
        thinker = Thinker(strategy, Budget(samples=1024, trusting=trusting))
        passed[trusting] = [
            passing(
                thinker.think_declaration(
                    Situation(int(found.hands[row]), found.context.turned, 3, said)
                )
            )
            for row in chosen
        ]
    assert np.mean(passed[True]) > 0.8
    assert np.mean(passed[False]) < 0.2


def test_histories_with_the_same_numbers_are_named_as_pooled() -> None:
    """The dealer's histories of four players: whoever gets equal answers is told with how many."""
    strategy = shipped(4)
    said, pack = strategy.abstraction.histories, strategy.rules.pack
    hand, turned, thinker = pack.hand("KS QS 9S KH 8D"), pack.card("7S"), Thinker(strategy, ALONE)
    same: dict[Any, list[tuple[str, ...]]] = defaultdict(list)
    for number in range(int(said.first[3]), said.number):
        words = tuple({-1: "pass", 0: "stand"}.get(n, n) for n in said.said(number))
        if set(words) == {"pass"}:
            continue
        thought = thinker.think_declaration(Situation(hand, turned, 3, words))
        known = tuple((o.probability, o.value) for o in thought.options)
        same[known].append(thought.notes)
    assert max(map(len, same.values())) > 10
    for notes in same.values():
        if len(notes) > 1:
            assert all("histories share these values" in " ".join(note) for note in notes)


@pytest.mark.parametrize("budget", [ALONE, FEW], ids=["table", "think"])
@pytest.mark.parametrize("players", [3, 4, 5, 6])
def test_a_mouche_is_not_passed(players: int, budget: Budget) -> None:
    strategy = shipped(players)
    pack, thinker = strategy.rules.pack, Thinker(strategy, budget)
    for hand in ("KC QC JC 10C 9C", "AH QH 10H 9H 8H"):
        for declared in ([], ["pass"], ["stand"], [3]):
            seat = len(declared)
            thought = thinker.think_declaration(
                Situation(pack.hand(hand), pack.card("8C"), seat, tuple(declared))
            )
            best = max(thought.options, key=lambda o: o.probability)
            assert passing(thought) < 0.01
            if hand.startswith("A"):  # with five trumps an exchange wins all tricks as well
                assert best.action == "stand"


def test_answers_do_not_depend_on_threads() -> None:
    one, two = (
        ask(4, "KS QH JH KH 8D", 3, ["pass", "stand", 3], Budget(samples=2048, threads=threads))
        for threads in (1, 2)
    )
    assert one == two
    assert one.searched


def test_values_come_with_errors_and_say_what_they_are_pooled_with() -> None:
    alone = ask(4, "KS QS JS KH 8D", 3, ["pass", "stand", 3], ALONE)
    assert "33 histories share these values" in alone.notes[0]
    assert {j.source for j in alone.choices} == {"training", "sure tricks"}
    thought = ask(4, "KS QS JS KH 8D", 3, ["pass", "stand", 3], FEW)
    assert all(j.source == "search" and 0 < j.error < 0.1 for j in thought.choices if j.error)
    assert all(j.samples >= 256 for j in thought.choices)
    assert sum(o.probability for o in thought.options) == pytest.approx(1.0)


def test_impossible_budgets_are_refused() -> None:
    with pytest.raises(RulesError, match="seconds from 0 on"):
        Budget(seconds=-1.0)
    with pytest.raises(RulesError, match="at least 1 sample"):
        Budget(samples=0)


def test_a_card_of_several() -> None:
    strategy = shipped(3)
    pack, thinker = strategy.rules.pack, Thinker(strategy, FEW)
    hand, laid = pack.hand("QC 10C KD QD 8S"), pack.hand("9H 8H")
    thought = thinker.think_card(Situation(hand, pack.card("8C"), 0, (2, "pass", "stand"), laid))
    names = {pack.name(o.card) for o in thought.options}
    assert {"QD", "8S"} <= names  # KD is worth the same as QD: one of them is named
    assert len(names) == 4
    assert all(j.error is not None and j.samples > 500 for j in thought.choices)
    assert sum(o.probability for o in thought.options) == pytest.approx(1.0)
    only = thinker.think_card(
        Situation(
            pack.hand("QC 9D 8S KS"),
            pack.card("8C"),
            2,
            ("stand", "pass", "stand"),
            0,
            (pack.cards("KH 9H"), pack.cards("QD")),
        )
    )
    assert [pack.name(o.card) for o in only.options] == ["9D"]


def test_values_are_those_of_real_deals() -> None:
    """Each declaration carried out in many deals that looked the same to the second seat."""
    trainer = CardTrainer(Abstraction(PAIR), "1/2,1/2", batch=Batch(64, 64, 4, 256))
    for _ in range(40):
        trainer.train_round()
    strategy = trainer.strategy()
    game, policy, table = strategy.game, strategy.policy, new_table()
    state = np.array([3], np.uint64)
    real: dict[Any, list[list[float]]] = defaultdict(list)
    for _ in range(30_000):
        new_deal(game, table, state)
        declare(0, policy, game, table, state)
        if unasked(1, game, table):
            continue
        save(2, table)
        start, hand = state[0], int(table["hands"][1])
        said = int(table["said"][0])
        legal, values = int(legal_declarations(1, game, table)), []
        for a in range(int(game["actions"])):
            if legal >> a & 1:
                restore(2, table)
                state[0] = start
                debts = continued(1, a, game, policy, table, state)
                values.append(float(table["chips"][1]) + debts / 2)
        real[said, hand].append(values)
    thinker, off, checked = Thinker(strategy, Budget(samples=4096, trusting=True)), 0, 0
    turned = int(game["turned"][0])
    for said, hand in sorted(real, key=lambda key: -len(real[key]))[:12]:
        values = np.array(real[said, hand])
        errors = values.std(axis=0) / len(values) ** 0.5
        thought = thinker.think_declaration(
            Situation(hand, turned, 1, ("stand" if said == 0 else said,))
        )
        for judged, mean, error in zip(thought.choices, values.mean(axis=0), errors, strict=True):
            assert judged.error is not None
            gap = abs(judged.option.value - mean)
            off += gap > 3 * np.hypot(judged.error, error) + 1e-9
            checked += 1
    assert checked > 40
    assert off <= 1


def test_values_of_the_last_tricks_are_those_of_real_deals() -> None:
    """Both cards of the leader of two tricks, in many deals that looked the same to him."""
    trainer = CardTrainer(Abstraction(PAIR), "1/2,1/2", batch=Batch(64, 64, 4, 256))
    for _ in range(40):
        trainer.train_round()
    strategy = trainer.strategy()
    game, policy, table = strategy.game, strategy.policy, new_table()
    state = np.array([4], np.uint64)
    real: dict[Any, list[list[float]]] = defaultdict(list)
    for _ in range(30_000):
        new_deal(game, table, state)
        for seat in range(2):
            declare(seat, policy, game, table, state)
        if min(table["said"][:2]) < 0 or settle_early(count_in(game, table), game, table) >= 0:
            continue
        hand, values = int(table["hands"][0]), []
        for card in (c for c in range(8) if hand >> c & 1):
            begin_play(2, game, table)
            table["chips"][:2] = 0.0
            put(table["at"], 0, 0, card, int(game["trump"][0]), game)
            debts = play_out(policy, policy, game, table)
            values.append(float(table["chips"][0]) + debts / 2)
        said = int(table["said"][0]), int(table["said"][1])
        real[said, hand, int(table["laid"][0])].append(values)
    thinker = Thinker(strategy, Budget(samples=4096, trusting=True))
    turned, off, checked = int(game["turned"][0]), 0, 0
    for said, hand, laid in sorted(real, key=lambda key: -len(real[key]))[:12]:
        values = np.array(real[said, hand, laid])
        errors = values.std(axis=0) / len(values) ** 0.5
        words = tuple("stand" if number == 0 else number for number in said)
        thought = thinker.think_card(Situation(hand, turned, 0, words, laid))
        cards = [c for c in range(8) if hand >> c & 1]
        for judged in thought.choices:
            at = cards.index(judged.option.card)
            assert judged.error is not None
            gap = abs(judged.option.value - values[:, at].mean())
            off += gap > 3 * np.hypot(judged.error, max(errors[at], 0.01))  # rare events
            checked += 1
    assert checked > 12
    assert off <= 1
