"""Mushka: the countdown, the Ace of spades, and a player left alone."""

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from mouche_solver.cards import CardRules
from mouche_solver.cards.referee.actions import Exchange, Pass, Play, Stand
from mouche_solver.cards.referee.deal import Deal
from mouche_solver.cards.referee.game import apply, begin_deal, new_game
from mouche_solver.cards.referee.mushka import score_no_trick, score_trick
from mouche_solver.cards.referee.referee import apply as step
from mouche_solver.cards.referee.referee import legal_actions
from mouche_solver.errors import IllegalMoveError, RulesError

CASES = json.loads((Path(__file__).parents[2] / "data" / "cards.json").read_text())["mushka"]
RULES = CardRules.mushka(3)
HANDS = ["AS KC QC JC 10C", "KD QD JD 10D 9D", "KH QH JH 10H 9H"]


def score(deal, seat, tricks):
    for _ in range(tricks):
        deal = replace(deal, tricks=tuple(w + (s == seat) for s, w in enumerate(deal.tricks)))
        deal = score_trick(deal, seat)
    return deal


@pytest.mark.parametrize("case", CASES)
def test_published_scores(deal_of, case):
    turned = {"H": "8H", "S": "8S"}[case.get("trump", "H")]
    deal = deal_of(RULES, HANDS, turned, points=[case["start"]] * 3)
    deal = replace(deal, declared=("stand", "stand", "pass"))
    deal = replace(deal, ace_holder=0 if case["ace_of_spades"] else None)
    deal = score(deal, 0, case["tricks"])
    if case["tricks"] == 0:
        deal = score_no_trick(deal)
    assert deal.points[0] == case["end"]


@pytest.mark.parametrize(
    ("start", "ace", "tricks", "end", "over"),
    [
        (2, False, 2, 0, True),
        (1, False, 1, 0, True),
        (6, True, 1, 0, True),  # the trick and the bonus count together
        (3, True, 1, 25, False),  # below 0 goes back to 25
        (3, True, 3, 23, False),
        (25, True, 2, 18, False),  # the bonus comes once
    ],
)
def test_exactly_zero_wins_at_once(deal_of, start, ace, tricks, end, over):
    deal = deal_of(RULES, HANDS, "8H", points=[start] * 3)
    deal = score(replace(deal, ace_holder=0 if ace else None), 0, tricks)
    assert deal.points[0] == end
    assert (deal.outcome is not None) == over


def test_the_ace_of_spades_may_be_neither_passed_nor_laid_down(deal_of):
    deal = deal_of(RULES, HANDS, "8H")
    ace = RULES.pack.card("AS")
    assert Pass(0) not in legal_actions(deal)
    assert not any(ace in a.cards for a in legal_actions(deal) if isinstance(a, Exchange))
    with pytest.raises(IllegalMoveError, match="holder of the Ace of spades may not pass"):
        step(deal, Pass(0))
    with pytest.raises(IllegalMoveError, match="may not be laid down"):
        step(deal, Exchange(0, (ace,)))


def test_a_drawn_ace_counts_and_a_flush_wins_nothing(deal_of, run):
    hands = ["8C KC QC JC 10C", *HANDS[1:]]
    deal = run(deal_of(RULES, hands, "8H", "AS"), "8C, stand, stand")
    assert (deal.phase, deal.ace_holder) == ("play", 0)


def test_a_player_left_alone_scores_five_tricks(deal_of, run):
    deal = run(deal_of(RULES, HANDS, "8H"), "stand, pass, pass")
    assert deal.points == (25 - 5 - 5, 25, 25)
    assert deal.outcome.how == "alone"
    won = run(deal_of(RULES, HANDS, "8H", points=[8, 25, 25]), "stand, pass, pass")
    assert (won.outcome.how, won.points[0]) == ("zero", 0)


def test_no_penalty_for_a_revoke(deal_of, run):
    hands = [HANDS[0], "KD QD JD 10D 9H", "KH QH JH 10H 9D"]
    deal = run(deal_of(RULES, hands, "8H"), "stand, stand, stand")
    deal = step(deal, Play(0, RULES.pack.card("KC")))
    diamond = RULES.pack.card("KD")
    with pytest.raises(IllegalMoveError, match=r"KD may not be played: .* you must trump"):
        step(deal, Play(1, diamond))
    with pytest.raises(IllegalMoveError, match="no penalty for a revoke"):
        step(deal, Play(1, diamond, revoke=True))


def test_the_game_ends_at_zero():
    game = new_game(RULES, 2)
    game = replace(begin_deal(game, range(32)), points=(25, 25, 5))
    game = replace(game, deal=replace(game.deal, points=(25, 25, 5)))
    game = apply(apply(game, Pass(0)), Pass(1))
    assert (game.over, game.winners) == (True, (2,))


def test_stand_is_always_open(deal_of):
    assert Stand(0) in legal_actions(deal_of(RULES, HANDS, "8H"))


@pytest.mark.parametrize(
    ("in_turn", "start", "end"),
    [(False, 1, 25), (True, 1, 0), (False, 6, 0), (True, 6, 0), (False, 3, 25), (True, 3, 25)],
)
def test_the_trick_may_count_before_the_ace(
    deal_of: Callable[..., Deal], in_turn: bool, start: int, end: int
) -> None:
    """From 1 the trick alone reaches 0; with the Ace's 5 at once it is below."""
    rules = CardRules.mushka(3, bonus_in_turn=in_turn)
    deal = deal_of(rules, HANDS, "8H", points=[start] * 3)
    deal = replace(deal, declared=("stand", "stand", "pass"), ace_holder=0)
    deal = score(deal, 0, 1)
    assert deal.points[0] == end
    assert (deal.outcome is not None) is (end == 0)


def test_the_order_of_the_bonus_changes_no_strategy() -> None:
    """Deals are solved far from 0, where it makes no difference."""
    rules, other = CardRules.mushka(3), CardRules.mushka(3, bonus_in_turn=True)
    assert (rules.deal_hash == other.deal_hash, rules.game_hash == other.game_hash) == (True, False)
    with pytest.raises(RulesError, match="allowed with scoring countdown"):
        CardRules(bonus_in_turn=True)
