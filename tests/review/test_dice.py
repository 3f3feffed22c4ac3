"""Reviews of dice: losses by hand, labels, and a split into skill and luck without bias."""

import csv
import io
import json
from fractions import Fraction

import numpy as np
import pytest

from mouche_solver.dice.people.players import PEOPLE
from mouche_solver.dice.round.strategy import RoundStrategy
from mouche_solver.dice.rules.hands import all_hands
from mouche_solver.dice.rules.match_referee import replay_match
from mouche_solver.dice.rules.notation import DOUBT
from mouche_solver.dice.rules.referee import Round, roll
from mouche_solver.dice.rules.rules import DiceRules
from mouche_solver.dice.sample.strategy import SampledStrategy
from mouche_solver.dice.sample.thinking import Budget, Thinker
from mouche_solver.errors import MoucheError
from mouche_solver.review.answering import dice_answer
from mouche_solver.review.dice import review_dice
from mouche_solver.review.export import render
from mouche_solver.review.luck import lines, open_values, round_luck
from mouche_solver.review.table_luck import table_luck
from mouche_solver.review.tables import PRICED

SMALL = DiceRules(dice=(1, 1), faces=6, points=1)


def small_strategy() -> RoundStrategy:
    found = dice_answer(SMALL)
    assert isinstance(found, RoundStrategy)
    return found


def test_a_claim_that_must_be_false_is_a_blunder_of_the_whole_round() -> None:
    # With a 5 under the cup, two sixes cannot lie there: the doubt wins for sure.
    found = review_dice("5 / 3 : 2x6 doubt", SMALL)
    first, second = found.decisions
    assert first.value == pytest.approx(-1.0, abs=1e-6)
    assert first.mark == "blunder"
    assert first.loss == pytest.approx((first.best_value or 0) + 1.0)
    assert second.trivial  # after the top claim only the doubt is left
    assert found.worst() == first


def test_values_and_mixes_are_those_of_the_strategy() -> None:
    strategy = small_strategy()
    found = review_dice("6 / 2 : 1x6 2x6 doubt", SMALL)
    for decision in found.decisions[:2]:
        advice = strategy.policy(decision.hand, decision.position)
        assert {c.action: c.value for c in decision.mix} == {
            o.action: o.value for o in advice.actions
        }
        assert decision.best_value == max(o.value or 0.0 for o in advice.actions)


def test_a_position_that_good_play_never_reaches_is_solved_again_and_says_so() -> None:
    found = review_dice("5 / 3 : 2x3 2x6 doubt", SMALL)
    assert "solved again, assumed" in found.decisions[1].label
    assert found.decisions[1].loss is not None
    assert found.decisions[1].error is None


def test_a_table_of_three_is_priced_by_what_the_advice_thinks() -> None:
    rules = DiceRules(dice=(5, 5, 5))
    text = "1,2,3,4,5 / 2,2,3,4,6 / 1,1,1,2,2 : 3x2 9x2 doubt"
    found = review_dice(text, rules)
    strategy = dice_answer(rules)
    assert isinstance(strategy, SampledStrategy)
    thinker = Thinker(strategy)
    for decision in found.decisions:
        hand, claims = decision.hand, decision.position
        actions = len(strategy.policy(hand, claims).actions)
        thought = thinker.think(hand, claims, Budget(samples=PRICED // actions))
        assert [c.value for c in decision.mix] == thought.values.tolist()
        assert [c.error for c in decision.mix] == thought.errors.tolist()
        assert decision.loss is not None
        assert decision.error is not None
        assert decision.error < 0.1
    # 9x2 among fifteen dice: as bad as it looks, and the doubt of it is right.
    assert [d.mark for d in found.decisions][1:] == ["blunder", ""]
    assert found.worst() is found.decisions[1]
    assert "9x2 is true with a chance of 0%" in found.decisions[1].reason
    results = [split.result for split in found.splits.values()]
    assert results == [0.5, -1.0, 0.5]  # the unit's: what the loser pays the others share
    luck = table_luck(strategy, replay_match(rules, text)[0].round)
    assert [split.luck for split in found.splits.values()] == luck.tolist()


def test_a_round_that_is_too_large_to_solve_is_labelled() -> None:
    rules = DiceRules(dice=(6, 5))
    found = review_dice("1,2,3,4,5,6 / 2,2,3,4,6 : 3x2 doubt", rules)
    assert all(d.label.startswith("not known") and not d.mix for d in found.decisions)
    assert found.splits == {}
    assert found.no_split.startswith("skill and luck are not told apart; round 1: not known")
    for layout in ("json", "markdown", "html"):
        assert "skill and luck are not told apart; round 1" in render(found, layout)


@pytest.mark.parametrize("known", [(), (0,), (1,), (0, 1)])
def test_the_value_function_has_its_exact_mean(known: tuple[int, ...]) -> None:
    values = open_values(small_strategy(), known)
    _, ways = all_hands(1, 6)
    weights = [Fraction(w, sum(ways)) for w in ways]
    mean = sum(
        one * two * Fraction(value)
        for one, row in zip(weights, values.start.tolist(), strict=True)
        for two, value in zip(weights, row, strict=True)
    )
    assert float(mean) == pytest.approx(values.mean, abs=1e-12)


def test_lines_of_claims_are_counted_as_they_can_be_spoken() -> None:
    def spoken(state: Round) -> int:
        return 1 + sum(spoken(state.play(a)) for a in state.legal_actions() if a != DOUBT)

    rules = DiceRules(dice=(1, 1), faces=3)
    assert lines(rules) == spoken(Round(rules, ((1,), (1,))))


def test_with_both_known_nothing_but_the_value_is_left() -> None:
    """In a round that is followed to its end every draw is corrected: the split is exact."""
    results, lucks = play("strategy", "strategy", 3, 60, (0, 1))
    value = small_strategy().quality.value
    assert results - lucks == pytest.approx(value, abs=2e-3)


def play(first: str, second: str, seed: int, many: int, known: tuple[int, ...] = ()):  # type: ignore[no-untyped-def]
    """Results of the opener and his luck in many rounds."""
    strategy, random = small_strategy(), np.random.default_rng(seed)
    results, lucks = [], []
    for _ in range(many):
        state = Round(SMALL, roll(SMALL, random))
        while (player := state.to_act) is not None:
            name = (first, second)[player]
            if name == "strategy":
                advice = strategy.policy(state.cups[player], state.history)
                chances = np.array([o.probability for o in advice.actions])
                word = advice.actions[int(random.choice(len(chances), p=chances / chances.sum()))]
                action = DOUBT if word.action == DOUBT else RoundStrategy.read_claim(word.action)
            else:
                action = PEOPLE[name].act(SMALL, state.cups[player], state.history, random)
            state = state.play(action)
        reveal = state.reveal
        assert reveal is not None
        results.append(1.0 if reveal.winner == 0 else -1.0)
        lucks.append(round_luck(strategy, state, known))
    return np.array(results), np.array(lucks)


@pytest.mark.parametrize(
    ("first", "second", "known"),
    [
        ("strategy", "strategy", (0, 1)),
        ("bluffer", "strategy", (1,)),
        ("casual", "doubter", ()),
        ("honest", "strategy", (1,)),
        ("ladder", "bluffer", ()),
    ],
)
def test_luck_has_no_bias_and_takes_variance_away(
    first: str, second: str, known: tuple[int, ...]
) -> None:
    results, lucks = play(first, second, 5, 800, known)
    # The expectation of luck is zero whoever plays: within four standard errors here.
    assert abs(lucks.mean()) < 4 * lucks.std() / np.sqrt(len(lucks))
    assert lucks.std() > 0.1
    assert (results - lucks).var() < results.var()


def test_totals_add_up_and_every_layout_holds_every_decision() -> None:
    found = review_dice("5 / 3 : 2x6 doubt", SMALL)
    total = found.totals()[0]
    assert total["loss"] == found.decisions[0].loss
    assert total["blunder"] == 1
    assert total["result"] == pytest.approx(total["skill"] + total["luck"])
    document = json.loads(render(found, "json"))
    assert [d["action"] for d in document["decisions"]] == ["2x6", "doubt"]
    rows = list(csv.DictReader(io.StringIO(render(found, "csv"))))
    assert [r["mark"] for r in rows] == ["blunder", ""]
    assert float(rows[0]["player_luck"]) == total["luck"]
    assert render(found, "markdown").count("| 5 | 2x6 |") == 1
    assert "<td>blunder</td>" in render(found, "html")


def test_text_of_a_person_is_never_markup() -> None:
    with pytest.raises(MoucheError):
        review_dice("<script> : 1x1", SMALL)
