"""Responses in the declarations and in the play: lower bounds that exact games confirm."""

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from mouche_solver.cards import CardDeal, CardRules
from mouche_solver.cards.kernels.deal import (
    legal_declarations,
    new_deal,
    restore,
    save,
    say,
)
from mouche_solver.cards.kernels.records import CONTEXT
from mouche_solver.cards.measure.best_response import DeclarationResponse
from mouche_solver.cards.measure.kernels_best_response import (
    act,
    allowed,
    code_of,
    in_order,
    subset,
)
from mouche_solver.cards.measure.lookahead import local_response
from mouche_solver.cards.referee.actions import Play
from mouche_solver.cards.strategy.compile import new_table
from mouche_solver.cards.strategy.levels import Abstraction
from mouche_solver.cards.strategy.strategy import CardStrategy
from mouche_solver.cards.train.trainer import Batch, CardTrainer
from mouche_solver.core.trees.best_response import evaluate
from mouche_solver.core.trees.extensive import SequenceForm, sequence_form
from mouche_solver.errors import RulesError

TINY = CardRules(players=2, ranks="K Q J", suits="C D", hand_size=2, reshuffle=False)
THREE = CardRules(players=3, ranks="K Q J A 10", suits="C D H", hand_size=3)
LOSSLESS = (("lossless", "lossless"),)


def strategy_of(rules: CardRules, rounds: int = 0, shares: Any = None, **options: Any) -> Any:
    """A strategy after a few rounds; without any it chooses evenly everywhere."""
    book = Abstraction(rules, **options)
    trainer = CardTrainer(book, shares or "fixed-point", seed=3, batch=Batch(64, 64, 1, 1 << 12))
    for _ in range(rounds):
        trainer.train_round()
    trainer.close()
    return trainer.strategy()


def standing(rules: CardRules) -> Any:
    """Everybody always stands."""
    strategy = strategy_of(rules)
    probability = np.zeros_like(strategy.tables.probability)
    probability[:, 1] = 1.0
    visits = np.ones_like(strategy.tables.visits)
    tables = replace(strategy.tables, probability=probability, visits=visits)
    return CardStrategy(strategy.abstraction, tables, strategy.training)


def partly_best(form: SequenceForm, strategy: Any, player: int, plays: bool) -> float:
    """The best response of a player who deviates in the play only, or in declarations only."""
    reach = np.ones(form.sequences)
    for i, parent in enumerate(form.parent):
        own = slice(form.start[i], form.start[i + 1])
        reach[own] = reach[parent] * strategy[own]
    weight = form.leaf_reach * form.payoff_table[player][form.leaf_payoff]
    for other in set(range(form.players)) - {player}:
        weight = weight * reach[form.leaf_sequence[:, other]]
    value = np.bincount(form.leaf_sequence[:, player], weight, form.sequences)
    for i in reversed(range(len(form.owner))):
        if form.owner[i] == player:
            own = slice(form.start[i], form.start[i + 1])
            free = isinstance(form.actions[i][0], Play) == plays
            value[form.parent[i]] += value[own].max() if free else value[own] @ strategy[own]
    return float(value[player])


@pytest.mark.parametrize("rounds", [0, 2])
def test_responses_reach_but_do_not_pass_the_exact_ones(rounds: int, behaviour: Any) -> None:
    strategy = strategy_of(
        TINY, rounds, "1/2,1/2", declarations=LOSSLESS, play="lossless", laying="every"
    )
    form = sequence_form(CardDeal(TINY, "1/2,1/2", turned="KC"))
    exact = behaviour(form, strategy)
    gap = evaluate(form, exact)
    says, plays = (
        np.mean([partly_best(form, exact, p, which) - gap.values[p] for p in range(2)])
        for which in (False, True)
    )
    response = DeclarationResponse(strategy, seed=1)
    response.sample(100_000)
    found = response.measure(100_000)
    assert 0 < says < gap.gains.mean()
    assert found.gain.mean == pytest.approx(says, abs=2 * found.gain.margin + 0.002)
    assert found.gain.low < says
    assert np.mean(found.gain_by_seat) == pytest.approx(found.gain.mean)
    alone = local_response(strategy, 4096, 128, seed=1)
    assert alone.measured.gain.low < plays
    assert alone.measured.gain.high > 0.8 * plays  # one card ahead is not all
    both = local_response(strategy, 4096, 128, seed=1, response=response)
    assert both.measured.gain.low < gap.gains.mean()
    assert both.measured.gain.mean > max(says, plays) / 2


def test_who_always_stands_loses_much_to_who_passes_and_exchanges() -> None:
    response = DeclarationResponse(standing(THREE), seed=1)
    response.sample(20_000)
    found = response.measure(20_000)
    assert found.gain.low > 0.05
    assert {change.own for change in found.changes} == {0}
    assert found.changes[0].answer != 0


def test_no_knowledge_and_the_same_action_gain_exactly_nothing() -> None:
    response = DeclarationResponse(standing(THREE), seed=1)
    none = response.measure(8192)
    assert (none.gain.mean, none.gain.margin, none.changes) == (0.0, 0.0, ())
    response.estimates[:, 1] = 1.0  # stand
    same = response.measure(8192)
    assert (same.gain.mean, same.gain.margin) == (0.0, 0.0)
    assert [change.share for change in same.changes] == [1.0] * 3
    response.estimates[:, 1], response.estimates[:, 0] = 0.0, 1.0  # pass with everything
    assert response.measure(8192).gain.high < 0


def test_the_seed_decides_and_the_number_of_threads_does_not() -> None:
    strategy = strategy_of(THREE, 2)
    results = []
    for seed, threads in ((1, 1), (1, 2), (2, 2)):
        response = DeclarationResponse(strategy, seed, threads)
        response.sample(8192)
        local = local_response(strategy, 256, 32, seed, threads, response=response)
        results.append((response.measure(8192), local))
    assert results[0] == results[1]
    assert results[0] != results[2]


@pytest.mark.parametrize("laying", ["rule", "every"])
@pytest.mark.parametrize("swap", [False, True])
def test_codes_say_what_the_strategy_says(laying: Any, swap: bool) -> None:
    rules = CardRules(
        players=2, ranks="K Q J A 10", suits="C D H", hand_size=3, dealer_takes_trump=swap
    )
    strategy = strategy_of(rules, laying=laying)
    game, policy, table = strategy.game, strategy.policy, new_table()
    state, cards = np.array([5], np.uint64), np.zeros(8, np.int64)
    for _ in range(30):
        new_deal(game, table, state)
        save(2, table)
        for action in range(len(strategy.abstraction.actions)):
            restore(2, table)
            if not legal_declarations(1, game, table) >> action & 1:
                continue
            code = code_of(1, action, game, policy, table, cards)
            assert allowed(1, code, game, policy, table)
            act(1, code, game, policy, table, cards, state)
            ours = [table[name].tolist() for name in ("hands", "laid", "said", "stock")]
            restore(2, table)
            say(1, action, game, policy, table, state)
            assert ours == [table[name].tolist() for name in ("hands", "laid", "said", "stock")]


def test_the_ace_that_mushka_keeps_is_neither_passed_nor_laid_down() -> None:
    """Every code of hands with it."""
    rules = CardRules.mushka(3)
    strategy = strategy_of(rules, declarations="coarse")
    game, policy, table = strategy.game, strategy.policy, new_table()
    state, cards = np.array([8], np.uint64), np.zeros(8, np.int64)
    ace, held = 1 << rules.pack.card("AS"), 0
    while held < 12:
        new_deal(game, table, state)
        hand, context = int(table["hands"][2]), int(table["stock"][CONTEXT])
        if not hand & ace:
            continue
        held += 1
        in_order(hand, context, game, policy, cards)
        assert not allowed(2, 0, game, policy, table)
        for mask in range(2**rules.hand_size):
            laid = int(subset(cards, mask))
            legal = not laid & ace and laid.bit_count() <= rules.max_exchange
            assert allowed(2, 1 + mask, game, policy, table) == legal


def test_a_response_in_mushka_declares_what_the_rules_allow() -> None:
    """Against a table that always stands with the ace, which is the worst card to hold."""
    response = DeclarationResponse(standing(CardRules.mushka(3)), seed=1)
    response.sample(8192)
    response.estimates[:, 0] = 1e3  # pass with everything that may be passed
    found = response.measure(8192)
    passed = sum(change.share for change in found.changes if change.answer == -1) / 3
    assert passed < 0.9  # a seat has the ace in 5 of 36 deals


def test_codes_do_not_depend_on_the_names_of_plain_suits() -> None:
    strategy = strategy_of(CardRules(players=3))
    pack, cards = strategy.rules.pack, np.zeros(8, np.int64)
    names = ["KC 9C KD QD 8H", "10C JD 10D AH 9S", "KD QD JH AH 8S"]
    swapped = str.maketrans("DHS", "SDH")
    for text in names:
        for mask in range(32):
            laid = []
            for hand in (text, text.translate(swapped)):
                in_order(pack.hand(hand), 0, strategy.game, strategy.policy, cards)
                laid.append(set(pack.mask_names(int(subset(cards, mask)))))
            assert {name.translate(swapped) for name in laid[0]} == laid[1]


def test_hands_with_too_many_sets_are_refused() -> None:
    rules = CardRules(players=2, hand_size=7)
    with pytest.raises(RulesError, match="at most 6 cards"):
        DeclarationResponse(strategy_of(rules, declarations="coarse"))
